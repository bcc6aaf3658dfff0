// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The admission table as bytes of the program's read-only data; ISOBIT_GEMM_ADMISSION_TABLE is the file's path.
    .section .rodata
    .global isobitGemmAdmissionBegin
    .global isobitGemmAdmissionEnd
isobitGemmAdmissionBegin:
    .incbin ISOBIT_GEMM_ADMISSION_TABLE
isobitGemmAdmissionEnd:
    .byte 0
    .section .note.GNU-stack,"",%progbits
