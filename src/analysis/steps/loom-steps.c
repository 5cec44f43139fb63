/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the name columns of the traces that contain names of steps; args are read only if they contain the
 * number.
 */
#include "loom-steps.h"

#include <string.h>

#include "loom-event.h"
#include "loom-parse-time.h"

/* Number of spans processed between two checks of the cancellable. */
#define CANCEL_EVERY 65536

/* Upper limit for the number of steps of one rank that run at the same time, counted over all formats. */
#define MOST_AT_ONCE 8

typedef enum {
  KIND_NONE,
  KIND_SMDEBUG,  /* "Step:ModeKeys.TRAIN", number in args.step_num */
  KIND_PROFILER, /* a span with a name such as "ProfilerStep#12" */
  KIND_COMPOSER, /* "event/batch", number in args.batch */
  KIND_LINE,     /* any span of a track named "Steps"; the name of the span is the number */
  KIND_MARK,     /* a callback of Composer at the start or the end of a batch */
} StepKind;

/* The steps of one rank and one format, either of training or of all other modes: the elements [first, first + n) of
 * LoomSteps.by_line. */
typedef struct {
  const char *node;
  gint rank;
  guint first, n;
} Line;

/* A callback of Composer at the start or the end of a batch. */
typedef struct {
  LoomStep step; /* times and ids of the callback's span */
  gboolean is_end;
} BatchMark;

const char *
loom_step_mode_to_string (LoomStepMode mode)
{
  static const char *const words[] = { "train", "eval", "predict", "global" };
  return words[mode <= LOOM_STEP_GLOBAL ? mode : LOOM_STEP_TRAIN];
}

static gboolean
is_batch_mark (const LoomName *name, gboolean *is_end)
{
  *is_end = g_str_has_suffix (name->text, "/event/batch_end");
  return g_str_has_prefix (name->text, "callback/") && (*is_end || g_str_has_suffix (name->text, "/event/batch_start"));
}

static StepKind
kind_of_name (const LoomName *name)
{
  if (g_str_has_prefix (name->text, "Step:ModeKeys."))
    return KIND_SMDEBUG;
  if (g_str_has_prefix (name->text, "ProfilerStep#") && strcmp (name->category, "gpu_user_annotation") != 0)
    return KIND_PROFILER;
  if (strcmp (name->text, "event/batch") == 0)
    return KIND_COMPOSER;
  gboolean is_end;
  return is_batch_mark (name, &is_end) ? KIND_MARK : KIND_NONE;
}

static LoomStepMode
mode_of_name (const LoomName *name)
{
  static const struct {
    const char *ending;
    LoomStepMode mode;
  } modes[] = { { ".EVAL", LOOM_STEP_EVAL }, { ".PREDICT", LOOM_STEP_PREDICT }, { ".GLOBAL", LOOM_STEP_GLOBAL } };
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_has_suffix (name->text, modes[i].ending))
      return modes[i].mode;
  return LOOM_STEP_TRAIN;
}

/* --- numbers ---------------------------------------------------------------------------------------------------- */

static gint64
number_in_text (const char *text)
{
  gint64 number;
  gsize length = strspn (text, "0123456789");
  return length > 0 && loom_parse_time_parse_int (text, length, &number) ? number : -1;
}

/* Returns the value that an argument had when the event began; an empty slice if there is none. The end of an event may
 * replace values of args; a merged file keeps the earlier values in an object LOOM_MEMBER_BEGIN_ARGS. */
static LoomJsonSlice
get_value (LoomJsonSlice args, const char *key)
{
  LoomJsonSlice first = loom_json_slice_member (loom_json_slice_member (args, LOOM_MEMBER_BEGIN_ARGS), key);
  return first.text != NULL ? first : loom_json_slice_member (args, key);
}

/* Returns an integer of an event's args; −1 if missing. Reads the source. */
static gint64
number_in_args (const LoomTrace *trace, LoomRef ref, const char *key)
{
  const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (ref));
  gsize length;
  LoomEvent event;
  gint64 number;
  if (source->text == NULL)
    return -1;
  g_autofree char *text = loom_event_read (source->text, loom_source_ref_offset (ref), &length, NULL);
  if (text == NULL || !loom_event_parse (text, length, &event))
    return -1;
  LoomJsonSlice value = get_value (event.member[LOOM_MEMBER_ARGS], key);
  return value.text != NULL && loom_parse_time_parse_int (value.text, value.length, &number) && number >= 0 ? number
                                                                                                            : -1;
}

