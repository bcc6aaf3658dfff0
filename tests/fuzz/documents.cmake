# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# The same for descriptions and tables in JSON: fuzz_document_NAME, seeds in document_seeds/NAME.

add_library(isobit_fuzz_documents STATIC ${fuzz}/document_targets.cpp ${fuzz}/inputs.cpp ${fuzz}/inputs.h)
target_link_libraries(isobit_fuzz_documents PUBLIC isobit::core)

isobit_fuzz_group(document isobit_fuzz_documents
  trunk attention_pair rope_transport gemm_admission dispatch_rule dispatch_artifact ops receipt pipeline toolchain_pin
  topologies qualification packing packed_batch plan preset_arguments graph pairing golden silicon_table)
