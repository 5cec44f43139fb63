/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-operator-inputs.h"

#include "loom-parse-time.h"

/* --- data types of inputs ----------------------------------------------------------------------------------------- */

static const struct {
  const char *literal, *name;
  guint n_bytes;
  LoomFloatType type;
} types[] = {
  { "\"c10::BFloat16\"", "bfloat16", 2, LOOM_FLOAT_TYPE_16 },
  { "\"c10::Half\"", "float16", 2, LOOM_FLOAT_TYPE_16 },
  { "\"float\"", "float32", 4, LOOM_FLOAT_TYPE_32 },
  { "\"double\"", "float64", 8, LOOM_FLOAT_TYPE_64 },
  { "\"c10::Float8_e4m3fn\"", "float8_e4m3fn", 1, LOOM_FLOAT_TYPE_8 },
  { "\"c10::Float8_e4m3fnuz\"", "float8_e4m3fnuz", 1, LOOM_FLOAT_TYPE_8 },
  { "\"c10::Float8_e5m2\"", "float8_e5m2", 1, LOOM_FLOAT_TYPE_8 },
  { "\"c10::Float8_e5m2fnuz\"", "float8_e5m2fnuz", 1, LOOM_FLOAT_TYPE_8 },
  { "\"bool\"", "bool", 1, LOOM_FLOAT_TYPE_NONE },
  { "\"unsigned char\"", "uint8", 1, LOOM_FLOAT_TYPE_NONE },
  { "\"signed char\"", "int8", 1, LOOM_FLOAT_TYPE_NONE },
  { "\"short\"", "int16", 2, LOOM_FLOAT_TYPE_NONE },
  { "\"short int\"", "int16", 2, LOOM_FLOAT_TYPE_NONE },
  { "\"int\"", "int32", 4, LOOM_FLOAT_TYPE_NONE },
  { "\"long\"", "int64", 8, LOOM_FLOAT_TYPE_NONE },
  { "\"long int\"", "int64", 8, LOOM_FLOAT_TYPE_NONE },
};

static guint
find_type (LoomJsonSlice name)
{
  guint i = 0;
  while (i < G_N_ELEMENTS (types) && !loom_json_slice_equal (name, types[i].literal))
    i++;
  return i;
}

guint
loom_operator_inputs_get_bytes (LoomJsonSlice name, LoomFloatType *type)
{
  guint i = find_type (name);
  *type = i < G_N_ELEMENTS (types) ? types[i].type : LOOM_FLOAT_TYPE_NONE;
  return i < G_N_ELEMENTS (types) ? types[i].n_bytes : 0;
}

const char *
loom_operator_inputs_get_type_name (LoomJsonSlice name)
{
  guint i = find_type (name);
  return i < G_N_ELEMENTS (types) ? types[i].name : "";
}

/* Returns TRUE if `name`, a type as the file states it, is the type of a tensor. Returns FALSE for numbers, for lists,
 * and for "", which PyTorch writes for an absent input. */
static gboolean
is_tensor_type (LoomJsonSlice name)
{
  static const char *const others[] = { "\"\"", "\"Scalar\"", "\"ScalarList\"", "\"TensorList\"", "\"GenericList\"" };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (loom_json_slice_equal (name, others[i]))
      return FALSE;
  return name.text != NULL;
}

/* --- arithmetic with unknown numbers (G_MAXUINT64) ---------------------------------------------------------------- */

guint64
loom_operator_inputs_multiply (guint64 a, guint64 b)
{
  guint64 result;
  gboolean known = a != G_MAXUINT64 && b != G_MAXUINT64 && !__builtin_mul_overflow (a, b, &result);
  return known ? result : G_MAXUINT64;
}

guint64
loom_operator_inputs_add (guint64 a, guint64 b)
{
  guint64 result;
  return __builtin_add_overflow (a, b, &result) ? G_MAXUINT64 : result;
}

guint64
loom_operator_inputs_count (const LoomOperatorInput *input, guint first)
{
  guint64 count = 1;
  for (guint i = first; i < input->n; i++)
    count = loom_operator_inputs_multiply (count, input->size[i]);
  return count;
}

/* --- reading the args of an operator ------------------------------------------------------------------------------ */

static gboolean
read_dims (LoomOperatorInput *input, LoomJsonSlice dims)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_iter_init (&iter, dims))
    return FALSE;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    gint64 size;
    if (input->n == LOOM_OPERATOR_INPUTS_MOST_DIMS || !loom_parse_time_parse_int (value.text, value.length, &size) ||
        size < 0)
      return FALSE;
    input->size[input->n++] = (guint64) size;
  }
  return TRUE;
}

/* Reads the elements of a JSON array, at most LOOM_OPERATOR_INPUTS_MOST. Further elements are ignored, because the
 * inputs that determine the work come first. Returns FALSE if `list` is not an array. */
