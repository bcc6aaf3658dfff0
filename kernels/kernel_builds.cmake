# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0

# isobit_kernel_builds(OUT SOURCES...): compiles each source to a cubin with the library's own flags and writes their
# digests into OUT, one row of kernel_builds.cpp a source. Evidence names the kernels that ran by these digests, and a
# reader gets the same file from the same compiler.
if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(cubin IN LISTS CUBINS)
    cmake_path(GET cubin STEM name)
    file(SHA256 ${cubin} digest)
    string(APPEND rows "{\"${name}\", \"kernels/${name}.cu\", \"${digest}\", \"${COMPILER}\", \"${FLAGS}\"},\n")
  endforeach()
  file(WRITE ${OUT} "${rows}")
  return()
endif()

set(kernel_builds_script ${CMAKE_CURRENT_LIST_FILE})
function(isobit_kernel_builds out)
  set(flags -cubin -arch=sm_90a -std=c++17 -fmad=false -prec-div=true -prec-sqrt=true -ftz=false)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/cubins)
  file(MAKE_DIRECTORY ${folder})
  set(cubins "")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM name)
    add_custom_command(OUTPUT ${folder}/${name}.cubin
      COMMAND ${CMAKE_CUDA_COMPILER} ${flags} -I. kernels/${source} -o ${folder}/${name}.cubin
              -MD -MT ${folder}/${name}.cubin -MF ${folder}/${name}.d
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${folder}/${name}.d
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
    list(APPEND cubins ${folder}/${name}.cubin)
  endforeach()
  list(JOIN flags " " flag_text)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} "-DCUBINS=${cubins}" "-DFLAGS=${flag_text}"
            "-DCOMPILER=${CMAKE_CUDA_COMPILER_ID} ${CMAKE_CUDA_COMPILER_VERSION}" -P ${kernel_builds_script}
    DEPENDS ${cubins} ${kernel_builds_script} VERBATIM)
endfunction()
