/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-trace-health.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loom-health-checks.h"
#include "loom-kernel-launches.h"
#include "loom-parallel.h"
#include "loom-path-items.h"
#include "loom-steps.h"
#include "loom-string-pool.h"

/* minimum number of events of each kind that are read from a trace, however many traces there are */
#define LEAST_READ 500
#define LEAST_ENDS 4 /* minimum number of collectives that are needed to detect a jump of a trace's clock */
/* If a clock jumps, its difference from the clocks of other ranks has one value before the jump and another value after
 * it. If the difference lies between these two values in more than this share of the collectives, the clock drifts
 * instead. */
#define MOST_BETWEEN 0.2
#define LEAST_STEPS_WARM_UP 3
/* minimum number of missing records for an alarm, because a recording may begin or end between a launch and its
 * kernel */
#define LEAST_LOST 5

typedef struct {
  LoomTimeline *timeline;
  LoomTraceHealth *health;
  const GArray *late_ends; /* [trace] LoomPathLateEnds; NULL: not computed yet */
  guint most;              /* maximum number of events of each kind that are read from a trace */
  guint64 *n_left;
  GCancellable *cancellable;
} Computation;

static LoomHealthRow *
get_rows (const LoomTraceHealth *health, guint trace)
{
  return &g_array_index (health->rows, LoomHealthRow, trace * LOOM_N_HEALTH);
}

/* --- checks of one trace ------------------------------------------------------------------------------------------ */

static gint
find_rank (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (loom_trace_get_track (trace, i)->rank >= 0)
      return loom_trace_get_track (trace, i)->rank;
  return -1;
}

gboolean
loom_trace_health_is_cut_off (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const LoomImportLog *log = loom_trace_get_source (trace, i)->log;
    for (guint k = 0; k < loom_import_log_get_n_problems (log); k++)
      if (strcmp (loom_import_log_get_problem (log, k)->code, "truncated") == 0)
        return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if the trace is in Chrome's trace format. Other formats have their own rules for ids and nesting. */
static gboolean
is_chrome (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const char *format = loom_trace_get_source (trace, i)->format;
    if (g_strcmp0 (format, "kineto") != 0 && g_strcmp0 (format, "chrome") != 0)
      return FALSE;
  }
  return TRUE;
}

static gboolean
is_merged (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++)
    if (loom_trace_get_source (trace, i)->is_merged)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if all checks can be performed. They need all records of the trace as one profiler wrote them. An index
 * file lacks most records. A merged file has the records of several ranks, whose ids may be equal. */
static gboolean
is_checkable (const LoomTrace *trace)
{
  return is_chrome (trace) && !loom_trace_is_index (trace);
}

/* Counts kernels and copies that end after the calls that waited for them. This check is made for traces of all
 * formats. */
static void
check_ends (const Computation *self, guint number, LoomHealthRow *row)
{
  LoomPathLateEnds ends = self->late_ends != NULL
                            ? g_array_index (self->late_ends, LoomPathLateEnds, number)
                            : loom_path_items_find_late_ends (self->timeline, number, self->cancellable);
  row->n_of = ends.n_waits;
  row->n = ends.n_late;
  row->worst_ns = ends.latest_ns;
  row->span = ends.latest;
}

/* Counts the kernels and copies without a launch in a trace whose format is not the Chrome trace format. If no kernel
 * or copy has a launch, launches were not recorded, so none are counted. Must not be called for a merged file, because
 * launches may have been recorded in only some of the original files. */
static void
check_launches (const Computation *self, guint number, LoomHealthRow *row)
{
  LoomKernelLaunches launches;
  LoomRange range;
  guint64 n_linked = 0;
  if (!loom_timeline_get_extent (self->timeline, &range))
    return;
  range.end_ns = loom_time_add (range.end_ns, 1);
  loom_kernel_launches_init (&launches, self->timeline, number, range);
  for (guint i = 0; i < launches.launches->len; i++)
    n_linked += g_array_index (launches.launches, LoomKernelLaunch, i).n;
  if (n_linked > 0) {
    row->n = launches.n_unlinked;
    row->n_of = n_linked + launches.n_unlinked;
  }
  loom_kernel_launches_clear (&launches);
}

