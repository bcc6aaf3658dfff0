# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
# The same for everything that evidence parses: fuzz_evidence_NAME, seeds in evidence_seeds/NAME.

add_library(isobit_fuzz_evidence STATIC ${fuzz}/evidence_targets.cpp)
target_link_libraries(isobit_fuzz_evidence PUBLIC isobit::evidence)

isobit_fuzz_group(evidence isobit_fuzz_evidence
  ej1 manifest review sshsig dsse policy names run_file)
