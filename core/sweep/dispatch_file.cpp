// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/sweep/dispatch_file.h"

#include "core/base/atomic_file.h"
#include "core/sweep/run_file.h"

namespace isobit {

Result<DispatchFile> readDispatchFile(const std::string& path, TimeStatistic statistic) {
    if (path.ends_with(".json")) {
        const auto text = readTextFile(path);
        if (!text) return failureOf(text);
        const auto document = parseJsonStrictly(*text, path);
        if (!document) return failureOf(document);
        auto artifact = readDispatchArtifact(*document, path);
        if (!artifact) return failureOf(artifact);
        return DispatchFile{artifact->table, std::move(*artifact)};
    }
    const auto file = readRunFile(path);
    if (!file) return failureOf(file);
    auto table = dispatchTableOf(file->run, path, statistic);
    if (!table) return failureOf(table);
    return DispatchFile{std::move(*table), {}};
}

}  // namespace isobit
