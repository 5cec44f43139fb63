/* SPDX-License-Identifier: Apache-2.0
 *
 * There are two passes. The first reads the recorded inputs of operators, one trace after the other; several threads
 * share the operators of a trace. The second makes the list of calls (LoomWorkCall), several traces in parallel.
 */
#include "loom-efficiency.h"

#include <math.h>
#include <string.h>

#include "loom-device-name.h"
#include "loom-int64-hash.h"
#include "loom-operator-inputs.h"
#include "loom-parallel.h"
#include "loom-rank-key.h"
#include "loom-source-fact.h"
#include "loom-track-rank.h"
#include "loom-work-calls.h"
#include "loom-work-reader.h"

typedef struct {
  GArray *works;    /* LoomSpanShape: a span, and the id of its work in the LoomWorkReader */
  GArray *calls;    /* LoomWorkCall: the calls of the trace */
  LoomRange range;  /* the part of the range whose calls were read */
  guint8 *unread;   /* array for LoomWorkCallPass.unread */
  gint64 unread_ns; /* see LoomEfficiency.unread_ns */
  /* kernel times. `kernels`: in the whole range; `read`: in the part of the range whose calls were read */
  LoomKernelTime kernels, read;
} TraceResult;

typedef struct {
  LoomTimeline *timeline;
  LoomRun *run;
  LoomRange range, whole; /* `whole`: the range of all events of the run */
  const LoomPeakSettings *settings;
  GCancellable *cancellable;
  LoomEfficiency *efficiency;
  LoomWorkReader reader;
  TraceResult *traces;
  guint n_traces;
  GArray *ranks; /* Rank: the ranks that have calls, sorted by trace, then by their first call */
} Computation;

/* A rank in a trace: the model and the peaks of its devices, and its steps, which are elements [first_step, first_step
 * + n_steps) of LoomEfficiency.steps. */
typedef struct {
  LoomRankKey key; /* key of the track on which the first call of the rank lies */
  guint trace;
  guint32 first_call; /* span of the rank's first call */
  gboolean is_alone;  /* TRUE: all tracks and steps of the trace belong to the rank */
  /* `device`: model of the rank's devices; `format`: format of the file in which their work is recorded */
  const char *device, *format;
  LoomDevicePeaks peaks;
  guint n_devices, first_step, n_steps;
} Rank;

/* --- ranks of a trace --------------------------------------------------------------------------------------------- */

static LoomRankKey
get_track_key (const LoomTrack *track, guint trace)
{
  return loom_rank_key (track->node, track->rank, trace);
}

static const LoomTrack *
get_track_of (const LoomTrace *trace, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (trace, span, &track, &row);
  return loom_trace_get_track (trace, track);
}

/* Returns TRUE if the trace has tracks of at most one rank. A merged file has tracks of several ranks. */
static gboolean
has_one_rank (const LoomTrace *trace, guint number)
{
  const LoomTrack *first = NULL;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->rank < 0)
      continue;
    LoomRankKey key = get_track_key (track, number), of_first = get_track_key (first != NULL ? first : track, number);
    if (!loom_rank_key_equal (&key, &of_first))
      return FALSE;
    first = first != NULL ? first : track;
  }
  return TRUE;
}

/* Returns TRUE if a track may belong to the rank. Tracks without a rank may belong to any rank of their node. */
static gboolean
has_track (const Rank *rank, const LoomTrack *track)
{
  LoomRankKey key = get_track_key (track, rank->trace);
  return rank->is_alone || loom_rank_key_equal (&key, &rank->key) ||
         (track->rank < 0 && (track->flags & LOOM_TRACK_RANKLESS) == 0 && g_strcmp0 (track->node, rank->key.node) == 0);
}

/* Returns the index (in all->ranks) of the rank whose call has the span `call`. Adds the rank if it is new. `known`:
 * LoomRankKey → 1 + index in all->ranks. */
static guint32
find_rank (Computation *all, guint number, gboolean is_alone, guint32 call, GHashTable *known)
{
  const LoomTrack *track = get_track_of (loom_run_get_trace (all->run, number), call);
  Rank rank = {
    .key = get_track_key (track, number), .trace = number, .first_call = call, .is_alone = is_alone, .device = ""
  };
  guint32 index = GPOINTER_TO_UINT (g_hash_table_lookup (known, &rank.key));
  if (index > 0)
    return index - 1;
  g_array_append_val (all->ranks, rank);
  g_hash_table_insert (known, g_memdup2 (&rank.key, sizeof rank.key), GUINT_TO_POINTER (all->ranks->len));
  return all->ranks->len - 1;
}

