/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel names of cuBLAS, cuDNN, CUTLASS and hipBLASLt contain the number formats of the products, such as
 * "tf32f32" or "bf16bf16". The names of CUTLASS also contain the instruction, such as "s1688gemm". This consists of the
 * format of the sum (s: float32, h: float16), the sizes m, n and k, and the format of the inputs if the kernel converts
 * them ("s1688bf16gemm"). The sizes are those in cutlass/arch/mma_sm70.h, mma_sm75.h and mma_sm80.h.
 */
#include "loom-kernel-format.h"

#include <glib.h>
#include <string.h>

/* Instructions that multiply numbers with 16 bits. */
static const char *const short_instructions[] = { "s884", "h884", "h1688", "s16816", "h16816", "s161616", "h161616" };

static const char *
find_any (const char *name, const char *const *words, guint n)
{
  for (guint i = 0; i < n; i++)
    if (strstr (name, words[i]) != NULL)
      return words[i];
  return NULL;
}

static gboolean
has_tf32 (const char *name)
{
  static const char *const words[] = { "tf32", "TF32", "xf32", "XF32" };
  return find_any (name, words, G_N_ELEMENTS (words)) != NULL;
}

/* Returns TRUE if the name states float16 or bfloat16 as the format of inputs: "_f16_s1688gemm", "s1688bf16gemm",
 * "turing_fp16_s1688gemm", "bf16bf16". The format in the name could also be that of the output, but no float32 kernel
 * that writes such numbers is known. */
static gboolean
has_short_inputs (const char *name)
{
  static const char *const words[] = { "_f16_", "_bf16_", "fp16", "1688f16", "1688bf16", "f16f16", "bf16bf16" };
  return find_any (name, words, G_N_ELEMENTS (words)) != NULL ||
         find_any (name, short_instructions, G_N_ELEMENTS (short_instructions)) != NULL;
}

LoomFloatType
loom_kernel_format_find (const char *name)
{
  if (has_tf32 (name))
    return LOOM_FLOAT_TYPE_TF32;
  if (has_short_inputs (name))
    return LOOM_FLOAT_TYPE_16;
  /* s1688 is the instruction m16n8k8, which multiplies TF32 unless the name states a shorter format */
  return strstr (name, "s1688") != NULL ? LOOM_FLOAT_TYPE_TF32 : LOOM_FLOAT_TYPE_NONE;
}