static gint64
number_of (const LoomTrace *trace, guint32 span, StepKind kind)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomName *name = loom_trace_get_name (trace, spans->name_id[span]);
  switch (kind) {
  case KIND_SMDEBUG: return number_in_args (trace, spans->ref[span], "step_num");
  case KIND_COMPOSER: return number_in_args (trace, spans->ref[span], "batch");
  case KIND_PROFILER: return number_in_text (name->text + strlen ("ProfilerStep#"));
  case KIND_LINE: return number_in_text (name->text);
  case KIND_MARK:
  case KIND_NONE:
  default: return -1;
  }
}

/* --- collecting ------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomSteps *steps;
  GCancellable *cancellable;
  guint number; /* index of the trace in the run */
  LoomTrace *trace;
  const guint8 *kinds; /* [name id] StepKind; NULL: no name of the trace belongs to a step */
  GArray *marks;       /* BatchMark */
} Collector;

static void
add_step (Collector *collector, const LoomTrack *track, guint32 span, StepKind kind)
{
  const LoomSpans *spans = loom_trace_get_spans (collector->trace);
  LoomStep step = { .number = number_of (collector->trace, span, kind), .node = track->node, .rank = track->rank };
  if (step.number < 0 && kind == KIND_LINE)
    return;
  step.span = (LoomSpanId) { collector->number, span };
  step.mode = mode_of_name (loom_trace_get_name (collector->trace, spans->name_id[span]));
  step.format = track->format;
  loom_timeline_get_span (collector->steps->timeline, step.span, &step.begin_ns, &step.end_ns);
  g_array_append_val (collector->steps->all_steps, step);
}

static void
add_batch_mark (Collector *collector, const LoomTrack *track, guint32 span)
{
  const LoomName *name = loom_trace_get_name (collector->trace, loom_trace_get_spans (collector->trace)->name_id[span]);
  BatchMark mark = { .step = { .number = -1, .node = track->node, .rank = track->rank } };
  is_batch_mark (name, &mark.is_end);
  mark.step.span = (LoomSpanId) { collector->number, span };
  mark.step.format = track->format;
  loom_timeline_get_span (collector->steps->timeline, mark.step.span, &mark.step.begin_ns, &mark.step.end_ns);
  g_array_append_val (collector->marks, mark);
}

/* Adds the steps of a row to the result. Returns FALSE if cancelled. */
static gboolean
collect_row (Collector *collector, const LoomTrack *track, const LoomRow *row, gboolean line)
{
  const LoomSpans *spans = loom_trace_get_spans (collector->trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    StepKind kind = line ? KIND_LINE : collector->kinds[spans->name_id[i]];
    if (kind == KIND_MARK)
      add_batch_mark (collector, track, i);
    else if (kind != KIND_NONE)
      add_step (collector, track, i, kind);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (collector->cancellable))
      return FALSE;
  }
  return TRUE;
}

static gboolean
collect_trace (Collector *collector)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (collector->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (collector->trace, i);
    gboolean line = strcmp (track->thread, "Steps") == 0;
    if (track->kind != LOOM_TRACK_SPANS || (collector->kinds == NULL && !line))
      continue;
    for (guint k = 0; k < track->n_rows; k++)
      if (!collect_row (collector, track, loom_trace_get_row (collector->trace, track->first_row + k), line))
        return FALSE;
  }
  return TRUE;
}

static guint8 *
find_kinds (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  gboolean any = FALSE;
  g_autofree guint8 *kinds = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    kinds[i] = kind_of_name (loom_trace_get_name (trace, i));
    any |= kinds[i] != KIND_NONE;
  }
  return any ? g_steal_pointer (&kinds) : NULL;
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = a, *y = b;
  if (x->begin_ns != y->begin_ns)
    return x->begin_ns < y->begin_ns ? -1 : 1;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (x->number != y->number)
    return x->number < y->number ? -1 : 1;
  return x->span.span < y->span.span ? -1 : x->span.span > y->span.span;
}

/* --- batches without a span ------------------------------------------------------------------------------------- */

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = &((const BatchMark *) a)->step, *y = &((const BatchMark *) b)->step;
  int nodes = g_strcmp0 (x->node, y->node);
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (nodes != 0)
    return nodes;
  return compare_steps (x, y);
}

static int
compare_by_rank (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return compare_steps (a, b);
}

