// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/confinement/artifact_root.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/base/object_reader.h"
#include "core/tensors/confinement.h"

namespace isobit {
namespace {

constexpr int kDepthLimit = 32;
constexpr std::size_t kItemLimit = 100'000;

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

Result<std::string> resolvedRoot(const std::string& root) {
    char resolved[PATH_MAX];
    struct stat status {};
    if (realpath(root.c_str(), resolved) == nullptr || stat(resolved, &status) != 0)
        return failure("{}: the root cannot be resolved: {}", printable(root), std::strerror(errno));
    if (!S_ISDIR(status.st_mode)) return failure("{}: the root is no folder", printable(root));
    return std::string(resolved);
}

Result<std::vector<std::string>> componentsBelow(const std::string& root, const std::string& candidate) {
    const auto escapes = [&] { return failure("{}: is not below {}", printable(candidate), printable(root)); };
    if (candidate.empty() || candidate.find('\0') != std::string::npos)
        return failure("the path \"{}\" is empty or has a NUL, expected one below {}", printable(candidate), printable(root));
    std::string_view rest = candidate;
    if (rest.starts_with('/')) {
        if (rest != root && !rest.starts_with(root == "/" ? root : root + "/")) return escapes();
        rest.remove_prefix(root.size());
    }
    std::vector<std::string> components;
    while (!rest.empty()) {
        const std::string_view component = rest.substr(0, rest.find('/'));
        if (component == "..") return escapes();
        if (!component.empty() && component != ".") components.emplace_back(component);
        rest.remove_prefix(std::min(component.size() + 1, rest.size()));
    }
    return components;
}

// Walks as far as there is something; a link is never followed.
Result<void> walk(const std::string& root, const std::vector<std::string>& components, PathUse use) {
    FileHandle folder(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::string path = root;
    for (const std::string& component : components) {
        path += "/" + component;
        struct stat status {};
        if (::fstatat(folder.get(), component.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
            if (errno == ENOENT && use == PathUse::Save) return {};
            return failure("{}: cannot be used: {}", printable(path), std::strerror(errno));
        }
        if (S_ISLNK(status.st_mode)) return failure("{}: is a symbolic link, which is not followed", printable(path));
        if (!S_ISDIR(status.st_mode)) {
            if (&component == &components.back()) return {};
            return failure("{}: is no folder", printable(path));
        }
        FileHandle next(::openat(folder.get(), component.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (next.get() < 0) return failure("{}: cannot be used: {}", printable(path), std::strerror(errno));
        folder = std::move(next);
    }
    return {};
}

Result<void> checkTree(const Json& value, std::string_view name, int depth) {
    if (depth > kDepthLimit) return failure("{}: is nested deeper than {} levels", name, kDepthLimit);
    if (!value.is_structured()) {
        if (value.is_binary() || value.is_discarded()) return failure("{}: holds a value that is no plain JSON", name);
        return {};
    }
    if (value.size() > kItemLimit) return failure("{}: a container holds {} items, expected at most {}", name, value.size(), kItemLimit);
    for (const auto& [key, member] : value.items()) {
        if (value.is_object() && key.starts_with("__"))
            return failure("{}: the key {} begins with two underscores", name, shownJson(Json(key)));
        if (const auto good = checkTree(member, name, depth + 1); !good) return good;
    }
    return {};
}

}  // namespace

Result<std::string> resolveBelow(const std::string& root, const std::string& candidate, PathUse use) {
    const auto base = resolvedRoot(root);
    if (!base) return base;
    const auto components = componentsBelow(*base, candidate);
    if (!components) return failureOf(components);
    if (components->empty() && use == PathUse::Save)
        return failure("{}: is the root itself, expected something below it", printable(candidate));
    if (const auto walked = walk(*base, *components, use); !walked) return failureOf(walked);
    std::string path = *base;
    for (const std::string& component : *components) path += (path.ends_with('/') ? "" : "/") + component;
    return path;
}

std::string artifactRoot(const std::string& explicitRoot, const EnvironmentVariables& environment,
                         const std::string& workingDirectory) {
    if (!explicitRoot.empty()) return explicitRoot;
    const auto variable = environment.find("XORL_SERVER_ARTIFACT_ROOT");
    const std::string root = variable == environment.end() ? "" : trimmed(variable->second);
    return root.empty() ? workingDirectory + "/checkpoints" : root;
}

Result<std::string> adapterFolder(const AdapterRequest& request) {
    if (const auto named = checkIdentifier(request.id, "the adapter"); !named) return failureOf(named);
    auto folder = resolveBelow(request.adapterRoot, request.path.empty() ? request.id : request.path, request.use);
    if (folder || request.use == PathUse::Save || request.path.empty()) return folder;
    if (auto beside = resolveBelow(request.adapterRoot + "/..", request.path, request.use)) return beside;
    if (request.artifactRoot.empty()) return folder;
    if (auto artifact = resolveBelow(request.artifactRoot, request.path, request.use)) return artifact;
    return folder;
}

Result<std::string> modelId(std::string_view text) {
    if (text.empty()) return std::string("default");
    if (text.find('.') != std::string_view::npos) return failure("the model id \"{}\" has a dot, expected letters, digits, \"_\" and \"-\"", printable(text));
    if (const auto named = checkIdentifier(text, "the model id"); !named) return failureOf(named);
    return std::string(text);
}

Result<void> checkConfigTree(const Json& value, std::string_view name) { return checkTree(value, name, 0); }

}  // namespace isobit