/* Sets the rank of each call of a trace. */
static void
find_ranks (Computation *all, guint number)
{
  const LoomTrace *trace = loom_run_get_trace (all->run, number);
  GArray *calls = all->traces[number].calls;
  gboolean is_alone = has_one_rank (trace, number);
  guint32 only = all->ranks->len;
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL);
  for (guint i = 0; i < calls->len; i++) {
    LoomWorkCall *call = &g_array_index (calls, LoomWorkCall, i);
    call->rank = is_alone && i > 0 ? only : find_rank (all, number, is_alone, call->span, known);
  }
}

/* --- device of each rank ------------------------------------------------------------------------------------------ */

static gboolean
is_work_of_device (const LoomTrack *track)
{
  return loom_trace_track_is_device (track) && track->kind == LOOM_TRACK_SPANS && track->n_events > 0;
}

/* Sets the model and the number of the devices on which the rank has work. If a rank has several devices, they are
 * assumed to be of the same model. */
static void
find_devices (Computation *all, Rank *rank)
{
  const LoomTrace *trace = loom_run_get_trace (all->run, rank->trace);
  g_autoptr (GHashTable) processes = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) name = g_string_new (NULL);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (!is_work_of_device (track) || !has_track (rank, track))
      continue;
    if (name->len == 0)
      loom_device_name_find (loom_source_fact_find (loom_trace_get_source (trace, track->source), "deviceProperties"),
                             track->process_key, track->rank, track->node, name);
    rank->format = rank->format != NULL ? rank->format : track->format;
    g_hash_table_add (processes, GUINT_TO_POINTER (track->process_id + 1));
  }
  LoomStringPool *texts = all->efficiency->texts;
  rank->n_devices = g_hash_table_size (processes);
  rank->device = loom_string_pool_get (texts, loom_string_pool_intern (texts, name->str, name->len));
  loom_device_peaks_find (&rank->peaks, rank->device, all->settings);
}

/* --- calls of one trace ------------------------------------------------------------------------------------------- */

static void
run_trace (guint item, guint worker, gpointer data)
{
  Computation *all = data;
  TraceResult *result = &all->traces[item];
  LoomKernelLaunches launches;
  if (g_cancellable_is_cancelled (all->cancellable) || all->reader.n_read == 0 ||
      loom_trace_is_index (loom_run_get_trace (all->run, item)))
    return;
  loom_kernel_launches_init (&launches, all->timeline, item, all->whole);
  LoomWorkCallPass pass = { all->timeline, item, result->range, &launches, result->works, result->unread, 0 };
  if (result->works->len > 0 || result->unread != NULL)
    result->calls = loom_work_calls_find (&pass, all->cancellable);
  result->unread_ns = pass.unread_ns;
  result->kernels = loom_kernel_launches_sum (&launches, all->timeline, item, all->range);
  result->read = memcmp (&result->range, &all->range, sizeof all->range) == 0
                   ? result->kernels
                   : loom_kernel_launches_sum (&launches, all->timeline, item, result->range);
  loom_kernel_launches_clear (&launches);
}

/* Reads the inputs of at most LOOM_EFFICIENCY_MOST_CALLS calls, trace by trace. When the limit is reached within a
 * trace, only the first part of this trace is read. The traces after it are not read. */
static gboolean
read_works (Computation *all)
{
  guint64 left = LOOM_EFFICIENCY_MOST_CALLS;
  for (guint t = 0; t < all->n_traces; t++) {
    guint64 n_before = all->reader.n_read;
    all->traces[t].range = all->range;
    all->traces[t].works = loom_work_reader_read (&all->reader, all->timeline, t, &all->traces[t].range, left,
                                                  &all->traces[t].unread, all->cancellable);
    if (all->traces[t].works == NULL)
      return FALSE;
    left -= MIN (left, all->reader.n_read - n_before);
  }
  return TRUE;
}

/* --- FLOP and time of each step ----------------------------------------------------------------------------------- */

static void
add_extent (Computation *all, const Rank *rank, guint clock, LoomRange local, LoomRange *extent)
{
  const LoomClockMap *map = loom_timeline_get_map (all->timeline, rank->trace, clock);
  extent->begin_ns = MIN (extent->begin_ns, loom_clock_map_to_timeline (map, local.begin_ns));
  extent->end_ns = MAX (extent->end_ns, loom_clock_map_to_timeline (map, local.end_ns));
}

