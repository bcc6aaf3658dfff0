// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_kind.h"

#include <sys/stat.h>

namespace isobit {

std::string_view kindOf(mode_t mode) {
    switch (mode & S_IFMT) {
        case S_IFIFO: return "a FIFO";
        case S_IFCHR: return "a character device";
        case S_IFBLK: return "a block device";
        case S_IFSOCK: return "a socket";
        case S_IFLNK: return "a symbolic link";
        case S_IFDIR: return "a folder";
        default: return "a regular file";
    }
}

}  // namespace isobit
