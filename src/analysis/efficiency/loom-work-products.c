/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the work of matrix products. The type of the result is that of the left matrix, unless the call states
 * another type.
 */
#include "loom-operator-work-private.h"

#define MULTIPLY loom_operator_inputs_multiply
#define ADD loom_operator_inputs_add

/* G products of a matrix [M, K] and a matrix [K, N]. The members `groups`, `m`, `k`, `n` are G, M, K, N. */
typedef struct {
  guint64 groups, m, k, n;
} Product;

static guint64
count_operations (const Product *product)
{
  guint64 per_group = MULTIPLY (MULTIPLY (2, product->m), MULTIPLY (product->k, product->n));
  return MULTIPLY (product->groups, per_group);
}

static guint64
count_outputs (const Product *product)
{
  return MULTIPLY (product->groups, MULTIPLY (product->m, product->n));
}

/* Sets `work` to the operations, bytes and type of a matrix product, and returns TRUE. `left`: index of the left matrix
 * in `inputs`; the right matrix comes after it. `bias`: index of an input that is the bias if it is a tensor; negative:
 * there is none. `out_bytes`: number of bytes of an element of the result. */
static gboolean
finish (const LoomOperatorInputs *inputs, guint left, gint bias, const Product *product, guint out_bytes,
        LoomOperatorWork *work)
{
  const LoomOperatorInput *a = &inputs->input[left], *b = &inputs->input[left + 1];
  guint64 n_out = count_outputs (product);
  work->type = a->type;
  work->flop = count_operations (product);
  work->bytes =
    ADD (ADD (loom_operator_work_get_size (a), loom_operator_work_get_size (b)), MULTIPLY (n_out, out_bytes));
  if (bias >= 0 && (guint) bias < inputs->n && inputs->input[bias].is_tensor) {
    work->flop = ADD (work->flop, n_out);
    work->bytes = ADD (work->bytes, loom_operator_work_get_size (&inputs->input[bias]));
  }
  return TRUE;
}

static void
describe (const LoomOperatorInputs *inputs, guint left, GString *shape)
{
  loom_operator_work_append (shape, &inputs->input[left]);
  loom_operator_work_append (shape, &inputs->input[left + 1]);
}

/* Computes the work of a product [M, K] · [K, N]. */
gboolean
loom_operator_work_product (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                            LoomOperatorWork *work, GString *shape)
{
  guint left = (guint) formula->first;
  if (!loom_operator_inputs_has_tensor (inputs, left, 2) || !loom_operator_inputs_has_tensor (inputs, left + 1, 2))
    return FALSE;
  const LoomOperatorInput *a = &inputs->input[left], *b = &inputs->input[left + 1];
  Product product = { 1, a->size[0], a->size[1], b->size[1] };
  if (a->size[1] != b->size[0])
    return FALSE;
  describe (inputs, left, shape);
  return finish (inputs, left, formula->bias, &product, a->n_bytes, work);
}

/* Computes the work of a batch of products: [B, M, K] · [B, K, N]. */
gboolean
loom_operator_work_batched (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                            LoomOperatorWork *work, GString *shape)
{
  guint left = (guint) formula->first;
  if (!loom_operator_inputs_has_tensor (inputs, left, 3) || !loom_operator_inputs_has_tensor (inputs, left + 1, 3))
    return FALSE;
  const LoomOperatorInput *a = &inputs->input[left], *b = &inputs->input[left + 1];
  Product product = { a->size[0], a->size[1], a->size[2], b->size[2] };
  if (a->size[0] != b->size[0] || a->size[2] != b->size[1])
    return FALSE;
  describe (inputs, left, shape);
  return finish (inputs, left, formula->bias, &product, a->n_bytes, work);
}

/* Computes the work of a product of […, K] and the transposed matrix of [N, K]. M is the product of the sizes of all
 * leading dimensions. */