/* Returns the range, on the timeline, from the first to the last event of a rank. */
static LoomRange
get_extent (Computation *all, const Rank *rank)
{
  const LoomTrace *trace = loom_run_get_trace (all->run, rank->trace);
  LoomRange extent = { G_MAXINT64, G_MININT64 }, local;
  for (guint i = 0; rank->is_alone && i < loom_trace_get_n_clocks (trace); i++)
    if (loom_trace_get_extent (trace, i, &local))
      add_extent (all, rank, i, local, &extent);
  for (guint i = 0; !rank->is_alone && i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->start_ns != LOOM_TIME_NONE && (track->flags & LOOM_TRACK_NO_EXTENT) == 0 && has_track (rank, track))
      add_extent (all, rank, track->clock, (LoomRange) { track->start_ns, track->end_ns }, &extent);
  }
  return extent;
}

/* For a rank without steps, adds a single LoomEfficiencyStep: the part of the range from the first to the last event of
 * the rank. */
static void
add_whole (Computation *all, const Rank *rank)
{
  const LoomTrace *trace = loom_run_get_trace (all->run, rank->trace);
  const LoomTrack *own = get_track_of (trace, rank->first_call);
  LoomRange range = all->traces[rank->trace].range, extent = get_extent (all, rank);
  gboolean is_process = loom_track_rank_is_process (own, own->format);
  const LoomSource *source = loom_trace_get_source (trace, 0);
  LoomEfficiencyStep step = { .node = rank->is_alone ? source->node : own->node,
                              .rank = rank->is_alone ? source->rank
                                      : is_process   ? -1
                                                     : own->rank,
                              .trace = rank->trace,
                              .number = -1,
                              .range = { MAX (extent.begin_ns, range.begin_ns), MIN (extent.end_ns, range.end_ns) },
                              .span = LOOM_SPAN_ID_NONE,
                              .n_devices = rank->n_devices };
  if (step.range.begin_ns < step.range.end_ns)
    g_array_append_val (all->efficiency->steps, step);
}

/* Returns TRUE if `step` records the last element of `steps` a second time. This is assumed if `step` begins before the
 * end of this element, and belongs to another process. `first`: index of the first element of `steps` that belongs to
 * the rank. Processes of unknown rank count as one rank. */
static gboolean
is_step_again (const GArray *steps, guint first, const LoomTrace *trace, const LoomStep *step)
{
  const LoomEfficiencyStep *last =
    steps->len > first ? &g_array_index (steps, LoomEfficiencyStep, steps->len - 1) : NULL;
  return last != NULL && step->begin_ns < last->range.end_ns &&
         get_track_of (trace, step->span.span)->process_id != get_track_of (trace, last->span.span)->process_id;
}

/* Adds those training steps of a rank that lie in the range that was read. A step that ends 1 ns after this range
 * counts, too, because the end of the range may be the last ns of the step. If steps are recorded in several formats,
 * only those of one format count: `format` or, if it is NULL, the format of the first step. If there are no steps and
 * `format` is NULL, adds the whole range. */
static void
add_steps (Computation *all, const LoomSteps *steps, Rank *rank, const char *format)
{
  const LoomTrace *trace = loom_run_get_trace (all->run, rank->trace);
  LoomRange range = all->traces[rank->trace].range;
  rank->first_step = all->efficiency->steps->len;
  for (guint i = 0; i < steps->n; i++) {
    const LoomStep *step = &steps->all[i];
    if (step->span.trace != rank->trace || !loom_steps_is_training (step) ||
        (format != NULL && strcmp (format, step->format) != 0) || step->begin_ns < range.begin_ns ||
        step->end_ns > loom_time_add (range.end_ns, 1) || step->begin_ns >= step->end_ns ||
        !has_track (rank, get_track_of (trace, step->span.span)) ||
        is_step_again (all->efficiency->steps, rank->first_step, trace, step))
      continue;
    format = step->format;
    LoomEfficiencyStep own = { .node = step->node,
                               .rank = step->rank,
                               .trace = rank->trace,
                               .is_step = TRUE,
                               .number = step->number,
                               .range = { step->begin_ns, step->end_ns },
                               .span = step->span,
                               .n_devices = rank->n_devices };
    g_array_append_val (all->efficiency->steps, own);
  }
  if (format == NULL && all->efficiency->steps->len == rank->first_step)
    add_whole (all, rank);
  rank->n_steps = all->efficiency->steps->len - rank->first_step;
}