static void
check_trace (guint number, guint worker, gpointer data)
{
  Computation *self = data;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), number);
  LoomHealthRow *rows = get_rows (self->health, number);
  LoomHealthEvents events;
  rows[LOOM_HEALTH_CUT_OFF].n_of = 1;
  rows[LOOM_HEALTH_CUT_OFF].n = loom_trace_health_is_cut_off (trace);
  if (!g_cancellable_is_cancelled (self->cancellable) && !loom_trace_is_index (trace))
    check_ends (self, number, &rows[LOOM_HEALTH_LATE_ENDS]);
  if (!g_cancellable_is_cancelled (self->cancellable) && !loom_trace_is_index (trace) && !is_chrome (trace) &&
      !is_merged (trace))
    check_launches (self, number, &rows[LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH]);
  if (g_cancellable_is_cancelled (self->cancellable) || !is_checkable (trace))
    return;
  loom_health_events_init (&events, trace, self->most, self->cancellable);
  loom_health_checks_of_events (&events, trace, rows);
  self->n_left[number] = events.n_left;
  loom_health_events_clear (&events);
  loom_health_checks_of_spans (trace, rows);
}

/* --- checks of steps ---------------------------------------------------------------------------------------------- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;
  return x < y ? -1 : x > y;
}

static gint64
get_median (GArray *times)
{
  g_array_sort (times, compare_times);
  return times->len > 0 ? g_array_index (times, gint64, times->len / 2) : 0;
}

/* Returns an array: [trace] GArray (guint) of the trace's steps that have a number, as indices in `steps`, ascending.
 * O(steps + traces). */
static GPtrArray *
group_steps (const LoomSteps *steps, guint n_traces)
{
  GPtrArray *groups = g_ptr_array_new_full (n_traces, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < n_traces; i++)
    g_ptr_array_add (groups, g_array_new (FALSE, FALSE, sizeof (guint)));
  for (guint i = 0; i < steps->n; i++)
    if (steps->all[i].span.trace < n_traces && steps->all[i].number >= 0)
      g_array_append_val ((GArray *) groups->pdata[steps->all[i].span.trace], i);
  return groups;
}

/* Counts the steps at the start of a trace that take much longer than the median of all steps after the first one.
 * `own`: the trace's steps as indices in `steps`, sorted by start. */
static void
check_warm_up (const LoomSteps *steps, const GArray *own, LoomHealthRow *row)
{
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 1; i < own->len; i++) {
    const LoomStep *step = &steps->all[g_array_index (own, guint, i)];
    gint64 length_ns = loom_time_sub (step->end_ns, step->begin_ns);
    g_array_append_val (lengths, length_ns);
  }
  row->n_of = own->len;
  if (own->len < LEAST_STEPS_WARM_UP)
    return;
  double limit_ns = LOOM_TRACE_HEALTH_WARM_UP * (double) get_median (lengths);
  for (guint i = 0; i < own->len / 2; i++) {
    const LoomStep *step = &steps->all[g_array_index (own, guint, i)];
    gint64 length_ns = loom_time_sub (step->end_ns, step->begin_ns);
    if (!((double) length_ns > limit_ns))
      return;
    loom_health_checks_count (row, step->span.span, length_ns);
  }
}

/* Counts the steps that a trace lacks because its file ends early (LOOM_HEALTH_CUT_OFF). All ranks take the same number
 * of steps, so the number of missing steps is the difference from the number of the rank with the most steps. Also
 * calls check_warm_up() for each trace. */
