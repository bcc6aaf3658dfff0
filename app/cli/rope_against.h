// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/open_arguments.h"
#include "core/golden/table_fit.h"

namespace isobit::cli {

/// A captured table to hold against a recipe: `rope table --against FILE`.
struct AgainstArguments {
    std::string path;
    std::string cosine = "cos";
    std::int64_t first = 0;  ///< position of its first row
};

void addAgainstOptions(CLI::App& table, AgainstArguments& arguments);

/// Prints how the captured table was made; the exit code is Holds where it is as built.
void runAgainst(const AgainstArguments& arguments, const OpenArguments& open, const RopeTableRecipe& recipe, bool json,
                Invocation& invocation);

}  // namespace isobit::cli
