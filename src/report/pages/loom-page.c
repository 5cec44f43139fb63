/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of all pages with the reasons why a page is empty, and functions that several pages use: they add instants,
 * numbers, histograms of durations, and notes about missing data.
 */
#include "loom-page-private.h"

#include "loom-efficiency.h"
#include "loom-hang.h"
#include "loom-list-separator.h"
#include "loom-locale-number.h"
#include "loom-memory-events.h"
#include "loom-operators.h"
#include "loom-progress-cancellable.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Length in ns of the time that is shown on each side of an instant, if the instant is the target of an element. */
#define AROUND_NS (500 * LOOM_NS_PER_MS)

const char loom_page_range_rule[] = N_ (
  "Totals and shares count only the time inside the range; means, medians and longest times are those of whole spans.");

/* --- which data a run lacks for a page ---------------------------------------------------------------------------- */

static gboolean
has_devices (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      if ((loom_trace_get_track (trace, k)->flags & LOOM_TRACK_DEVICE) != 0)
        return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if a file contains work of several devices, but not the rank to which they belong. */
static gboolean
has_devices_without_rank (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    const char *first = NULL;
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      if ((track->flags & LOOM_TRACK_DEVICE) == 0 || track->rank >= 0)
        continue;
      if (first != NULL && strcmp (first, track->process) != 0)
        return TRUE;
      first = track->process;
    }
  }
  return FALSE;
}

static const char *
find_lack_of_usage (const LoomPageInput *input)
{
  gboolean metrics =
    loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL || loom_page_no_device (input, LOOM_DEVICE_CPU) == NULL;
  return metrics || has_devices (input->frame->timeline) ? NULL : _ ("no metrics, no kernels");
}

gboolean
loom_page_has_only_indexes (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint n = loom_run_get_n_traces (run), n_indexes = 0;
  for (guint i = 0; i < n; i++)
    n_indexes += loom_trace_is_index (loom_run_get_trace (run, i));
  return n > 0 && n_indexes == n;
}

gboolean
loom_page_has_only_memory (LoomTimeline *timeline, const LoomSteps *steps)
{
  return timeline != NULL && steps != NULL && steps->n == 0 && !has_devices (timeline) &&
         loom_memory_events_are_recorded (loom_timeline_get_run (timeline));
}

const char *
loom_page_get_lack_of_indexes (void)
{
  return C_ ("what a page lacks", "not stored in index files");
}

static const char *
find_lack_of_devices (const LoomPageInput *input)
{
  return has_devices (input->frame->timeline) ? NULL : _ ("no kernels");
}

/* Returns a few words with the reason why the page "Kernels" is empty; NULL if it is not empty. Without kernels, the
 * page still shows work on hosts. It is empty for dumps of flight recorders and for memory snapshots, which contain no
 * work on hosts either. */
static const char *
find_lack_of_work (const LoomPageInput *input)
{
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  gboolean is_other = loom_hang_is_recorded (run) || loom_memory_events_are_recorded (run);
  return is_other || input->frame->rows.n == 0 ? find_lack_of_devices (input) : NULL;
}

static const char *
find_lack_of_launches (const LoomPageInput *input)
{
  gboolean lacks = loom_page_has_only_indexes (input->frame->timeline);
  return lacks ? loom_page_get_lack_of_indexes () : find_lack_of_devices (input);
}

static const char *
find_lack_of_metrics (const LoomPageInput *input)
{
  gboolean gpus = loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL,
           cpus = loom_page_no_device (input, LOOM_DEVICE_CPU) == NULL;
  return gpus && cpus ? NULL : gpus ? _ ("no CPU metrics") : cpus ? _ ("no GPU metrics") : _ ("no system metrics");
}

/* Returns TRUE if the run has kernels or copies of several devices. */
static gboolean
has_several_devices (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTrack *first = NULL;
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      const LoomTrack *track = loom_trace_get_track (trace, k);
      if (!loom_trace_track_is_device (track))
        continue;
      if (first != NULL && (first->rank != track->rank || strcmp (first->process, track->process) != 0))
        return TRUE;
      first = track;
    }
  }
  return FALSE;
}

/* Returns a few words with the reason why the page "Load Balance" is empty; NULL if it is not empty. In a run without
 * samples of GPUs, the page is computed from kernels of several GPUs. */
static const char *
find_lack_of_balance (const LoomPageInput *input)
{
  LoomTimeline *timeline = input->frame->timeline;
  gboolean has_ranks = has_devices (timeline) && input->frame->n_workers > 1;
  if (has_ranks || has_several_devices (timeline) || loom_page_no_device (input, LOOM_DEVICE_GPU) == NULL)
    return NULL;
  return has_devices (timeline) ? _ ("only one GPU") : _ ("no GPU metrics");
}