static void
check_steps (Computation *self, const LoomSteps *steps)
{
  g_autofree guint *n = g_new0 (guint, self->health->n_traces + 1);
  g_autoptr (GPtrArray) groups = group_steps (steps, self->health->n_traces);
  guint most = 0;
  for (guint i = 0; i < steps->n; i++)
    if (steps->all[i].rank >= 0 && steps->all[i].span.trace < self->health->n_traces) {
      guint n_steps = ++n[steps->all[i].span.trace];
      most = MAX (most, n_steps);
    }
  for (guint i = 0; i < self->health->n_traces; i++) {
    LoomHealthRow *rows = get_rows (self->health, i);
    if (n[i] > 0 && n[i] < most && rows[LOOM_HEALTH_CUT_OFF].rank >= 0 &&
        loom_trace_health_is_cut_off (loom_run_get_trace (loom_timeline_get_run (self->timeline), i))) {
      rows[LOOM_HEALTH_CUT_OFF].n_of = most;
      rows[LOOM_HEALTH_CUT_OFF].n = most - n[i];
    }
    check_warm_up (steps, groups->pdata[i], &rows[LOOM_HEALTH_WARM_UP]);
  }
}

/* --- checks of clocks --------------------------------------------------------------------------------------------- */

/* The end of a collective on one rank. */
typedef struct {
  guint64 key; /* hash of the group's name and the collective's sequence number */
  guint32 trace;
  gint64 end_ns; /* on the trace's own clock */
} End;

static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const End *x = a, *y = b;
  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  if (x->end_ns != y->end_ns)
    return x->end_ns < y->end_ns ? -1 : 1;
  return x->trace < y->trace ? -1 : x->trace > y->trace;
}

/* Adds the ends of those collectives of a trace that run on devices and have no root. All ranks leave such collectives
 * at nearly the same time. The times are on the trace's own clock and not on the timeline, because a clock that jumps
 * may not be aligned with other clocks. */
static void
add_ends (GArray *ends, const LoomTrace *trace, guint number)
{
  guint32 n;
  const LoomSyncEvent *events = loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++) {
    const char *group = loom_trace_get_sync_event_text (trace, events[i].group);
    if (events[i].kind != LOOM_SYNC_EVENT_COLLECTIVE || events[i].sequence == LOOM_SEQUENCE_NONE || group[0] == '\0')
      continue;
    guint64 key = loom_string_pool_hash (group, strlen (group));
    const End end = { loom_string_pool_hash_join (key, (guint64) events[i].sequence), number, events[i].end_ns };
    g_array_append_val (ends, end);
  }
}

/* The end of a collective in a trace. `end_ns`: its time. `over_ns`: time from the median of the ends on all ranks to
 * this end; negative if this end is earlier. If only two ranks took part, the end on the other rank is used instead of
 * the median, because the median would be one of the two ends. */
typedef struct {
  gint64 end_ns, over_ns;
} Residual;

static int
compare_residuals (gconstpointer a, gconstpointer b)
{
  gint64 x = ((const Residual *) a)->end_ns, y = ((const Residual *) b)->end_ns;
  return x < y ? -1 : x > y;
}

/* Compares the end of each collective on each rank with the median of its ends on all ranks. Returns an array: [trace]
 * GArray of Residual, in order of time. `ends`: array of End; this function sorts it. */
static GArray **
list_residuals (const Computation *self, GArray *ends)
{
  GArray **residuals = g_new (GArray *, self->health->n_traces + 1);
  for (guint i = 0; i < self->health->n_traces; i++)
    residuals[i] = g_array_new (FALSE, FALSE, sizeof (Residual));
  g_array_sort (ends, compare_ends);
  for (guint i = 0, n; i < ends->len; i += n) {
    const End *first = &g_array_index (ends, End, i);
    for (n = 1; i + n < ends->len && first[n].key == first->key;)
      n++;
    for (guint k = 0; n > 1 && k < n; k++) {
      gint64 usual_ns = first[n == 2 ? 1 - k : n / 2].end_ns;
      const Residual one = { first[k].end_ns, loom_time_sub (first[k].end_ns, usual_ns) };
      g_array_append_val (residuals[first[k].trace], one);
    }
  }
  for (guint i = 0; i < self->health->n_traces; i++)
    g_array_sort (residuals[i], compare_residuals);
  return residuals;
}

