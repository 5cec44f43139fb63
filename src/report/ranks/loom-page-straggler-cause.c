/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds to the page "Stragglers" why stragglers compute longer: a sentence, facts, and a table of their kernels.
 */
#include "loom-page-private.h"

#include "loom-track-id.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_KERNELS 10 /* maximum number of kernels of a straggler in the table: those that take most extra time */

/* Returns an array of LoomTrackId: the tracks of the rank's devices in a trace. Owned by the caller. */
static GArray *
list_devices (const LoomTrace *trace, guint32 number, const LoomSlowdownWorker *worker)
{
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    const LoomTrackId id = { number, i };
    if (loom_trace_track_is_device (track) && track->rank == worker->rank && g_strcmp0 (track->node, worker->node) == 0)
      g_array_append_val (tracks, id);
  }
  return tracks;
}

/* --- table of kernels --------------------------------------------------------------------------------------------- */

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Kernels of slow ranks"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Extra Time"), "ns",
    _ ("Time beyond that of the other ranks for as many calls, in the steps in which the rank is slow"));
  loom_result_table_add_column (table, C_ ("column", "Calls"), "", _ ("In the steps in which the rank is slow"));
  loom_result_table_add_column (table, C_ ("column", "Mean Call Time"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns",
                                _ ("Of the mean call times of the other ranks of the same pipeline stage"));
  loom_result_table_add_column (table, C_ ("column", "Relative to Median"), "%",
                                _ ("Mean call time, divided by the median"));
  return table;
}

static void
add_row (LoomResultTable *table, const char *rank, const LoomSlowdownCauseName *name)
{
  double time_ns = (double) name->time_ns / (double) name->calls;
  const double figures[] = { (double) name->longer_ns, (double) name->calls, time_ns, time_ns / name->factor,
                             100 * name->factor };
  loom_result_table_add_row (table, rank);
  loom_result_table_set_text (table, 1, name->name);
  loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
}

static void
add_rows (LoomResultTable *table, const LoomPageInput *input, const LoomSlowdown *slowdown,
          const LoomSlowdownCause *cause)
{
  const LoomSlowdownWorker *worker = &g_array_index (slowdown->workers, LoomSlowdownWorker, cause->worker);
  g_autofree char *rank = loom_page_dup_slowdown_worker (input, slowdown, worker);
  for (guint i = 0; i < MIN (cause->names->len, MAX_KERNELS); i++)
    add_row (table, rank, &g_array_index (cause->names, LoomSlowdownCauseName, i));
}

/* Adds to `found` the spans of a track that have the name `name` and touch the range. */
static void
add_spans (GArray *found, LoomTimeline *timeline, LoomTrackId id, LoomRange range, const char *name)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  const LoomClockMap *map = loom_timeline_get_map (timeline, id.trace, track->clock);
  gint64 begin_ns = loom_clock_map_to_local (map, range.begin_ns), end_ns = loom_clock_map_to_local (map, range.end_ns);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    guint32 end = row->first + loom_trace_row_lower_bound (trace, row, end_ns);
    for (guint32 i = row->first + loom_trace_row_first_ending_after (trace, row, begin_ns); i < end; i++) {
      const LoomSpanId span = { id.trace, i };
      if (strcmp (loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[i])->text, name) == 0)
        g_array_append_val (found, span);
    }
  }
}

/* Returns an array of LoomSpanId: the kernels with the name `name` that the straggler runs during its own step, which may
 * begin later than on other ranks; empty if its devices are unknown. Owned by the caller. */
static GArray *
list_kernels (LoomTimeline *timeline, const LoomSlowdown *slowdown, const LoomSlowdownCause *cause, guint step,
              const char *name)
{
  const LoomSlowdownWorker *worker = &g_array_index (slowdown->workers, LoomSlowdownWorker, cause->worker);
  LoomSpanId span = slowdown->spans[(gsize) cause->worker * slowdown->steps->len + step];
  GArray *found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  LoomRange range;
  if (loom_timeline_span_id_is_none (span))
    return found;
  loom_timeline_get_span (timeline, span, &range.begin_ns, &range.end_ns);
  g_autoptr (GArray) tracks =
    list_devices (loom_run_get_trace (loom_timeline_get_run (timeline), span.trace), span.trace, worker);
  for (guint i = 0; i < tracks->len; i++)
    add_spans (found, timeline, g_array_index (tracks, LoomTrackId, i), range, name);
  return found;
}

