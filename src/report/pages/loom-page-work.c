/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Kernels" (id "work"), which shows how the time is divided among kinds of work and kernels, and how
 * the devices of each rank spent their time. All figures are computed from spans.
 */
#include "loom-page-private.h"

#include "loom-cxx-name.h"
#include "loom-frame-collectives.h"
#include "loom-rank-breakdown.h"
#include "loom-rank-order.h"
#include "loom-rank-waits.h"
#include "loom-sentence.h"
#include "loom-time-by-work-kind.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_BARS 12
#define MAX_LETTERS 80 /* maximum length of a kernel's name in a sentence, in characters */
/* minimum share of the time of all work that a kind of work must have to get a slice of the pie; smaller kinds are only
 * in the table */
#define MIN_SLICE 0.005
/* maximum number of slices in the pie of work on hosts; one more slice contains the other kinds */
#define MAX_SLICES 7

/* --- kinds -------------------------------------------------------------------------------------------------------- */

static void
add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomKindTime *kinds, guint n, const char *title,
         gboolean devices)
{
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  guint n_slices = 0;
  double rest = 0, all_ns = 0;
  for (guint i = 0; i < n; i++)
    all_ns += (kinds[i].work < LOOM_N_DEVICE_WORK) == devices ? (double) kinds[i].self_ns : 0;
  for (guint i = 0; i < n; i++) {
    if ((kinds[i].work < LOOM_N_DEVICE_WORK) != devices || kinds[i].self_ns <= 0)
      continue;
    /* spans of unknown kind are counted in the slice of the other kinds, because two slices for work without a name
     * would be confusing */
    gboolean is_named = kinds[i].work != LOOM_WORK_KIND_OTHER && kinds[i].work != LOOM_WORK_KIND_DEVICE_OTHER;
    if (is_named && n_slices < MAX_SLICES && (double) kinds[i].self_ns >= MIN_SLICE * all_ns) {
      loom_chart_add_slice (chart, g_dpgettext2 (NULL, "kind of work", loom_work_kind_to_string (kinds[i].work)),
                            (double) kinds[i].self_ns, loom_chart_work_color (kinds[i].work));
      n_slices++;
    } else
      rest += (double) kinds[i].self_ns;
  }
  if (rest > 0)
    loom_chart_add_slice (chart, C_ ("chart", "others"), rest, LOOM_CHART_GREY);
  if (n_slices == 0) {
    loom_chart_unref (chart);
    return;
  }
  loom_page_content_take_chart (sheet, chart, FALSE);
  loom_page_content_set_places (sheet, n_slices + (rest > 0), input->range);
}

static void
add_kinds (LoomPageContent *sheet, const LoomPageInput *input, const LoomKindTime *kinds, guint n)
{
  LoomResultTable *table = loom_result_table_new (_ ("Time by kind of work"));
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Runs On"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Spans"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Names"), "", NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Self Time"), "ns",
    _ (
      "Time of spans minus the time of their direct children; work that runs at the same time on several threads or streams is counted once for each"));
  loom_result_table_add_share_column (table, C_ ("column", "Share"),
                                      _ ("Share of the self time of all devices, or of all hosts"));
  for (guint i = 0; i < n; i++) {
    loom_result_table_add_row (table, g_dpgettext2 (NULL, "kind of work", loom_work_kind_to_string (kinds[i].work)));
    loom_result_table_set_text (table, 1,
                                kinds[i].work < LOOM_N_DEVICE_WORK ? C_ ("table", "devices") : C_ ("table", "hosts"));
    const double figures[] = { (double) kinds[i].count, kinds[i].n_names, (double) kinds[i].self_ns,
                               100 * kinds[i].share };
    loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (sheet, table);
  loom_page_content_set_places (sheet, n, input->range);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

/* Sets the target of the element of a kernel to its longest span. */
static void
set_longest (LoomPageContent *sheet, const LoomPageInput *input, guint element, const LoomNameStats *stats)
{
  LoomRange range;
  loom_timeline_get_span (input->frame->timeline, stats->longest, &range.begin_ns, &range.end_ns);
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  loom_page_content_set_place (sheet, element, range, &stats->longest, 1);
}

static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomKernel *kernels, guint n)
{
  LoomChart *chart = loom_chart_new_bars (_ ("Kernels and copies that take longest in total"), "ns", FALSE);
  loom_chart_add_bar_series (chart, "", 0);
  for (guint i = 0; i < MIN (n, MAX_BARS); i++) {
    double self = (double) kernels[i].stats.self_in_range_ns;
    loom_chart_add_bar_group (chart, kernels[i].stats.name, &self);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < MIN (n, MAX_BARS); i++)
    set_longest (sheet, input, i, &kernels[i].stats);
}

