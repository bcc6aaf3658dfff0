// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "core/programs/program.h"

namespace isobit::support {

/// A program on bf16 words whose two outputs are simple integer functions of x and r: out = x xor r, residual_out = r. A
/// fault changes words of "out": it is given the row, the column and the number of rows in the call.
class FakeProgram final : public Program {
public:
    using Fault = std::function<std::uint16_t(std::int64_t row, std::int64_t column, std::int64_t rows)>;

    explicit FakeProgram(std::string name, Fault fault = {}, int version = 1)
        : m_name(std::move(name)), m_fault(std::move(fault)), m_version(version) {}

    [[nodiscard]] std::string_view name() const override { return m_name; }
    [[nodiscard]] std::string_view operation() const override { return "rms_norm"; }
    [[nodiscard]] std::string_view arithmetic() const override { return "fake"; }
    [[nodiscard]] std::string_view engine() const override { return "reference"; }
    [[nodiscard]] int version() const override { return m_version; }

    [[nodiscard]] Result<std::vector<NamedTensor>> run(const OperationCall& call, const RunOptions& options) const override {
        if (beforeRun) beforeRun(call);
        const TensorView& x = call.inputs.at("x");
        const TensorView& r = call.inputs.at("r");
        if (failsAtRows == x.shape[0]) return failure("{}: no memory on the device for {} rows", m_name, x.shape[0]);
        // A patient program that looks at its stop token, as long ones do.
        for (int i = 0; i < pauseMs && !options.stop.stop_requested(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (options.stop.stop_requested()) return failure("{}: stopped", m_name);
        std::vector<NamedTensor> outputs;
        outputs.push_back({"out", Tensor(DType::Bf16, x.shape)});
        outputs.push_back({"residual_out", Tensor(DType::Bf16, x.shape)});
        for (std::int64_t row = 0; row < x.shape[0]; ++row)
            for (std::int64_t column = 0; column < x.shape[1]; ++column) {
                const auto i = static_cast<std::size_t>(row * x.shape[1] + column);
                const std::uint16_t xWord = x.as<std::uint16_t>()[row * x.strides[0] + column];
                const std::uint16_t rWord = r.as<std::uint16_t>()[row * r.strides[0] + column];
                const std::uint16_t fault = m_fault ? m_fault(row, column, x.shape[0]) : std::uint16_t(0);
                outputs[0].tensor.as<std::uint16_t>()[i] = static_cast<std::uint16_t>(xWord ^ rWord ^ fault);
                outputs[1].tensor.as<std::uint16_t>()[i] = rWord;
            }
        return outputs;
    }

    std::int64_t failsAtRows = -1;
    int pauseMs = 0;
    std::function<void(const OperationCall&)> beforeRun;

private:
    std::string m_name;
    Fault m_fault;
    int m_version;
};

}  // namespace isobit::support
