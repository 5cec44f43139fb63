/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the formulas behind loom-operator-work.h. Each computes the work of a call from its inputs, and
 * returns FALSE if the inputs do not determine it.
 */
#pragma once

#include "loom-operator-inputs.h"
#include "loom-operator-work.h"

typedef gboolean (*LoomOperatorWorkFunc) (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                          LoomOperatorWork *work, GString *shape);

/* Positions of inputs; the signatures of the operators differ. */
struct _LoomOperatorFormula {
  const char *name;
  LoomOperatorKind kind;
  LoomOperatorWorkFunc compute;
  /* products: `first`: the left matrix; `bias`: the bias.
   * convolutions: `first`: the input, which the weight follows; the other members: position of the value in the inputs.
   * attention: `first`: the queries, which keys and values follow; `causal`: flag, or kind of mask */
  gint8 first, bias, stride, padding, dilation, transposed, output_padding, causal;
  gboolean heads_third;  /* attention: sizes are [B, N, H, d] instead of [B, H, N, d] */
  gboolean last_aligned; /* attention: the last query sees all keys; otherwise the first query sees the first key */
};

#define LOOM_OPERATOR_WORK_ABSENT (-1)

gboolean loom_operator_work_product (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                     LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_linear (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                    LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_batched (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                     LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_scaled (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                    LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_grouped (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                     LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_convolution (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                         LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_convolution_backward (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                                  LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_attention (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                       LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_attention_backward (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                                LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_elementwise (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                         LoomOperatorWork *work, GString *shape);
gboolean loom_operator_work_reduction (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                       LoomOperatorWork *work, GString *shape);

/* Appends a list of sizes: "[141, 512]", after ", " if `shape` is not empty. */
void loom_operator_work_append_sizes (GString *shape, const guint64 *size, guint n);
static inline void
loom_operator_work_append (GString *shape, const LoomOperatorInput *input)
{
  loom_operator_work_append_sizes (shape, input->size, input->n);
}

/* Returns the number of bytes of a tensor. */
static inline guint64
loom_operator_work_get_size (const LoomOperatorInput *input)
{
  return loom_operator_inputs_multiply (loom_operator_inputs_count (input, 0), input->n_bytes);
}
