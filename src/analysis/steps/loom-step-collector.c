/* SPDX-License-Identifier: Apache-2.0
 *
 * First examines the list of names of each trace. Reads spans only of those traces that have a name of a step. Reads
 * the args of a span only if they contain the number of the step.
 */
#include "loom-step-collector.h"

#include <string.h>

#include "loom-block-cache.h"
#include "loom-event.h"
#include "loom-merge-sort.h"
#include "loom-step-stated.h"

/* Number of spans processed between two checks of the cancellable. */
#define CANCEL_EVERY 65536

/* The number of a step can be in the args of spans whose names do not show it. To find the names of such spans, the
 * first span of each examined name is read. Names with several spans and names with a single span are examined
 * separately: at most MOST_HOST_NAMES names of each kind. */
#define MOST_HOST_NAMES 16
#define CACHE_BLOCKS 4 /* number of blocks of the files that are cached while their events are read in order */

/* is_marked() examines only the last MOST_AT_ONCE steps that begin before the middle of the batch. A small number is
 * enough, because steps run at the same time on one rank only if they have different formats. */
#define MOST_AT_ONCE 8

typedef enum {
  KIND_NONE,
  KIND_SMDEBUG,  /* a span "Step:ModeKeys.TRAIN"; the number of the step is in args.step_num */
  KIND_PROFILER, /* a span with a name such as "ProfilerStep#12" */
  KIND_COMPOSER, /* a span "event/batch"; the number of the step is in args.batch */
  /* a span of a track named "Steps"; the number of the step is in args.step_name, or in the name of the span */
  KIND_LINE,
  KIND_HOST, /* a span that a user of TensorFlow or JAX names; the number of the step is in args.step_num */
  KIND_MARK, /* a callback of Composer at the start or the end of a batch */
} StepKind;

/* A callback of Composer at the start or the end of a batch. */
typedef struct {
  LoomStep step; /* times and ids of the callback's span */
  gboolean is_end;
} BatchMark;

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

/* Returns the mode that the name of a step of smdebug states. */
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

/* --- number of a step --------------------------------------------------------------------------------------------- */

gboolean
loom_step_collector_states_number (const LoomName *name)
{
  return kind_of_name (name) == KIND_PROFILER;
}

gboolean
loom_step_collector_is_mark (const LoomName *name)
{
  return kind_of_name (name) == KIND_MARK;
}

/* Returns the number and the mode of the step that a span states. The span is on a track "Steps", or it is a span on
 * the host whose args contain the number of a step. On a track "Steps", args.step_name is read first: it contains the
 * name that the user gave to the step, for example "train 20". The name of the span is read only if this arg has no
 * number, because XProf writes a number there that starts from 0 in each file. */
static LoomStepStated
read_named (const LoomTrace *trace, LoomRef ref, const LoomName *name, StepKind kind)
{
  LoomStepStated stated = loom_step_stated_read (trace, ref, kind == KIND_LINE ? "step_name" : "step_num");
  if (kind == KIND_LINE && stated.number < 0)
    stated.number = loom_step_stated_find_number (name->text);
  if (stated.mode < 0)
    stated.mode = loom_step_stated_find_mode (name->text);
  return (LoomStepStated) { stated.number, stated.mode < 0 ? LOOM_STEP_TRAIN : stated.mode };
}

static LoomStepStated
read_step (const LoomTrace *trace, guint32 span, StepKind kind)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomName *name = loom_trace_get_name (trace, spans->name_id[span]);
  LoomStepMode mode = mode_of_name (name);
  switch (kind) {
  case KIND_SMDEBUG:
    return (LoomStepStated) { loom_step_stated_read (trace, spans->ref[span], "step_num").number, mode };
  case KIND_COMPOSER: return (LoomStepStated) { loom_step_stated_read (trace, spans->ref[span], "batch").number, mode };
  case KIND_PROFILER:
    return (LoomStepStated) { loom_step_stated_parse_number (name->text + strlen ("ProfilerStep#")), mode };
  case KIND_LINE:
  case KIND_HOST: return read_named (trace, spans->ref[span], name, kind);
  case KIND_MARK:
  case KIND_NONE:
  default: return (LoomStepStated) { -1, mode };
  }
}

/* --- collecting the steps of a trace ------------------------------------------------------------------------------ */

