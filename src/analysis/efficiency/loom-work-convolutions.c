/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the work of convolutions. Sizes: input [batch, channels, …] or [channels, …], weight [output channels, input
 * channels of a group, …] (if transposed: [input channels, output channels of a group, …]).
 */
#include "loom-operator-work-private.h"

#define MULTIPLY loom_operator_inputs_multiply
#define ADD loom_operator_inputs_add
#define MOST_SPATIAL 3

/* The parameters of a convolution. Arrays have one element for each spatial dimension. */
typedef struct {
  /* transposed: TRUE if the convolution is transposed; same: TRUE if the output has the size of the input
   * (padding="same") */
  gboolean transposed, same;
  gint64 stride[MOST_SPATIAL], padding[MOST_SPATIAL], dilation[MOST_SPATIAL], output_padding[MOST_SPATIAL];
} Moves;

/* Reads a parameter of a convolution into `moves`: one number for each of the `n` dimensions. The input is a list with
 * one number for each dimension, or with one number for all. `otherwise`: the number if the operator has no such input.
 * Returns FALSE if the list is not recorded, has another length, or contains unusable numbers. */
static gboolean
read_moves (const LoomOperatorInputs *inputs, gint at, guint n, gint64 otherwise, gint64 *moves)
{
  if (at == LOOM_OPERATOR_WORK_ABSENT) {
    for (guint i = 0; i < n; i++)
      moves[i] = otherwise;
    return TRUE;
  }
  guint n_read = loom_operator_inputs_get_numbers (inputs, (guint) at, moves, MOST_SPATIAL);
  for (guint i = 1; n_read == 1 && i < n; i++)
    moves[i] = moves[0];
  for (guint i = 0; i < n; i++)
    if (n_read == 0 || moves[i] < 0 || moves[i] > G_MAXINT32)
      return FALSE;
  return n_read == 1 || n_read == n;
}

static gboolean
read_all_moves (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, guint n, Moves *moves)
{
  moves->transposed = formula->transposed != LOOM_OPERATOR_WORK_ABSENT &&
                      loom_operator_inputs_get_flag (inputs, (guint) formula->transposed);
  moves->same = loom_operator_inputs_is_value (inputs, (guint) formula->padding, "same");
  gboolean valid = loom_operator_inputs_is_value (inputs, (guint) formula->padding, "valid");
  gint padding = moves->same || valid ? LOOM_OPERATOR_WORK_ABSENT : formula->padding;
  return read_moves (inputs, formula->stride, n, 1, moves->stride) &&
         read_moves (inputs, padding, n, 0, moves->padding) &&
         read_moves (inputs, formula->dilation, n, 1, moves->dilation) &&
         read_moves (inputs, formula->output_padding, n, 0, moves->output_padding);
}

/* Returns the size of the output in dimension `i`; 0 if the input is smaller than the weight. */
static guint64
get_output_size (const Moves *moves, guint i, guint64 input, guint64 weight)
{
  if (moves->same)
    return input;
  if (input == 0 || weight == 0 || input > G_MAXINT32 || weight > G_MAXINT32 || moves->stride[i] == 0)
    return 0;
  __int128 reach = (__int128) moves->dilation[i] * ((gint64) weight - 1), padding = 2 * moves->padding[i], size;
  if (moves->transposed)
    size = (__int128) ((gint64) input - 1) * moves->stride[i] - padding + reach + moves->output_padding[i] + 1;
  else
    size = ((__int128) input + padding - reach - 1 < 0)
             ? 0
             : ((__int128) input + padding - reach - 1) / moves->stride[i] + 1;
  return size > 0 && size < G_MAXINT64 ? (guint64) size : 0;
}

/* Sets `output` to the sizes of the output, which has as many dimensions as the input. Returns FALSE if the input is
 * too small or its sizes do not fit the weight. */