gboolean
loom_operator_work_linear (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, LoomOperatorWork *work,
                           GString *shape)
{
  if (inputs->n < 2 || inputs->input[0].n == 0 || !loom_operator_inputs_has_tensor (inputs, 0, inputs->input[0].n) ||
      !loom_operator_inputs_has_tensor (inputs, 1, 2))
    return FALSE;
  const LoomOperatorInput *a = &inputs->input[0], *weight = &inputs->input[1];
  Product product = { 1, 1, a->size[a->n - 1], weight->size[0] };
  for (guint i = 0; i + 1 < a->n; i++)
    product.m = MULTIPLY (product.m, a->size[i]);
  if (weight->size[1] != product.k)
    return FALSE;
  describe (inputs, 0, shape);
  return finish (inputs, 0, formula->bias, &product, a->n_bytes, work);
}

/* Returns the number of bytes of an element of the result of aten::_scaled_mm. Input `i` may state the type of the
 * result as the number of a ScalarType of PyTorch (c10/core/ScalarType.h). If it states no type or an unknown one,
 * returns `otherwise`. */
static guint
get_stated_bytes (const LoomOperatorInputs *inputs, guint i, guint otherwise)
{
  gint64 type;
  if (loom_operator_inputs_get_numbers (inputs, i, &type, 1) != 1)
    return otherwise;
  switch (type) {
  case 5: /* ScalarType Half */
  case 15: /* ScalarType BFloat16 */ return 2;
  case 6: /* ScalarType Float */ return 4;
  case 7: /* ScalarType Double */ return 8;
  default: return otherwise;
  }
}

/* Computes the work of aten::_scaled_mm. Its inputs are: left, right, scale_a, scale_b, bias, scale_result,
 * out_dtype. */
gboolean
loom_operator_work_scaled (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, LoomOperatorWork *work,
                           GString *shape)
{
  if (!loom_operator_work_product (formula, inputs, work, shape))
    return FALSE;
  const LoomOperatorInput *a = &inputs->input[0], *b = &inputs->input[1];
  Product product = { 1, a->size[0], a->size[1], b->size[1] };
  return finish (inputs, 0, formula->bias, &product, get_stated_bytes (inputs, 6, a->n_bytes), work);
}

/* Returns the number of groups: the first size of an input with three dimensions. If there is no such input, returns
 * the length of `offs`, the list of the ends of the groups. `offs` is the first input after the matrices that is a
 * tensor with one dimension and without a floating-point type. 0: unknown. */
static guint64
count_groups (const LoomOperatorInputs *inputs)
{
  for (guint i = 0; i < 2; i++)
    if (inputs->input[i].n == 3)
      return inputs->input[i].size[0];
  for (guint i = 2; i < inputs->n; i++)
    if (loom_operator_inputs_has_tensor (inputs, i, 1) && inputs->input[i].type == LOOM_FLOAT_TYPE_NONE)
      return inputs->input[i].size[0];
  return 0;
}

/* Computes the work of grouped products, which are products of groups of rows or columns. The tokens of all groups
 * together are one dimension of a matrix without groups. This dimension is either the rows of the left matrix, as in
 * [M, K] · G × [K, N], or the common dimension of both matrices, as in [M, K] · [K, N], which results in G × [M, N]. */
gboolean
loom_operator_work_grouped (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                            LoomOperatorWork *work, GString *shape)
{
  if (inputs->n < 2)
    return FALSE;
  const LoomOperatorInput *a = &inputs->input[0], *b = &inputs->input[1];
  guint64 groups = count_groups (inputs);
  if (a->n < 2 || a->n > 3 || b->n < 2 || b->n > 3 || groups == 0 || a->n_bytes == 0 || b->n_bytes == 0 ||
      a->size[a->n - 1] != b->size[b->n - 2] || (a->n == 3 && b->n == 3 && a->size[0] != b->size[0]))
    return FALSE;
  Product product = { a->n == 3 && b->n == 3 ? groups : 1, a->size[a->n - 2], a->size[a->n - 1], b->size[b->n - 1] };
  /* if the inputs are float8, the results are bfloat16 */
  guint out_bytes = a->type == LOOM_FLOAT_TYPE_8 ? 2 : a->n_bytes;
  describe (inputs, 0, shape);
  finish (inputs, 0, LOOM_OPERATOR_WORK_ABSENT, &product, out_bytes, work);
  if (a->n == 2 && b->n == 2) /* finish() counts the bytes of only one of the G results */
    work->bytes = ADD (work->bytes, MULTIPLY (MULTIPLY (groups - 1, count_outputs (&product)), out_bytes));
  return TRUE;
}
