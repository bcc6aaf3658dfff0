// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace isobit {

/// Index of the first element whose words differ; empty if all are equal. Both spans hold the same number of elements of
/// `width` bytes, at any alignment.
[[nodiscard]] std::optional<std::size_t> firstDifferent(std::size_t width, std::span<const std::byte> trainer,
                                                        std::span<const std::byte> sampler);
/// Index of the last one.
[[nodiscard]] std::optional<std::size_t> lastDifferent(std::size_t width, std::span<const std::byte> trainer,
                                                       std::span<const std::byte> sampler);

}  // namespace isobit