static LoomResultTable *
new_kernel_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Kernels and copies"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Kind"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns", NULL);
  guint share = loom_result_table_add_share_column (
    table, C_ ("column", "Share"),
    _ ("Share of all work of devices in the range; the time of nested operations does not count"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "p95"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Max"), "ns", NULL);
  loom_result_table_set_order (table, share, TRUE);
  return table;
}

static void
add_kernels (LoomPageContent *sheet, const LoomPageInput *input, const LoomKernel *kernels, guint n)
{
  LoomResultTable *table = new_kernel_table ();
  for (guint i = 0; i < n; i++) {
    const LoomNameStats *stats = &kernels[i].stats;
    const double figures[] = { (double) stats->count,   (double) stats->in_range_ns, 100 * stats->share,
                               (double) stats->mean_ns, (double) stats->p50_ns,      (double) stats->p95_ns,
                               (double) stats->max_ns };
    loom_result_table_add_row (table, stats->name);
    loom_result_table_set_text (table, 1,
                                g_dpgettext2 (NULL, "kind of work", loom_work_kind_to_string (kernels[i].work)));
    loom_result_table_set_numbers (table, 2, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < n; i++)
    set_longest (sheet, input, i, &kernels[i].stats);
}

/* Returns how long the ranks wait in collectives for the rank that arrives last, and in messages for their sender, summed
 * over all ranks, in ns; only the time inside the range counts. */
static double
sum_waits (LoomCollectives *collectives, GCancellable *cancellable)
{
  double sum = (double) loom_rank_waits_sum_messages (collectives, cancellable);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]);
    for (guint k = 0; k < collectives->all[i].n; k++)
      sum += (double) loom_rank_order_get_wait (collectives, &collectives->all[i], &members[k]);
  }
  return sum;
}

/* Returns a sentence that says how much of all communication is waiting; NULL: the longest kernel does not communicate, or
 * there are no collectives or messages between ranks. Owned by the caller. */
static char *
dup_waiting (const LoomPageInput *input, const LoomTimeByWorkKind *times, GCancellable *cancellable)
{
  double all = 0;
  if (times->kernels[0].work != LOOM_WORK_KIND_COMMUNICATION)
    return NULL;
  for (guint i = 0; i < times->n_times; i++)
    all += times->times[i].work == LOOM_WORK_KIND_COMMUNICATION ? (double) times->times[i].self_ns : 0;
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  if (collectives == NULL || all <= 0)
    return NULL;
  double waits_ns = sum_waits (collectives, cancellable);
  if (collectives->n == 0 && waits_ns <= 0)
    return NULL;
  g_autofree char *share = loom_chart_format (fmin (100 * waits_ns / all, 100), "%");
  return g_strdup_printf (_ ("Of all communication, %s is waiting for ranks that arrive later."), share);
}

static void
add_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomTimeByWorkKind *times,
            GCancellable *cancellable)
{
  const LoomNameStats *stats = &times->kernels[0].stats;
  g_autofree char *name = loom_cxx_name_dup_brief (stats->name, MAX_LETTERS),
                  *time = loom_time_format_duration (stats->self_in_range_ns),
                  *share = loom_chart_format (100 * stats->share, "%");
  /* Translators: the name of a kernel, its total time, its share in percent */
  g_autofree char *first =
    g_strdup_printf (_ ("%s takes longest on devices: %s, which is %s of all work of devices."), name, time, share);
  g_autofree char *waiting = dup_waiting (input, times, cancellable), *text = loom_sentence_join (first, waiting);
  loom_page_content_add_answer (sheet, text);
}