static gboolean
get_output (const LoomOperatorInput *input, const LoomOperatorInput *weight, const Moves *moves, guint64 groups,
            guint64 *output)
{
  /* n: number of spatial dimensions; first: index of the first spatial dimension in input->size */
  guint n = weight->n - 2, first = input->n - n;
  if (first == 2)
    output[0] = input->size[0];
  output[first - 1] = moves->transposed ? MULTIPLY (weight->size[1], groups) : weight->size[0];
  for (guint i = 0; i < n; i++) {
    output[first + i] = get_output_size (moves, i, input->size[first + i], weight->size[2 + i]);
    if (output[first + i] == 0)
      return FALSE;
  }
  return TRUE;
}

static gboolean
are_tensors (const LoomOperatorInputs *inputs, guint first)
{
  if (inputs->n < first + 2)
    return FALSE;
  const LoomOperatorInput *input = &inputs->input[first], *weight = input + 1;
  return input->is_tensor && weight->is_tensor && input->n_bytes > 0 && weight->n_bytes > 0 && weight->n >= 3 &&
         weight->n <= 2 + MOST_SPATIAL && (input->n == weight->n || input->n + 1 == weight->n);
}

/* Returns the number of operations, without those of the bias. `n_moved`: number of elements of the output or, if the
 * convolution is transposed, of the input. For each of them, there is one multiplication and one addition per element
 * of weight[1:]. */
static guint64
count_operations (guint64 n_moved, const LoomOperatorInput *weight)
{
  return MULTIPLY (MULTIPLY (2, n_moved), loom_operator_inputs_count (weight, 1));
}

/* Reads the parameters of a convolution, and computes the sizes of the output from them. Returns FALSE if the
 * parameters are not recorded. */
static gboolean
compute_output (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, Moves *moves, guint64 *output)
{
  const LoomOperatorInput *input = &inputs->input[formula->first], *weight = input + 1;
  guint64 channels = input->size[input->n + 1 - weight->n];
  if (!read_all_moves (formula, inputs, weight->n - 2, moves))
    return FALSE;
  guint64 groups = moves->transposed ? 1 : weight->size[1] > 0 ? channels / weight->size[1] : 0;
  gint64 stated;
  if (moves->transposed && formula->transposed + 2 < (gint) inputs->n &&
      loom_operator_inputs_get_numbers (inputs, (guint) formula->transposed + 2, &stated, 1) == 1 && stated > 0)
    groups = (guint64) stated;
  return groups > 0 && get_output (input, weight, moves, groups, output);
}

/* Sets `output` to the sizes that are known from the backward pass (inputs->output), and sets `moves->transposed`. The
 * convolution is transposed if the numbers of channels fit only a transposed convolution; or if they fit both kinds of
 * convolution and the output is larger than the input. Returns FALSE if the sizes are unknown or fit neither kind. */
static gboolean
copy_output (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, Moves *moves, guint64 *output)
{
  const LoomOperatorInput *input = &inputs->input[formula->first], *weight = input + 1, *known = &inputs->output;
  if (!known->is_tensor || known->n != input->n || weight->size[1] == 0)
    return FALSE;
  guint channel = input->n + 1 - weight->n;
  guint64 n_in = input->size[channel], n_out = known->size[channel];
  gboolean direct = n_out == weight->size[0] && n_in % weight->size[1] == 0,
           transposed = formula->transposed != LOOM_OPERATOR_WORK_ABSENT && n_in == weight->size[0] &&
                        n_out % weight->size[1] == 0,
           grows = loom_operator_inputs_count (known, channel + 1) > loom_operator_inputs_count (input, channel + 1);
  moves->transposed = transposed && (!direct || grows);
  memcpy (output, known->size, known->n * sizeof *output);
  return (direct || transposed) && (channel == 0 || input->size[0] == known->size[0]);
}

