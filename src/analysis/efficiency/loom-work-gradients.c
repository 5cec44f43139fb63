/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-work-gradients.h"

#include "loom-operator-args.h"
#include "loom-parse-time.h"

/* end of the name of calls that compute the gradient of the input */
#define INPUT_GRADIENT "_convolution_backward_input"

struct _LoomWorkGradients {
  /* sequence number → LoomOperatorInput with the sizes of the gradient; is_tensor is FALSE if there are several
   * gradients of different sizes */
  GHashTable *outputs;
  GHashTable *with_input; /* set of the calls that compute the gradient of the input; element: span + 1 */
  gboolean has_input;     /* TRUE if any call of the trace computes the gradient of an input separately */
  GMutex lock;            /* protects `outputs` while several threads read */
};

/* Sets `number` to the sequence number of a call. Returns FALSE if the call has no sequence number. */
static gboolean
read_number (LoomJsonSlice args, gint64 *number)
{
  static const char *const keys[] = { "Sequence number" };
  LoomJsonSlice found[G_N_ELEMENTS (keys)];
  loom_json_slice_members (args, keys, G_N_ELEMENTS (keys), found);
  return found[0].text != NULL && loom_parse_time_parse_int (found[0].text, found[0].length, number) && *number >= 0;
}

static gboolean
has_equal_sizes (const LoomOperatorInput *a, const LoomOperatorInput *b)
{
  return a->n == b->n && memcmp (a->size, b->size, a->n * sizeof a->size[0]) == 0;
}

/* Stores the sizes of the gradient that a node of the backward pass receives, under the sequence number of the node.
 * Several threads of a process may use equal numbers. If the gradients of these threads have different sizes, the
 * gradient is marked as ambiguous (is_tensor is FALSE). */
static guint32
read_node (LoomJsonSlice args, guint32 span, gpointer data)
{
  LoomWorkGradients *gradients = data;
  LoomOperatorInputs inputs;
  gint64 number;
  if (!read_number (args, &number) || !loom_operator_inputs_read (&inputs, args) || !inputs.input[0].is_tensor)
    return 0;
  LoomOperatorInput *own = &inputs.input[0];
  own->type_name = (LoomJsonSlice) { NULL, 0 }; /* reset it, because it points into `args`, which are freed */
  g_mutex_lock (&gradients->lock);
  const LoomOperatorInput *other = g_hash_table_lookup (gradients->outputs, &number);
  own->is_tensor = other == NULL || (other->is_tensor && has_equal_sizes (other, own));
  g_hash_table_replace (gradients->outputs, g_memdup2 (&number, sizeof number), g_memdup2 (own, sizeof *own));
  g_mutex_unlock (&gradients->lock);
  return 0;
}

/* Returns TRUE for names of nodes of the backward pass of convolutions, such as "CudnnConvolutionBackward". From
 * PyTorch 1.10 on, these names have a number at the end. */
static gboolean
is_node (const char *name)
{
  return strstr (name, "ConvolutionBackward") != NULL && strchr (name, ':') == NULL;
}

/* Adds the calls that contain a call with the name `name_id` to gradients->with_input. O(spans). */
static void
add_parents (LoomWorkGradients *gradients, const LoomTrace *trace, guint32 name_id)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    if (spans->name_id[i] == name_id)
      g_hash_table_add (gradients->with_input, GUINT_TO_POINTER (loom_trace_get_parent (trace, i) + 1));
  gradients->has_input = TRUE;
}

LoomWorkGradients *
loom_work_gradients_new (LoomTimeline *timeline, guint number, GCancellable *cancellable)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  g_autoptr (LoomWorkGradients) gradients = g_new0 (LoomWorkGradients, 1);
  g_autofree guint8 *wanted = g_new0 (guint8, (gsize) loom_trace_get_n_names (trace) + 1);
  LoomRange range = { 0, 0 };
  guint64 n_read = 0;
  g_mutex_init (&gradients->lock);
  gradients->outputs = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  gradients->with_input = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    const char *name = loom_trace_get_name (trace, i)->text;
    wanted[i] = is_node (name);
    if (g_str_has_suffix (name, INPUT_GRADIENT))
      add_parents (gradients, trace, i);
  }
  if (loom_timeline_get_extent (timeline, &range))
    range.end_ns = loom_time_add (range.end_ns, 1);
  g_autoptr (GArray) none =
    loom_operator_args_read (timeline, number, range, wanted, read_node, gradients, &n_read, cancellable);
  return none != NULL ? g_steal_pointer (&gradients) : NULL;
}

void
loom_work_gradients_complete (const LoomWorkGradients *gradients, LoomJsonSlice args, guint32 span,
                              LoomOperatorInputs *inputs)
{
  gint64 number;
  const LoomOperatorInput *output =
    read_number (args, &number) ? g_hash_table_lookup (gradients->outputs, &number) : NULL;
  if (output != NULL)
    inputs->output = *output;
  inputs->lacks_input_gradient =
    gradients->has_input && !g_hash_table_contains (gradients->with_input, GUINT_TO_POINTER (span + 1));
}

void
loom_work_gradients_free (LoomWorkGradients *gradients)
{
  if (gradients == NULL)
    return;
  g_hash_table_unref (gradients->outputs);
  g_hash_table_unref (gradients->with_input);
  g_mutex_clear (&gradients->lock);
  g_free (gradients);
}
