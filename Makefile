# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0

SHELL := /bin/bash
JOBS ?= $(shell nproc)
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# `make test` builds core, kernels and the commands twice, with and without Qt; the second time the compiler cache has
# most of them. It lives in build/ and needs no network.
export CMAKE_C_COMPILER_LAUNCHER ?= ccache
export CMAKE_CXX_COMPILER_LAUNCHER ?= ccache
export CCACHE_DIR ?= $(CURDIR)/build/ccache
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_SLOPPINESS ?= pch_defines,time_macros

.PHONY: run test build packages core-only
.DEFAULT_GOAL := build

run: build            ## build, run the main job on the CPU model, open the workbench where there is a display
	resources/scripts/first_run.sh

build: packages       ## build/release/bin/isobit and build/release/bin/isobit-workbench
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS) --target isobit isobit-workbench

test: build core-only ## every test, also of the build without Qt and CUDA
	cmake --build --preset release --parallel $(JOBS)
	ctest --preset release --parallel $(JOBS)

core-only: packages
	cmake --preset core-only
	cmake --build --preset core-only --parallel $(JOBS)
	ctest --preset core-only --parallel $(JOBS)

packages:             ## install what the build needs from Debian, if anything is missing
	$(SUDO) resources/scripts/install_packages.sh
