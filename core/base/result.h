// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace isobit {

/// Why something could not be run: one sentence for the user, without a final newline. It names the file and the
/// offset where there is one, what was found and what was expected.
struct Error {
    std::string message;
};

/// A value, or the one sentence that says why there is none. Nothing throws across a folder's boundary.
template <class T>
using Result = tl::expected<T, Error>;

/// An Error from a format string: `return failure("{}: {} bytes, expected {}", path, found, expected);`
template <class... Arguments>
[[nodiscard]] tl::unexpected<Error> failure(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    return tl::unexpected<Error>(Error{fmt::format(format, std::forward<Arguments>(arguments)...)});
}

/// Hands an error of one result on as the error of another.
template <class T>
[[nodiscard]] tl::unexpected<Error> failureOf(const Result<T>& result) {
    return tl::unexpected<Error>(result.error());
}

}  // namespace isobit