static const char *
find_lack_of_steps (const LoomPageInput *input)
{
  for (guint32 i = 0; i < input->frame->rows.n; i++)
    if ((input->frame->rows.flags[i] & LOOM_ROW_TRAIN) != 0)
      return NULL;
  return _ ("no training steps");
}

static const char *
find_lack_of_ranks (const LoomPageInput *input)
{
  /* The page would be empty, because dumps of flight recorders contain no times of transfers. The page "Hang" shows
   * their data instead. */
  if (loom_hang_is_recorded (loom_timeline_get_run (input->frame->timeline)) && !has_devices (input->frame->timeline))
    return _ ("no kernels");
  if (input->frame->n_workers > 1)
    return NULL;
  return has_devices_without_rank (input->frame->timeline) ? _ ("ranks not recorded") : _ ("only one rank");
}

static const char *
find_lack_of_stragglers (const LoomPageInput *input)
{
  gboolean recorded = loom_slowdown_are_operations_recorded (loom_timeline_get_run (input->frame->timeline));
  return recorded ? NULL : find_lack_of_ranks (input);
}

static const char *
find_lack_of_spans (const LoomPageInput *input)
{
  return input->frame->rows.n > 0 || has_devices (input->frame->timeline) ? NULL : _ ("no spans");
}

/* Returns TRUE if the names of a trace include names of waits for data, or of spans of a data loader. */
static gboolean
has_loader_names (const LoomTrace *trace)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    if (loom_work_kind_is_data_wait (name->text, name->category) || loom_work_kind_is_get_next (name->text) ||
        strstr (name->text, "DataLoader") != NULL)
      return TRUE;
  }
  return FALSE;
}

static const char *
find_lack_of_loader (const LoomPageInput *input)
{
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (has_loader_names (loom_run_get_trace (run, i)))
      return NULL;
  return _ ("no data loader");
}

static const char *
find_lack_of_operators (const LoomPageInput *input)
{
  if (loom_page_has_only_indexes (input->frame->timeline))
    return loom_page_get_lack_of_indexes ();
  return loom_operators_are_recorded (loom_timeline_get_run (input->frame->timeline)) ? NULL : _ ("no operators");
}

static const char *
find_lack_of_work_of_operators (const LoomPageInput *input)
{
  if (loom_page_has_only_indexes (input->frame->timeline))
    return loom_page_get_lack_of_indexes ();
  switch (loom_efficiency_find_lack (loom_timeline_get_run (input->frame->timeline))) {
  case LOOM_EFFICIENCY_LACKS_OPERATORS: return _ ("no operators");
  case LOOM_EFFICIENCY_LACKS_SHAPES: return _ ("no shapes");
  default: return find_lack_of_devices (input);
  }
}

static const char *
find_lack_of_dumps (const LoomPageInput *input)
{
  return loom_hang_is_recorded (loom_timeline_get_run (input->frame->timeline)) ? NULL : _ ("no flight recorder");
}

static const char *
find_lack_of_allocations (const LoomPageInput *input)
{
  if (loom_page_has_only_indexes (input->frame->timeline))
    return loom_page_get_lack_of_indexes ();
  return loom_memory_events_are_recorded (loom_timeline_get_run (input->frame->timeline)) ? NULL : _ ("no allocations");
}

static const LoomPage pages[] = {
  { "overview", N_ ("Summary"), loom_page_overview, 4, NULL },
  { "path", N_ ("Critical Path"), loom_page_path, 1, find_lack_of_launches },
  { "utilization", N_ ("Utilization"), loom_page_utilization, 3, find_lack_of_usage },
  { "idle", N_ ("Idle Time"), loom_page_idle, 1, find_lack_of_launches },
  { "steps", N_ ("Steps"), loom_page_steps, 3, find_lack_of_steps },
  { "bottlenecks", N_ ("Bottlenecks"), loom_page_bottlenecks, 2, find_lack_of_metrics },
  { "balance", N_ ("Load Balance"), loom_page_balance, 2, find_lack_of_balance },
  { "stragglers", N_ ("Stragglers"), loom_page_stragglers, 3, find_lack_of_stragglers },
  { "collectives", N_ ("Collectives"), loom_page_collectives, 1, find_lack_of_ranks },
  { "parallelism", N_ ("Parallelism"), loom_page_parallelism, 1, find_lack_of_ranks },
  { "hang", N_ ("Hang"), loom_page_hang, 1, find_lack_of_dumps },
  { "health", N_ ("Trace Health"), loom_page_health, 1, find_lack_of_spans },
  { "loading", N_ ("Data Loading"), loom_page_loading, 3, find_lack_of_loader },
  { "work", N_ ("Kernels"), loom_page_work, 3, find_lack_of_work },
  { "memory", N_ ("Memory"), loom_page_memory, 1, find_lack_of_allocations },
  { "operators", N_ ("Operators"), loom_page_operators, 1, find_lack_of_operators },
  { "efficiency", N_ ("Efficiency"), loom_page_efficiency, 1, find_lack_of_work_of_operators },
};

