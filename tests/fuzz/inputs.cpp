// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/inputs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace isobit::fuzz {
namespace {

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

}  // namespace

std::string_view textOf(std::span<const std::byte> input) {
    return {reinterpret_cast<const char*>(input.data()), input.size()};
}

std::shared_ptr<const MappedFile> fileOf(std::string_view bytes) {
    const int descriptor = memfd_create("input", MFD_CLOEXEC);
    if (descriptor < 0 || ::write(descriptor, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        std::abort();
    auto mapped = MappedFile::map(OpenedPath{FileHandle(descriptor), "input", {}, {}, bytes.size(), false});
    if (!mapped) std::abort();
    return *mapped;
}

Folder::Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "isobit-fuzz-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    m_path = pattern;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

bool Folder::write(const std::string& name, std::string_view bytes) const {
    const FileHandle file(open((m_path + "/" + name).c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0600));
    return file.get() >= 0 && ::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
}

std::string safetensorsOf(std::initializer_list<std::string_view> names) {
    std::string header = "{";
    std::size_t at = 0;
    for (const std::string_view name : names) {
        header += fmt::format(R"({}"{}":{{"dtype":"U8","shape":[1],"data_offsets":[{},{}]}})", at == 0 ? "" : ",", name, at, at + 1);
        ++at;
    }
    header += "}";
    return little(header.size(), 8) + header + std::string(at, 'x');
}

std::string zipOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    std::string bytes;
    std::string directory;
    for (const auto& [name, data] : members) {
        const std::string common = little(20, 2) + little(0, 8) + little(0, 4) + little(data.size(), 4) + little(data.size(), 4) +
                                   little(name.size(), 2);
        directory += "PK\x01\x02" + little(20, 2) + common + std::string(12, '\0') + little(bytes.size(), 4) + std::string(name);
        bytes += "PK\x03\x04" + common + little(0, 2) + std::string(name) + std::string(data);
    }
    const std::string count = little(members.size(), 2);
    return bytes + directory + "PK\x05\x06" + little(0, 4) + count + count + little(directory.size(), 4) +
           little(bytes.size(), 4) + little(0, 2);
}

void readAll(const Result<TensorFile>& file) {
    constexpr std::int64_t kElements = 8192;
    if (!file) {
        if (file.error().message.empty() || file.error().message.find('\n') != std::string::npos) std::abort();
        return;
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(file->tensors().size(), 16); ++i) {
        const TensorInfo& info = file->tensors()[i];
        const std::int64_t all = elementsOf(info.shape);
        const std::int64_t count = std::min(all, kElements);
        std::vector<std::byte> out(static_cast<std::size_t>(count) * bytesOf(info.dtype));
        if (file->read(i, 0, out)) (void)file->read(i, all - count, out);
        for (std::size_t at = 0; at + bytesOf(info.dtype) <= std::min<std::size_t>(out.size(), 64); at += bytesOf(info.dtype)) {
            std::uint64_t word = 0;
            std::copy_n(out.data() + at, bytesOf(info.dtype), reinterpret_cast<std::byte*>(&word));
            (void)decimalOf(info.dtype, word);
        }
    }
}

OpenOptions smallOptions() {
    OpenOptions options;
    options.unpackLimit = 64u << 20;
    return options;
}

}  // namespace isobit::fuzz
