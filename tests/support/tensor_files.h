// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensors/formats.h"

namespace isobit::test {

/// A small file with a known right answer, see tests/data/cases/README.md.
inline std::string caseFile(const char* name) { return std::string(ISOBIT_SOURCE_DIR "/tests/data/cases/") + name; }

/// Writes bytes to a file of the folder and gives its path.
inline std::string write(const QTemporaryDir& folder, const char* name, std::string_view bytes) {
    const QString path = folder.filePath(QString::fromUtf8(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), qint64(bytes.size())) != qint64(bytes.size()))
        qFatal("%s cannot be written", qPrintable(path));
    return path.toStdString();
}

/// A number as little-endian bytes.
inline std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
}

/// The bytes of an array, as they lie in memory.
template <class T>
std::string bytesOfAll(const std::vector<T>& values) {
    return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

inline std::string safetensors(const std::string& header, const std::string& data = {}) {
    return little(header.size(), 8) + header + data;
}

/// Why a file cannot be opened; empty when it can.
inline std::string problemOf(const std::string& path, const OpenOptions& options = {}) {
    const auto file = openTensorFile(path, options);
    return file ? std::string() : file.error().message;
}

/// All words of a tensor as hexadecimal text, "3f800000 80000000"; "error: ..." when they cannot be read.
inline std::string wordsOf(const TensorFile& file, std::string_view name) {
    const auto tensor = file.find(name);
    if (!tensor) return "error: no tensor " + std::string(name);
    const TensorInfo& info = file.tensors()[*tensor];
    std::vector<std::byte> bytes(info.byteCount);
    if (auto read = file.read(*tensor, 0, bytes); !read) return "error: " + read.error().message;
    std::string text;
    const std::size_t width = bytesOf(info.dtype);
    for (std::size_t at = 0; at < bytes.size(); at += width) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, width);
        text += (text.empty() ? "" : " ") + hexOf(info.dtype, word);
    }
    return text;
}

/// The same of a file that is opened for it.
inline std::string wordsOf(const std::string& path, std::string_view name, const OpenOptions& options = {}) {
    const auto file = openTensorFile(path, options);
    return file ? wordsOf(*file, name) : "error: " + file.error().message;
}

}  // namespace isobit::test

/// Fails with the whole text when it does not hold the part.
#define VERIFY_CONTAINS(text, part)                                                                       \
    do {                                                                                                  \
        const std::string wholeText = (text);                                                             \
        QVERIFY2(wholeText.find(part) != std::string::npos, ("\"" + wholeText + "\" lacks \"" + (part) + "\"").c_str()); \
    } while (false)
