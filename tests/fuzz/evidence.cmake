# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# The same for everything that evidence parses: fuzz_evidence_NAME, seeds in evidence_seeds/NAME.

add_library(isobit_fuzz_evidence STATIC ${fuzz}/evidence_targets.cpp)
target_link_libraries(isobit_fuzz_evidence PUBLIC isobit::evidence)

add_executable(replay_evidence_seeds ${fuzz}/replay_main.cpp)
target_link_libraries(replay_evidence_seeds PRIVATE isobit_fuzz_evidence)
add_test(NAME fuzz/replay-evidence-seeds COMMAND replay_evidence_seeds ${fuzz}/evidence_seeds ${PROJECT_SOURCE_DIR}/tests/data/cases)
set_tests_properties(fuzz/replay-evidence-seeds PROPERTIES TIMEOUT 300)

if(ISOBIT_FUZZ)
  foreach(name ej1 manifest review sshsig dsse policy names run_file)
    add_executable(fuzz_evidence_${name} ${fuzz}/fuzz_main.cpp)
    target_compile_definitions(fuzz_evidence_${name} PRIVATE ISOBIT_FUZZ_TARGET="${name}")
    target_link_libraries(fuzz_evidence_${name} PRIVATE isobit_fuzz_evidence -fsanitize=fuzzer)
    add_dependencies(fuzz_targets fuzz_evidence_${name})
  endforeach()
endif()