/* Returns TRUE if a recorded step of the batch's rank, from Composer or PyTorch, contains the middle of the batch.
 * `steps` are in the order of compare_by_rank(). O(log n). */
static gboolean
is_marked (const GArray *steps, const LoomStep *batch)
{
  gint64 middle_ns = batch->begin_ns + (batch->end_ns - batch->begin_ns) / 2;
  guint low = 0, high = steps->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const LoomStep *step = &g_array_index (steps, LoomStep, middle);
    if (step->rank < batch->rank || (step->rank == batch->rank && step->begin_ns <= middle_ns))
      low = middle + 1;
    else
      high = middle;
  }
  for (guint back = 0; back < MOST_AT_ONCE && low > 0; back++) {
    const LoomStep *step = &g_array_index (steps, LoomStep, --low);
    if (step->rank != batch->rank)
      return FALSE;
    if (middle_ns < step->end_ns &&
        (step->node == NULL || batch->node == NULL || strcmp (step->node, batch->node) == 0))
      return TRUE;
  }
  return FALSE;
}

/* Finds the callbacks of one batch: first those at its start, then those at its end. Sets `last_begin` to the index of
 * the last callback at the start (G_MAXUINT: none), and `batch` to the batch. Returns the index of the next batch's
 * first callback. */
static guint
find_batch (const GArray *marks, guint first, guint *last_begin, LoomStep *batch)
{
  const BatchMark *of = &g_array_index (marks, BatchMark, 0);
  guint i = first;
  gboolean ended = FALSE;
  *last_begin = G_MAXUINT;
  for (; i < marks->len && of[i].step.rank == of[first].step.rank &&
         g_strcmp0 (of[i].step.node, of[first].step.node) == 0 && (of[i].is_end || !ended);
       i++) {
    if (of[i].is_end && *last_begin != G_MAXUINT)
      batch->end_ns = ended ? MAX (batch->end_ns, of[i].step.end_ns) : of[i].step.end_ns;
    ended |= of[i].is_end;
    if (of[i].is_end)
      continue;
    *last_begin = i;
    *batch = of[i].step;
  }
  if (!ended)
    *last_begin = G_MAXUINT;
  return i;
}

static gint64
number_of_mark (LoomTimeline *timeline, const BatchMark *mark)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), mark->step.span.trace);
  return number_in_args (trace, loom_trace_get_spans (trace)->ref[mark->step.span.span], "batch");
}

/* Adds batches without a span to `steps`, and sorts `marks`. Composer does not record the start of `event/batch` in the
 * last batch of a cycle. Such a batch lasts from the first callback at its start to the last callback at its end. If a
 * recording was cut off, there may be earlier starts without an end; these are recognised by their number. */
static void
add_unmarked (LoomTimeline *timeline, GArray *steps, GArray *marks)
{
  g_autoptr (GArray) marked = g_array_copy (steps);
  g_array_sort (marked, compare_by_rank);
  g_array_sort (marks, compare_marks);
  for (guint first = 0, next, last_begin; first < marks->len; first = next) {
    LoomStep batch;
    next = find_batch (marks, first, &last_begin, &batch);
    if (last_begin == G_MAXUINT || is_marked (marked, &batch))
      continue;
    batch.number = number_of_mark (timeline, &g_array_index (marks, BatchMark, last_begin));
    for (guint i = last_begin;
         i-- > first && number_of_mark (timeline, &g_array_index (marks, BatchMark, i)) == batch.number;) {
      batch.begin_ns = g_array_index (marks, BatchMark, i).step.begin_ns;
      batch.span = g_array_index (marks, BatchMark, i).step.span;
    }
    g_array_append_val (steps, batch);
  }
}

/* --- steps that the ruler shows --------------------------------------------------------------------------------- */

static gboolean
is_training (const LoomStep *step)
{
  return step->mode == LOOM_STEP_TRAIN || step->mode == LOOM_STEP_GLOBAL;
}

static const char *
find_main_format (const GArray *all)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (g_str_hash, g_str_equal);
  const char *best = NULL;
  guint most = 0;
  for (guint i = 0; i < all->len; i++) {
    gpointer format = (gpointer) g_array_index (all, LoomStep, i).format;
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, format)) + 1;
    g_hash_table_insert (counts, format, GUINT_TO_POINTER (n));
    if (n > most) {
      most = n;
      best = format;
    }
  }
  return best;
}

