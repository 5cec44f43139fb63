/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-work-reader.h"

#include "loom-block-cache.h"
#include "loom-efficiency.h"
#include "loom-operator-args.h"
#include "loom-operator-inputs.h"
#include "loom-span-walk.h"
#include "loom-work-forward.h"
#include "loom-work-gradients.h"

/* maximum number of times that a range is halved to find its new end; so the error of the end is 1 / 2^24 of the
 * range */
#define MOST_HALVINGS 24
/* The result for a call is cached only if the texts of its inputs have at most this many bytes, so that hostile files
 * cannot fill the memory. The inputs of PyTorch's operators have a few hundred bytes. */
#define MOST_REMEMBERED 1024

typedef struct {
  LoomWorkReader *reader;
  const LoomTrace *trace;
  const LoomOperatorFormula **formulas; /* [name id] formula of the operator; NULL: there is none */
  LoomWorkGradients *gradients;         /* NULL: not read */
  /* atomic: 1 if the trace contains a convolution whose input values (“Concrete Inputs”, such as the strides) are not
   * recorded */
  gint lacks_values;
  gint lacks_sizes; /* atomic: 1 if the shapes of a call are not recorded */
  /* A cache, because models repeat the same calls: calls of one operator whose inputs have equal texts have equal
   * results. `known`: the texts; `numbers` (guint32): [id of a text in `known`] 1 + the result of read_call().
   * reader->lock protects both. */
  LoomStringPool *known;
  GArray *numbers;
} Reading;

void
loom_work_reader_init (LoomWorkReader *reader, LoomStringPool *texts)
{
  *reader = (LoomWorkReader) { .works = g_array_new (FALSE, TRUE, sizeof (LoomReadWork)), .texts = texts };
  g_array_set_size (reader->works, 1);
  reader->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_mutex_init (&reader->lock);
}

void
loom_work_reader_clear (LoomWorkReader *reader)
{
  g_array_unref (reader->works);
  g_hash_table_unref (reader->known);
  g_mutex_clear (&reader->lock);
}

/* --- choosing the calls whose args are read ----------------------------------------------------------------------- */

static void
count_row (const LoomTrace *trace, const LoomRow *row, LoomRange local, guint64 *counts)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 first = row->first + loom_trace_row_first_ending_after (trace, row, local.begin_ns),
          end = row->first + loom_trace_row_lower_bound (trace, row, local.end_ns);
  for (guint32 i = first; i < end; i++)
    counts[spans->name_id[i]]++;
}

/* Returns an array: [name id] number of calls in the range. Owned by the caller. */
static guint64 *
count_calls (LoomTimeline *timeline, guint number, const LoomTrace *trace, LoomRange range)
{
  guint64 *counts = g_new0 (guint64, (gsize) loom_trace_get_n_names (trace) + 1);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0)
      continue;
    LoomRange local = loom_span_walk_get_local (timeline, number, track, range);
    for (guint k = 0; k < track->n_rows; k++)
      count_row (trace, loom_trace_get_row (trace, track->first_row + k), local, counts);
  }
  return counts;
}

static gboolean
is_matrix (const LoomOperatorFormula *formula)
{
  return formula != NULL && (1u << loom_operator_work_get_kind (formula) & LOOM_OPERATOR_MATRIX_KINDS) != 0;
}

/* Returns the number of calls of products, convolutions and attention. `counts`: [name id] number of calls. */
static guint64
count_matrix_calls (const Reading *reading, const guint64 *counts)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_trace_get_n_names (reading->trace); i++)
    n += is_matrix (reading->formulas[i]) ? counts[i] : 0;
  return n;
}

/* Shortens the range so that it has at most `most` calls of matrix products, convolutions and attention. Finds the new
 * end by bisection. O(spans · MOST_HALVINGS). */
