// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/capture/names.h"
#include "core/tensors/tensor_file.h"

namespace isobit {

/// One tensor of one step of a run: the whole of a single pass, or a piece of it.
struct StepTensor {
    std::size_t tensor = 0;            ///< index into the file's tensors
    std::optional<std::int64_t> step;  ///< as the dumper counted; -1 for a prefill that is called so
};

/// A tensor of a side by its name without steps, with its pieces in the order of their steps.
struct SideTensor {
    std::string name;      ///< "layers.00.q_proj"; of a dump "layers.00.q_proj[forward_pass_id=3]" it is the same
    std::string standard;  ///< what the graph calls it
    std::vector<StepTensor> pieces;
};

/// What one file or folder holds, by names that do not depend on how it was dumped.
class CaptureSide {
public:
    CaptureSide(const TensorFile& file, const NameBook& book);

    [[nodiscard]] const TensorFile& file() const { return *m_file; }
    /// In the file's order.
    [[nodiscard]] const std::vector<SideTensor>& tensors() const { return m_tensors; }
    [[nodiscard]] const SideTensor* byName(std::string_view name) const;
    /// By the graph's name, if exactly one tensor has it.
    [[nodiscard]] const SideTensor* byStandardName(std::string_view standard) const;
    [[nodiscard]] const TensorInfo& first(const SideTensor& tensor) const {
        return m_file->tensors()[tensor.pieces.front().tensor];
    }

private:
    const TensorFile* m_file;
    std::vector<SideTensor> m_tensors;
    std::map<std::string, std::size_t, std::less<>> m_byName;
    std::map<std::string, std::vector<std::size_t>, std::less<>> m_byStandard;
};

}  // namespace isobit