static gint64
get_median_of_part (const GArray *residuals, guint first, guint n)
{
  g_autoptr (GArray) part = g_array_sized_new (FALSE, FALSE, sizeof (gint64), n);
  for (guint i = first; i < first + n; i++)
    g_array_append_val (part, g_array_index (residuals, Residual, i).over_ns);
  return get_median (part);
}

/* Checks whether the clock of a trace jumped. If it did, the difference between the ends of collectives in this trace
 * and on the other ranks has two values: it is nearly constant before the jump, and nearly constant but different after
 * it. Only few differences lie between the two values. */
static void
check_jump (const GArray *residuals, LoomHealthRow *row)
{
  guint third = residuals->len / 3, n_between = 0;
  row->n_of = residuals->len;
  if (residuals->len < LEAST_ENDS)
    return;
  gint64 before_ns = get_median_of_part (residuals, 0, third),
         after_ns = get_median_of_part (residuals, residuals->len - third, third);
  gint64 low_ns = MIN (before_ns, after_ns), jump_ns = loom_time_sub (MAX (before_ns, after_ns), low_ns);
  for (guint i = 0; i < residuals->len; i++) {
    gint64 level_ns = loom_time_sub (g_array_index (residuals, Residual, i).over_ns, low_ns);
    n_between += level_ns > jump_ns / 4 && level_ns < jump_ns - jump_ns / 4;
  }
  if (jump_ns < LOOM_TRACE_HEALTH_JUMP_NS || n_between > MOST_BETWEEN * residuals->len)
    return;
  row->n = 1;
  row->worst_ns = jump_ns;
}

/* Returns TRUE if host spans of the trace overlap by more than half of the jump, and are not nested. This confirms a
 * jump, because a span that runs while the clock jumps gets a wrong end. */
static gboolean
has_own_evidence (const LoomHealthRow *rows)
{
  return rows[LOOM_HEALTH_NESTING].worst_ns > rows[LOOM_HEALTH_CLOCK_JUMP].worst_ns / 2;
}

/* If there are only two traces, each is compared only with the other, so a jump of one clock is found in both. If only
 * one of the two traces also has spans that overlap wrongly (has_own_evidence()), the clock of this trace jumped, and
 * the jump is removed from the other trace. */
static void
choose_jump (Computation *self)
{
  LoomHealthRow *rows[2] = { get_rows (self->health, 0), get_rows (self->health, 1) };
  for (guint i = 0; i < 2; i++)
    if (rows[1 - i][LOOM_HEALTH_CLOCK_JUMP].n > 0 && has_own_evidence (rows[1 - i]) && !has_own_evidence (rows[i]))
      rows[i][LOOM_HEALTH_CLOCK_JUMP].n = rows[i][LOOM_HEALTH_CLOCK_JUMP].worst_ns = 0;
}

static void
check_clocks (Computation *self)
{
  LoomRun *run = loom_timeline_get_run (self->timeline);
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (End));
  for (guint i = 0; i < self->health->n_traces; i++)
    add_ends (ends, loom_run_get_trace (run, i), i);
  GArray **residuals = list_residuals (self, ends);
  for (guint i = 0; i < self->health->n_traces; i++) {
    check_jump (residuals[i], &get_rows (self->health, i)[LOOM_HEALTH_CLOCK_JUMP]);
    g_array_unref (residuals[i]);
  }
  g_free (residuals);
  if (self->health->n_traces == 2)
    choose_jump (self);
}

/* --- alarms: the checks that found too many problems -------------------------------------------------------------- */

static gboolean
exceeds (const LoomHealthRow *row, double share)
{
  return row->n > 0 && (double) row->n > share * (double) row->n_of;
}

