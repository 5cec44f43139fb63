/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Kernels" (id "work"), which shows how the time is divided among kinds of work and kernels, and how
 * the devices of each rank spent their time. All numbers are computed from spans.
 */
#include "loom-page-private.h"

#include "loom-cxx-name.h"
#include "loom-device-parts.h"
#include "loom-frame-collectives.h"
#include "loom-rank-order.h"
#include "loom-rank-waits.h"
#include "loom-step-parts.h"
#include "loom-time-by-work-kind.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_BARS 12
#define MAX_LETTERS 40 /* maximum length of a kernel's name in a sentence, in characters */
/* a kind of work has its own slice of the pie if it takes at least this share of the time of all work; other kinds are
 * only in the table */
#define MIN_SLICE 0.005
/* maximum number of slices in the pie of work on hosts, besides one slice for all other kinds */
#define MAX_SLICES 7

/* --- kinds -------------------------------------------------------------------------------------------------------- */

/* Returns TRUE if a pie includes this kind of work. `devices`: TRUE: the pie of work on devices; FALSE: the pie of work
 * on hosts. Annotations are not included, because they only enclose other work on hosts. */
static gboolean
is_in_pie (const LoomKindTime *kind, gboolean devices)
{
  return (kind->work < LOOM_N_DEVICE_WORK) == devices && kind->work != LOOM_WORK_KIND_ANNOTATION;
}

static void
add_pie (LoomPageContent *sheet, const LoomPageInput *input, const LoomKindTime *kinds, guint n, const char *title,
         gboolean devices)
{
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  guint n_slices = 0;
  double rest = 0, all_ns = 0;
  for (guint i = 0; i < n; i++)
    all_ns += is_in_pie (&kinds[i], devices) ? (double) kinds[i].self_ns : 0;
  for (guint i = 0; i < n; i++) {
    if (!is_in_pie (&kinds[i], devices) || kinds[i].self_ns <= 0)
      continue;
    /* Work of unknown kind is added to the slice of all other kinds, because two slices without a specific name would
     * be confusing. */
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

/* Makes the longest span of a kernel the target of the element that represents the kernel. The target is the place on
 * the timeline that the element shows when activated. */
static void
set_longest (LoomPageContent *sheet, const LoomPageInput *input, guint element, const LoomNameStats *stats)
{
  LoomRange range;
  loom_timeline_get_span (input->frame->timeline, stats->longest, &range.begin_ns, &range.end_ns);
  range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  loom_page_content_set_place (sheet, element, range, &stats->longest, 1);
}

/* Returns a hash table with the time for which spans wait for other ranks inside the range, by the name of the span:
 * name → gint64, in ns. Owned by the caller. */
static GHashTable *
sum_waits_by_name (const LoomPageInput *input, const GArray *waits)
{
  GHashTable *sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  for (guint i = 0; i < waits->len; i++) {
    const LoomSpanWait *wait = &g_array_index (waits, LoomSpanWait, i);
    const LoomTrace *trace = loom_run_get_trace (run, wait->span.trace);
    const char *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[wait->span.span])->text;
    gint64 begin_ns = MAX (wait->range.begin_ns, input->range.begin_ns),
           end_ns = MIN (wait->range.end_ns, input->range.end_ns), *sum = g_hash_table_lookup (sums, name);
    if (end_ns <= begin_ns)
      continue;
    if (sum == NULL)
      g_hash_table_insert (sums, (gpointer) name, sum = g_new0 (gint64, 1));
    *sum = loom_time_add (*sum, loom_time_sub (end_ns, begin_ns));
  }
  return sums;
}

/* The parts of the bars: one for each kind of work on devices, and a last one for waits for other ranks. */
#define N_BAR_PARTS (LOOM_N_DEVICE_WORK + 1)

typedef struct {
  double parts_ns[MAX_BARS][N_BAR_PARTS];
  guint n;
  /* indices, in ascending order, of the parts that occur in at least one bar, and the number of these parts */
  guint shown[N_BAR_PARTS], n_shown;
} Bars;

static Bars
measure_bars (const LoomPageInput *input, const LoomKernel *kernels, guint n, const GArray *waits)
{
  Bars bars = { .n = MIN (n, MAX_BARS) };
  g_autoptr (GHashTable) sums = sum_waits_by_name (input, waits);
  for (guint i = 0; i < bars.n; i++) {
    const gint64 *waited_ns = g_hash_table_lookup (sums, kernels[i].stats.name);
    double self_ns = (double) kernels[i].stats.self_in_range_ns, *parts_ns = bars.parts_ns[i];
    parts_ns[LOOM_N_DEVICE_WORK] = waited_ns != NULL ? MIN ((double) *waited_ns, self_ns) : 0;
    parts_ns[kernels[i].work] = self_ns - parts_ns[LOOM_N_DEVICE_WORK];
  }
  for (guint part = 0; part < N_BAR_PARTS; part++)
    for (guint i = 0; i < bars.n; i++)
      if (bars.parts_ns[i][part] > 0) {
        bars.shown[bars.n_shown++] = part;
        break;
      }
  return bars;
}

static LoomChart *
new_bars (const LoomRankBreakdown *breakdown, const Bars *bars)
{
  g_autofree char *title =
    loom_device_parts_dup_sum_title (breakdown, _ ("Kernels and copies that take longest in total"));
  LoomChart *chart = loom_chart_new_bars (title, "ns", TRUE);
  for (guint k = 0; k < bars->n_shown; k++)
    if (bars->shown[k] < LOOM_N_DEVICE_WORK)
      loom_chart_add_bar_series (chart, g_dpgettext2 (NULL, "kind of work", loom_work_kind_to_string (bars->shown[k])),
                                 loom_chart_work_color (bars->shown[k]));
    else
      loom_chart_add_bar_series (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_RANK_WAIT), LOOM_CHART_WAIT);
  loom_chart_show_bar_sums (chart);
  return chart;
}

