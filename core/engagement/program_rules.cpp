// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/program_rules.h"

#include <fmt/ranges.h>

namespace isobit {
namespace {

NamedTexts with(NamedTexts base, const NamedTexts& more) {
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

std::string namesOfPrograms() {
    std::string names;
    for (const ExactProgram& program : exactPrograms()) names += (names.empty() ? "" : ", ") + std::string(program.name);
    return names;
}

// "rope_class_b is false, expected true" for every explicit option that is not the program's choice.
std::vector<std::string> mismatches(const ExactProgram& program, const NamedTexts& options) {
    std::vector<std::string> list;
    for (const auto& [name, choice] : program.choices)
        if (const std::string* given = findText(options, name); given != nullptr && *given != choice)
            list.push_back(fmt::format("{} is {}, expected {}", name, *given, choice));
    return list;
}

class ProgramRules {
public:
    explicit ProgramRules(const Receipt& receipt) : m_receipt(receipt) {}

    Findings findings() {
        const std::string* stamped = findText(m_receipt.stamps, "program");
        if (stamped == nullptr)
            add("stamp.missing", "program", "the config has no stamp \"program\": it is written at every build, also as \"none\"");
        if (stamped != nullptr && *stamped == "none") {
            stampedNone();
        } else {
            exact(stamped == nullptr ? m_receipt.program : *stamped);
        }
        return std::move(m_findings);
    }

private:
    void add(std::string rule, const std::string& subject, std::string sentence) {
        m_findings.push_back({std::move(rule), m_receipt.side, subject, std::move(sentence)});
    }

    void stampedNone() {
        for (const ContractReceipt& contract : m_receipt.contracts)
            if (contract.selected)
                add("stamp.none", contract.name,
                    "is selected although the config is stamped \"none\", which wins over every other flag");
        for (const auto& [name, value] : m_receipt.stamps)
            if (name != "program" && value != "none")
                add("stamp.stale", name, fmt::format("is stamped {} beside a program stamped \"none\": left over from another build", value));
    }

    void exact(const std::string& name) {
        const ExactProgram* program = findExactProgram(name);
        if (program == nullptr)
            return add("program.unknown", name, fmt::format("is no exact program, expected one of {} or none", namesOfPrograms()));
        if (!m_receipt.program.empty() && m_receipt.program != name)
            add("stamp.stale", "program", fmt::format("is stamped {} and the resolver picked {}", name, m_receipt.program));
        if (const auto wrong = mismatches(*program, m_receipt.options); !wrong.empty())
            add("program.options", name, fmt::format("explicit options do not fit the program: {}", fmt::join(wrong, "; ")));
        if (m_receipt.side == "trainer" && !m_receipt.serverTraining)
            add("program.not_serving", name, "exactness applies only where server training is on");
        stamps(*program);
    }

    void stamps(const ExactProgram& program) {
        std::vector<std::string> missing;
        for (const auto& [name, choice] : program.choices) {
            const std::string* stamp = findText(m_receipt.stamps, name);
            if (stamp == nullptr) missing.push_back(name);
            else if (*stamp != choice)
                add("stamp.wrong", name, fmt::format("is stamped {}, the program {} has {}", *stamp, program.name, choice));
        }
        if (!missing.empty())
            add("stamp.missing", std::string(program.name),
                fmt::format("a program is all or nothing; not stamped: {}", fmt::join(missing, ", ")));
    }

    const Receipt& m_receipt;
    Findings m_findings;
};

}  // namespace

const std::vector<ExactProgram>& exactPrograms() {
    static const NamedTexts head{{"lm_head_fp32", "true"}, {"ce_mode", "bi_fused"}};
    static const NamedTexts rope{{"rope_native", "true"}, {"rope_class_b", "true"}};
    static const NamedTexts hybrid =
        with(with(with({{"attention", "fa4"}, {"router_fp32", "true"}}, head),
                  {{"rmsnorm_mode", "fused_v2"}, {"native_activation", "true"}, {"qk_cast_bf16", "true"}}),
             rope);
    static const std::vector<ExactProgram> programs{
        {"hybrid_dense", hybrid},
        {"hybrid_moe",
         with(hybrid, {{"experts", "triton"}, {"expert_dispatch", "all_to_all"}, {"async_combine", "false"}})},
        {"dense", with(with(with({{"attention", "fa4"}}, head), {{"rmsnorm_mode", "fused"},
                                                                {"native_activation", "false"},
                                                                {"qk_cast_bf16", "false"}}),
                       rope)},
        {"sparse_mla", with(with(with({{"attention", "fa4"}, {"router_fp32", "true"}}, head),
                                 {{"rmsnorm_mode", "fused"}, {"sparse_mla", "true"}}),
                            rope)},
        {"latent_moe", {{"attention", "fa4"},
                        {"router_fp32", "false"},
                        {"lm_head_fp32", "false"},
                        {"rmsnorm_mode", "native"},
                        {"rope_native", "false"},
                        {"rope_class_b", "false"},
                        {"ce_mode", "compiled"},
                        {"adapter", "true"}}}};
    return programs;
}

const ExactProgram* findExactProgram(std::string_view name) {
    for (const ExactProgram& program : exactPrograms())
        if (program.name == name) return &program;
    return nullptr;
}

Result<NamedTexts> resolveProgram(std::string_view family, const NamedTexts& explicitOptions, bool serverTraining) {
    const ExactProgram* program = findExactProgram(family);
    if (program == nullptr) return failure("{} is no exact program, expected one of {}", family, namesOfPrograms());
    if (!serverTraining) return failure("{}: exactness applies only where server training is on", family);
    if (const auto wrong = mismatches(*program, explicitOptions); !wrong.empty())
        return failure("{}: {}", family, fmt::join(wrong, "; "));
    return program->choices;
}

bool isStampedExact(const NamedTexts& stamps, bool legacyFlag) {
    const std::string* stamp = findText(stamps, "program");
    return stamp == nullptr ? legacyFlag : *stamp != "none";
}

Findings programFindings(const Receipt& receipt) {
    return receipt.selection == SelectionKind::Program ? ProgramRules(receipt).findings() : Findings();
}

}  // namespace isobit
