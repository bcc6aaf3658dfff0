// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <cstring>
#include <ostream>

#include "app/cli/commands.h"
#include "core/base/atomic_file.h"
#include "core/confinement/repo_scan.h"
#include "core/tensors/confinement.h"
#include "evidence/git.h"

namespace isobit::cli {
namespace {

struct RepoCheckArguments {
    std::string tree = ".";
    ScanOptions options;
    bool json = false;
};

struct RepoCheck {
    std::size_t files = 0;
    std::vector<ScanFinding> findings;
};

// As it lies in the work tree; a file that is deleted there is no longer going out.
Result<void> scan(const std::string& root, const std::string& path, const ScanOptions& options, RepoCheck& check) {
    TrackedFile file;
    file.path = path;
    const std::string full = root + "/" + path;
    struct stat status {};
    if (::lstat(full.c_str(), &status) != 0) return {};
    ++check.files;
    file.isLink = S_ISLNK(status.st_mode);
    file.executable = S_ISREG(status.st_mode) && (status.st_mode & 0100) != 0;
    file.size = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_size) : 0;
    if (S_ISREG(status.st_mode) && file.size <= options.largeBytes) {
        auto bytes = readTextFile(full, options.largeBytes);
        if (!bytes) return failureOf(bytes);
        file.bytes = std::move(*bytes);
    }
    for (ScanFinding& finding : scanFile(file, options)) check.findings.push_back(std::move(finding));
    return {};
}

Result<RepoCheck> repoCheck(const RepoCheckArguments& arguments) {
    const auto tree = evidence::GitTree::around(arguments.tree);
    if (!tree) return failureOf(tree);
    const auto files = tree->trackedFiles(".");
    if (!files) return failureOf(files);
    if (files->empty()) return failure("{}: no file is tracked", printable(arguments.tree));
    RepoCheck check;
    for (const std::string& path : *files)
        if (const auto scanned = scan(tree->root(), path, arguments.options, check); !scanned)
            return failureOf(scanned);
    return check;
}

void runRepoCheck(const RepoCheckArguments& arguments, Invocation& invocation) {
    const auto check = repoCheck(arguments);
    if (!check) return invocation.cannotRun("repo-check", check.error());
    invocation.exitCode = check->findings.empty() ? ExitCode::Holds : ExitCode::Violated;
    if (arguments.json) {
        Json document{{"verdict", check->findings.empty() ? "clean" : "findings"},
                      {"files", check->files},
                      {"findings", Json::array()}};
        for (const ScanFinding& finding : check->findings)
            document["findings"].push_back(
                {{"path", finding.path}, {"line", finding.line}, {"rule", finding.rule}, {"excerpt", finding.excerpt}});
        return invocation.print(document);
    }
    for (const ScanFinding& finding : check->findings)
        invocation.out << fmt::format("{}:{}: {}: {}\n", printable(finding.path), finding.line, finding.rule,
                                      finding.excerpt);
    invocation.out << fmt::format("{} tracked files, {} finding{}\n", check->files, check->findings.size(),
                                  check->findings.size() == 1 ? "" : "s");
}

}  // namespace

void addRepoCheckCommand(CLI::App& parser, Invocation& invocation) {
    CLI::App* command =
        parser.add_subcommand("repo-check", "what a repository should not make public, in its tracked files");
    command->footer(
        fmt::format("Rules: {}.\nExit 0: clean, 1 findings, 2 could not be read. Keys of --json: verdict, files, "
                    "findings: [{{path, line,\n"
                    "rule, excerpt}}].",
                    fmt::join(scanRules(), ", ")));
    const auto arguments = std::make_shared<RepoCheckArguments>();
    command->add_option("tree", arguments->tree, "a folder of the work tree")->capture_default_str();
    command->add_option("--term", arguments->options.terms, "a further text that must not occur: an internal name")
        ->allow_extra_args(false)
        ->check(CLI::Validator([](std::string& term) { return term.empty() ? std::string("is empty") : std::string(); },
                               "TEXT"));
    command->add_option("--large", arguments->options.largeBytes, "bytes above which a file is a finding")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40))
        ->capture_default_str();
    command->add_flag("--json", arguments->json, "print one JSON document");
    command->callback([arguments, &invocation] { runRepoCheck(*arguments, invocation); });
}

}  // namespace isobit::cli
