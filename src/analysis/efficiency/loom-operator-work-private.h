/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the formulas of loom-operator-work.h. Each function computes the work of a call from the
 * inputs of the call, and returns FALSE if the inputs do not determine the work.
 */
#pragma once

#include "loom-operator-inputs.h"
#include "loom-operator-work.h"

typedef gboolean (*LoomOperatorWorkFunc) (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                          LoomOperatorWork *work, GString *shape);

/* The formula of an operator, and the positions of the inputs that the formula needs, because the signatures of
 * operators differ. A position of LOOM_OPERATOR_WORK_ABSENT means that the operator has no such input. */
struct _LoomOperatorFormula {
  const char *name;
  LoomOperatorKind kind;
  LoomOperatorWorkFunc compute;
  /* Positions in the inputs. Products: `first`: the left matrix; `bias`: the bias. Convolutions: `first`: the input,
   * after which comes the weight; the other members: the parameters with these names. Backward passes of convolutions:
   * `first`: the input, at position 0 or 1; the other of these two positions is the gradient of the output, and
   * position 2 is the weight. Attention: `first`: the queries, after which come keys and values; `causal`: a flag, or
   * the kind of mask. */
  gint8 first, bias, stride, padding, dilation, transposed, output_padding, causal;
  gboolean heads_third; /* for attention: TRUE if the sizes are [B, N, H, d], FALSE if they are [B, H, N, d] */
  /* for attention with a causal mask: TRUE if the last query may use all keys; FALSE if the first query may use only
   * the first key */
  gboolean last_aligned;
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

/* Appends a list of sizes, such as "[141, 512]", to `shape`. If `shape` is not empty, appends ", " before the list. */
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