typedef struct {
  LoomTimeline *timeline;
  GArray *steps; /* LoomStep: the steps found so far */
  GCancellable *cancellable;
  guint number; /* index of the trace in the run */
  LoomTrace *trace;
  const guint8 *kinds; /* for each name id: the StepKind; NULL if no name of the trace belongs to a step */
  GArray *marks;       /* BatchMark: the callbacks of Composer found so far, at starts and ends of batches */
} Collector;

static void
add_step (Collector *collector, const LoomTrack *track, guint32 span, StepKind kind)
{
  const LoomStepStated stated = read_step (collector->trace, span, kind);
  LoomStep step = {
    .number = stated.number, .node = track->node, .rank = track->rank, .mode = (LoomStepMode) stated.mode
  };
  if (step.number < 0 && (kind == KIND_LINE || kind == KIND_HOST))
    return;
  step.span = (LoomSpanId) { collector->number, span };
  step.format = track->format;
  loom_timeline_get_span (collector->timeline, step.span, &step.begin_ns, &step.end_ns);
  g_array_append_val (collector->steps, step);
}

static void
add_batch_mark (Collector *collector, const LoomTrack *track, guint32 span)
{
  const LoomName *name = loom_trace_get_name (collector->trace, loom_trace_get_spans (collector->trace)->name_id[span]);
  BatchMark mark = { .step = { .number = -1, .node = track->node, .rank = track->rank } };
  is_batch_mark (name, &mark.is_end);
  mark.step.span = (LoomSpanId) { collector->number, span };
  mark.step.format = track->format;
  loom_timeline_get_span (collector->timeline, mark.step.span, &mark.step.begin_ns, &mark.step.end_ns);
  g_array_append_val (collector->marks, mark);
}

static void
collect_span (Collector *collector, const LoomTrack *track, guint32 span, StepKind kind)
{
  if (kind == KIND_MARK)
    add_batch_mark (collector, track, span);
  else if (kind != KIND_HOST || (track->flags & LOOM_TRACK_DEVICE) == 0)
    add_step (collector, track, span, kind);
}

/* Adds the steps of a row of spans to collector->steps. Adds Composer's callbacks at the start or the end of batches to
 * collector->marks. `line`: TRUE if all spans of the row are steps. Returns FALSE if cancelled. */
static gboolean
collect_row (Collector *collector, const LoomTrack *track, const LoomRow *row, gboolean line)
{
  const LoomSpans *spans = loom_trace_get_spans (collector->trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    StepKind kind = line ? KIND_LINE : collector->kinds[spans->name_id[i]];
    if (G_UNLIKELY (kind != KIND_NONE)) /* all spans of the run are tested, and few are steps */
      collect_span (collector, track, i, kind);
    if (i % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (collector->cancellable))
      return FALSE;
  }
  return TRUE;
}

gboolean
loom_step_collector_is_line (const LoomTrack *track)
{
  return strcmp (track->thread, "Steps") == 0;
}

static gboolean
collect_trace (Collector *collector)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (collector->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (collector->trace, i);
    gboolean line = loom_step_collector_is_line (track);
    if (track->kind != LOOM_TRACK_SPANS || (collector->kinds == NULL && !line))
      continue;
    for (guint k = 0; k < track->n_rows; k++)
      if (!collect_row (collector, track, loom_trace_get_row (collector->trace, track->first_row + k), line))
        return FALSE;
  }
  return TRUE;
}

/* --- steps on the host -------------------------------------------------------------------------------------------- */

/* Returns TRUE if the profiler of TensorFlow and JAX recorded the trace, and the trace has no track "Steps", for
 * example because no device was recorded. */
static gboolean
needs_host_steps (const LoomTrace *trace)
{
  gboolean is_needed = FALSE;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (loom_step_collector_is_line (track))
      return FALSE;
    is_needed |= strcmp (track->format, "tensorflow") == 0 || strcmp (track->format, "xplane") == 0;
  }
  return is_needed;
}

static gboolean
is_host_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DEVICE) == 0;
}

/* The spans of the host that have the name `name`. */
typedef struct {
  gint64 total_ns; /* total duration of the spans on one thread, namely the thread with the largest total */
  gint64 sum_ns;   /* total duration of the spans read so far on the track `track` */
  LoomRef ref;     /* the first span */
  guint32 name, n; /* `n`: number of spans */
  guint track;
} HostName;

