// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensors/tensor.h"

namespace isobit {

/// One call of an operation: its named input tensors and its scalar parameters, both as the operation's contract names
/// them ("x", "w", "r"; "epsilon"). Views only: the caller keeps the tensors alive.
struct OperationCall {
    std::string operation;  ///< "rms_norm"
    std::map<std::string, TensorView> inputs;
    std::map<std::string, double> parameters;  ///< an FP32 parameter is rounded to FP32 once, by the program
    std::map<std::string, std::string> choices = {};  ///< parameters that are names: "pairing" -> "half_split"
};

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// How a program may use the machine; neither changes a bit of its result.
struct RunOptions {
    unsigned threads = 0;  ///< CPU threads, 0: all available
    std::stop_token stop;
};

/// Something that runs and claims an arithmetic: the CPU reference, a CUDA kernel, a library with a pinned algorithm.
/// Objects are immutable; run may be called from several threads at once.
class Program {
public:
    virtual ~Program() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;        ///< unique: "reference:norm.v2"
    [[nodiscard]] virtual std::string_view operation() const = 0;   ///< "rms_norm"
    [[nodiscard]] virtual std::string_view arithmetic() const = 0;  ///< name of the arithmetic it claims: "norm.v2"
    [[nodiscard]] virtual std::string_view engine() const = 0;      ///< "reference" or "cuda"
    /// Raised by one whenever a change can alter an output bit; part of every run file.
    [[nodiscard]] virtual int version() const = 0;
    /// Output tensors, contiguous, in the order the operation declares ("out", "residual_out"). An Error is one sentence
    /// on what the call lacks, or on the device.
    [[nodiscard]] virtual Result<std::vector<NamedTensor>> run(const OperationCall& call,
                                                               const RunOptions& options) const = 0;

    /// Inputs with one entry a batch row along their first dimension; the others are shared by all rows.
    [[nodiscard]] virtual std::vector<std::string_view> batchInputs() const { return {"x", "r"}; }
    /// The outputs of run, but with every batch row computed in a launch of its own. For a batch-invariant program the
    /// words are those of run. An override must do the same as calling run once a row, which is what this does.
    [[nodiscard]] virtual Result<std::vector<NamedTensor>> runRowsAlone(const OperationCall& call,
                                                                        const RunOptions& options) const;
};

using ProgramList = std::vector<std::unique_ptr<const Program>>;

/// The program of that name, or nullptr.
[[nodiscard]] const Program* findProgram(const ProgramList& programs, std::string_view name);

}  // namespace isobit
