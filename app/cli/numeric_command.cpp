// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/cli/commands.h"
#include "core/numeric/verify.h"

namespace isobit::cli {

void addNumericCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* numeric = parser.add_subcommand("numeric", "words of bf16, fp16, fp8, fp32 and their rounding");
    numeric->require_subcommand(1);
    CLI::App* verify = numeric->add_subcommand("verify", "check every conversion on its whole domain, 2^32 floats each");
    const auto json = std::make_shared<bool>(false);
    verify->add_flag("--json", *json, "print one JSON document");
    verify->callback([&invocation, json] {
        Json document;
        std::uint64_t mismatches = 0;
        for (const ConversionCheck& check : verifyConversions()) {
            mismatches += check.mismatches;
            document["checks"].push_back(
                {{"name", check.name}, {"inputs", check.inputs}, {"mismatches", check.mismatches}});
            if (!*json)
                invocation.out << fmt::format("{:<28} {:>11} inputs  {} mismatches\n", check.name, check.inputs,
                                              check.mismatches);
        }
        document["mismatches"] = mismatches;
        if (*json) invocation.print(document);
        invocation.exitCode = mismatches == 0 ? ExitCode::Holds : ExitCode::Violated;
    });
}

}  // namespace isobit::cli