static void
add_work (LoomPageContent *sheet, const LoomPageInput *input, const LoomTimeByWorkKind *times,
          GCancellable *cancellable)
{
  const LoomKindTime *kinds = times->times;
  const LoomKernel *kernels = times->kernels;
  if (times->n_times == 0) {
    loom_page_content_add_missing (sheet, _ ("No recorded work was found."));
    return;
  }
  if (times->n_kernels > 0)
    add_answer (sheet, input, times, cancellable);
  add_pie (sheet, input, kinds, times->n_times, _ ("Device time by kind of work"), TRUE);
  add_pie (sheet, input, kinds, times->n_times, _ ("Time of hosts by kind of work"), FALSE);
  if (times->n_kernels > 0)
    add_bars (sheet, input, kernels, times->n_kernels);
  else
    loom_page_content_add_missing (sheet, _ ("There are no GPU kernels or memory copies in this range."));
  add_kinds (sheet, input, kinds, times->n_times);
  if (times->n_kernels > 0)
    add_kernels (sheet, input, kernels, times->n_kernels);
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

static LoomResultTable *
new_rank_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Device time by rank"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Recorded"), "ns",
    _ ("Time from the first to the last work of each device of the rank, summed over its devices and files"));
  loom_result_table_add_share_column (table, C_ ("column", "Computing"), NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Communication Only"), NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Copies Only"), NULL);
  loom_result_table_add_share_column (table, C_ ("column", "Idle"), NULL);
  loom_result_table_add_column (table, C_ ("column", "Overlapped"), "%",
                                _ ("Share of the communication during which something is computed"));
  return table;
}

static void
add_rank (LoomResultTable *table, const LoomPageInput *input, const LoomRankTime *rank)
{
  const gint64 parts[] = { rank->compute_ns, rank->exposed_communication_ns, rank->exposed_copy_ns, rank->idle_ns };
  g_autofree char *name = loom_page_rank_name (input, rank->node, rank->rank, rank->sources);
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, 1, (double) rank->recorded_ns);
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
    loom_result_table_set_number (table, 2 + k,
                                  loom_statistics_percent ((double) parts[k], (double) rank->recorded_ns));
  if (rank->communication_ns > 0)
    loom_result_table_set_number (table, 6,
                                  loom_statistics_percent ((double) rank->overlap_ns, (double) rank->communication_ns));
}

static void
add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  const LoomRankTime *ranks = breakdown->ranks;
  if (breakdown->n_ranks == 0)
    return; /* no further sentence is needed, because add_work() already says that the run has no kernels */
  LoomResultTable *table = new_rank_table ();
  for (guint i = 0; i < breakdown->n_ranks; i++)
    add_rank (table, input, &ranks[i]);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    loom_page_content_set_place (sheet, i, (LoomRange) { ranks[i].begin_ns, ranks[i].end_ns }, NULL, 0);
    loom_page_set_rank (sheet, input, i, ranks[i].rank, ranks[i].sources);
  }
}

LoomPageContent *
loom_page_work (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomTimeline *timeline = input->frame->timeline;
  g_autoptr (LoomTimeByWorkKind) times =
    loom_time_by_work_kind_new (timeline, NULL, input->range, NULL, 0, cancellable);
  loom_page_count_part (input, cancellable);
  g_autoptr (LoomRankBreakdown) breakdown = loom_rank_breakdown_new_summed (timeline, input->range, cancellable);
  loom_page_count_part (input, cancellable);
  if (times == NULL || breakdown == NULL)
    return NULL;
  g_autofree char *files = loom_page_dup_files (input, times->sources, times->n_sources),
                  *from = g_strdup_printf (
                    /* Translators: %s is a list of files */
                    _ ("computed from the spans of %s"), files);
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (times->n_sources > 0)
    loom_page_content_set_sources (sheet, from);
  add_work (sheet, input, times, cancellable);
  add_ranks (sheet, input, breakdown);
  loom_page_count_part (input, cancellable);
  return sheet;
}
