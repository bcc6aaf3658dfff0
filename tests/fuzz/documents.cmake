# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# The same for descriptions and tables in JSON: fuzz_document_NAME, seeds in document_seeds/NAME.

add_library(isobit_fuzz_documents STATIC ${fuzz}/document_targets.cpp ${fuzz}/inputs.cpp ${fuzz}/inputs.h)
target_link_libraries(isobit_fuzz_documents PUBLIC isobit::core)

add_executable(replay_document_seeds ${fuzz}/replay_main.cpp)
target_link_libraries(replay_document_seeds PRIVATE isobit_fuzz_documents)
add_test(NAME fuzz/replay-document-seeds COMMAND replay_document_seeds ${fuzz}/document_seeds ${PROJECT_SOURCE_DIR}/tests/data/cases)
set_tests_properties(fuzz/replay-document-seeds PROPERTIES TIMEOUT 300)

if(ISOBIT_FUZZ)
  foreach(name trunk attention_pair rope_transport gemm_admission dispatch_rule dispatch_artifact ops receipt pipeline
          toolchain_pin topologies qualification packing packed_batch plan preset_arguments graph pairing golden
          silicon_table)
    add_executable(fuzz_document_${name} ${fuzz}/fuzz_main.cpp)
    target_compile_definitions(fuzz_document_${name} PRIVATE ISOBIT_FUZZ_TARGET="${name}")
    target_link_libraries(fuzz_document_${name} PRIVATE isobit_fuzz_documents -fsanitize=fuzzer)
    add_dependencies(fuzz_targets fuzz_document_${name})
  endforeach()
endif()