static gboolean
is_alarming (const LoomHealthRow *row, gboolean is_cut)
{
  switch (row->check) {
  case LOOM_HEALTH_EARLY_KERNELS:
  case LOOM_HEALTH_EARLY_WORKS: return row->n > 0 && row->worst_ns > LOOM_TRACE_HEALTH_TOLERANCE_NS;
  case LOOM_HEALTH_LATE_ENDS:
    return row->worst_ns > LOOM_TRACE_HEALTH_TOLERANCE_NS && exceeds (row, LOOM_TRACE_HEALTH_MOST_LOST);
  case LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH:
  case LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL:
    /* if the file is cut off, there is no alarm: the missing records may be in the lost part of the file */
    return row->n >= LEAST_LOST && exceeds (row, LOOM_TRACE_HEALTH_MOST_LOST) && !is_cut;
  case LOOM_HEALTH_STREAM_OVERLAPS:
    return row->worst_ns > LOOM_TRACE_HEALTH_OVERLAP_NS && exceeds (row, LOOM_TRACE_HEALTH_MOST_WRONG);
  case LOOM_HEALTH_NESTING:
    return row->worst_ns > LOOM_TRACE_HEALTH_TOLERANCE_NS && exceeds (row, LOOM_TRACE_HEALTH_MOST_WRONG);
  case LOOM_HEALTH_MIXED_RANKS: return exceeds (row, LOOM_TRACE_HEALTH_MOST_WRONG);
  case LOOM_HEALTH_CLOCK_JUMP:
  case LOOM_HEALTH_CUT_OFF: return row->n > 0;
  case LOOM_HEALTH_WAITS_WITHOUT_RECORD:
  case LOOM_HEALTH_RECORDS_MISSING:
  case LOOM_HEALTH_RECORDS_LATER:
  case LOOM_HEALTH_KERNELS_AT_SYNC: return exceeds (row, LOOM_TRACE_HEALTH_MOST_LOST);
  default: return FALSE;
  }
}

/* Returns the time in ns from the first to the last event of a trace. */
static gint64
get_recorded (const LoomTrace *trace)
{
  LoomRange all = { G_MAXINT64, G_MININT64 }, own;
  for (guint i = 0; i < loom_trace_get_n_clocks (trace); i++)
    if (loom_trace_get_extent (trace, i, &own))
      all = (LoomRange) { MIN (all.begin_ns, own.begin_ns), MAX (all.end_ns, own.end_ns) };
  return all.begin_ns < all.end_ns ? loom_time_sub (all.end_ns, all.begin_ns) : 0;
}

/* Returns TRUE if the finding of `row` can change displayed numbers noticeably. The finding must be alarming. */
static gboolean
weighs (const LoomHealthRow *row, const LoomTrace *trace)
{
  if (row->check != LOOM_HEALTH_EARLY_KERNELS && row->check != LOOM_HEALTH_EARLY_WORKS &&
      row->check != LOOM_HEALTH_LATE_ENDS)
    return TRUE;
  return (double) row->n * (double) row->worst_ns >= LOOM_TRACE_HEALTH_LEAST_WEIGHT * (double) get_recorded (trace);
}

const LoomHealthRow *
loom_trace_health_get (const LoomTraceHealth *health, guint trace, LoomHealthCheck check)
{
  return &get_rows (health, trace)[check];
}

guint
loom_trace_health_count_alarms (const LoomTraceHealth *health)
{
  guint n = 0;
  for (guint i = 0; i < health->rows->len; i++)
    n += g_array_index (health->rows, LoomHealthRow, i).is_alarming;
  return n;
}

/* --- checks of all traces ----------------------------------------------------------------------------------------- */