gboolean
loom_operator_work_convolution (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                LoomOperatorWork *work, GString *shape)
{
  Moves moves;
  guint first = (guint) formula->first;
  if (!are_tensors (inputs, first))
    return FALSE;
  LoomOperatorInput output = inputs->input[first];
  const LoomOperatorInput *input = &inputs->input[first], *weight = input + 1;
  if (!compute_output (formula, inputs, &moves, output.size) && !copy_output (formula, inputs, &moves, output.size))
    return FALSE;
  guint64 n_out = loom_operator_inputs_count (&output, 0);
  work->type = input->type;
  work->flop = count_operations (moves.transposed ? loom_operator_inputs_count (input, 0) : n_out, weight);
  work->bytes = ADD (ADD (loom_operator_work_get_size (input), loom_operator_work_get_size (weight)),
                     loom_operator_work_get_size (&output));
  if (formula->bias >= 0 && (guint) formula->bias < inputs->n && inputs->input[formula->bias].is_tensor) {
    work->flop = ADD (work->flop, n_out);
    work->bytes = ADD (work->bytes, loom_operator_work_get_size (&inputs->input[formula->bias]));
  }
  loom_operator_work_append (shape, input);
  loom_operator_work_append (shape, weight);
  g_string_append (shape, " → ");
  g_autoptr (GString) out = g_string_new (NULL);
  loom_operator_work_append (out, &output);
  g_string_append_len (shape, out->str, (gssize) out->len);
  return TRUE;
}

/* Returns TRUE if the call computes a gradient. `i`: 0: gradient of the input; 1: gradient of the weight; 2: gradient
 * of the bias. */
static gboolean
is_computed (const LoomOperatorInputs *inputs, guint i)
{
  LoomJsonSlice mask = inputs->n > 10 ? inputs->value[10] : (LoomJsonSlice) { NULL, 0 };
  LoomJsonSlice inner = { mask.text + 1, mask.length - 2 }, key, value;
  LoomJsonIter iter;
  if (!loom_json_slice_is_string (mask) || !loom_json_slice_iter_init (&iter, inner))
    /* without a recorded mask, assume that the gradient of the bias is not computed */
    return i == 1 || (i == 0 && !inputs->lacks_input_gradient);
  for (guint k = 0; loom_json_slice_iter_next (&iter, &key, &value); k++)
    if (k == i)
      return loom_json_slice_equal (value, "True");
  return FALSE;
}

/* Computes the work of aten::convolution_backward. Its inputs are: gradient of the output, input, weight, bias sizes,
 * stride, padding, dilation, transposed, output padding, groups, output mask. Before PyTorch 1.11, each library has its
 * own operator, such as aten::cudnn_convolution_backward, with the inputs: input, gradient of the output, weight, …;
 * values of its inputs are never recorded. */
gboolean
loom_operator_work_convolution_backward (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                         LoomOperatorWork *work, GString *shape)
{
  if (!are_tensors (inputs, 1) || !loom_operator_inputs_has_tensor (inputs, 0, inputs->input[1].n))
    return FALSE;
  const LoomOperatorInput *gradient = &inputs->input[1 - formula->first], *input = &inputs->input[formula->first],
                          *weight = &inputs->input[2];
  gboolean transposed = formula->transposed != LOOM_OPERATOR_WORK_ABSENT &&
                        loom_operator_inputs_get_flag (inputs, (guint) formula->transposed);
  guint64 n_moved = loom_operator_inputs_count (transposed ? input : gradient, 0), flop = 0, bytes = 0;
  guint64 each_bytes = ADD (ADD (loom_operator_work_get_size (gradient), loom_operator_work_get_size (input)),
                            loom_operator_work_get_size (weight));
  for (guint i = 0; i < 2; i++)
    if (is_computed (inputs, i)) {
      flop = ADD (flop, count_operations (n_moved, weight));
      bytes = ADD (bytes, each_bytes);
    }
  if (is_computed (inputs, 2)) {
    flop = ADD (flop, loom_operator_inputs_count (gradient, 0));
    bytes = ADD (bytes, loom_operator_work_get_size (gradient));
  }
  *work = (LoomOperatorWork) { flop, bytes, input->type };
  for (guint i = 0; i < 3; i++)
    loom_operator_work_append (shape, &inputs->input[i]);
  return flop > 0;
}
