// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/captures.h"

#include "core/base/json.h"

namespace isobit::test {

std::string Capture::write(const QTemporaryDir& folder, const char* name) const {
    Json header = Json::object();
    for (const Entry& entry : m_entries)
        header[entry.name] = {{"dtype", entry.dtype}, {"shape", entry.shape}, {"data_offsets", {entry.begin, entry.end}}};
    if (!m_says.empty()) header["__metadata__"] = m_says;
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    return test::write(folder, name, safetensors(text, m_data));
}

}  // namespace isobit::test