/* Sets the targets of the rows about a straggler: its kernels of the name in its slowest step. Kernels of other ranks
 * are not selected, because the straggler would not stand out among them. `row`: the first of these rows. */
static void
set_targets (LoomPageContent *sheet, guint row, const LoomPageInput *input, const LoomSlowdown *slowdown,
             const LoomSlowdownCause *cause)
{
  guint step = loom_slowdown_find_slowest_step (slowdown, cause->worker);
  for (guint i = 0; i < MIN (cause->names->len, MAX_KERNELS); i++) {
    g_autoptr (GArray) kernels = list_kernels (input->frame->timeline, slowdown, cause, step,
                                               g_array_index (cause->names, LoomSlowdownCauseName, i).name);
    loom_page_content_set_place (sheet, row + i, g_array_index (slowdown->steps, LoomSlowdownStep, step).range,
                                 (const LoomSpanId *) (gconstpointer) kernels->data, kernels->len);
  }
}

void
loom_page_add_straggler_kernels (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  LoomResultTable *table = new_table ();
  guint row = 0;
  for (guint i = 0; i < slowdown->causes->len; i++)
    add_rows (table, input, slowdown, &g_array_index (slowdown->causes, LoomSlowdownCause, i));
  if (table->n_rows == 0) {
    loom_result_table_unref (table);
    return;
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < slowdown->causes->len; i++) {
    const LoomSlowdownCause *cause = &g_array_index (slowdown->causes, LoomSlowdownCause, i);
    set_targets (sheet, row, input, slowdown, cause);
    row += MIN (cause->names->len, MAX_KERNELS);
  }
}

/* --- facts and sentence ------------------------------------------------------------------------------------------- */

static char *
dup_longer (const LoomSlowdownCause *cause)
{
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_DEVICE)
    return g_strdup_printf (/* Translators: which kernels take longer, and a percentage */
                            _ ("nearly all, by about %.0f %%"), 100 * (cause->factor - 1));
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_MOST_KERNELS)
    return g_strdup_printf (/* Translators: which kernels take longer, and two percentages */
                            _ ("most (%.0f %% of their time), by about %.0f %%"), 100 * cause->alike,
                            100 * (cause->alike_factor - 1));
  return cause->kind == LOOM_SLOWDOWN_CAUSE_KERNELS ? loom_slowdown_cause_dup_names (cause) : NULL;
}

void
loom_page_add_straggler_cause (LoomPageContent *sheet, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (slowdown, worker);
  g_autofree char *longer = cause != NULL ? dup_longer (cause) : NULL;
  if (longer != NULL)
    loom_page_content_add_fact (sheet, _ ("Kernels that take longer than on the other ranks"), longer);
  if (cause != NULL && cause->has_more) {
    g_autofree char *time = loom_time_format_duration (loom_slowdown_cause_get_more_time (cause)),
                    *more = g_strdup_printf (/* Translators: a duration */ _ ("%s per step"), time);
    loom_page_content_add_fact (sheet, _ ("Additional or other kernels, compared with the other ranks"), more);
  }
  if (cause != NULL && cause->calls > 1) {
    g_autofree char *more = g_strdup_printf ("%+.0f %%", 100 * (cause->calls - 1));
    loom_page_content_add_fact (sheet, _ ("Number of kernels, compared with the median of the other ranks"), more);
  }
}

char *
loom_page_dup_straggler_cause (const LoomPageInput *input, const LoomSlowdown *slowdown,
                               const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (slowdown, worker);
  g_autofree char *name = loom_page_dup_slowdown_worker (input, slowdown, worker);
  return cause != NULL ? loom_slowdown_cause_dup_sentence (cause, name) : NULL;
}
