# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=TREE -P check_names.cmake: fails if a constant of a source has the name of another source's in its
# folder, or of a header's: where sources are compiled together (ISOBIT_UNITY), one would hide the other.

cmake_minimum_required(VERSION 3.25)

set(constant "^(inline |static )?constexpr [^(={]*[ *&](k[A-Z][A-Za-z0-9]*)( =|\\[|{).*")

# constants(VARIABLE FILE): names of the constants that FILE defines outside of functions and classes.
function(constants variable file)
  file(STRINGS ${file} lines REGEX "${constant}")
  set(names "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "${constant}" "\\2" name "${line}")
    list(APPEND names ${name})
  endforeach()
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE headers ${SOURCE}/core/*.h ${SOURCE}/evidence/*.h ${SOURCE}/views/*.h ${SOURCE}/app/*.h)
foreach(header IN LISTS headers)
  constants(names ${header})
  foreach(name IN LISTS names)
    set(owner_${name} ${header})
  endforeach()
endforeach()

# Folders whose sources are compiled one by one are not asked.
set(violations "")
file(GLOB folders ${SOURCE}/core/*)
list(FILTER folders EXCLUDE REGEX "/(numeric|silicon|arithmetic|[^/]*\\.[a-z]+)$")
foreach(folder IN LISTS folders ITEMS ${SOURCE}/evidence ${SOURCE}/views ${SOURCE}/app/cli ${SOURCE}/app/workbench)
  file(GLOB_RECURSE sources ${folder}/*.cpp)
  set(seen "")
  foreach(source IN LISTS sources)
    constants(names ${source})
    foreach(name IN LISTS names)
      if(DEFINED owner_${name})
        string(APPEND violations "\n  ${source}: ${name}, as in ${owner_${name}}")
      elseif(name IN_LIST seen)
        string(APPEND violations "\n  ${source}: ${name}, as in another source of the folder")
      endif()
    endforeach()
    list(APPEND seen ${names})
  endforeach()
endforeach()
if(violations)
  message(FATAL_ERROR "Constants of one name, give each a name of its own:${violations}")
endif()