static LoomTraceHealth *
new_empty (LoomRun *run)
{
  LoomTraceHealth *health = g_new0 (LoomTraceHealth, 1);
  health->n_traces = loom_run_get_n_traces (run);
  health->rows = g_array_sized_new (FALSE, TRUE, sizeof (LoomHealthRow), health->n_traces * LOOM_N_HEALTH);
  for (guint i = 0; i < health->n_traces; i++) {
    gint rank = find_rank (loom_run_get_trace (run, i));
    for (guint k = 0; k < LOOM_N_HEALTH; k++) {
      const LoomHealthRow row = { .check = k, .trace = i, .rank = rank, .span = LOOM_SPAN_ID_NONE };
      g_array_append_val (health->rows, row);
    }
  }
  return health;
}

static gpointer
make (gpointer data)
{
  Computation self = *(const Computation *) data;
  LoomTimeline *timeline = self.timeline;
  GCancellable *cancellable = self.cancellable;
  g_autoptr (LoomTraceHealth) health = new_empty (loom_timeline_get_run (timeline));
  g_autofree guint64 *n_left = g_new0 (guint64, health->n_traces + 1);
  self.health = health;
  self.most = MAX (LOOM_TRACE_HEALTH_MOST_READ / MAX (health->n_traces, 1), LEAST_READ);
  self.n_left = n_left;
  loom_parallel_for (health->n_traces, 0, check_trace, &self, NULL);
  g_autoptr (LoomSteps) steps = loom_steps_new (timeline, cancellable);
  if (steps == NULL)
    return NULL;
  check_clocks (&self);
  check_steps (&self, steps);
  for (guint i = 0; i < health->n_traces; i++) {
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), i);
    health->n_left += n_left[i];
    health->n_unchecked += loom_trace_get_spans (trace)->n > 0 && !is_checkable (trace);
  }
  for (guint i = 0; i < health->rows->len; i++) {
    LoomHealthRow *row = &g_array_index (health->rows, LoomHealthRow, i);
    row->is_alarming = is_alarming (row, loom_trace_health_get (health, row->trace, LOOM_HEALTH_CUT_OFF)->n > 0);
    row->weighs = row->is_alarming && weighs (row, loom_run_get_trace (loom_timeline_get_run (timeline), row->trace));
  }
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&health);
}

void
loom_trace_health_free (LoomTraceHealth *health)
{
  if (health == NULL)
    return;
  g_array_unref (health->rows);
  g_free (health);
}

const LoomTraceHealth *
loom_trace_health_get_shared (LoomTimeline *timeline, const GArray *late_ends, GCancellable *cancellable)
{
  Computation wanted = { .timeline = timeline, .late_ends = late_ends, .cancellable = cancellable };
  return loom_run_share (loom_timeline_get_run (timeline), make, &wanted, (GDestroyNotify) loom_trace_health_free);
}

/* --- titles and explanations of the checks ------------------------------------------------------------------------ */