/* Returns the step of the rank that contains `time_ns`; NULL: no step contains it. If steps overlap, only the last one
 * that begins at or before `time_ns` is examined. */
static LoomEfficiencyStep *
find_step (Computation *all, const Rank *rank, gint64 time_ns)
{
  LoomEfficiencyStep *steps = &g_array_index (all->efficiency->steps, LoomEfficiencyStep, rank->first_step);
  guint low = 0, high = rank->n_steps;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (steps[middle].range.begin_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 && time_ns < steps[low - 1].range.end_ns ? &steps[low - 1] : NULL;
}

/* Returns the type of the numbers that the kernels of a call multiply. The rate of the call is compared with the
 * device's peak for this type. */
static LoomFloatType
get_type (const LoomReadWork *read, const LoomWorkCall *call)
{
  return read->work.type == LOOM_FLOAT_TYPE_32 && call->format != LOOM_FLOAT_TYPE_NONE ? call->format : read->work.type;
}

/* Adds the work of a call to a step. `row`: the row to which the call belongs. Until finish_steps() is called, the
 * members `mfu` and `hfu` of the step contain the seconds that the work of the step takes at the peak. */
static void
add_to_step (LoomEfficiencyStep *step, const LoomEfficiencyRow *row, const LoomWorkCall *call)
{
  const LoomOperatorWork *work = &row->work;
  double seconds = row->peak > 0 ? (double) work->flop / row->peak : 0;
  guint64 *flop = call->is_recomputed ? &step->recomputed_flop : &step->flop;
  if ((1u << row->kind & LOOM_OPERATOR_MATRIX_KINDS) == 0)
    return;
  *flop = loom_operator_inputs_add (*flop, work->flop);
  if (!(row->peak > 0))
    step->unknown_flop = loom_operator_inputs_add (step->unknown_flop, work->flop);
  step->hfu += seconds;
  if (!call->is_recomputed)
    step->mfu += seconds;
}

static void
finish_steps (GArray *steps)
{
  for (guint i = 0; i < steps->len; i++) {
    LoomEfficiencyStep *step = &g_array_index (steps, LoomEfficiencyStep, i);
    double time = (double) loom_time_sub (step->range.end_ns, step->range.begin_ns) / LOOM_NS_PER_S * step->n_devices;
    gboolean is_known =
      time > 0 && (double) step->unknown_flop <=
                    LOOM_EFFICIENCY_MOST_UNKNOWN * ((double) step->flop + (double) step->recomputed_flop);
    step->mfu = is_known ? step->mfu / time : NAN;
    step->hfu = is_known ? step->hfu / time : NAN;
  }
}

/* --- rows of the result: calls with equal work, type and device --------------------------------------------------- */

#define TF32_NAME "float32 (TF32)"

/* Returns the name of the number type with whose peak the rate of a row is compared. */
static const char *
get_type_name (Computation *all, const LoomReadWork *read, LoomFloatType type)
{
  if (type == read->work.type)
    return loom_string_pool_get (all->efficiency->texts, read->type);
  return type == LOOM_FLOAT_TYPE_TF32 ? TF32_NAME : "float32 (16 bit)";
}

/* Returns the index of the row of a call; adds the row if there is none. `known`: table; key: id of the device's text,
 * work and type, packed into one number; value: index of the row, plus 1. */
static guint
find_row (Computation *all, GHashTable *known, const LoomWorkCall *call, const Rank *rank)
{
  LoomEfficiency *efficiency = all->efficiency;
  const LoomReadWork *read = &g_array_index (all->reader.works, LoomReadWork, call->work);
  LoomFloatType type = get_type (read, call);
  const char *text = rank->device != NULL ? rank->device : "";
  guint32 device = loom_string_pool_intern (efficiency->texts, text, strlen (text));
  gpointer key = (gpointer) (gsize) ((guint64) device << 32 | (call->work * LOOM_N_FLOAT_TYPES + type));
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (known, key));
  if (row == 0) {
    LoomEfficiencyRow new_row = { .name = read->name,
                                  .shape = loom_string_pool_get (efficiency->texts, read->shape),
                                  .type = get_type_name (all, read, type),
                                  .device = rank->device,
                                  .kind = read->kind,
                                  .work = read->work,
                                  .peak = rank->peaks.flops[type],
                                  .bandwidth = rank->peaks.bandwidth,
                                  .longest = LOOM_SPAN_ID_NONE,
                                  .spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId)) };
    new_row.work.type = type;
    g_array_append_val (efficiency->rows, new_row);
    row = efficiency->rows->len;
    g_hash_table_insert (known, key, GUINT_TO_POINTER (row));
  }
  return row - 1;
}

