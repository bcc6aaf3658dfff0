// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "evidence/temporary_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace isobit::evidence {

Result<std::shared_ptr<const TemporaryFolder>> TemporaryFolder::make() {
    std::error_code problem;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
    std::string pattern = (problem ? std::filesystem::path("/tmp") : parent).string() + "/isobit.XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr)
        return failure("{}: no temporary folder can be made: {}", pattern, std::strerror(errno));
    return std::make_shared<const TemporaryFolder>(pattern);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

Result<std::string> TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
    const std::string path = pathOf(name);
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) return failure("{}: cannot be written: {}", path, std::strerror(errno));
    return path;
}

}  // namespace isobit::evidence