/* Returns a sort key: lower ranks come first, unknown ranks last; within a rank, training comes before other modes. */
static gint64
preference (const LoomStep *step)
{
  gint64 rank = step->rank >= 0 ? step->rank : G_MAXINT32;
  return rank * 2 + !is_training (step);
}

static void
choose_reference (LoomSteps *steps)
{
  const char *format = find_main_format (steps->all_steps);
  const LoomStep *first = NULL;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (strcmp (step->format, format) == 0 && (first == NULL || preference (step) < preference (first)))
      first = step;
  }
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (strcmp (step->format, format) == 0 && preference (step) == preference (first) &&
        g_strcmp0 (step->node, first->node) == 0)
      g_array_append_vals (steps->all_reference, step, 1);
  }
}

/* --- steps of each rank ----------------------------------------------------------------------------------------- */

/* Compares by rank. Within a rank, the main format comes first; within a format, training comes before other modes. */
static int
compare_for_lines (gconstpointer a, gconstpointer b, gpointer main_format)
{
  const LoomStep *x = a, *y = b;
  int nodes = g_strcmp0 (x->node, y->node), formats = strcmp (x->format, y->format);
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (nodes != 0)
    return nodes;
  if (formats != 0)
    return strcmp (x->format, main_format) == 0 ? -1 : strcmp (y->format, main_format) == 0 ? 1 : formats;
  if (is_training (x) != is_training (y))
    return is_training (x) ? -1 : 1;
  return compare_steps (a, b);
}

static gboolean
is_same_rank (const LoomStep *a, const LoomStep *b)
{
  return a->rank == b->rank && g_strcmp0 (a->node, b->node) == 0;
}

static gboolean
counts_as (const LoomStep *a, const LoomStep *b)
{
  return is_same_rank (a, b) && strcmp (a->format, b->format) == 0 && is_training (a) == is_training (b);
}

static void
find_lines (LoomSteps *steps)
{
  g_array_append_vals (steps->by_line, steps->all_steps->data, steps->all_steps->len);
  g_array_sort_with_data (steps->by_line, compare_for_lines, (gpointer) find_main_format (steps->all_steps));
  for (guint i = 0; i < steps->by_line->len; i++) {
    const LoomStep *step = &g_array_index (steps->by_line, LoomStep, i), *before = i > 0 ? step - 1 : NULL;
    steps->n_ranks += before == NULL || !is_same_rank (before, step);
    if (before == NULL || !counts_as (before, step)) {
      Line line = { step->node, step->rank, i, 0 };
      g_array_append_val (steps->lines, line);
    }
    g_array_index (steps->lines, Line, steps->lines->len - 1).n++;
  }
}

LoomSteps *
loom_steps_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomSteps) steps = g_new0 (LoomSteps, 1);
  g_atomic_ref_count_init (&steps->refs);
  steps->timeline = loom_timeline_ref (timeline);
  steps->all_steps = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->all_reference = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->by_line = g_array_new (FALSE, FALSE, sizeof (LoomStep));
  steps->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (BatchMark));
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    g_autofree guint8 *kinds = find_kinds (trace);
    Collector collector = { steps, cancellable, i, trace, kinds, marks };
    if (!collect_trace (&collector) || g_cancellable_is_cancelled (cancellable))
      return NULL;
  }
  add_unmarked (steps->timeline, steps->all_steps, marks);
  g_array_sort (steps->all_steps, compare_steps);
  choose_reference (steps);
  find_lines (steps);
  steps->all = (const LoomStep *) (gpointer) steps->all_steps->data;
  steps->n = steps->all_steps->len;
  steps->reference = (const LoomStep *) (gpointer) steps->all_reference->data;
  steps->n_reference = steps->all_reference->len;
  return g_steal_pointer (&steps);
}

LoomSteps *
loom_steps_ref (LoomSteps *steps)
{
  g_atomic_ref_count_inc (&steps->refs);
  return steps;
}

void
loom_steps_unref (LoomSteps *steps)
{
  if (steps == NULL || !g_atomic_ref_count_dec (&steps->refs))
    return;
  g_array_unref (steps->all_steps);
  g_array_unref (steps->all_reference);
  g_array_unref (steps->by_line);
  g_array_unref (steps->lines);
  loom_timeline_unref (steps->timeline);
  g_free (steps);
}

