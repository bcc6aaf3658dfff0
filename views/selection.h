// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace isobit::views {

/// Where the user is: a cell of the run and an output of it, or a tensor of the captures; and an element of either.
struct Selection {
    int cell = -1;              ///< index into Run::cells, -1 for none
    std::string output;         ///< name of an output; empty: all outputs of the cell
    std::int64_t element = -1;  ///< row-major index, -1 for none
    int tensor = -1;  ///< index into the walk's steps, or into the tensors of a single file; -1 for none
    friend bool operator==(const Selection&, const Selection&) = default;
};

}  // namespace isobit::views
