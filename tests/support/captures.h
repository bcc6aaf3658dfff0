// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/tensor_files.h"

namespace isobit::test {

/// A safetensors capture in the making.
class Capture {
public:
    /// A tensor of any type that safetensors names ("BF16", "F32", "I64").
    template <class T>
    Capture& add(const std::string& name, const char* dtype, const Shape& shape, const std::vector<T>& words) {
        const std::string bytes = bytesOfAll(words);
        m_entries.push_back({name, dtype, shape, m_data.size(), m_data.size() + bytes.size()});
        m_data += bytes;
        return *this;
    }
    /// bf16 words 0, 1, 2 ... from `first` on.
    Capture& counting(const std::string& name, const Shape& shape, std::uint16_t first = 0) {
        std::vector<std::uint16_t> words(std::size_t(elementsOf(shape)));
        for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint16_t(first + i);
        return add(name, "BF16", shape, words);
    }
    Capture& ids(const std::string& name, const std::vector<std::int64_t>& values) {
        return add(name, "I64", {std::int64_t(values.size())}, values);
    }
    Capture& says(const std::string& key, const std::string& value) {
        m_says[key] = value;
        return *this;
    }
    std::string write(const QTemporaryDir& folder, const char* name) const;

private:
    struct Entry {
        std::string name;
        std::string dtype;
        Shape shape;
        std::size_t begin;
        std::size_t end;
    };
    std::vector<Entry> m_entries;
    std::map<std::string, std::string> m_says;
    std::string m_data;
};

/// Written and opened.
inline TensorFile open(const Capture& capture, const QTemporaryDir& folder) {
    static int files = 0;
    const std::string name = std::to_string(files++) + ".safetensors";
    auto file = openTensorFile(capture.write(folder, name.c_str()));
    if (!file) qFatal("%s", file.error().message.c_str());
    return std::move(*file);
}

}  // namespace isobit::test