#define IS_LONGER(a, b) ((a)->total_ns > (b)->total_ns)
LOOM_DEFINE_SORT (sort_by_total, HostName, IS_LONGER)
#define IS_EARLIER(a, b) ((a)->ref < (b)->ref)
LOOM_DEFINE_SORT (sort_by_ref, HostName, IS_EARLIER)

static void
add_host_row (const LoomTrace *trace, const LoomRow *row, guint track, HostName *names)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = row->first; i < row->first + row->n; i++) {
    HostName *name = &names[spans->name_id[i]];
    if (name->n++ == 0)
      name->ref = spans->ref[i];
    name->sum_ns = loom_time_add (name->track == track ? name->sum_ns : 0, spans->dur_ns[i]);
    name->total_ns = MAX (name->total_ns, name->sum_ns);
    name->track = track;
  }
}

/* Returns TRUE for the name of a Python function, for example "$train.py:30 main". Such names are not examined, because
 * spans of functions do not have the number of a step. The outer functions of a call stack take as much time as the
 * steps; if they were examined, they could take the place of the names of steps. */
static gboolean
is_python_function (const LoomTrace *trace, guint32 name)
{
  return loom_trace_get_name (trace, name)->text[0] == '$';
}

/* Keeps two groups of names, and removes all other names: the first MOST_HOST_NAMES names that have several spans, and
 * the first MOST_HOST_NAMES names that have one span. Returns the number of names that remain. */
static guint
keep_first_names (HostName *names, guint n)
{
  guint n_kept = 0, n_taken[2] = { 0, 0 };
  for (guint i = 0; i < n; i++)
    if (n_taken[names[i].n == 1]++ < MOST_HOST_NAMES)
      names[n_kept++] = names[i];
  return n_kept;
}

/* Returns the names (HostName) of the spans that take most time on one thread of the host, in the order of their first
 * spans in the files. Only the time on one thread counts, because the steps of a loop take nearly all of the time of
 * one thread; summed over all threads, operators can take more time than steps. A recording may contain only one step,
 * so names with a single span are needed. They are chosen separately from names with several spans: otherwise,
 * functions around the loop, which have a single span, could be chosen in place of the steps. The caller owns the
 * result. */
static GArray *
list_host_names (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace), n_used = 0;
  GArray *list = g_array_sized_new (FALSE, FALSE, sizeof (HostName), n + 1);
  for (guint i = 0; i < n; i++)
    g_array_append_val (list, ((const HostName) { .name = i }));
  HostName *names = (HostName *) (gpointer) list->data;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    for (guint k = 0; is_host_track (track) && k < track->n_rows; k++)
      add_host_row (trace, loom_trace_get_row (trace, track->first_row + k), i, names);
  }
  for (guint i = 0; i < n; i++)
    if (names[i].n > 0 && names[i].ref != LOOM_REF_NONE && !is_python_function (trace, i))
      names[n_used++] = names[i];
  sort_by_total (names, n_used);
  g_array_set_size (list, keep_first_names (names, n_used));
  sort_by_ref (names, list->len);
  return list;
}

/* Sets kinds[name] to KIND_HOST for the names of list_host_names() whose first span has args.step_num. Reads the
 * args of one span for each name. Returns FALSE if there are no such names. */
static gboolean
add_host_kinds (const LoomTrace *trace, guint8 *kinds)
{
  gboolean any = FALSE;
  g_autoptr (GArray) names = list_host_names (trace);
  g_autoptr (LoomBlockCache) cache = loom_block_cache_new_small (CACHE_BLOCKS);
  for (guint i = 0; i < names->len; i++) {
    const HostName *first = &g_array_index (names, HostName, i);
    const LoomSource *source = loom_trace_get_source (trace, loom_source_ref_source (first->ref));
    LoomEvent event;
    if (kinds[first->name] != KIND_NONE || source->text == NULL ||
        !loom_block_cache_read (cache, source->text, loom_source_ref_offset (first->ref), &event, NULL) ||
        loom_step_stated_parse (event.member[LOOM_MEMBER_ARGS], "step_num").number < 0)
      continue;
    kinds[first->name] = KIND_HOST;
    any = TRUE;
  }
  return any;
}

/* Used for index files, which store the number of a step for some spans. Sets kinds[name] to KIND_HOST for the names of
 * those spans on the host that have such a number. Returns FALSE if there are no such spans. */
