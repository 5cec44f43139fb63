/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the work of elementwise operators, and of reductions. Inputs that are numbers or tensors without dimensions
 * do not count: they have only a few bytes, and do not determine the type of the result.
 */
#include "loom-operator-work-private.h"

#define MULTIPLY loom_operator_inputs_multiply
#define ADD loom_operator_inputs_add

static gboolean
is_counted (const LoomOperatorInput *input)
{
  return input->is_tensor && input->n > 0;
}

/* Changes `output` to the sizes and the type of an elementwise operation on `output` and `input` (broadcasting).
 * Dimensions are aligned at the last one; a dimension of size 1 takes the size of the other tensor. A floating-point
 * type takes precedence over other types, then a larger type over a smaller one. Returns FALSE if the sizes do not
 * fit. */
static gboolean
broadcast (LoomOperatorInput *output, const LoomOperatorInput *input)
{
  LoomOperatorInput larger = input->n > output->n ? *input : *output, smaller = input->n > output->n ? *output : *input;
  for (guint i = 1; i <= smaller.n; i++) {
    guint64 *size = &larger.size[larger.n - i], other = smaller.size[smaller.n - i];
    if (*size != other && *size != 1 && other != 1)
      return FALSE;
    *size = *size == 1 ? other : *size;
  }
  gboolean is_float = output->type != LOOM_FLOAT_TYPE_NONE, input_is_float = input->type != LOOM_FLOAT_TYPE_NONE;
  const LoomOperatorInput *typed = is_float != input_is_float          ? (is_float ? output : input)
                                   : output->n_bytes >= input->n_bytes ? output
                                                                       : input;
  larger.type = typed->type;
  larger.n_bytes = typed->n_bytes;
  *output = larger;
  return TRUE;
}

gboolean
loom_operator_work_elementwise (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                LoomOperatorWork *work, GString *shape)
{
  LoomOperatorInput output = { .type = LOOM_FLOAT_TYPE_NONE };
  guint64 bytes = 0;
  gboolean in_place = g_str_has_suffix (formula->name, "_");
  for (guint i = 0; i < inputs->n; i++) {
    const LoomOperatorInput *input = &inputs->input[i];
    if (!is_counted (input))
      continue;
    if (input->n_bytes == 0 || (shape->len > 0 && !broadcast (&output, input)))
      return FALSE;
    if (shape->len == 0)
      output = *input;
    bytes = ADD (bytes, loom_operator_work_get_size (input));
    loom_operator_work_append (shape, input);
  }
  if (in_place && inputs->n > 0 && is_counted (&inputs->input[0]))
    output = inputs->input[0];
  *work = (LoomOperatorWork) { loom_operator_inputs_count (&output, 0),
                               ADD (bytes, loom_operator_work_get_size (&output)), output.type };
  return shape->len > 0;
}

/* Returns TRUE if a value in the file is a list. Lists are written as strings: "[0, 1]", with quotes. */
static gboolean
is_list (LoomJsonSlice value)
{
  return loom_json_slice_is_string (value) && value.length > 2 && value.text[1] == '[';
}

/* Returns the number of elements of the result of a reduction. The second input lists the dimensions that are reduced;
 * without such a list, all dimensions are reduced. If there are exactly two inputs and the second one is a number, the
 * number is the type of the result and not a dimension. */
static guint64
count_results (const LoomOperatorInputs *inputs)
{
  gint64 dims[LOOM_OPERATOR_INPUTS_MOST_DIMS];
  const LoomOperatorInput *input = &inputs->input[0];
  LoomOperatorInput output = *input;
  guint n = loom_operator_inputs_get_numbers (inputs, 1, dims, G_N_ELEMENTS (dims));
  if (inputs->n == 2 && !is_list (inputs->value[1]))
    return 1;
  for (guint i = 0; i < n; i++) {
    gint64 dim = dims[i] < 0 ? dims[i] + input->n : dims[i];
    if (dim >= 0 && dim < input->n)
      output.size[dim] = 1;
  }
  return n > 0 ? loom_operator_inputs_count (&output, 0) : 1;
}

gboolean
loom_operator_work_reduction (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                              LoomOperatorWork *work, GString *shape)
{
  const LoomOperatorInput *input = &inputs->input[0];
  /* with two tensors, as in some calls of aten::max, the operator is elementwise */
  if (inputs->n > 1 && is_counted (&inputs->input[1]))
    return loom_operator_work_elementwise (formula, inputs, work, shape);
  if (!is_counted (input) || input->n_bytes == 0)
    return FALSE;
  guint64 results = MULTIPLY (count_results (inputs), input->n_bytes);
  *work = (LoomOperatorWork) { loom_operator_inputs_count (input, 0),
                               ADD (loom_operator_work_get_size (input), results), input->type };
  loom_operator_work_append (shape, input);
  return TRUE;
}
