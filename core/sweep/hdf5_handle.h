// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <utility>

#include "core/sweep/run_layout.h"

namespace isobit {

/// Owns one identifier of the HDF5 library and closes it with the function that fits its kind.
class Hdf5Handle {
public:
    using Close = herr_t (*)(hid_t);
    Hdf5Handle(hid_t id, Close close) : m_id(id), m_close(close) {}
    Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_close(other.m_close) {}
    Hdf5Handle& operator=(Hdf5Handle&&) = delete;
    ~Hdf5Handle() { close(); }

    /// False if the library refused, now or when the object was made.
    bool close() {
        const hid_t id = std::exchange(m_id, -1);
        return id >= 0 && m_close(id) >= 0;
    }
    [[nodiscard]] bool valid() const { return m_id >= 0; }
    [[nodiscard]] hid_t id() const { return m_id; }

private:
    hid_t m_id;
    Close m_close;
};

/// The file type of a dataset's elements.
inline hid_t hdf5TypeOf(DatasetType type) {
    switch (type) {
        case DatasetType::U8: return H5T_STD_U8LE;
        case DatasetType::U64: return H5T_STD_U64LE;
        case DatasetType::I64: return H5T_STD_I64LE;
    }
    return -1;
}

/// Switches the library's own error output and its loading of plugins off, once and for all.
inline void quietHdf5() {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
}

}  // namespace isobit