static gboolean
add_indexed_kinds (const LoomTrace *trace, const LoomTrack *track, guint8 *kinds)
{
  gboolean any = FALSE;
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint k = 0; is_host_track (track) && k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      LoomRef ref = spans->ref[i];
      const LoomSource *source =
        ref != LOOM_REF_NONE ? loom_trace_get_source (trace, loom_source_ref_source (ref)) : NULL;
      if (source == NULL || !source->is_index || kinds[spans->name_id[i]] != KIND_NONE ||
          loom_source_find_step_number (source, loom_source_ref_offset (ref)) < 0)
        continue;
      kinds[spans->name_id[i]] = KIND_HOST;
      any = TRUE;
    }
  }
  return any;
}

static gboolean
add_host_steps (const LoomTrace *trace, guint8 *kinds)
{
  gboolean any = add_host_kinds (trace, kinds);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    any |= add_indexed_kinds (trace, loom_trace_get_track (trace, i), kinds);
  return any;
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
  any |= needs_host_steps (trace) && add_host_steps (trace, kinds);
  return any ? g_steal_pointer (&kinds) : NULL;
}

int
loom_step_collector_compare (gconstpointer a, gconstpointer b)
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
  return loom_step_collector_compare (x, y);
}

static int
compare_by_rank (gconstpointer a, gconstpointer b)
{
  const LoomStep *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return loom_step_collector_compare (a, b);
}

/* Returns TRUE if the rank of `batch` has a recorded step that contains the middle of `batch`. `steps`: recorded steps
 * of Composer and PyTorch, in the order of compare_by_rank(). O(log n). */
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

/* Finds all callbacks of one batch: first come those at the start of the batch, then those at its end. `first`: index
 * of the first callback of the batch. Sets `batch` to the batch, and `last_begin` to the index of the last callback at
 * the start. If there are no callbacks at the start, or none at the end, sets `last_begin` to G_MAXUINT. Returns the
 * index of the first callback of the next batch. */
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
  return loom_step_stated_read (trace, loom_trace_get_spans (trace)->ref[mark->step.span.span], "batch").number;
}

/* Adds the batches that have no span to `steps`, and sorts `marks`. Composer does not record the start of `event/batch`
 * in the last batch of a cycle. The span of this batch is inferred: it lasts from the first callback at the start of
 * the batch to the last callback at its end. If a recording was cut off, its last batch has only callbacks at the
 * start. In `marks`, the callbacks of the first batch of the next recording come directly after them. The callbacks of
 * the batch that was cut off are recognised by their other batch number, and skipped. */
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

/* Removes from `marks`, beginning with element `first`, the elements that are sums of several callbacks. Such sums
 * exist only in traces that were read from index files. They are recognised by the missing number: an index file stores
 * a number for each unchanged callback. Index files of earlier versions store no numbers for callbacks at the end of a
 * batch; for such files, removes nothing. */
static void
remove_sums (const LoomTrace *trace, GArray *marks, guint first)
{
  gboolean has_numbers = FALSE;
  guint n = first;
  for (guint i = first; loom_trace_get_source (trace, 0)->is_index && i < marks->len; i++) {
    BatchMark *mark = &g_array_index (marks, BatchMark, i);
    mark->step.number =
      loom_step_stated_read (trace, loom_trace_get_spans (trace)->ref[mark->step.span.span], "batch").number;
    has_numbers |= mark->is_end && mark->step.number >= 0;
  }
  for (guint i = first; has_numbers && i < marks->len; i++)
    if (g_array_index (marks, BatchMark, i).step.number >= 0)
      g_array_index (marks, BatchMark, n++) = g_array_index (marks, BatchMark, i);
  if (has_numbers)
    g_array_set_size (marks, n);
}

gboolean
loom_step_collector_collect (LoomTimeline *timeline, GArray *steps, GCancellable *cancellable)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (BatchMark));
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    g_autofree guint8 *kinds = find_kinds (trace);
    Collector collector = { timeline, steps, cancellable, i, trace, kinds, marks };
    guint n_marks = marks->len;
    if (!collect_trace (&collector) || g_cancellable_is_cancelled (cancellable))
      return FALSE;
    remove_sums (trace, marks, n_marks);
  }
  add_unmarked (timeline, steps, marks);
  g_array_sort (steps, loom_step_collector_compare);
  return TRUE;
}
