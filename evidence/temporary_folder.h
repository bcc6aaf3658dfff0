// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace isobit::evidence {

/// A new folder that only this user can open, for files that a child process must read by name; removed with the
/// object.
class TemporaryFolder {
public:
    [[nodiscard]] static Result<std::shared_ptr<const TemporaryFolder>> make();
    explicit TemporaryFolder(std::string path) : m_path(std::move(path)) {}
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string pathOf(std::string_view name) const { return m_path + "/" + std::string(name); }
    /// Writes a file and gives its path.
    [[nodiscard]] Result<std::string> write(std::string_view name, std::string_view bytes) const;

private:
    std::string m_path;
};

}  // namespace isobit::evidence
