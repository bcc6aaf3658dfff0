# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
"""Writes an isobit.receipt/1. Copy this file into the trainer and into the server; it needs nothing but Python.

Count a call where the dispatcher takes the lane, not where a flag is read:
    receipt.select("rope.class_b", "rotary", expected=layers * forwards, table="rope", kernel="...", build="...", ...)
    receipt.call("rope.class_b", q=q.dtype)            # in the kernel's wrapper;  receipt.off("rope.class_b") elsewhere
    receipt.arrive("rope", "layers.2", "rope.class_b", q.dtype, cos.dtype)  # first thing at the apply boundary
"""
import json
import os
import tempfile


def dtype_name(dtype):
    return str(dtype).rsplit(".", 1)[-1]  # "torch.float32" -> "float32"


class Receipt:
    def __init__(self, side, engine, revision, **more):
        self.fields = dict(format="isobit.receipt/1", side=side, engine=engine, revision=revision, **more)
        self.contracts, self.tables, self.weights = {}, {}, {}

    def select(self, name, surface, expected, **more):
        self.contracts[name] = dict(name=name, surface=surface, expected=expected, observed=0, off_lane=0,
                                    input_dtypes={}, **more)

    def call(self, name, count=1, **dtypes):
        self.contracts[name]["observed"] += count
        self.contracts[name]["input_dtypes"].update({key: dtype_name(value) for key, value in dtypes.items()})

    def off(self, name, count=1):
        self.contracts[name]["off_lane"] += count

    def table(self, name, **provenance):  # builder, device, theta, rotary_size, length, scale ...
        self.tables[name] = dict(id=name, transport=[], arrivals={}, **provenance)

    def cast(self, name, by, before, after):
        self.tables[name]["transport"].append(dict(by=by, to=dtype_name(after), **{"from": dtype_name(before)}))

    def arrive(self, name, at, route, input_dtype, table_dtype, sha256=""):
        key = (at, route, dtype_name(input_dtype), dtype_name(table_dtype), sha256)
        arrivals = self.tables[name]["arrivals"]
        arrivals[key] = arrivals.get(key, 0) + 1

    def weight(self, name, dtype, sha256):
        self.weights[name] = dict(name=name, dtype=dtype_name(dtype), sha256=sha256)

    def document(self):
        keys = ("at", "route", "input_dtype", "table_dtype", "sha256")
        tables = [dict(table, arrivals=[dict(zip(keys, key), calls=calls) for key, calls in table["arrivals"].items()])
                  for table in self.tables.values()]
        environment = {key: value for key, value in os.environ.items() if key.startswith(("XORL_", "SGLANG_"))}
        return dict(dict(environment=environment), **self.fields, contracts=list(self.contracts.values()),
                    tables=tables, weights=list(self.weights.values()))

    def write(self, path):  # whole or not at all
        with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False) as file:
            json.dump(self.document(), file, indent=1)
        os.replace(file.name, path)
