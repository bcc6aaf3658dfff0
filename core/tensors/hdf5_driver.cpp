// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tensors/hdf5_driver.h"

#include <unistd.h>

#include <cstring>

namespace isobit {
namespace {

constexpr char kName[] = "isobit-descriptor";
int s_descriptor = -1;
haddr_t s_fileBytes = 0;

struct DescriptorFile {
    H5FD_t base;  // the library's own part, first
    haddr_t allocatedEnd;
};

DescriptorFile* fileOf(H5FD_t* file) { return reinterpret_cast<DescriptorFile*>(file); }

// The library also asks here for files that links and virtual datasets name: there are none.
H5FD_t* openFile(const char* name, unsigned flags, hid_t, haddr_t) {
    if (std::strcmp(name, kName) != 0 || (flags & H5F_ACC_RDWR) != 0) return nullptr;
    return reinterpret_cast<H5FD_t*>(new DescriptorFile{});
}

herr_t closeFile(H5FD_t* file) {
    delete fileOf(file);
    return 0;
}

int compareFiles(const H5FD_t* a, const H5FD_t* b) { return a < b ? -1 : a > b ? 1 : 0; }
herr_t queryFeatures(const H5FD_t*, unsigned long* flags) {
    *flags = 0;
    return 0;
}
haddr_t allocatedEnd(const H5FD_t* file, H5FD_mem_t) { return reinterpret_cast<const DescriptorFile*>(file)->allocatedEnd; }
herr_t setAllocatedEnd(H5FD_t* file, H5FD_mem_t, haddr_t address) {
    fileOf(file)->allocatedEnd = address;
    return 0;
}
haddr_t fileEnd(const H5FD_t*, H5FD_mem_t) { return s_fileBytes; }

herr_t readBytes(H5FD_t*, H5FD_mem_t, hid_t, haddr_t address, size_t size, void* buffer) {
    if (address > s_fileBytes || size > s_fileBytes - address) return -1;
    auto* to = static_cast<char*>(buffer);
    while (size > 0) {
        const ssize_t count = pread(s_descriptor, to, size, static_cast<off_t>(address));
        if (count <= 0) return -1;
        to += count;
        address += static_cast<haddr_t>(count);
        size -= static_cast<size_t>(count);
    }
    return 0;
}
herr_t refuseToWrite(H5FD_t*, H5FD_mem_t, hid_t, haddr_t, size_t, const void*) { return -1; }

H5FD_class_t driverClass() {
    H5FD_class_t driver{};
    driver.name = kName;
    driver.maxaddr = HADDR_MAX;
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.open = openFile;
    driver.close = closeFile;
    driver.cmp = compareFiles;
    driver.query = queryFeatures;
    driver.get_eoa = allocatedEnd;
    driver.set_eoa = setAllocatedEnd;
    driver.get_eof = fileEnd;
    driver.read = readBytes;
    driver.write = refuseToWrite;
    for (auto& kind : driver.fl_map) kind = H5FD_MEM_DEFAULT;
    return driver;
}

}  // namespace

hid_t openHdf5Descriptor(int descriptor, std::uint64_t fileBytes) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // the library's error text is no message for the user
    H5PLset_loading_state(0);
    s_descriptor = descriptor;
    s_fileBytes = fileBytes;
    static const H5FD_class_t driver = driverClass();
    const hid_t driverId = H5FDregister(&driver);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (driverId < 0 || access < 0 || H5Pset_driver(access, driverId, nullptr) < 0) return -1;
    const hid_t file = H5Fopen(kName, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

}  // namespace isobit