static const struct {
  const char *name;
  const char *title;
  const char *meaning;
} words[] = {
  [LOOM_HEALTH_EARLY_KERNELS] = { "early-kernels", N_ ("Kernels that start before their launch"),
                                  N_ (
                                    "The clocks of host and device differ, so launch delays are wrong by this difference, and causes of idle time may be wrong, too. Update the driver and the profiler.") },
  [LOOM_HEALTH_EARLY_WORKS] = { "early-works",
                                N_ ("Kernels and copies that start before the call with their correlation id"),
                                N_ (
                                  "The clocks of host and device differ, so launch delays are wrong by this difference, and causes of idle time may be wrong, too. Update the driver and the profiler.") },
  [LOOM_HEALTH_LATE_ENDS] = { "late-ends", N_ ("Kernels that end after the call that waited for them"),
                              N_ (
                                "The clocks of host and device differ, so launch delays are wrong by this difference, and causes of idle time may be wrong, too. Update the driver and the profiler.") },
  [LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH] = { "kernels-without-launch", N_ ("Kernels without a launch"),
                                           N_ (
                                             "The profiler dropped records, so times of operators and modules are too low. Record fewer steps, or give the profiler larger buffers.") },
  [LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL] = { "launches-without-kernel", N_ ("Launches without a kernel"),
                                            N_ (
                                              "The profiler dropped kernels, so busy times are too low and idle times too high. Record fewer steps, or give the profiler larger buffers.") },
  [LOOM_HEALTH_STREAM_OVERLAPS] = { "stream-overlaps", N_ ("Overlapping work of one stream"),
                                    N_ (
                                      "A stream runs one kernel at a time, so the recorded stream or the recorded times are wrong. Sums count the overlap twice.") },
  [LOOM_HEALTH_NESTING] = { "nesting", N_ ("Spans that end after the span that contains them"),
                            N_ (
                              "Several threads were written as one, so self times and call trees are wrong. Give each thread an id of its own.") },
  [LOOM_HEALTH_MIXED_RANKS] = { "mixed-ranks", N_ ("Several ranks in one file"),
                                N_ (
                                  "Several processes used the same correlation ids in one file, so kernels may be assigned to launches of another rank. Write a file for each rank.") },
  [LOOM_HEALTH_CLOCK_JUMP] = { "clock-jump", N_ ("A clock that jumps"),
                               N_ (
                                 "After some time, the rank ends collectives earlier or later than the other ranks: its clock was set, or the machine slept. Waits and lateness after this time are wrong.") },
  [LOOM_HEALTH_CUT_OFF] = { "cut-off", N_ ("A file that ends early"),
                            N_ (
                              "The last step is incomplete. Choose a range of complete steps, and let the profiler finish before the job ends.") },
  [LOOM_HEALTH_WAITS_WITHOUT_RECORD] = { "waits-without-record", N_ ("Waits for an unknown CUDA event"),
                                         N_ (
                                           "The recording does not say what a stream waited for, so the critical path is based on a guess. Update PyTorch.") },
  [LOOM_HEALTH_RECORDS_MISSING] = { "records-missing",
                                    N_ ("Waits for CUDA events whose record (cudaEventRecord) is missing"),
                                    N_ (
                                      "The recording does not say what a stream waited for, so the critical path is based on a guess. Update PyTorch.") },
  [LOOM_HEALTH_RECORDS_LATER] = { "records-later",
                                  N_ ("Waits for CUDA events that are recorded (cudaEventRecord) only after the wait"),
                                  N_ (
                                    "The recording does not say what a stream waited for, so the critical path is based on a guess. Update PyTorch.") },
  [LOOM_HEALTH_KERNELS_AT_SYNC] = { "kernels-at-sync",
                                    N_ ("Synchronizations that begin while a kernel of their stream runs"),
                                    N_ (
                                      "A kernel was still running when the synchronization of its stream began. The recorded synchronizations may be wrong, and so may the critical path, which depends on them.") },
  [LOOM_HEALTH_COLLECTIVE_FIELDS] = { "collective-fields", N_ ("Collectives without sizes"),
                                      N_ (
                                        "Bandwidths are not known and collectives are matched by their order. Record with a newer PyTorch.") },
  [LOOM_HEALTH_BACKWARD_NUMBERS] = { "backward-numbers", N_ ("Backward functions that share a sequence number"),
                                     N_ (
                                       "Several backward functions share one sequence number, so they may be counted for the wrong module.") },
  [LOOM_HEALTH_WARM_UP] = { "warm-up", N_ ("Warm-up steps"),
                            N_ (
                              "The first steps compile, tune and allocate. Leave these steps out of comparisons, or let the profiler wait for a few steps.") },
  [LOOM_HEALTH_OVERHEAD] = { "overhead", N_ ("Overhead of the profiler"),
                             N_ (
                               "The profiler took time for itself, so host times are too long. Turn off stacks and shapes if they are not needed.") },
};

const char *
loom_trace_health_to_string (LoomHealthCheck check)
{
  return words[check].name;
}

const char *
loom_trace_health_get_title (LoomHealthCheck check)
{
  return _ (words[check].title);
}

const char *
loom_trace_health_get_meaning (LoomHealthCheck check)
{
  return _ (words[check].meaning);
}