static void
shorten (const Reading *reading, LoomTimeline *timeline, guint number, LoomRange *range, guint64 most)
{
  LoomRange low = { range->begin_ns, range->begin_ns }, extent;
  if (loom_timeline_get_extent (timeline, &extent))
    range->end_ns = MIN (range->end_ns, loom_time_add (extent.end_ns, 1));
  gint64 high_ns = range->end_ns;
  for (guint i = 0; i < MOST_HALVINGS && most > 0; i++) {
    LoomRange middle = { range->begin_ns, low.end_ns + loom_time_sub (high_ns, low.end_ns) / 2 };
    g_autofree guint64 *counts = count_calls (timeline, number, reading->trace, middle);
    if (count_matrix_calls (reading, counts) <= most)
      low = middle;
    else
      high_ns = middle.end_ns;
  }
  *range = low;
}

/* Returns an array: [name id] 1 if the calls of this name are to be read. Names are chosen in the order of their
 * LoomOperatorKind, so products, convolutions and attention come first. All chosen names together have at most `most`
 * calls: a name that would exceed this sum is skipped. `counts`: [name id] number of calls. */
static guint8 *
choose_names (const Reading *reading, const guint64 *counts, guint64 most)
{
  guint n = loom_trace_get_n_names (reading->trace);
  guint8 *wanted = g_new0 (guint8, (gsize) n + 1);
  for (LoomOperatorKind kind = 0; kind < LOOM_N_OPERATOR_KINDS; kind++)
    for (guint i = 0; i < n; i++) {
      if (reading->formulas[i] == NULL || loom_operator_work_get_kind (reading->formulas[i]) != kind)
        continue;
      wanted[i] = counts[i] > 0 && counts[i] <= most;
      most -= wanted[i] ? counts[i] : 0;
    }
  return wanted;
}

static guint64
count_all (const Reading *reading, const guint64 *counts)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_trace_get_n_names (reading->trace); i++)
    n += reading->formulas[i] != NULL ? counts[i] : 0;
  return n;
}

/* --- reading the args of the chosen calls ------------------------------------------------------------------------- */

/* Returns the name of the type of the first input that is a tensor; "" if there is none. */
static const char *
find_type (const LoomOperatorInputs *inputs)
{
  for (guint i = 0; i < inputs->n; i++)
    if (inputs->input[i].is_tensor)
      return loom_operator_inputs_get_type_name (inputs->input[i].type_name);
  return "";
}

guint32
loom_work_reader_intern (LoomWorkReader *reader, const char *name, LoomOperatorKind kind, const LoomOperatorWork *work,
                         const GString *shape, const char *type)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%s\n%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, name, type,
                                          shape->str, work->flop, work->bytes);
  g_mutex_lock (&reader->lock);
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (reader->known, key));
  if (index == 0) {
    LoomReadWork own = { name, loom_string_pool_intern (reader->texts, shape->str, shape->len),
                         loom_string_pool_intern (reader->texts, type, strlen (type)), kind, *work };
    index = reader->works->len;
    g_array_append_val (reader->works, own);
    g_hash_table_insert (reader->known, g_steal_pointer (&key), GUINT_TO_POINTER (index));
  }
  g_mutex_unlock (&reader->lock);
  return index;
}

/* Adds data from the backward pass to the inputs of a convolution whose values are not recorded. */
static void
complete (Reading *reading, LoomJsonSlice args, guint32 span, LoomOperatorInputs *inputs)
{
  if (reading->gradients != NULL)
    loom_work_gradients_complete (reading->gradients, args, span, inputs);
  else
    g_atomic_int_set (&reading->lacks_values, 1);
}

static guint32
compute_call (Reading *reading, LoomJsonSlice args, const LoomOperatorInputTexts *texts, guint32 span)
{
  guint32 name_id = loom_trace_get_spans (reading->trace)->name_id[span];
  LoomOperatorInputs inputs;
  LoomOperatorWork work;
  const LoomOperatorFormula *formula = reading->formulas[name_id];
  g_autoptr (GString) shape = g_string_new (NULL);
  if (!loom_operator_inputs_parse (&inputs, texts))
    return 0;
  if (loom_operator_work_get_kind (formula) == LOOM_OPERATOR_KIND_CONVOLUTION && inputs.value[0].text == NULL)
    complete (reading, args, span, &inputs);
  if (!loom_operator_work_compute (formula, &inputs, &work, shape))
    return 0;
  return loom_work_reader_intern (reading->reader, loom_trace_get_name (reading->trace, name_id)->text,
                                  loom_operator_work_get_kind (formula), &work, shape, find_type (&inputs));
}

