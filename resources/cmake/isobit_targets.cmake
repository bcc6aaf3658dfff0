# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0

# What every target of the project is compiled with.
add_library(isobit_options INTERFACE)
add_library(isobit::options ALIAS isobit_options)
target_include_directories(isobit_options INTERFACE ${PROJECT_SOURCE_DIR})
# Designated initialisers name what they set, so the rest need not be named; GCC 12 sees overlaps in std::string's own
# operator+ (-Wrestrict) that are not there.
# Bits are decided by explicit operations: a fused multiply-add appears only where std::fma is written.
target_compile_options(isobit_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off -Wall -Wextra -Wno-missing-field-initializers -Wno-restrict -Wshadow=local -Wnon-virtual-dtor>)
if(ISOBIT_SANITIZE)
  target_compile_options(isobit_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ISOBIT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(isobit_options INTERFACE -fsanitize=${ISOBIT_SANITIZE})
endif()
if(ISOBIT_FUZZ)
  target_compile_options(isobit_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(ISOBIT_STATIC)
  target_link_options(isobit_options INTERFACE -static-libstdc++ -static-libgcc)
endif()

# isobit_library(NAME SOURCES ... [HEADERS ...] [LINKS ...]): one static library a folder, alias isobit::NAME.
# LINKS is the list of folders and packages that the folder may use; it is the arrow list of CONTRIBUTING.md.
function(isobit_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;HEADERS;LINKS" ${ARGN})
  if(arg_SOURCES)
    add_library(isobit_${name} STATIC ${arg_SOURCES} ${arg_HEADERS})
    target_link_libraries(isobit_${name} PUBLIC isobit::options ${arg_LINKS})
  else()
    add_library(isobit_${name} INTERFACE ${arg_HEADERS})
    target_link_libraries(isobit_${name} INTERFACE isobit::options ${arg_LINKS})
  endif()
  add_library(isobit::${name} ALIAS isobit_${name})
endfunction()