static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomKernel *kernels, guint n, const GArray *waits,
          const LoomRankBreakdown *breakdown)
{
  Bars bars = measure_bars (input, kernels, n, waits);
  if (bars.n_shown == 0)
    return;
  LoomChart *chart = new_bars (breakdown, &bars);
  for (guint i = 0; i < bars.n; i++) {
    double values[N_BAR_PARTS];
    for (guint k = 0; k < bars.n_shown; k++)
      values[k] = bars.parts_ns[i][bars.shown[k]];
    loom_chart_add_bar_group (chart, kernels[i].stats.name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < bars.n * bars.n_shown; i++)
    set_longest (sheet, input, i, &kernels[i / bars.n_shown].stats);
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

/* Returns how long ranks wait for other ranks, summed over all ranks, in ns: waits in collectives for the rank that
 * arrives last, and waits in messages for the sender. Includes only waiting time inside the range. */
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

/* Returns a sentence that states which share of the time of all communication is waiting. NULL if there is no
 * communication, or if there are neither collectives nor messages between ranks. Owned by the caller. */
static char *
dup_waiting (const LoomPageInput *input, const LoomTimeByWorkKind *times, GCancellable *cancellable)
{
  double all = 0;
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

/* Returns the kernel for the sentence at the top of the page: the longest kernel that does not communicate, because the
 * time of communication is mostly waiting. If all kernels communicate, returns the longest of them. */
static const LoomKernel *
find_leading (const LoomTimeByWorkKind *times)
{
  for (guint i = 0; i < times->n_kernels; i++)
    if (times->kernels[i].work != LOOM_WORK_KIND_COMMUNICATION)
      return &times->kernels[i];
  return &times->kernels[0];
}

static void
add_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomTimeByWorkKind *times,
            GCancellable *cancellable)
{
  const LoomKernel *kernel = find_leading (times);
  const LoomNameStats *stats = &kernel->stats;
  g_autofree char *name = loom_cxx_name_dup_brief (stats->name, MAX_LETTERS),
                  *time = loom_time_format_duration (stats->self_in_range_ns),
                  *share = loom_chart_format (100 * stats->share, "%");
  g_autofree char *text = g_strdup_printf (
    times->kernels[0].work == LOOM_WORK_KIND_COMMUNICATION && kernel != &times->kernels[0]
      /* Translators: the name of a kernel, its total time, its share in percent */
      ? _ ("%s takes longest of all kernels that do not communicate: %s, which is %s of all work of devices.")
      /* Translators: the name of a kernel, its total time, its share in percent */
      : _ ("%s takes longest on devices: %s, which is %s of all work of devices."),
    name, time, share);
  g_autofree char *waiting = dup_waiting (input, times, cancellable);
  loom_page_content_add_answer (sheet, text);
  loom_page_content_set_tooltip (sheet, strcmp (name, stats->name) != 0 ? stats->name : NULL);
  if (waiting != NULL)
    loom_page_content_add_note (sheet, waiting);
}

static void
add_work (LoomPageContent *sheet, const LoomPageInput *input, const LoomTimeByWorkKind *times,
          const LoomRankBreakdown *breakdown, const GArray *waits, GCancellable *cancellable)
{
  const LoomKindTime *kinds = times->times;
  const LoomKernel *kernels = times->kernels;
  if (times->n_times == 0) {
    loom_page_content_add_missing (sheet, _ ("No recorded work was found."));
    return;
  }
  g_autofree char *title = loom_device_parts_dup_sum_title (breakdown, _ ("Device time by kind of work"));
  if (times->n_kernels > 0)
    add_answer (sheet, input, times, cancellable);
  add_pie (sheet, input, kinds, times->n_times, title, TRUE);
  if (times->n_kernels > 0) {
    add_bars (sheet, input, kernels, times->n_kernels, waits, breakdown);
    add_kernels (sheet, input, kernels, times->n_kernels);
  } else
    loom_page_content_add_missing (sheet, _ ("There are no GPU kernels or memory copies in this range."));
  add_kinds (sheet, input, kinds, times->n_times);
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

LoomPageContent *
loom_page_work (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomTimeline *timeline = input->frame->timeline;
  g_autoptr (LoomTimeByWorkKind) times =
    loom_time_by_work_kind_new (timeline, NULL, input->range, NULL, 0, cancellable);
  loom_page_count_part (input, cancellable);
  g_autoptr (LoomRankBreakdown) breakdown = loom_device_parts_new (input, cancellable);
  g_autoptr (GArray) waits = loom_device_parts_list_waits (input, cancellable);
  loom_page_count_part (input, cancellable);
  if (times == NULL || breakdown == NULL || waits == NULL)
    return NULL;
  g_autofree char *files = loom_page_dup_files (input, times->sources, times->n_sources),
                  *from = g_strdup_printf (
                    /* Translators: %s is a list of files */
                    _ ("computed from the spans of %s"), files);
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (times->n_sources > 0)
    loom_page_content_set_sources (sheet, from);
  add_work (sheet, input, times, breakdown, waits, cancellable);
  if (breakdown->n_ranks > 0)
    loom_device_parts_add_table (sheet, input, breakdown);
  add_pie (sheet, input, times->times, times->n_times, _ ("Time of hosts by kind of work, without annotations"), FALSE);
  loom_page_count_part (input, cancellable);
  return sheet;
}
