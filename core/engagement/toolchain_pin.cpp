// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/engagement/toolchain_pin.h"

#include <filesystem>
#include <set>

#include "core/base/object_reader.h"

namespace isobit {
namespace {

std::string normal(const std::string& path) {
    std::string text = std::filesystem::path(path).lexically_normal().string();
    while (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
}

bool isAtOrBelow(const std::string& path, const std::string& folder) {
    return path == folder || path.starts_with(folder == "/" ? folder : folder + "/");
}

class PinRules {
public:
    explicit PinRules(const ToolchainPin& pin) : m_pin(pin) {}

    Findings findings() {
        if (m_pin.seed.empty()) add("pin.no_seed", "seed", "XORL_EXACT_KERNEL_CONFIG_DIR names no directory");
        if (!m_pin.seeded) add("pin.unseeded", "seed", "the directory holds no tuned-kernel cache");
        if (m_pin.compiledBefore) add("pin.late", "pin", "something was compiled before the pin ran");
        versions();
        if (m_pin.clones.empty()) add("pin.no_clone", "clones", "no rank has a clone of its own");
        for (const ToolchainPin::Clone& clone : m_pin.clones) check(clone);
        return std::move(m_findings);
    }

private:
    void add(std::string rule, std::string subject, std::string sentence) {
        m_findings.push_back({std::move(rule), "toolchain", std::move(subject), std::move(sentence)});
    }

    void versions() {
        for (const auto& [name, version] : m_pin.manifest) {
            const std::string* running = findText(m_pin.running, name);
            if (running == nullptr || *running != version)
                add("pin.version", name, fmt::format("was seeded with {} and runs with {}", version, running == nullptr ? "nothing" : *running));
        }
        for (const auto& [name, version] : m_pin.running)
            if (findText(m_pin.manifest, name) == nullptr) add("pin.version", name, fmt::format("runs with {} and is not in the manifest", version));
        if (m_pin.manifest.empty()) add("pin.version", "manifest", "names no version");
    }

    void check(const ToolchainPin::Clone& clone) {
        const std::string rank = fmt::format("rank {}", clone.rank);
        const std::string path = normal(clone.path);
        if (!m_paths.insert(path).second) add("pin.shared_clone", rank, fmt::format("shares {} with another rank", path));
        if (!m_pin.seed.empty() && isAtOrBelow(path, normal(m_pin.seed)))
            add("pin.recursive", rank, fmt::format("{} lies in the seed {}, which would be copied into itself", path, normal(m_pin.seed)));
        if (!clone.parentExists || path == "/" || !path.starts_with('/'))
            add("pin.parent", rank, fmt::format("{} has no parent folder that exists", path));
        if (clone.exists && !clone.owned)
            add("pin.unowned", rank, fmt::format("{} is there without the ownership marker, so it may not be replaced", path));
    }

    const ToolchainPin& m_pin;
    std::set<std::string> m_paths;
    Findings m_findings;
};

}  // namespace

Result<ToolchainPin> readToolchainPin(const Json& document, const std::string& name) {
    ObjectReader in(document, name);
    (void)in.choice("format", {"isobit.pin/1"});
    ToolchainPin pin;
    pin.manifest = in.textMembers("manifest");
    pin.running = in.textMembers("running");
    pin.seed = in.text("seed", "");
    pin.seeded = in.truthOr("seeded", false);
    pin.compiledBefore = in.truthOr("compiled_before", false);
    in.each("clones", [&](ObjectReader& one) {
        pin.clones.push_back({one.whole("rank"), one.text("path"), one.truthOr("parent_exists", true),
                              one.truthOr("exists", false), one.truthOr("owned", false)});
    });
    if (const auto done = in.finish(); !done) return failureOf(done);
    return pin;
}

Findings pinFindings(const ToolchainPin& pin) { return PinRules(pin).findings(); }

}  // namespace isobit
