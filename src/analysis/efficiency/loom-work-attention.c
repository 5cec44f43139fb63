/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the work of attention. Sizes: queries [B, Hq, Nq, d], keys [B, Hk, Nk, d], values [B, Hk, Nk, dv]. Several
 * heads of queries may share one head of keys and values.
 */
#include "loom-operator-work-private.h"

#define MULTIPLY loom_operator_inputs_multiply
#define ADD loom_operator_inputs_add

typedef struct {
  guint64 batch, heads, key_heads, n_queries, n_keys, d, d_values;
  gboolean causal;
} Attention;

static gboolean
is_causal (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs)
{
  guint at = (guint) formula->causal;
  /* PyTorch's memory-efficient kernels have a number instead of a flag: 0: no mask; 1 and 2: causal masks */
  return loom_operator_inputs_get_flag (inputs, at) || loom_operator_inputs_is_value (inputs, at, "1") ||
         loom_operator_inputs_is_value (inputs, at, "2");
}

static gboolean
read_sizes (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, Attention *attention)
{
  guint first = (guint) formula->first, heads = formula->heads_third ? 2 : 1, tokens = formula->heads_third ? 1 : 2;
  for (guint i = first; i < first + 3; i++)
    if (!loom_operator_inputs_has_tensor (inputs, i, 4))
      return FALSE;
  const LoomOperatorInput *q = &inputs->input[first], *k = q + 1, *v = q + 2;
  *attention = (Attention) { .batch = q->size[0],
                             .heads = q->size[heads],
                             .key_heads = k->size[heads],
                             .n_queries = q->size[tokens],
                             .n_keys = k->size[tokens],
                             .d = q->size[3],
                             .d_values = v->size[3],
                             .causal = is_causal (formula, inputs) };
  return q->size[3] == k->size[3] && k->size[0] == q->size[0] && v->size[0] == q->size[0] &&
         v->size[heads] == k->size[heads] && v->size[tokens] == k->size[tokens];
}

/* Returns Σ min(i, `most`) for i from 1 to `n`. */
static guint64
sum_up_to (guint64 n, guint64 most)
{
  guint64 rising = MIN (n, most);
  unsigned __int128 sum =
    (unsigned __int128) rising * ((unsigned __int128) rising + 1) / 2 + (unsigned __int128) (n - rising) * most;
  return sum < G_MAXUINT64 ? (guint64) sum : G_MAXUINT64;
}

/* Returns the number of pairs of a query and a key that a causal mask does not hide. The number of queries may differ
 * from the number of keys. `last_aligned`: see LoomOperatorFormula. */
static guint64
count_visible (const Attention *attention, gboolean last_aligned)
{
  guint64 n_queries = attention->n_queries, n_keys = attention->n_keys;
  if (!last_aligned)
    return sum_up_to (n_queries, n_keys);
  if (n_queries >= n_keys) /* the first n_queries − n_keys queries see no key */
    return sum_up_to (n_keys, n_keys);
  guint64 more = MULTIPLY (n_queries, n_keys - n_queries);
  return ADD (more, sum_up_to (n_queries, n_queries));
}

static guint64
count_operations (const LoomOperatorFormula *formula, const Attention *attention)
{
  guint64 pairs = MULTIPLY (attention->n_queries, attention->n_keys);
  gboolean half = attention->causal && attention->n_queries == attention->n_keys;
  if (attention->causal && !half)
    pairs = count_visible (attention, formula->last_aligned);
  guint64 per_pair = MULTIPLY (half ? 1 : 2, ADD (attention->d, attention->d_values));
  return MULTIPLY (MULTIPLY (attention->batch, attention->heads), MULTIPLY (pairs, per_pair));
}

/* Returns TRUE if a call has a sliding window, which hides keys that are too far from a query. The number of hidden
 * keys depends on the size of the window, so the work of such a call is not computed. */
static gboolean
has_window (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs)
{
  gint64 left;
  return formula->last_aligned &&
         loom_operator_inputs_get_numbers (inputs, (guint) formula->causal + 1, &left, 1) == 1 && left >= 0;
}

static void
describe (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, const Attention *attention,
          GString *shape)
{
  for (guint i = 0; i < 3; i++)
    loom_operator_work_append (shape, &inputs->input[formula->first + (gint) i]);
  if (attention->causal)
    g_string_append (shape, ", causal");
}

static guint64
get_bytes (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs, const Attention *attention,
           guint64 n_times)
{
  const LoomOperatorInput *q = &inputs->input[formula->first];
  guint64 bytes = 0;
  for (guint i = 0; i < 3; i++)
    bytes = ADD (bytes, MULTIPLY (n_times, loom_operator_work_get_size (q + i)));
  guint64 rows = MULTIPLY (MULTIPLY (attention->batch, attention->heads), attention->n_queries);
  return ADD (bytes, MULTIPLY (MULTIPLY (rows, attention->d_values), q->n_bytes));
}

gboolean
loom_operator_work_attention (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                              LoomOperatorWork *work, GString *shape)
{
  Attention attention;
  if (!read_sizes (formula, inputs, &attention) || has_window (formula, inputs))
    return FALSE;
  *work = (LoomOperatorWork) { count_operations (formula, &attention), get_bytes (formula, inputs, &attention, 1),
                               inputs->input[formula->first].type };
  describe (formula, inputs, &attention, shape);
  return TRUE;
}

/* Computes the work of the backward pass of attention. It reads the queries, keys, values and the gradient of the
 * output, and writes the gradients of queries, keys and values. */
gboolean
loom_operator_work_attention_backward (const LoomOperatorFormula *formula, const LoomOperatorInputs *inputs,
                                       LoomOperatorWork *work, GString *shape)
{
  Attention attention;
  if (!read_sizes (formula, inputs, &attention) || has_window (formula, inputs))
    return FALSE;
  guint64 forward = count_operations (formula, &attention), twice = MULTIPLY (2, forward);
  gboolean flash = strstr (formula->name, "flash") != NULL;
  *work = (LoomOperatorWork) { forward == G_MAXUINT64 || !flash ? twice : ADD (twice, forward / 2),
                               get_bytes (formula, inputs, &attention, 2), inputs->input[formula->first].type };
  describe (formula, inputs, &attention, shape);
  return TRUE;
}
