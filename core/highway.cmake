# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0

# Debian's Highway package has no static library, and its two run-time symbols only choose a target. The static
# build defines them itself (highway_targets.cpp); every other build uses the package's.
if(ISOBIT_STATIC)
  add_library(isobit_highway STATIC highway_targets.cpp)
  target_link_libraries(isobit_highway PUBLIC isobit::options)
else()
  find_library(ISOBIT_HWY_LIBRARY hwy REQUIRED)
  find_path(ISOBIT_HWY_INCLUDE hwy/highway.h REQUIRED)
  add_library(isobit_highway INTERFACE)
  target_include_directories(isobit_highway INTERFACE ${ISOBIT_HWY_INCLUDE})
  target_link_libraries(isobit_highway INTERFACE ${ISOBIT_HWY_LIBRARY})
endif()
# SSE4, AVX2 and AVX-512 are enough beside the portable target: each one more is compiled into every vector file.
get_target_property(kind isobit_highway TYPE)
if(kind STREQUAL INTERFACE_LIBRARY)
  target_compile_definitions(isobit_highway INTERFACE "HWY_DISABLED_TARGETS=HWY_SSSE3")
else()
  target_compile_definitions(isobit_highway PUBLIC "HWY_DISABLED_TARGETS=HWY_SSSE3")
endif()
add_library(isobit::highway ALIAS isobit_highway)