static gboolean
read_list (LoomJsonSlice list, LoomJsonSlice *values, guint *n)
{
  LoomJsonIter iter;
  LoomJsonSlice key;
  *n = 0;
  if (list.text == NULL || list.text[0] != '[' || !loom_json_slice_iter_init (&iter, list))
    return FALSE;
  while (*n < LOOM_OPERATOR_INPUTS_MOST && loom_json_slice_iter_next (&iter, &key, &values[*n]))
    (*n)++;
  return TRUE;
}

static void
read_input (LoomOperatorInput *input, LoomJsonSlice dims, LoomJsonSlice type)
{
  *input = (LoomOperatorInput) { .type = LOOM_FLOAT_TYPE_NONE };
  if (!is_tensor_type (type) || !read_dims (input, dims)) {
    *input = (LoomOperatorInput) { .type = LOOM_FLOAT_TYPE_NONE };
    return;
  }
  input->is_tensor = TRUE;
  input->type_name = type;
  input->n_bytes = loom_operator_inputs_get_bytes (type, &input->type);
}

gboolean
loom_operator_inputs_find (LoomOperatorInputTexts *texts, LoomJsonSlice args)
{
  static const char *const keys[] = { "Input Dims", "Input dims", "Input type", "Concrete Inputs" };
  LoomJsonSlice found[G_N_ELEMENTS (keys)] = { { NULL, 0 } };
  if (loom_json_slice_is_object (args))
    loom_json_slice_members (args, keys, G_N_ELEMENTS (keys), found);
  *texts = (LoomOperatorInputTexts) { found[0].text != NULL ? found[0] : found[1], found[2], found[3] };
  return texts->dims.text != NULL && texts->types.text != NULL;
}

gboolean
loom_operator_inputs_read (LoomOperatorInputs *inputs, LoomJsonSlice args)
{
  LoomOperatorInputTexts texts;
  return loom_operator_inputs_find (&texts, args) && loom_operator_inputs_parse (inputs, &texts);
}

gboolean
loom_operator_inputs_parse (LoomOperatorInputs *inputs, const LoomOperatorInputTexts *texts)
{
  LoomJsonSlice dims[LOOM_OPERATOR_INPUTS_MOST], input_types[LOOM_OPERATOR_INPUTS_MOST];
  guint n_types, n_values;
  memset (inputs, 0, sizeof *inputs);
  if (!read_list (texts->dims, dims, &inputs->n) || !read_list (texts->types, input_types, &n_types))
    return FALSE;
  inputs->n = MIN (inputs->n, n_types);
  for (guint i = 0; i < inputs->n; i++)
    read_input (&inputs->input[i], dims[i], input_types[i]);
  if (!read_list (texts->values, inputs->value, &n_values))
    n_values = 0;
  for (guint i = n_values; i < LOOM_OPERATOR_INPUTS_MOST; i++)
    inputs->value[i] = (LoomJsonSlice) { NULL, 0 };
  return inputs->n > 0;
}

/* --- values of single inputs -------------------------------------------------------------------------------------- */

gboolean
loom_operator_inputs_has_tensor (const LoomOperatorInputs *inputs, guint i, guint n)
{
  return i < inputs->n && inputs->input[i].is_tensor && inputs->input[i].n == n && inputs->input[i].n_bytes > 0;
}

gboolean
loom_operator_inputs_is_value (const LoomOperatorInputs *inputs, guint i, const char *text)
{
  gsize length = strlen (text);
  LoomJsonSlice value = i < inputs->n ? inputs->value[i] : (LoomJsonSlice) { NULL, 0 };
  return loom_json_slice_is_string (value) && value.length == length + 2 && memcmp (value.text + 1, text, length) == 0;
}

gboolean
loom_operator_inputs_get_flag (const LoomOperatorInputs *inputs, guint i)
{
  return loom_operator_inputs_is_value (inputs, i, "True");
}

guint
loom_operator_inputs_get_numbers (const LoomOperatorInputs *inputs, guint i, gint64 *numbers, guint most)
{
  LoomJsonSlice value = i < inputs->n ? inputs->value[i] : (LoomJsonSlice) { NULL, 0 }, key, item;
  LoomJsonIter iter;
  guint n = 0;
  if (!loom_json_slice_is_string (value))
    return 0;
  LoomJsonSlice inner = { value.text + 1, value.length - 2 };
  if (inner.length > 0 && inner.text[0] != '[')
    return most > 0 && loom_parse_time_parse_int (inner.text, inner.length, numbers) ? 1 : 0;
  if (inner.length < 2 || !loom_json_slice_iter_init (&iter, inner))
    return 0;
  while (loom_json_slice_iter_next (&iter, &key, &item)) {
    if (n == most || !loom_parse_time_parse_int (item.text, item.length, &numbers[n]))
      return 0;
    n++;
  }
  return n;
}
