// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>

namespace isobit::views {

/// "1,234,567": digits in groups of three.
[[nodiscard]] QString grouped(std::uint64_t number);
/// At most four digits and a letter: "107", "9,999" as "9999", "12k", "1.2M", "16.8M", "3.4G".
[[nodiscard]] QString shortened(std::uint64_t number);
/// The first digits of a digest and an ellipsis; a dash for none.
[[nodiscard]] QString shortDigest(const std::string& digest, int digits = 12);
/// "1 word", "2 words", "1,234 words".
[[nodiscard]] QString counted(std::uint64_t number, const char* noun);

}  // namespace isobit::views
