// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "core/programs/attention_inputs.h"
#include "kernels/attention_launch.h"
#include "kernels/device_call.h"

namespace isobit::cuda {

/// Attention of the CUDA engine, inputs and outputs as the reference programs have them: "cuda:NAME" for attention.local,
/// attention.split_512, attention.split_count and attention.heuristic, each also ".chunked" and ".paged"; of the first
/// two each kernel too: ".rows128" and ".rows16".
void addAttentionPrograms(ProgramList& programs);

/// One call's tensors on the device, and its launches in order; it owns what the launches read and write.
class DeviceAttention {
public:
    /// `inputs` are copied to the device; their host memory is not needed afterwards.
    [[nodiscard]] static Result<std::unique_ptr<DeviceAttention>> create(const AttentionArithmetic& arithmetic,
                                                                         const AttentionInputs& inputs,
                                                                         AttentionRoute route);
    /// Puts every launch on the stream of the options.
    [[nodiscard]] Result<void> launch(AttentionKernel kernel, const LaunchOptions& options) const;
    /// On its own stream, then copies the outputs back.
    [[nodiscard]] Result<void> run(AttentionKernel kernel, std::vector<NamedTensor>& outputs, std::string_view name);

private:
    DeviceAttention() = default;
    void upload(const AttentionInputs& inputs);
    void plan(const AttentionArithmetic& arithmetic, const AttentionInputs& inputs,
              const std::vector<std::vector<AttentionRequest>>& launches);

    DeviceCall m_device;
    AttentionArguments m_common;
    std::vector<AttentionArguments> m_launches;
    std::size_t m_outBytes = 0;
    std::size_t m_lseBytes = 0;
};

}  // namespace isobit::cuda
