// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/repo_scan.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <optional>
#include <set>

#include "core/tensors/confinement.h"

namespace isobit {
namespace {

bool isWordByte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isSegmentByte(char c) { return isWordByte(c) || c == '.' || c == '-'; }

/// What of a line matches, or an empty view.
using Match = std::string_view;

// `prefix` and then a name: "/PREFIX/somebody".
Match withSegment(std::string_view line, std::string_view prefix) {
    for (std::size_t at = line.find(prefix); at != std::string_view::npos; at = line.find(prefix, at + 1)) {
        std::size_t end = at + prefix.size();
        while (end < line.size() && isSegmentByte(line[end])) ++end;
        const bool startsPath = at == 0 || !isSegmentByte(line[at - 1]);
        if (end > at + prefix.size() && startsPath) return line.substr(at, end - at);
    }
    return {};
}

Match firstWithSegment(std::string_view line, const std::vector<std::string>& prefixes) {
    for (const std::string& prefix : prefixes)
        if (const Match match = withSegment(line, prefix); !match.empty()) return match;
    return {};
}

Match firstOf(std::string_view line, const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
        if (const std::size_t at = line.find(text); at != std::string_view::npos) return line.substr(at, text.size());
    return {};
}

// A whole word, in any case of letters.
Match firstWord(std::string_view line, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
        auto found = std::search(line.begin(), line.end(), word.begin(), word.end(), same);
        while (found != line.end()) {
            const auto end = found + static_cast<std::ptrdiff_t>(word.size());
            const bool begins = found == line.begin() || !isWordByte(*(found - 1));
            if (begins && (end == line.end() || !isWordByte(*end)))
                return line.substr(static_cast<std::size_t>(found - line.begin()), word.size());
            found = std::search(found + 1, line.end(), word.begin(), word.end(), same);
        }
    }
    return {};
}

// Each text is written in two pieces: this file must not match itself.
std::string joined(std::string_view a, std::string_view b) { return std::string(a) + std::string(b); }

Match homePath(std::string_view line) {
    static const std::vector<std::string> prefixes{joined("/ho", "me/"), joined("/Us", "ers/"), joined("C:\\Us", "ers\\")};
    return firstWithSegment(line, prefixes);
}

Match sharedStorage(std::string_view line) {
    static const std::vector<std::string> prefixes{joined("/da", "ta/users/"), joined("/sha", "red/users/"), joined("/scr", "atch/"),
                                                   joined("/lus", "tre/"),     joined("/gp", "fs/"),         joined("/mnt/", "users/"),
                                                   joined("/mnt/", "mirrors/"), joined("/works", "paces/")};
    return firstWithSegment(line, prefixes);
}

Match privateKey(std::string_view line) {
    static const std::string begin = joined("-----BE", "GIN "), end = joined("PRIVATE ", "KEY-----");
    const std::size_t first = line.find(begin);
    if (first == std::string_view::npos) return {};
    const std::size_t last = line.find(end, first);
    if (last == std::string_view::npos) return {};
    const std::string_view kind = line.substr(first + begin.size(), last - first - begin.size());  // "RSA "
    const bool plain = std::ranges::all_of(kind, [](char c) { return c == ' ' || (c >= 'A' && c <= 'Z'); });
    return plain ? line.substr(first, last + end.size() - first) : Match();
}

Match clusterAddress(std::string_view line) {
    static const std::vector<std::string> texts{joined(".svc.", "cluster.local"), joined(".clus", "ter.local"), joined(".svc", ":"), joined("kube", "ctl ")};
    return firstOf(line, texts);
}

Match scheduler(std::string_view line) {
    static const std::vector<std::string> texts{joined("kueue.", "x-k8s.io"), joined("queue-", "name:"), joined("#SB", "ATCH"), joined("sba", "tch "),
                                                joined("--parti", "tion="),  joined("priority", "ClassName")};
    return firstOf(line, texts);
}

Match assistant(std::string_view line) {
    static const std::vector<std::string> words{joined("cla", "ude"), joined("chat", "gpt"), joined("co", "pilot"), joined("code", "x"),
                                                joined("gem", "ini"), joined("anth", "ropic"), joined("open", "ai"), joined("dev", "in")};
    return firstWord(line, words);
}

// Capital letters, "-", at least three digits: a tracker's number, unless it names a standard.
Match trackerNumber(std::string_view line) {
    static const std::set<std::string_view> standards{"SHA", "AVX", "CVE", "RFC", "ISO", "FIPS", "UTF", "IEEE", "NIST", "CRC", "AES", "RSA", "GHSA", "CWE", "LC"};
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (at != 0 && isSegmentByte(line[at - 1])) continue;
        std::size_t dash = at;
        while (dash < line.size() && line[dash] >= 'A' && line[dash] <= 'Z') ++dash;
        if (dash - at < 2 || dash - at > 8 || dash >= line.size() || line[dash] != '-') continue;
        std::size_t end = dash + 1;
        while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
        const bool ends = end == line.size() || (!isWordByte(line[end]) && line[end] != '-');
        if (end - dash > 3 && ends && !standards.contains(line.substr(at, dash - at))) return line.substr(at, end - at);
    }
    return {};
}

