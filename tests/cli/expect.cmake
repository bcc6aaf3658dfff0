# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# cmake -DPROGRAM=... -DEXIT=... -DOUT=regex -DERR=regex -P expect.cmake -- ARGS...
set(arguments "")
set(after FALSE)
foreach(index RANGE 1 ${CMAKE_ARGC})
  if(after AND index LESS CMAKE_ARGC)
    list(APPEND arguments "${CMAKE_ARGV${index}}")
  elseif("${CMAKE_ARGV${index}}" STREQUAL "--")
    set(after TRUE)
  endif()
endforeach()
execute_process(COMMAND ${PROGRAM} ${arguments}
  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
if(NOT "${code}" STREQUAL "${EXIT}")
  message(FATAL_ERROR "exit code ${code}, expected ${EXIT}\nstdout: ${out}\nstderr: ${err}")
endif()
if(NOT OUT STREQUAL "" AND NOT out MATCHES "${OUT}")
  message(FATAL_ERROR "stdout does not match ${OUT}:\n${out}")
endif()
if(NOT ERR STREQUAL "" AND NOT err MATCHES "${ERR}")
  message(FATAL_ERROR "stderr does not match ${ERR}:\n${err}")
endif()
