# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0

# isobit::hdf5, isobit::zlib and isobit::libcrypto: the packages' shared libraries, or their static ones for a GPU node.
if(ISOBIT_STATIC)
  set(HDF5_USE_STATIC_LIBRARIES ON)
  set(OPENSSL_USE_STATIC_LIBS ON)
endif()
find_package(HDF5 1.10 REQUIRED COMPONENTS C)
find_package(ZLIB REQUIRED)

add_library(isobit_hdf5 INTERFACE)
add_library(isobit_zlib INTERFACE)
add_library(isobit_libcrypto INTERFACE)
target_include_directories(isobit_hdf5 INTERFACE ${HDF5_INCLUDE_DIRS})
if(ISOBIT_STATIC)
  # Only what the library's own code paths reach: Debian's link line also names curl, which serves its S3 driver.
  find_library(ISOBIT_HDF5_A NAMES libhdf5.a PATH_SUFFIXES hdf5/serial REQUIRED)
  find_library(ISOBIT_SZ_A NAMES libsz.a REQUIRED)
  find_library(ISOBIT_AEC_A NAMES libaec.a REQUIRED)
  find_library(ISOBIT_Z_A NAMES libz.a REQUIRED)
  find_library(ISOBIT_CRYPTO_A NAMES libcrypto.a REQUIRED)
  target_link_libraries(isobit_hdf5 INTERFACE ${ISOBIT_HDF5_A} ${ISOBIT_SZ_A} ${ISOBIT_AEC_A} ${ISOBIT_Z_A} m dl)
  target_link_libraries(isobit_zlib INTERFACE ${ISOBIT_Z_A})
  target_link_libraries(isobit_libcrypto INTERFACE ${ISOBIT_CRYPTO_A} dl)
else()
  target_link_libraries(isobit_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  target_link_libraries(isobit_zlib INTERFACE ZLIB::ZLIB)
  target_link_libraries(isobit_libcrypto INTERFACE OpenSSL::Crypto)
endif()
foreach(package hdf5 zlib libcrypto)
  add_library(isobit::${package} ALIAS isobit_${package})
endforeach()