static gsize
get_length (const LoomOperatorInputTexts *texts)
{
  return (texts->dims.text != NULL ? texts->dims.length : 0) + (texts->types.text != NULL ? texts->types.length : 0) +
         (texts->values.text != NULL ? texts->values.length : 0);
}

static void
append_slice (GString *text, LoomJsonSlice slice)
{
  gsize n = slice.text != NULL ? slice.length : 0;
  g_string_append_len (text, (const char *) &n, sizeof n);
  g_string_append_len (text, slice.text, (gssize) n);
}

/* Returns a pointer to the element of reading->numbers for a call with this name and these texts. The caller must hold
 * the lock. */
static guint32 *
find_number (Reading *reading, guint32 name_id, const LoomOperatorInputTexts *texts)
{
  g_autoptr (GString) key = g_string_sized_new (512);
  g_string_append_len (key, (const char *) &name_id, sizeof name_id);
  append_slice (key, texts->dims);
  append_slice (key, texts->types);
  append_slice (key, texts->values);
  guint32 id = loom_string_pool_intern (reading->known, key->str, key->len);
  if (id >= reading->numbers->len)
    g_array_set_size (reading->numbers, id + 1);
  return &g_array_index (reading->numbers, guint32, id);
}

static guint32
read_call (LoomJsonSlice args, guint32 span, gpointer data)
{
  Reading *reading = data;
  guint32 name_id = loom_trace_get_spans (reading->trace)->name_id[span];
  LoomOperatorInputTexts texts;
  if (!loom_operator_inputs_find (&texts, args)) {
    g_atomic_int_set (&reading->lacks_sizes, 1);
    return 0;
  }
  /* the result for a convolution is not cached, because it may depend on other calls (see complete()) */
  if (loom_operator_work_get_kind (reading->formulas[name_id]) == LOOM_OPERATOR_KIND_CONVOLUTION ||
      get_length (&texts) > MOST_REMEMBERED)
    return compute_call (reading, args, &texts, span);
  g_mutex_lock (&reading->reader->lock);
  guint32 number = *find_number (reading, name_id, &texts);
  g_mutex_unlock (&reading->reader->lock);
  if (number > 0)
    return number - 1;
  number = compute_call (reading, args, &texts, span);
  g_mutex_lock (&reading->reader->lock);
  *find_number (reading, name_id, &texts) = number + 1;
  g_mutex_unlock (&reading->reader->lock);
  return number;
}

static const LoomOperatorFormula **
find_formulas (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  const LoomOperatorFormula **formulas = g_new0 (const LoomOperatorFormula *, (gsize) n + 1);
  for (guint i = 0; !loom_trace_is_index (trace) && i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    if (g_ascii_strcasecmp (name->category, "cpu_op") == 0 || g_ascii_strcasecmp (name->category, "operator") == 0)
      formulas[i] = loom_operator_work_find (name->text);
  }
  return formulas;
}

/* --- what the files record ---------------------------------------------------------------------------------------- */

#define MOST_PROBES 32 /* number of calls of a trace that are read to find out whether shapes are recorded */

static gboolean
has_shapes (const LoomTrace *trace, guint32 span, LoomBlockCache *cache)
{
  LoomEvent event;
  LoomOperatorInputs inputs;
  LoomRef ref = loom_trace_get_spans (trace)->ref[span];
  LoomByteSource *text = loom_trace_get_source (trace, loom_source_ref_source (ref))->text;
  return ref != LOOM_REF_NONE && text != NULL &&
         loom_block_cache_read (cache, text, loom_source_ref_offset (ref), &event, NULL) &&
         loom_operator_inputs_read (&inputs, event.member[LOOM_MEMBER_ARGS]);
}

static LoomEfficiencyLack
find_lack_of_trace (const LoomTrace *trace, LoomBlockCache *cache)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_autofree const LoomOperatorFormula **formulas = find_formulas (trace);
  guint n_probes = 0;
  for (guint32 i = 0; i < spans->n && n_probes < MOST_PROBES; i++) {
    if (formulas[spans->name_id[i]] == NULL || spans->ref[i] == LOOM_REF_NONE)
      continue;
    n_probes++;
    if (has_shapes (trace, i, cache))
      return LOOM_EFFICIENCY_LACKS_NOTHING;
  }
  return n_probes > 0 ? LOOM_EFFICIENCY_LACKS_SHAPES : LOOM_EFFICIENCY_LACKS_OPERATORS;
}