/* Returns the last step that begins at or before the time; NULL: none. */
static const LoomStep *
last_until (const LoomStep *steps, guint n, gint64 time_ns)
{
  guint low = 0, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (steps[middle].begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? &steps[low - 1] : NULL;
}

const LoomStep *
loom_steps_at (const LoomSteps *steps, gint64 time_ns)
{
  return last_until (steps->reference, steps->n_reference, time_ns);
}

/* Returns how well an element of LoomSteps.lines fits a query, > 0. `step`: its last step that begins at or before the
 * time; `first`: its first step. Best is a step that contains the time; then a step of the wanted format; then any
 * step. */
static guint
fitness (const LoomStep *step, const LoomStep *first, const char *format, gint64 time_ns)
{
  gboolean holds = step != NULL && (time_ns < step->end_ns || time_ns == step->begin_ns);
  gboolean own = format != NULL && strcmp (first->format, format) == 0;
  return 1 + 4 * holds + 2 * (own && step != NULL) + (step != NULL);
}

gboolean
loom_steps_at_rank (const LoomSteps *steps, const char *node, gint rank, const char *format, gint64 time_ns,
                    const LoomStep **step)
{
  guint best = 0;
  const LoomStep *all = (const LoomStep *) (gpointer) steps->by_line->data;
  for (guint i = 0; rank >= 0 && i < steps->lines->len; i++) {
    const Line *line = &g_array_index (steps->lines, Line, i);
    if (line->rank != rank || (node != NULL && line->node != NULL && strcmp (node, line->node) != 0))
      continue;
    const LoomStep *found = last_until (all + line->first, line->n, time_ns);
    guint fits = fitness (found, all + line->first, format, time_ns);
    if (fits > best)
      *step = found;
    best = MAX (best, fits);
  }
  return best > 0;
}

/* --- ranges ----------------------------------------------------------------------------------------------------- */

gboolean
loom_steps_get_numbers (const LoomSteps *steps, gint64 *first, gint64 *last)
{
  gboolean any = FALSE;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    gint64 number = g_array_index (steps->all_steps, LoomStep, i).number;
    if (number < 0)
      continue;
    *first = any ? MIN (*first, number) : number;
    *last = any ? MAX (*last, number) : number;
    any = TRUE;
  }
  return any;
}

/* Sets `range` to the earliest start and the latest end of the steps with numbers first to last − 1. Only steps of
 * `format` (NULL: any), and only training steps or only those of other modes, count. Returns FALSE if there are
 * none. */
static gboolean
cover (const LoomSteps *steps, const char *format, gboolean training, gint64 first, gint64 last, LoomRange *range)
{
  gboolean any = FALSE;
  for (guint i = 0; i < steps->all_steps->len; i++) {
    const LoomStep *step = &g_array_index (steps->all_steps, LoomStep, i);
    if (step->number < first || step->number >= last || is_training (step) != training ||
        (format != NULL && strcmp (format, step->format) != 0))
      continue;
    range->begin_ns = any ? MIN (range->begin_ns, step->begin_ns) : step->begin_ns;
    range->end_ns = any ? MAX (range->end_ns, step->end_ns) : step->end_ns;
    any = TRUE;
  }
  return any;
}

/* Like cover(), but chooses the format and the mode: the main format is preferred to other formats, and training to
 * other modes. */
static gboolean
cover_best (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range, const char **format,
            gboolean *training)
{
  *format = steps->all_reference->len > 0 ? g_array_index (steps->all_reference, LoomStep, 0).format : NULL;
  for (int other = 0; other < 2; other++) {
    for (*training = 1; *training >= 0; --*training)
      if (cover (steps, *format, *training, first, last, range))
        return TRUE;
    *format = NULL;
  }
  return FALSE;
}

gboolean
loom_steps_range (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range, LoomStepNumbers *numbers)
{
  const char *format;
  gboolean training;
  LoomRange next;
  if (!cover_best (steps, first, last, range, &format, &training))
    return FALSE;
  if (last < G_MAXINT64 && cover (steps, format, training, last, last + 1, &next) && next.begin_ns > range->begin_ns)
    range->end_ns = next.begin_ns;
  if (numbers != NULL)
    *numbers = (LoomStepNumbers) { format, first, last };
  return TRUE;
}

gboolean
loom_steps_range_inclusive (const LoomSteps *steps, gint64 first, gint64 last, LoomRange *range)
{
  const char *format;
  gboolean training;
  return cover_best (steps, first, last < G_MAXINT64 ? last + 1 : last, range, &format, &training);
}
