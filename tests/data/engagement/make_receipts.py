# SPDX-FileCopyrightText: 2026 The Isobit authors
# SPDX-License-Identifier: Apache-2.0
"""Wrote the receipts beside it: a small model of 4 layers, 3 forwards, both engines. Run in this folder with
PYTHONPATH=../../../resources/engagement. trainer_downcast.json is the same run with the cos/sin table cast to bfloat16 by
the decoders' shard units from layer 2 on, while every count stays perfect."""
import hashlib
import os

from isobit_receipt import Receipt

LAYERS, FORWARDS = 4, 3
CALLS = LAYERS * FORWARDS


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def fill(receipt, side, downcast_from=LAYERS):
    build = digest("build of the " + side)
    more = dict(build=build, requested_backend="isobit", actual_backend="isobit")
    receipt.select("norm.v2", "rms_norm", 2 * CALLS, arithmetic="norm.v2", kernel="norm_v2", **more)
    receipt.select("rope.class_b", "rotary", CALLS, arithmetic="rope.class_b", kernel="rope_class_b", table="rope", **more)
    receipt.select("gemm", "dense", 4 * CALLS, arithmetic="gemm.bf16", kernel="bi_gemm", **more)
    receipt.select("attention.unsplit", "attention", CALLS, arithmetic="attention.unsplit", kernel="fa4", build=build,
                   requested_backend="fa4", actual_backend="fa4")
    receipt.select("lm_head.v2", "head", FORWARDS, arithmetic="head.v2", kernel="head_v2", **more)
    receipt.table("rope", builder="default", device="cpu", theta=1e6, rotary_size=128, length=4096, scale=1.0,
                  pairing="half_split", sha256=digest("table"))
    for layer in range(LAYERS):
        if layer == downcast_from:
            receipt.cast("rope", "layers.%d: shard unit, cast_forward_inputs" % layer, "float32", "bfloat16")
        for _ in range(FORWARDS):
            table = "torch.bfloat16" if layer >= downcast_from else "torch.float32"
            receipt.arrive("rope", "layers.%d" % layer, "rope.class_b", "torch.bfloat16", table)
            receipt.call("rope.class_b", q="torch.bfloat16")
            receipt.call("norm.v2", 2, x="torch.bfloat16")
            receipt.call("gemm", 4, x="torch.bfloat16", w="torch.bfloat16")
            receipt.call("attention.unsplit", q="torch.bfloat16")
    receipt.call("lm_head.v2", FORWARDS, h="torch.bfloat16")
    for name in ("embed_tokens", "layers.0.qkv_proj", "layers.0.o_proj", "lm_head"):
        receipt.weight(name, "torch.bfloat16", digest(name))


def trainer(path, downcast_from=LAYERS):
    os.environ["XORL_BI_TRUNK_LINEAR"] = "1"
    receipt = Receipt("trainer", "example-trainer", "1f0c9d2", toolchain=dict(framework="2.9.0", kernel_compiler="3.5.0", cuda="13.0"),
                      topology=dict(tp=1, pp=1), selection="switches", server_training=True,
                      options=dict(rmsnorm_mode="sglang_fused", rope_native=True, rope_class_b=True, lm_head_fp32=True,
                                   ce_mode="bi_fused"),
                      start_order=["device", "seed", "tf32_off", "parallel_state", "model", "optimizer", "checkpoint"])
    fill(receipt, "trainer", downcast_from)
    receipt.write(path)
    del os.environ["XORL_BI_TRUNK_LINEAR"]


trainer("trainer.json")
trainer("trainer_downcast.json", downcast_from=2)
os.environ["XORL_BATCH_INVARIANT_MATMUL"] = "1"
sampler = Receipt("sampler", "example-server", "77ab310", toolchain=dict(framework="2.9.0", kernel_compiler="3.5.0", cuda="13.0"),
                  topology=dict(tp=1, pp=1))
fill(sampler, "sampler")
sampler.write("sampler.json")