void
loom_page_count_part (const LoomPageInput *input, GCancellable *cancellable)
{
  loom_progress_cancellable_add_done (cancellable, input->part);
}

const LoomPage *
loom_pages_get (guint *n)
{
  *n = G_N_ELEMENTS (pages);
  return pages;
}

const LoomPage *
loom_page_find (const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (strcmp (pages[i].id, id) == 0)
      return &pages[i];
  return NULL;
}

LoomPageContent *
loom_page_make (const LoomPage *page, const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = page->make (input, cancellable);
  if (sheet != NULL)
    loom_page_add_doubts (sheet, input, page->id, cancellable);
  return sheet;
}

const char *
loom_page_no_device (const LoomPageInput *input, LoomDevice device)
{
  const LoomSampleSeries *series = input->frame->series;
  for (guint i = 0; i < input->frame->n_series; i++)
    if (series[i].n > 0 && loom_data_frame_series_is (&series[i], device, LOOM_SELECT_DIMENSION))
      return NULL;
  if (input->frame->n_series == 0)
    return _ ("No system metrics were found.");
  return device == LOOM_DEVICE_GPU ? _ ("No GPU metrics were found.") : _ ("No CPU metrics were found.");
}

void
loom_page_add_no_collectives (LoomPageContent *sheet, const LoomPageInput *input)
{
  if (has_devices_without_rank (input->frame->timeline)) {
    loom_page_content_add_missing (sheet, _ ("The file does not say which GPU belongs to which rank."));
    loom_page_add_advice (sheet, input, LOOM_LACKS_GPU_RANKS);
    return;
  }
  loom_page_content_add_missing (sheet, _ ("No collectives of several ranks were found."));
  loom_page_add_advice (sheet, input, LOOM_LACKS_RANKS);
}

const char *
loom_page_no_loop (const LoomPageInput *input)
{
  if (input->phases.has_loop)
    return NULL;
  if (input->phases.is_loose)
    return _ (
      "The clock of the training steps is not known well enough to compare the steps with the system metrics. Align the clocks first.");
  return _ ("No training steps were found.");
}

/* Returns an array with an element for each host: TRUE if the host has samples (`of_metrics` is TRUE) or spans
 * (`of_metrics` is FALSE). Owned by the caller. */
static gboolean *
dup_present (const LoomPageInput *input, gboolean of_metrics)
{
  const LoomSampleSeries *series = input->frame->series;
  const LoomDataFrameRows *rows = &input->frame->rows;
  gboolean *present = g_new0 (gboolean, input->frame->n_hosts + 1);
  for (guint i = 0; of_metrics && i < input->frame->n_series; i++)
    present[series[i].host_id] |= series[i].n > 0;
  for (guint32 i = 0; !of_metrics && i < rows->n; i++)
    present[input->frame->workers[rows->worker[i]].host_id] = TRUE;
  return present;
}

void
loom_page_add_missing_nodes (LoomPageContent *sheet, const LoomPageInput *input, gboolean of_metrics)
{
  g_autofree gboolean *present = dup_present (input, of_metrics);
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean any = FALSE;
  for (guint i = 0; i < input->frame->n_hosts; i++) {
    const char *host = loom_data_frame_get_host (input->frame, i);
    any |= present[i];
    if (!present[i] && host[0] != '\0')
      g_string_append_printf (names, "%s%s", names->len > 0 ? loom_list_separator () : "", host);
  }
  if (!any || names->len == 0)
    return;
  g_autofree char *text = g_strdup_printf (
    of_metrics ? _ ("There are no system metrics of %s.") : _ ("There is no framework data of %s."), names->str);
  loom_page_content_add_missing (sheet, text);
}

gint64
loom_page_get_zero (const LoomPageInput *input)
{
  return loom_time_add (input->frame->origin_ns, input->zero_offset_ns);
}

char *
loom_page_dup_instant (LoomTimeline *timeline, gint64 time_ns)
{
  g_autofree char *offset =
    loom_time_format_offset (loom_time_sub (time_ns, loom_timeline_get_origin (timeline)), LOOM_NS_PER_US);
  if (!loom_timeline_is_anchored (timeline))
    return g_steal_pointer (&offset);
  g_autofree char *date = loom_time_format_date (time_ns);
  return g_strdup_printf ("%s (%s)", date, offset);
}

char *
loom_page_dup_zero (LoomTimeline *timeline)
{
  const char *words = _ (loom_timeline_get_origin_words (timeline));
  if (!loom_timeline_is_anchored (timeline))
    return g_strdup (words);
  g_autofree char *date = loom_time_format_date (loom_timeline_get_origin (timeline));
  return g_strdup_printf (
    /* Translators: a date and the event that happened then: "2026-01-31, the first event" */ C_ ("instant", "%s, %s"),
    date, words);
}

