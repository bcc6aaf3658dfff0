// SPDX-FileCopyrightText: 2026 The Isobit authors
// SPDX-License-Identifier: Apache-2.0

// The captured table as bytes of the program's read-only data; ISOBIT_SM90_TABLE is the file's path.
    .section .rodata
    .balign 16
    .global isobitSm90TableBegin
    .global isobitSm90TableEnd
isobitSm90TableBegin:
    .incbin ISOBIT_SM90_TABLE
isobitSm90TableEnd:
    .byte 0
    .section .note.GNU-stack,"",%progbits
