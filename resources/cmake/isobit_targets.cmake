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

# isobit_library(NAME [APART] SOURCES ... [HEADERS ...] [LINKS ...]): one static library a folder, alias isobit::NAME.
# LINKS is the list of folders and packages that the folder may use; it is the arrow list of CONTRIBUTING.md.
# With ISOBIT_UNITY several sources of a folder are one unit to the compiler, since what they include and instantiate
# together is most of the time; APART keeps each source for itself, for code that decides bits.
function(isobit_library name)
  cmake_parse_arguments(arg "APART" "" "SOURCES;HEADERS;LINKS" ${ARGN})
  if(arg_SOURCES)
    add_library(isobit_${name} STATIC ${arg_SOURCES} ${arg_HEADERS})
    target_link_libraries(isobit_${name} PUBLIC isobit::options ${arg_LINKS})
    if(ISOBIT_UNITY AND NOT arg_APART)
      set_target_properties(isobit_${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 14)
      # A class of one source may hold what only that source names; in a unit the compiler cannot tell.
      target_compile_options(isobit_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endif()
  else()
    add_library(isobit_${name} INTERFACE ${arg_HEADERS})
    target_link_libraries(isobit_${name} INTERFACE isobit::options ${arg_LINKS})
  endif()
  add_library(isobit::${name} ALIAS isobit_${name})
endfunction()
