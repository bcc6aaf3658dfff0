// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/base/result.h"

namespace isobit {

struct ChildLimits {
    unsigned seconds = 20;                             ///< of processor time, and three times that of waiting
    std::uint64_t memoryBytes = std::uint64_t(1) << 30;  ///< that it may allocate beyond what this process has
    std::uint64_t answerBytes = 64u << 20;
};

/// Runs `work` in a child process and returns the text it gives. For code that may crash on hostile input: the child
/// is in the sandbox of sandbox.h, its standard streams are closed, and a crash is an Error. `work` may read descriptors that are open now and write to shared AnonymousMemory.
/// `name` is the file's, for the error.
[[nodiscard]] Result<std::string> runGuarded(const std::function<Result<std::string>()>& work, const std::string& name,
                                             const ChildLimits& limits = {});

}  // namespace isobit