Match mergeMarker(std::string_view line) {
    for (const char c : {'<', '>', '|'})
        if (line.starts_with(std::string(7, c)) && (line.size() == 7 || line[7] == ' ')) return line.substr(0, std::min<std::size_t>(line.size(), 40));
    return {};
}

struct Rule {
    std::string_view name;
    Match (*match)(std::string_view line);
};
constexpr std::array kRules{Rule{"home-path", homePath},           Rule{"shared-storage", sharedStorage}, Rule{"private-key", privateKey},
                            Rule{"cluster-address", clusterAddress}, Rule{"scheduler", scheduler},        Rule{"assistant", assistant},
                            Rule{"tracker-number", trackerNumber}, Rule{"merge-marker", mergeMarker}};

// Whether all of it is UTF-8 without NUL.
bool isText(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const auto byte = static_cast<unsigned char>(bytes[i]);
        const std::size_t length = byte == 0 ? 0 : byte < 0x80 ? 1 : byte >= 0xC2 && byte < 0xE0 ? 2 : (byte & 0xF0) == 0xE0 ? 3 : byte >= 0xF0 && byte < 0xF5 ? 4 : 0;
        if (length == 0 || i + length > bytes.size()) return false;
        for (std::size_t j = 1; j < length; ++j)
            if ((static_cast<unsigned char>(bytes[i + j]) & 0xC0) != 0x80) return false;
        i += length;
    }
    return true;
}

class Scan {
public:
    Scan(const TrackedFile& file, const ScanOptions& options) : m_file(file), m_options(options) {}

    std::vector<ScanFinding> findings() {
        line(m_file.path, 0);
        if (m_file.isLink) add(0, "symlink", "a symbolic link");
        if (m_file.size > m_options.largeBytes) add(0, "large-file", fmt::format("{} bytes", m_file.size));
        if (!isText(m_file.bytes)) return std::move(m_findings);
        const bool shebang = m_file.bytes.starts_with("#!");
        if (shebang != m_file.executable && !m_file.isLink)
            add(shebang ? 1 : 0, "shebang", shebang ? "begins with #! and is not executable" : "is executable and does not begin with #!");
        std::string_view rest = m_file.bytes;
        for (std::size_t number = 1; !rest.empty(); ++number) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            line(rest.substr(0, end), number);
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return std::move(m_findings);
    }

private:
    void line(std::string_view text, std::size_t number) {
        for (const Rule& rule : kRules)
            if (!m_found.contains(rule.name))
                if (const Match match = rule.match(text); !match.empty()) add(number, rule.name, match);
        if (m_found.contains("term")) return;
        for (const std::string& term : m_options.terms)
            if (!term.empty() && text.find(term) != std::string_view::npos) return add(number, "term", term);
    }

    void add(std::size_t number, std::string_view rule, std::string_view excerpt) {
        m_found.insert(rule);
        m_findings.push_back({m_file.path, number, std::string(rule), printable(excerpt)});
    }

    const TrackedFile& m_file;
    const ScanOptions& m_options;
    std::set<std::string_view> m_found;
    std::vector<ScanFinding> m_findings;
};

}  // namespace

std::vector<ScanFinding> scanFile(const TrackedFile& file, const ScanOptions& options) { return Scan(file, options).findings(); }

std::vector<std::string_view> scanRules() {
    std::vector<std::string_view> names;
    for (const Rule& rule : kRules) names.push_back(rule.name);
    for (const char* outside : {"symlink", "large-file", "shebang", "term"}) names.emplace_back(outside);
    return names;
}

}  // namespace isobit