static void
add_to_row (LoomEfficiencyRow *row, const LoomWorkCall *call, guint trace)
{
  LoomSpanId id = { trace, call->span };
  row->calls++;
  row->n_kernels += call->n_kernels;
  row->n_recomputed += call->is_recomputed;
  row->kernel_ns = loom_time_add (row->kernel_ns, call->kernel_ns);
  if (loom_timeline_span_id_is_none (row->longest) || call->kernel_ns > row->longest_ns) {
    row->longest = id;
    row->longest_ns = call->kernel_ns;
  }
  if (row->spans->len < LOOM_EFFICIENCY_MOST_SPANS)
    g_array_append_val (row->spans, id);
}

static void
add_to_rows (Computation *all, guint number, GHashTable *known)
{
  GArray *calls = all->traces[number].calls;
  for (guint i = 0; i < calls->len; i++) {
    LoomWorkCall *call = &g_array_index (calls, LoomWorkCall, i);
    call->row = find_row (all, known, call, &g_array_index (all->ranks, Rank, call->rank));
    add_to_row (&g_array_index (all->efficiency->rows, LoomEfficiencyRow, call->row), call, number);
    all->efficiency->counted_ns = loom_time_add (all->efficiency->counted_ns, call->kernel_ns);
    all->efficiency->counted_compute_ns = loom_time_add (all->efficiency->counted_compute_ns, call->compute_ns);
  }
}

/* Corrects the type of a row of products of float32 that are faster than the peak of float32: they were computed in
 * TF32, even if the names of their kernels do not show it ("nvjet_…"). The row is then compared with the peak of TF32,
 * if the device has one. */
static void
correct_type (Computation *all, LoomEfficiencyRow *row)
{
  LoomDevicePeaks peaks;
  if (row->work.type != LOOM_FLOAT_TYPE_32 || (1u << row->kind & LOOM_OPERATOR_MATRIX_KINDS) == 0 || !(row->peak > 0) ||
      !(loom_efficiency_get_rate (row) > row->peak))
    return;
  loom_device_peaks_find (&peaks, row->device, all->settings);
  if (peaks.flops[LOOM_FLOAT_TYPE_TF32] <= row->peak)
    return;
  row->work.type = LOOM_FLOAT_TYPE_TF32;
  row->type = TF32_NAME;
  row->peak = peaks.flops[LOOM_FLOAT_TYPE_TF32];
}

/* Adds the calls of a trace to the steps of their ranks. The types of the rows must have been corrected before
 * (correct_type()). */
static void
add_to_steps (Computation *all, guint number)
{
  const GArray *calls = all->traces[number].calls;
  for (guint i = 0; i < calls->len; i++) {
    const LoomWorkCall *call = &g_array_index (calls, LoomWorkCall, i);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (all->timeline, (LoomSpanId) { number, call->span }, &start_ns, &end_ns);
    LoomEfficiencyStep *step = find_step (all, &g_array_index (all->ranks, Rank, call->rank), start_ns);
    if (step != NULL)
      add_to_step (step, &g_array_index (all->efficiency->rows, LoomEfficiencyRow, call->row), call);
  }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomEfficiencyRow *x = a, *y = b;
  if (x->kernel_ns != y->kernel_ns)
    return x->kernel_ns > y->kernel_ns ? -1 : 1;
  int order = strcmp (x->name, y->name);
  order = order != 0 ? order : strcmp (x->shape, y->shape);
  order = order != 0 ? order : strcmp (x->type, y->type);
  order = order != 0 ? order : strcmp (x->device, y->device);
  return order != 0 ? order : (x->work.flop > y->work.flop) - (x->work.flop < y->work.flop);
}

