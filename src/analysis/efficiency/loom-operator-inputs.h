/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the inputs of a call of an operator, as PyTorch's profiler records them with
 * record_shapes=True in the args "Input Dims", "Input type" (before PyTorch 1.12 "Input dims") and "Concrete Inputs"
 * (the values of inputs that are not tensors). The texts come from a file, so sizes may be absurdly large: products of
 * sizes saturate at G_MAXUINT64, which means "unknown". Any thread.
 */
#pragma once

#include "loom-float-type.h"
#include "loom-json-slice.h"

#define LOOM_OPERATOR_INPUTS_MOST 20
#define LOOM_OPERATOR_INPUTS_MOST_DIMS 8

typedef struct {
  gboolean is_tensor; /* FALSE: the input is a number or a list, or it is absent; then the other members are 0 */
  guint n;            /* number of dimensions */
  guint64 size[LOOM_OPERATOR_INPUTS_MOST_DIMS];
  guint n_bytes; /* bytes of an element; 0: the type is unknown */
  LoomFloatType type;
  LoomJsonSlice type_name; /* the text in the file, for example "c10::BFloat16", with its quotes */
} LoomOperatorInput;

typedef struct _LoomOperatorInputs {
  guint n;
  LoomOperatorInput input[LOOM_OPERATOR_INPUTS_MOST];
  /* [input] value of an input that is not a tensor, as the JSON text in the file, with quotes: "True", "[1, 1]", "0.5".
   * If the value is not recorded, the text is NULL. */
  LoomJsonSlice value[LOOM_OPERATOR_INPUTS_MOST];
  /* Data about a convolution whose values are not recorded. These data come from other calls (loom-work-gradients.h).
   * `output`: sizes of the output; is_tensor is FALSE if they are unknown. `lacks_input_gradient`: TRUE if the call of
   * the backward pass does not compute the gradient of the input. */
  LoomOperatorInput output;
  gboolean lacks_input_gradient;
} LoomOperatorInputs;

/* The texts of the args from which the inputs are read. Calls with equal texts have equal inputs. */
typedef struct {
  LoomJsonSlice dims, types, values; /* the text is NULL if it is not recorded */
} LoomOperatorInputTexts;

/* Finds the texts in the args of a call. The results point into `args`. Returns FALSE if no shapes are recorded. */
gboolean loom_operator_inputs_find (LoomOperatorInputTexts *texts, LoomJsonSlice args);
/* Reads the inputs from their texts. Slices in `inputs` point into the texts. Returns FALSE if they cannot be parsed. */
gboolean loom_operator_inputs_parse (LoomOperatorInputs *inputs, const LoomOperatorInputTexts *texts);
/* Reads the inputs from the args of a call; combines loom_operator_inputs_find() and loom_operator_inputs_parse().
 * Returns FALSE if no shapes are recorded, or if they cannot be parsed. */
gboolean loom_operator_inputs_read (LoomOperatorInputs *inputs, LoomJsonSlice args);

/* Returns the number of bytes of an element of a type, and sets `type`. Example: 2 for "c10::BFloat16". `name` includes
 * the quotes. Returns 0 if the type is unknown. */
guint loom_operator_inputs_get_bytes (LoomJsonSlice name, LoomFloatType *type);
/* Returns the name of a type as Python code writes it: "bfloat16". Returns "" if the type is unknown. Static. */
const char *loom_operator_inputs_get_type_name (LoomJsonSlice name);

/* The next two functions return a product and a sum. They return G_MAXUINT64, which means unknown, if the result does
 * not fit, or if an argument is G_MAXUINT64. */
guint64 loom_operator_inputs_multiply (guint64 a, guint64 b);
guint64 loom_operator_inputs_add (guint64 a, guint64 b);
/* Returns the number of elements of the dimensions from `first` on: the product of their sizes; 1 if there are no such
 * dimensions. */
guint64 loom_operator_inputs_count (const LoomOperatorInput *input, guint first);

/* Returns TRUE if input `i` exists, is a tensor with `n` dimensions, and the type of its elements is known. */
gboolean loom_operator_inputs_has_tensor (const LoomOperatorInputs *inputs, guint i, guint n);

/* Returns TRUE if the value of an input is "True"; FALSE if it is "False", or not recorded. */
gboolean loom_operator_inputs_get_flag (const LoomOperatorInputs *inputs, guint i);
/* Sets `numbers` to the integers of an input value such as "[1, 1]"; a single number counts as a list with one element.
 * Returns the number of integers; 0 if the value is not recorded, contains other values, or has more than `most`
 * integers. */
guint loom_operator_inputs_get_numbers (const LoomOperatorInputs *inputs, guint i, gint64 *numbers, guint most);
/* Returns TRUE if the value of the input is recorded and equal to `text` (without quotes). */
gboolean loom_operator_inputs_is_value (const LoomOperatorInputs *inputs, guint i, const char *text);
