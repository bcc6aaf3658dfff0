// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace isobit::evidence {

/// What the text of a field must look like.
struct TextRule {
    const char* expected;  ///< for the error: "64 lower-case hexadecimal digits"
    bool (*holds)(std::string_view);
};

/// Lower-case hexadecimal digits, exactly `length` of them.
[[nodiscard]] bool isHex(std::string_view text, std::size_t length);
/// [a-z0-9][a-z0-9_-]*([.][a-z0-9_-]+)*, not a name that an operating system keeps for itself (con, nul, com1 ...).
/// ASCII lower case only: no two names look alike or clash on a file system that folds case.
[[nodiscard]] bool isPlainComponent(std::string_view text);
/// "data/" and plain components, at most 200 bytes.
[[nodiscard]] bool isDataName(std::string_view text);
/// A path below the root of a repository: printable components of letters, digits and ._+-, none beginning with a dot
/// or a minus sign.
[[nodiscard]] bool isSourcePath(std::string_view text);
/// Decimal digits without a leading zero, within 64 bits.
[[nodiscard]] bool isDecimal64(std::string_view text);

namespace rule {
extern const TextRule anyText;
extern const TextRule notEmpty;
extern const TextRule sha256;
extern const TextRule sha256OrEmpty;
extern const TextRule sha256OrNone;  ///< a digest, "none" or "unknown"
extern const TextRule gitId;         ///< 40 or 64 hexadecimal digits
extern const TextRule token;         ///< 32 hexadecimal digits
extern const TextRule component;
extern const TextRule dataName;
extern const TextRule sourcePath;
extern const TextRule decimal;
extern const TextRule decimalOrEmpty;
extern const TextRule utc;
}  // namespace rule

}  // namespace isobit::evidence