LoomEfficiencyLack
loom_efficiency_find_lack (LoomRun *run)
{
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (2);
  LoomEfficiencyLack found = LOOM_EFFICIENCY_LACKS_OPERATORS;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomEfficiencyLack lack = find_lack_of_trace (loom_run_get_trace (run, t), cache);
    if (lack == LOOM_EFFICIENCY_LACKS_NOTHING)
      return lack;
    if (lack == LOOM_EFFICIENCY_LACKS_SHAPES)
      found = lack;
  }
  return found;
}

/* Returns an array: [name id] 1 if there is a formula for the work of operators of this name, but their calls are not
 * read; NULL if there are no such names. Owned by the caller. */
static guint8 *
find_unread (const Reading *reading, const guint64 *counts, const guint8 *wanted)
{
  guint n = loom_trace_get_n_names (reading->trace), n_unread = 0;
  g_autofree guint8 *unread = g_new0 (guint8, (gsize) n + 1);
  for (guint i = 0; i < n; i++) {
    unread[i] = reading->formulas[i] != NULL && counts[i] > 0 && !wanted[i];
    n_unread += unread[i];
  }
  return n_unread > 0 ? g_steal_pointer (&unread) : NULL;
}

/* Reads the calls whose name is marked in `wanted`. If the arguments of convolutions (such as their stride) are not
 * recorded, reads the calls once more, together with the backward pass, which contains the sizes of the outputs of the
 * convolutions. NULL only when cancelled. */
static GArray *
read_calls (Reading *reading, LoomTimeline *timeline, guint number, LoomRange range, const guint8 *wanted,
            GCancellable *cancellable)
{
  guint64 n_read = 0, n_again = 0;
  g_autoptr (GArray) works =
    loom_operator_args_read (timeline, number, range, wanted, read_call, reading, &n_read, cancellable);
  reading->reader->n_read += n_read;
  if (works == NULL || g_atomic_int_get (&reading->lacks_values) == 0)
    return g_steal_pointer (&works);
  g_autoptr (LoomWorkGradients) gradients = loom_work_gradients_new (timeline, number, cancellable);
  reading->gradients = gradients;
  GArray *again = gradients != NULL ? loom_operator_args_read (timeline, number, range, wanted, read_call, reading,
                                                               &n_again, cancellable)
                                    : NULL;
  reading->gradients = NULL;
  return again;
}

GArray *
loom_work_reader_read (LoomWorkReader *reader, LoomTimeline *timeline, guint number, LoomRange *range, guint64 most,
                       guint8 **unread, GCancellable *cancellable)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  g_autofree const LoomOperatorFormula **formulas = find_formulas (trace);
  g_autoptr (GArray) numbers = g_array_new (FALSE, TRUE, sizeof (guint32));
  Reading reading = {
    .reader = reader, .trace = trace, .formulas = formulas, .known = loom_string_pool_new (), .numbers = numbers
  };
  g_autofree guint64 *counts = count_calls (timeline, number, trace, *range);
  reader->n_calls += count_all (&reading, counts);
  if (count_matrix_calls (&reading, counts) > most) {
    shorten (&reading, timeline, number, range, most);
    g_free (counts);
    counts = count_calls (timeline, number, trace, *range);
  }
  g_autofree guint8 *wanted = choose_names (&reading, counts, most);
  GArray *works = read_calls (&reading, timeline, number, *range, wanted, cancellable);
  loom_string_pool_free (reading.known);
  if (works != NULL && g_atomic_int_get (&reading.lacks_sizes) != 0 &&
      !loom_work_forward_add (reader, works, timeline, number, *range, formulas, wanted, cancellable))
    g_clear_pointer (&works, g_array_unref);
  *unread = works != NULL ? find_unread (&reading, counts, wanted) : NULL;
  return works;
}
