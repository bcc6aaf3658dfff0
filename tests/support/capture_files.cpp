// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/capture_files.h"

#include <QFile>

#include "core/base/json.h"

namespace isobit::support {

QString writeSafetensors(const QString& path, const std::vector<StoredTensor>& tensors) {
    Json header = Json::object();
    std::uint64_t offset = 0;
    QByteArray body;
    for (const StoredTensor& tensor : tensors) {
        const auto end = offset + std::uint64_t(tensor.bytes.size());
        header[tensor.name] = {{"dtype", tensor.type}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
        offset = end;
        body += tensor.bytes;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("no temporary file");
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file.write(text.data(), qint64(text.size()));
    file.write(body);
    return path;
}

}  // namespace isobit::support