static void
join (Computation *all, const LoomSteps *steps)
{
  LoomEfficiency *efficiency = all->efficiency;
  g_autoptr (GHashTable) known = g_hash_table_new (loom_int64_hash_packed, NULL);
  for (guint t = 0; t < all->n_traces; t++) {
    const TraceResult *result = &all->traces[t];
    efficiency->has_shapes |= result->works->len > 0;
    efficiency->kernels_ns = loom_time_add (efficiency->kernels_ns, result->kernels.all_ns);
    efficiency->read_kernels_ns = loom_time_add (efficiency->read_kernels_ns, result->read.all_ns);
    efficiency->read_compute_ns = loom_time_add (efficiency->read_compute_ns, result->read.compute_ns);
    efficiency->unread_ns = loom_time_add (efficiency->unread_ns, result->unread_ns);
    if (result->calls == NULL || result->calls->len == 0)
      continue;
    guint first = all->ranks->len;
    find_ranks (all, t);
    for (guint i = first; i < all->ranks->len; i++) {
      Rank *rank = &g_array_index (all->ranks, Rank, i);
      find_devices (all, rank);
      add_steps (all, steps, rank, rank->format);
      if (rank->n_steps == 0 && rank->format != NULL)
        add_steps (all, steps, rank, NULL);
    }
    add_to_rows (all, t, known);
  }
  for (guint i = 0; i < efficiency->rows->len; i++)
    correct_type (all, &g_array_index (efficiency->rows, LoomEfficiencyRow, i));
  for (guint t = 0; t < all->n_traces; t++)
    if (all->traces[t].calls != NULL)
      add_to_steps (all, t);
  finish_steps (efficiency->steps);
  g_array_sort (efficiency->rows, compare_rows);
}

/* --- public functions --------------------------------------------------------------------------------------------- */

static void
clear_row (gpointer row)
{
  g_array_unref (((LoomEfficiencyRow *) row)->spans);
}

static gboolean
compute (Computation *all, const LoomSteps *steps)
{
  if (!read_works (all))
    return FALSE;
  if (loom_timeline_get_extent (all->timeline, &all->whole))
    /* the end of a range is exclusive: add 1 ns to include the last event */
    all->whole.end_ns = loom_time_add (all->whole.end_ns, 1);
  loom_parallel_for (all->n_traces, 0, run_trace, all, NULL);
  if (g_cancellable_is_cancelled (all->cancellable))
    return FALSE;
  all->efficiency->n_calls = all->reader.n_calls;
  all->efficiency->n_read = all->reader.n_read;
  all->efficiency->has_steps = steps->n > 0;
  all->efficiency->has_operators = all->reader.n_calls > 0;
  join (all, steps);
  return TRUE;
}

static void
clear_computation (Computation *all)
{
  for (guint t = 0; t < all->n_traces; t++) {
    g_clear_pointer (&all->traces[t].works, g_array_unref);
    g_free (all->traces[t].unread);
    g_clear_pointer (&all->traces[t].calls, g_array_unref);
  }
  g_free (all->traces);
  g_array_unref (all->ranks);
  loom_work_reader_clear (&all->reader);
}

LoomEfficiency *
loom_efficiency_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range, const LoomPeakSettings *settings,
                     GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && steps != NULL, NULL);
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (LoomEfficiency) efficiency = g_new0 (LoomEfficiency, 1);
  efficiency->rows = g_array_new (FALSE, FALSE, sizeof (LoomEfficiencyRow));
  g_array_set_clear_func (efficiency->rows, clear_row);
  efficiency->steps = g_array_new (FALSE, FALSE, sizeof (LoomEfficiencyStep));
  efficiency->texts = loom_string_pool_new ();
  efficiency->has_index = loom_run_has_index (run);
  efficiency->recorder = loom_recording_advice_find_recorder (run);
  Computation all = { .timeline = timeline,
                      .run = run,
                      .range = range,
                      .settings = settings,
                      .cancellable = cancellable,
                      .efficiency = efficiency,
                      .n_traces = loom_run_get_n_traces (run) };
  all.ranks = g_array_new (FALSE, FALSE, sizeof (Rank));
  all.traces = g_new0 (TraceResult, MAX (all.n_traces, 1));
  loom_work_reader_init (&all.reader, efficiency->texts);
  gboolean done = compute (&all, steps);
  clear_computation (&all);
  return done ? g_steal_pointer (&efficiency) : NULL;
}

void
loom_efficiency_free (LoomEfficiency *efficiency)
{
  if (efficiency == NULL)
    return;
  g_array_unref (efficiency->rows);
  g_array_unref (efficiency->steps);
  loom_string_pool_free (efficiency->texts);
  g_free (efficiency);
}