LoomRange
loom_page_job_range (const LoomPageInput *input)
{
  const LoomJobPhases *phases = &input->phases;
  LoomRange all = input->range;
  if (phases->has_samples)
    return (LoomRange) { phases->job_begin_ns, phases->job_end_ns };
  loom_timeline_get_extent (input->frame->timeline, &all);
  gint64 begin_ns = MAX (all.begin_ns, input->range.begin_ns);
  return (LoomRange) { begin_ns, MAX (MIN (all.end_ns, input->range.end_ns), begin_ns) };
}

LoomRange
loom_page_row_range (const LoomPageInput *input, guint32 row)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  return (LoomRange) { rows->start_ns[row], MAX (rows->end_ns[row], rows->start_ns[row] + 1) };
}

static double
length_of (const LoomPageStretch *stretch)
{
  return (double) (stretch->range.end_ns - stretch->range.begin_ns);
}

/* Sets the target of each bin to the longest span or gap (LoomPageStretch) in the bin. Spans and gaps of at least
 * `rest_ns` belong to the separate element after the bins. */
static void
set_bin_places (LoomPageContent *sheet, const LoomHistogram *histogram, double rest_ns,
                const LoomPageStretch *stretches, guint n)
{
  g_autofree const LoomPageStretch **longest = g_new0 (const LoomPageStretch *, histogram->n_bins + 1);
  for (guint i = 0; i < n; i++) {
    double length = length_of (&stretches[i]);
    guint bin = length >= rest_ns ? histogram->n_bins : loom_statistics_find_in_histogram (histogram, length);
    if (longest[bin] == NULL || length > length_of (longest[bin]))
      longest[bin] = &stretches[i];
  }
  for (guint i = 0; i <= histogram->n_bins; i++) {
    if (longest[i] == NULL)
      continue;
    LoomRange range = { longest[i]->range.begin_ns, MAX (longest[i]->range.end_ns, longest[i]->range.begin_ns + 1) };
    loom_page_content_set_place (sheet, i, range, &longest[i]->span, 1);
  }
}

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

LoomChart *
loom_page_add_durations (LoomPageContent *sheet, const char *title, const char *what, guint color, const GArray *spans)
{
  const LoomPageStretch *items = (const LoomPageStretch *) (gpointer) spans->data;
  LoomHistogram histogram;
  guint n = spans->len;
  g_autofree double *lengths = g_new (double, n + 1);
  for (guint i = 0; i < n; i++)
    lengths[i] = length_of (&items[i]);
  qsort (lengths, n, sizeof *lengths, compare_lengths);
  if (n < 2 || lengths[0] == lengths[n - 1])
    return NULL;
  LoomChart *chart =
    loom_histogram_chart_new_sorted (title, C_ ("chart", "duration"), "ns", what, lengths, n, &histogram);
  loom_chart_set_median (chart, loom_statistics_median (lengths, n), _ ("median of all ranks"));
  loom_chart_set_bin_color (chart, color);
  loom_page_content_take_chart (sheet, chart, FALSE);
  set_bin_places (sheet, &histogram, chart->histogram.has_rest ? chart->histogram.rest_begin : INFINITY, items, n);
  loom_statistics_clear_histogram (&histogram);
  return chart;
}

void
loom_page_add_number (LoomPageContent *sheet, const char *name, double value, const char *unit)
{
  gboolean is_count = *unit == '\0' && value >= 0 && value < 1e15 && value == floor (value);
  g_autofree char *text = is_count ? loom_locale_number_group ((guint64) value) : loom_chart_format (value, unit);
  loom_page_content_add_fact (sheet, name, text);
}

void
loom_page_add_rows_left_out (LoomPageContent *sheet, const char *title, guint n_left)
{
  if (n_left == 0)
    return;
  g_autofree char *text = g_strdup_printf (/* Translators: the title of a table and a number of rows */
                                           ngettext ("The table “%s” does not show %u more row.",
                                                     "The table “%s” does not show %u more rows.", n_left),
                                           title, n_left);
  loom_page_content_add_note (sheet, text);
}

void
loom_page_set_instant (LoomPageContent *sheet, guint element, gint64 time_ns)
{
  LoomRange range = { loom_time_sub (time_ns, AROUND_NS), loom_time_add (time_ns, AROUND_NS) };
  loom_page_content_set_place (sheet, element, range, NULL, 0);
}

LoomPageContent *
loom_page_finish (LoomPageContent *sheet, GCancellable *cancellable)
{
  if (g_cancellable_is_cancelled (cancellable))
    g_clear_pointer (&sheet, loom_page_content_unref);
  return sheet;
}
