// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

namespace isobit::cli {

// One line a command, in the order in which `isobit --help` shows them; each is defined in NAME_command.cpp.
void addSweepCommand(CLI::App& parser, Invocation& invocation);
void addShowCommand(CLI::App& parser, Invocation& invocation);
void addListCommand(CLI::App& parser, Invocation& invocation);
void addAttentionCommand(CLI::App& parser, Invocation& invocation);
void addBenchCommand(CLI::App& parser, Invocation& invocation);
void addEvidenceCommand(CLI::App& parser, Invocation& invocation);
void addGateCommand(CLI::App& parser, Invocation& invocation);
void addCompareCommand(CLI::App& parser, Invocation& invocation);
void addAdmitCommand(CLI::App& parser, Invocation& invocation);
void addAgreeCommand(CLI::App& parser, Invocation& invocation);
void addConfineCommand(CLI::App& parser, Invocation& invocation);
void addContractCommand(CLI::App& parser, Invocation& invocation);
void addDispatchCommand(CLI::App& parser, Invocation& invocation);
void addEngageCommand(CLI::App& parser, Invocation& invocation);
void addInspectCommand(CLI::App& parser, Invocation& invocation);
void addLoraCommand(CLI::App& parser, Invocation& invocation);
void addNumericCommand(CLI::App& parser, Invocation& invocation);
void addOpenCommand(CLI::App& parser, Invocation& invocation);
void addPackingCommand(CLI::App& parser, Invocation& invocation);
void addQualifyCommand(CLI::App& parser, Invocation& invocation);
void addReplayCommand(CLI::App& parser, Invocation& invocation);
void addRopeCommand(CLI::App& parser, Invocation& invocation);
void addRepoCheckCommand(CLI::App& parser, Invocation& invocation);
void addSiliconCommand(CLI::App& parser, Invocation& invocation);
void addVersionCommand(CLI::App& parser, Invocation& invocation);

inline constexpr AddCommand kCommands[] = {
    addSweepCommand,
    addShowCommand,
    addListCommand,
    addCompareCommand,
    addBenchCommand,
    addAdmitCommand,
    addAgreeCommand,
    addConfineCommand,
    addAttentionCommand,
    addContractCommand,
    addDispatchCommand,
    addEngageCommand,
    addEvidenceCommand,
    addGateCommand,
    addInspectCommand,
    addLoraCommand,
    addNumericCommand,
    addOpenCommand,
    addPackingCommand,
    addQualifyCommand,
    addReplayCommand,
    addRopeCommand,
    addRepoCheckCommand,
    addSiliconCommand,
    addVersionCommand,
};

}  // namespace isobit::cli
