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
  gboolean is_tensor; /* FALSE: the input is a number, a list or absent, and the other members are 0 */
  guint n;            /* number of dimensions */
  guint64 size[LOOM_OPERATOR_INPUTS_MOST_DIMS];
  guint n_bytes; /* bytes of an element; 0: the type is unknown */
  LoomFloatType type;
  LoomJsonSlice type_name; /* the text in the file, for example "c10::BFloat16", with its quotes */
} LoomOperatorInput;

typedef struct _LoomOperatorInputs {
  guint n;
  LoomOperatorInput input[LOOM_OPERATOR_INPUTS_MOST];
  /* [input] value of an input that is not a tensor, as the JSON text in the file: "True", "[1, 1]", "0.5", with quotes;
   * text NULL: the value is not recorded */
  LoomJsonSlice value[LOOM_OPERATOR_INPUTS_MOST];
  /* What other calls tell about a convolution whose values are not recorded (loom-work-gradients.h). `output`: the
   * sizes of the output; is_tensor FALSE: unknown. `lacks_input_gradient`: TRUE if a call of the backward pass does not
   * compute the gradient of the input. */
  LoomOperatorInput output;
  gboolean lacks_input_gradient;
} LoomOperatorInputs;

/* The texts of the args from which the inputs are read. Calls with equal texts have equal inputs. */
typedef struct {
  LoomJsonSlice dims, types, values; /* text NULL: not recorded */
} LoomOperatorInputTexts;

/* Finds the texts in the args of a call; they point into `args`. Returns FALSE if no shapes are recorded. */
gboolean loom_operator_inputs_find (LoomOperatorInputTexts *texts, LoomJsonSlice args);
/* Reads the inputs from their texts. Slices in `inputs` point into the texts. Returns FALSE if they cannot be parsed. */
gboolean loom_operator_inputs_parse (LoomOperatorInputs *inputs, const LoomOperatorInputTexts *texts);
/* Combines loom_operator_inputs_find() and loom_operator_inputs_parse(): reads the inputs from the args of a call.
 * Returns FALSE if no shapes are recorded, or if they cannot be parsed. */
gboolean loom_operator_inputs_read (LoomOperatorInputs *inputs, LoomJsonSlice args);

/* Returns the number of bytes of an element of a type, for example 2 for "c10::BFloat16" (with its quotes), and sets
 * `type`. Returns 0 if the type is unknown. */
guint loom_operator_inputs_get_bytes (LoomJsonSlice name, LoomFloatType *type);
/* Returns the name of a type as Python code writes it: "bfloat16". Returns "" if the type is unknown. Static. */
const char *loom_operator_inputs_get_type_name (LoomJsonSlice name);

/* The next two functions return a product and a sum; G_MAXUINT64 if the result does not fit, or if an argument is
 * G_MAXUINT64. */
guint64 loom_operator_inputs_multiply (guint64 a, guint64 b);
guint64 loom_operator_inputs_add (guint64 a, guint64 b);
/* Returns the product of the sizes of the dimensions from `first` on; 1 if there are none. */
guint64 loom_operator_inputs_count (const LoomOperatorInput *input, guint first);

/* Returns TRUE if the input exists, is a tensor, has `n` dimensions, and the type of its elements is known. */
gboolean loom_operator_inputs_has_tensor (const LoomOperatorInputs *inputs, guint i, guint n);

/* Returns TRUE if the value of an input is "True"; FALSE if it is "False", or not recorded. */
gboolean loom_operator_inputs_get_flag (const LoomOperatorInputs *inputs, guint i);
/* Sets `numbers` to the integers of a list such as "[1, 1]"; a single number is a list of one. Returns how many there
 * are; 0 if the value is not recorded, has other values, or has more than `most` numbers. */
guint loom_operator_inputs_get_numbers (const LoomOperatorInputs *inputs, guint i, gint64 *numbers, guint most);
/* Returns TRUE if the value of the input is recorded and equal to `text` (without quotes). */
gboolean loom_operator_inputs_is_value (const LoomOperatorInputs *inputs, guint i, const char *text);
