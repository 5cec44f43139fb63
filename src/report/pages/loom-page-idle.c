/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Idle Time", which shows for each device how long it was idle and what it waited for, and how much
 * time passes from the launch of a kernel to its start.
 */
#include "loom-page-private.h"

#include "loom-frame-collectives.h"
#include "loom-idle-start.h"
#include "loom-idle-words.h"
#include "loom-page-idle-gaps.h"
#include "loom-rank-breakdown.h"
#include "loom-sentence.h"
#include "loom-span-waits.h"
#include "loom-step-breakdown.h"
#include "loom-step-parts.h"
#include "loom-steps.h"
#include "loom-wait-cause.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_BARS 32
/* width of the column of device names, in characters; with more, the last column would not fit a window of 1366 px */
#define DEVICE_CHARS 28

/* Limits in percent. IDLE_PERCENT: a device that is idle for a smaller share of its time counts as busy enough.
 * LEAST_IDLE_PERCENT: if the share of idle time is smaller, the sentence at the top of the page states no cause.
 * MAIN_CAUSE_PERCENT: the main cause must explain at least this share of the idle time. */
#define IDLE_PERCENT 10
#define LEAST_IDLE_PERCENT 5
#define MAIN_CAUSE_PERCENT 50

/* The sentence at the top of the page mentions waits for other ranks only if they take at least this percentage of the
 * time of the devices. */
#define LEAST_WAIT_PERCENT 1

/* A note about copies is added if the devices only copy memory for at least LEAST_COPY_PERCENT of their time. If they
 * do so for at least IDLE_PERCENT of their time, the sentence at the top of the page may be about copies instead. */
#define LEAST_COPY_PERCENT 5

/* The sentence at the top of the page names a single device if its share of idle time is at least this many times the
 * share of each other device. */
#define ODD_FACTOR 2

/* The causes of idle time in charts and tables. Time in which the host waits for data is separate from other delays of
 * the host. */
typedef enum { PART_DATA, PART_HOST, PART_KERNEL, PART_OTHER, PART_UNKNOWN, N_PARTS } Part;

static LoomIdleCause
get_cause (Part part)
{
  switch (part) {
  case PART_DATA:
  case PART_HOST: return LOOM_IDLE_CAUSE_HOST;
  case PART_KERNEL: return LOOM_IDLE_CAUSE_KERNEL;
  case PART_OTHER: return LOOM_IDLE_CAUSE_OTHER;
  default: return LOOM_IDLE_CAUSE_UNKNOWN;
  }
}

static gint64
get_part_ns (const LoomIdleRow *row, Part part)
{
  gint64 all_ns = row->binding[get_cause (part)].total_ns;
  return part == PART_DATA ? row->data_ns : part == PART_HOST ? loom_time_sub (all_ns, row->data_ns) : all_ns;
}

/* Returns the idle gaps of a device or stream that have the cause `part`. If a gap has several causes, its cause is the
 * one that lasts longest in the gap. */
static const LoomIdleGaps *
get_part_gaps (const LoomIdleRow *row, Part part)
{
  const LoomIdleGaps *all = &row->binding[get_cause (part)], *own = part == PART_DATA   ? &row->mostly_data
                                                                    : part == PART_HOST ? &row->mostly_host
                                                                                        : all;
  return own->n > 0 ? own : all;
}

static const char *
get_part_words (Part part)
{
  return part == PART_DATA ? loom_idle_words_get_data () : loom_idle_words_get_cause (get_cause (part));
}

static double
get_percent (gint64 part_ns, gint64 whole_ns)
{
  return loom_statistics_percent ((double) part_ns, (double) whole_ns);
}

/* --- the verdict: main cause of idle time, and an unusually idle device ------------------------------------------- */

typedef struct {
  gint64 recorded_ns, idle_ns, data_ns, causes_ns[LOOM_N_IDLE_CAUSES];
} Sums;

static Sums
sum_devices (const LoomIdleTime *idle)
{
  Sums sums = { 0 };
  for (guint i = 0; i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    sums.recorded_ns = loom_time_add (sums.recorded_ns, row->recorded_ns);
    sums.idle_ns = loom_time_add (sums.idle_ns, row->idle_ns);
    sums.data_ns = loom_time_add (sums.data_ns, row->data_ns);
    for (guint k = 0; k < LOOM_N_IDLE_CAUSES; k++)
      sums.causes_ns[k] = loom_time_add (sums.causes_ns[k], row->binding[k].total_ns);
  }
  return sums;
}

/* Returns the cause that accounts for at least MAIN_CAUSE_PERCENT of the idle time. Returns LOOM_N_IDLE_CAUSES if no
 * cause does. */
static LoomIdleCause
get_main_cause (const Sums *sums)
{
  for (guint i = 0; i < LOOM_IDLE_CAUSE_UNKNOWN; i++)
    if (get_percent (sums->causes_ns[i], sums->idle_ns) >= MAIN_CAUSE_PERCENT)
      return i;
  return LOOM_N_IDLE_CAUSES;
}

/* Returns a share in percent, for a text without decimals. If the share is less than 100 %, the result is at most 99,
 * so that the text does not say 100 %. */
static double
get_whole_percent (gint64 part_ns, gint64 whole_ns)
{
  double percent = get_percent (part_ns, whole_ns);
  return part_ns < whole_ns ? MIN (percent, 99) : percent;
}

static char *
dup_verdict (const Sums *sums)
{
  double idle = get_percent (sums->idle_ns, sums->recorded_ns);
  LoomIdleCause cause = get_main_cause (sums);
  if (idle < LEAST_IDLE_PERCENT || cause == LOOM_N_IDLE_CAUSES)
    return g_strdup_printf (_ ("The devices are idle for %.1f %% of their time."), idle);
  double part = get_whole_percent (sums->causes_ns[cause], sums->idle_ns),
         data = get_whole_percent (sums->data_ns, sums->idle_ns);
  if (data >= MAIN_CAUSE_PERCENT)
    return g_strdup_printf (
      _ (
        "Waiting for data: the devices are idle for %.1f %% of their time, and for %.0f %% of the idle time their ranks wait for the next batch."),
      idle, data);
  if (cause == LOOM_IDLE_CAUSE_HOST && idle < IDLE_PERCENT)
    return g_strdup_printf (
      _ ("The devices are idle for %.1f %% of their time; for %.0f %% of the idle time, they wait for the host."), idle,
      part);
  if (cause == LOOM_IDLE_CAUSE_HOST)
    return g_strdup_printf (
      _ (
        "Host-bound: the devices are idle for %.1f %% of their time; for %.0f %% of the idle time, they wait for the host."),
      idle, part);
  if (cause == LOOM_IDLE_CAUSE_OTHER)
    return g_strdup_printf (
      _ (
        "The devices are idle for %.1f %% of their time; for %.0f %% of the idle time, they wait for other streams or devices."),
      idle, part);
  return g_strdup_printf (
    _ (
      "The devices are idle for %.1f %% of their time; %.0f %% of the idle time lies between kernels that were queued."),
    idle, part);
}

/* Returns the time in ns during which a device waits for other ranks and computes nothing. */
static gint64
get_wait_ns (const LoomRankBreakdown *times, const LoomIdleRow *row)
{
  for (guint i = 0; i < times->n_ranks; i++) {
    const LoomRankTime *time = &times->ranks[i];
    /* numbers first, because this comparison is made for each pair of devices */
    gboolean same_device =
      time->rank == row->rank && g_strcmp0 (time->node, row->node) == 0 && g_strcmp0 (time->device, row->device) == 0;
    for (guint k = 0; same_device && k < time->n_sources; k++)
      if (time->sources[k] == row->source)
        return time->exposed_wait_ns;
  }
  return 0;
}

/* Returns how long devices wait for other ranks in collectives and messages while they compute nothing, in percent of
 * their recorded time. The chart shows the same number. Such waits are not idle time, because a kernel runs. */
static double
get_wait_percent (const LoomIdleTime *idle, const LoomRankBreakdown *times)
{
  gint64 waits_ns = 0;
  for (guint i = 0; i < idle->devices->len; i++)
    waits_ns = loom_time_add (waits_ns, get_wait_ns (times, &g_array_index (idle->devices, LoomIdleRow, i)));
  return get_percent (waits_ns, sum_devices (idle).recorded_ns);
}

/* Returns the sentence at the top of the page if devices wait longer for other ranks than they are idle. `waits`,
 * `idle`: both times in percent of the devices' time. `cause`: words for the cause of the waits; NULL: unknown. Owned
 * by the caller. */
static char *
dup_wait_verdict (double waits, double idle, const char *cause)
{
  g_autofree char *wait =
    cause != NULL
      ? g_strdup_printf (/* Translators: a percentage, and a cause such as "mostly for rank 5" */
                         _ ("The devices wait for other ranks for %.1f %% of their time, %s."), waits, cause)
      : g_strdup_printf (_ ("The devices wait for other ranks for %.1f %% of their time."), waits);
  g_autofree char *rest = g_strdup_printf (_ ("They are idle for %.1f %% of their time."), idle);
  return loom_sentence_join (wait, rest);
}

/* Adds a note that defines waits for other ranks. Used if the sentence at the top of the page is about such waits.
 * `see`: a sentence that refers to the page about the cause of the waits; NULL: the cause is unknown. */
static void
add_wait_definition (LoomPageContent *sheet, const char *see)
{
  g_autofree char *text = loom_sentence_join (
    _ (
      "While a device waits for other ranks, a collective or a message runs, and nothing is computed; this is not idle time."),
    see);
  loom_page_content_add_note (sheet, text);
}

/* Adds a note with the time for which devices wait for other ranks; adds nothing if it is less than
 * LEAST_WAIT_PERCENT. */
static void
add_wait_note (LoomPageContent *sheet, double waits)
{
  g_autofree char *text = g_strdup_printf (
    _ (
      "For another %.1f %% of their time, the devices only wait for other ranks, in collectives and messages; this is not idle time, because a kernel runs."),
    waits);
  if (waits >= LEAST_WAIT_PERCENT)
    loom_page_content_add_note (sheet, text);
}

/* Returns the time in which devices copy memory, and neither compute nor communicate, in percent of their time. Copies
 * are not idle time, but they keep devices from computing. */
static double
get_copy_percent (const LoomIdleTime *idle, const LoomRankBreakdown *times)
{
  gint64 copies_ns = 0;
  for (guint i = 0; i < times->n_ranks; i++)
    copies_ns = loom_time_add (copies_ns, times->ranks[i].exposed_copy_ns);
  return get_percent (copies_ns, sum_devices (idle).recorded_ns);
}

static char *
dup_copy_verdict (double copies, double idle)
{
  return g_strdup_printf (
    _ ("The devices do nothing but copy memory for %.1f %% of their time, and are idle for %.1f %% of it."), copies,
    idle);
}

static void
add_copy_note (LoomPageContent *sheet, double copies)
{
  g_autofree char *text = g_strdup_printf (
    _ ("For another %.1f %% of their time, the devices do nothing but copy memory; this is not idle time."), copies);
  if (copies >= LEAST_COPY_PERCENT)
    loom_page_content_add_note (sheet, text);
}

static double
get_idle_percent (const LoomIdleRow *row)
{
  return get_percent (row->idle_ns, row->recorded_ns);
}

/* Returns the device that is idle for the largest share of its recorded time. Returns NULL if there is only one device,
 * if the share is less than IDLE_PERCENT, or if it is less than ODD_FACTOR times the share of another device. */
static const LoomIdleRow *
find_odd_device (const LoomIdleTime *idle)
{
  const LoomIdleRow *most = NULL;
  double second = 0;
  for (guint i = 0; i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    double percent = get_idle_percent (row), largest = most != NULL ? get_idle_percent (most) : 0;
    second = MAX (second, MIN (percent, largest));
    if (most == NULL || percent > largest)
      most = row;
  }
  if (idle->devices->len < 2 || get_idle_percent (most) < IDLE_PERCENT)
    return NULL;
  return get_idle_percent (most) >= ODD_FACTOR * second ? most : NULL;
}

/* Returns the cause that makes up the largest part of a device's idle time. */
static Part
get_main_part (const LoomIdleRow *row)
{
  Part main = PART_DATA;
  for (Part part = PART_DATA; part < N_PARTS; part++)
    if (get_part_ns (row, part) > get_part_ns (row, main))
      main = part;
  return main;
}

static char *
dup_odd_device (const LoomPageInput *input, const LoomIdleTime *idle)
{
  const LoomIdleRow *row = find_odd_device (idle);
  if (row == NULL)
    return g_strdup ("");
  g_autofree char *name = loom_idle_words_dup_place (input, row);
  Part part = get_main_part (row);
  /* Translators: "rank 2 · GPU 0 is idle longest: for 15.2 % of its time (cause of 93 % of the idle time: waits for the host)." */
  return g_strdup_printf (_ ("%s is idle longest: for %.1f %% of its time (cause of %.0f %% of the idle time: %s)."),
                          name, get_idle_percent (row), get_whole_percent (get_part_ns (row, part), row->idle_ns),
                          get_part_words (part));
}

/* Adds the sentences at the top of the page, and notes with details. The first sentence is about the activity that
 * takes most time: copying, waiting for other ranks, or being idle. */
static void
add_verdict (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle,
             const LoomRankBreakdown *times, const LoomWaitCause *cause)
{
  Sums sums = sum_devices (idle);
  double waits = get_wait_percent (idle, times), copies = get_copy_percent (idle, times),
         share = get_percent (sums.idle_ns, sums.recorded_ns);
  gboolean copies_most = copies >= IDLE_PERCENT && copies > MAX (waits, share),
           waits_more = !copies_most && waits >= LEAST_WAIT_PERCENT && waits > share;
  g_autofree char *all = copies_most  ? dup_copy_verdict (copies, share)
                         : waits_more ? dup_wait_verdict (waits, share, cause->phrase)
                                      : dup_verdict (&sums),
                  *odd = dup_odd_device (input, idle), *text = loom_sentence_join (all, odd);
  loom_page_content_add_answer (sheet, text);
  if (waits_more)
    add_wait_definition (sheet, cause->see);
  else
    add_wait_note (sheet, waits);
  if (!copies_most)
    add_copy_note (sheet, copies);
}

/* --- charts and tables of devices and streams --------------------------------------------------------------------- */

/* Sets the target of a chart element or table row (the place on the timeline that it shows when activated) to the
 * longest gap in `gaps`. `row`: the device or stream to which the gaps belong. */
static void
set_gap (LoomPageContent *sheet, guint element, const LoomIdleRow *row, const LoomIdleGaps *gaps)
{
  const LoomSpanId span = { row->trace, gaps->span };
  if (gaps->n > 0)
    loom_page_content_set_place (sheet, element, gaps->longest, &span, 1);
}

static const LoomIdleGaps *
find_longest (const LoomIdleRow *row)
{
  const LoomIdleGaps *longest = &row->binding[0];
  for (guint i = 1; i < LOOM_N_IDLE_CAUSES; i++)
    if (row->binding[i].longest_ns > longest->longest_ns || longest->n == 0)
      longest = &row->binding[i];
  return longest;
}

/* A row (a device or stream), and the time by which the table of rows is sorted. */
typedef struct {
  const LoomIdleRow *row;
  gint64 sum_ns;
} SortedRow;

static int
compare_sums (gconstpointer a, gconstpointer b)
{
  const SortedRow *x = a, *y = b;
  if (x->sum_ns != y->sum_ns)
    return x->sum_ns > y->sum_ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row; /* elements with equal sums keep the order of the array of rows */
}

/* Returns the rows (LoomIdleRow) sorted by idle time or, if `times` is not NULL, by the sum of idle time and waits for
 * other ranks, longest first. Owned by the caller. */
static GPtrArray *
sort_rows (const GArray *rows, const LoomRankBreakdown *times)
{
  GPtrArray *result = g_ptr_array_new ();
  g_autoptr (GArray) sorted = g_array_new (FALSE, FALSE, sizeof (SortedRow));
  for (guint i = 0; i < rows->len; i++) {
    const LoomIdleRow *row = &g_array_index (rows, LoomIdleRow, i);
    SortedRow item = { row, loom_time_add (row->idle_ns, times != NULL ? get_wait_ns (times, row) : 0) };
    g_array_append_val (sorted, item);
  }
  g_array_sort (sorted, compare_sums);
  for (guint i = 0; i < sorted->len; i++)
    g_ptr_array_add (result, (gpointer) g_array_index (sorted, SortedRow, i).row);
  return result;
}

static LoomChart *
new_bars (gboolean has_waits)
{
  LoomChart *chart =
    loom_chart_new_bars (has_waits ? _ ("Idle time and waits for other ranks by device, share of recorded time")
                                   : _ ("Idle time by device and cause, share of recorded time"),
                         "%", TRUE);
  const guint colors[N_PARTS] = { loom_chart_work_color (LOOM_WORK_KIND_DATA),
                                  loom_chart_work_color (LOOM_WORK_KIND_RUNTIME), 3, 2, LOOM_CHART_GREY };
  for (guint i = 0; i < N_PARTS; i++) {
    g_autofree char *words = loom_sentence_dup_capital (get_part_words (i));
    loom_chart_add_bar_series (chart, words, colors[i]);
  }
  loom_chart_add_bar_series (chart, loom_step_parts_get_name (LOOM_STEP_BREAKDOWN_RANK_WAIT), LOOM_CHART_WAIT);
  return chart;
}

/* Sets the target of a chart element (the place on the timeline that it shows when activated) to the step in which the
 * rank of `row` waits longest for other ranks. */
static void
set_longest_wait (LoomPageContent *sheet, guint element, const LoomStepBreakdown *breakdown, const LoomIdleRow *row)
{
  const LoomStepTime *longest = NULL;
  for (guint i = 0; i < breakdown->n_ranks; i++)
    for (guint k = 0; breakdown->ranks[i].rank == row->rank && k < breakdown->ranks[i].n_steps; k++) {
      const LoomStepTime *step = &breakdown->ranks[i].steps[k];
      if (longest == NULL ||
          step->parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT] > longest->parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT])
        longest = step;
    }
  if (longest != NULL)
    loom_page_content_set_place (sheet, element, (LoomRange) { longest->begin_ns, longest->end_ns }, NULL, 0);
}

static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const GPtrArray *devices, const LoomRankBreakdown *times,
          const LoomStepBreakdown *breakdown)
{
  /* number of elements for each device: one for each cause, and one for the waits for other ranks */
  guint n = MIN (devices->len, MAX_BARS), n_each = N_PARTS + 1;
  gboolean has_waits = FALSE;
  for (guint i = 0; i < n; i++)
    has_waits |= get_wait_ns (times, devices->pdata[i]) > 0;
  LoomChart *chart = new_bars (has_waits);
  for (guint i = 0; i < n; i++) {
    const LoomIdleRow *row = devices->pdata[i];
    g_autofree char *name = loom_idle_words_dup_place (input, row);
    double values[N_PARTS + 1];
    for (guint k = 0; k < N_PARTS; k++)
      values[k] = get_percent (get_part_ns (row, k), row->recorded_ns);
    values[N_PARTS] = get_percent (get_wait_ns (times, row), row->recorded_ns);
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n * n_each; i++) {
    const LoomIdleRow *row = devices->pdata[i / n_each];
    if (i % n_each < N_PARTS)
      set_gap (sheet, i, row, get_part_gaps (row, i % n_each));
    else
      set_longest_wait (sheet, i, breakdown, row);
  }
}

static void
add_row (LoomResultTable *table, const LoomPageInput *input, const LoomIdleRow *row, const LoomRankBreakdown *times)
{
  g_autofree char *name = loom_idle_words_dup_place (input, row);
  guint column = 1;
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, column++, (double) row->idle_ns);
  loom_result_table_set_number (table, column++, get_percent (row->idle_ns, row->recorded_ns));
  for (guint i = 0; i < N_PARTS; i++, column++)
    if (get_part_ns (row, i) > 0 || (i != PART_DATA && row->binding[get_cause (i)].n > 0))
      loom_result_table_set_number (table, column, (double) get_part_ns (row, i));
  if (row->stream == NULL) {
    gint64 wait_ns = get_wait_ns (times, row);
    if (wait_ns > 0)
      loom_result_table_set_number (table, column, (double) wait_ns);
    return;
  }
  loom_result_table_set_number (table, column++, (double) row->hta[LOOM_IDLE_CAUSE_HOST].total_ns);
  loom_result_table_set_number (table, column++, (double) row->hta[LOOM_IDLE_CAUSE_KERNEL].total_ns);
  if (row->n_works > row->n_unlinked) {
    loom_result_table_set_number (table, column++, row->mean_queue);
    loom_result_table_set_number (table, column++, (double) row->longest_queue);
  }
}

static LoomResultTable *
new_table (gboolean streams)
{
  LoomResultTable *table = loom_result_table_new (streams ? _ ("Idle time of streams") : _ ("Idle time of devices"));
  loom_result_table_add_column (table, streams ? C_ ("column", "Stream") : C_ ("column", "Device"), NULL, NULL);
  if (!streams)
    loom_result_table_set_chars (table, 0, DEVICE_CHARS);
  guint idle = loom_result_table_add_column (table, C_ ("column", "Idle"), "ns", NULL);
  loom_result_table_add_share_column (
    table, C_ ("column", "Share"),
    streams ? _ ("Share of the time between the first and the last work of the stream")
            : _ ("Share of the time from the start of the step with the first work of the device to its last work"));
  loom_result_table_add_column (
    table, C_ ("column", "Waits for Data"), "ns",
    _ ("The next kernel was launched too late: the launching thread waited for the next batch"));
  loom_result_table_add_column (
    table, C_ ("column", "Waits for Host"), "ns",
    _ ("The host launched the next kernel too late, for a reason other than waiting for a batch"));
  loom_result_table_add_column (table, C_ ("column", "Between Kernels"), "ns",
                                _ ("The next kernel was already queued: the usual pause between two kernels"));
  loom_result_table_add_column (
    table, C_ ("column", "Waits for Other Streams"), "ns",
    _ ("The next kernel was already queued but had to wait, for example for another stream or device"));
  loom_result_table_add_column (table, C_ ("column", "Unknown Cause"), "ns",
                                _ ("The launch of the next kernel is not in the file"));
  if (streams) {
    guint host_wait = loom_result_table_add_column (
      table, C_ ("column", "Host Wait (HTA)"), "ns",
      _ (
        "Gaps before a kernel that was launched after the previous kernel ended, as Holistic Trace Analysis counts them"));
    loom_result_table_add_column (table, C_ ("column", "Kernel Wait (HTA)"), "ns",
                                  _ ("Other gaps shorter than 30 µs, as Holistic Trace Analysis counts them"));
    loom_result_table_add_column (table, C_ ("column", "Mean Queue Length"), "",
                                  _ ("Mean number of kernels that were launched but had not started"));
    loom_result_table_add_column (table, C_ ("column", "Longest Queue"), "", NULL);
    loom_result_table_set_order (table, idle, TRUE);
    loom_result_table_set_detail (table, host_wait);
    loom_result_table_set_detail (table, host_wait + 1);
  } else
    loom_result_table_add_column (
      table, C_ ("column", "Waits for Ranks"), "ns",
      _ ("Not idle time: a collective or message waits for other ranks, and nothing is computed"));
  return table;
}

static void
add_rows (LoomPageContent *sheet, const LoomPageInput *input, const GPtrArray *rows, const LoomRankBreakdown *times,
          gboolean streams)
{
  LoomResultTable *table = new_table (streams);
  for (guint i = 0; i < rows->len; i++)
    add_row (table, input, rows->pdata[i], times);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < rows->len; i++)
    set_gap (sheet, i, rows->pdata[i], find_longest (rows->pdata[i]));
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

static void
add_launch (LoomResultTable *table, const LoomPageInput *input, const LoomIdleLaunches *launches)
{
  g_autofree char *rank = loom_page_rank_name (input, launches->node, launches->rank, &launches->source);
  double n = (double) MAX (launches->n, 1);
  const double values[] = { (double) launches->n,
                            (double) launches->whole_calls_ns / n,
                            (double) launches->whole_delays_ns / n,
                            (double) launches->longest_delay_ns,
                            (double) launches->n_long_delays,
                            (double) launches->n_slow_calls,
                            (double) launches->n_short };
  loom_result_table_add_row (table, launches->name);
  loom_result_table_set_text (table, 1, rank);
  loom_result_table_set_numbers (table, 2, values, G_N_ELEMENTS (values));
}

static void
add_launches (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle)
{
  LoomResultTable *table = loom_result_table_new (_ ("Launches"));
  loom_result_table_add_column (table, C_ ("column", "Call"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint order = loom_result_table_add_column (table, C_ ("column", "Launches"), "",
                                              _ ("Launches of kernels and copies in the range"));
  loom_result_table_add_column (table, C_ ("column", "Mean Call Time"), "ns", _ ("Time of the call on the host"));
  loom_result_table_add_column (
    table, C_ ("column", "Mean Delay"), "ns",
    _ ("From the end of the call to the start of the kernel; long if many kernels are queued"));
  loom_result_table_add_column (table, C_ ("column", "Longest Delay"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Delays Over 100 µs"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Calls Over 50 µs"), "", NULL);
  guint shorter = loom_result_table_add_column (
    table, C_ ("column", "Kernels Shorter Than Their Call"), "",
    _ ("Number of kernels that take less time than the call that launches them; calls over 50 µs are not counted"));
  loom_result_table_set_detail (table, shorter);
  loom_result_table_set_order (table, order, TRUE);
  for (guint i = 0; i < idle->launches->len; i++)
    add_launch (table, input, &g_array_index (idle->launches, LoomIdleLaunches, i));
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < idle->launches->len; i++) {
    const LoomIdleLaunches *launches = &g_array_index (idle->launches, LoomIdleLaunches, i);
    loom_page_content_set_place (sheet, i, input->range, &(LoomSpanId) { launches->trace, launches->longest }, 1);
  }
}

/* --- page of idle time -------------------------------------------------------------------------------------------- */

/* Adds a note with the share of idle time as Holistic Trace Analysis counts it. Adds nothing if this share is equal to
 * the share on the page. `counted`: idle time as on the page; `idle`: idle time without the time before the first and
 * after the last work of each device, which Holistic Trace Analysis does not count. */
static void
add_start (LoomPageContent *sheet, const LoomIdleTime *idle, const LoomIdleTime *counted)
{
  Sums own = sum_devices (counted), hta = sum_devices (idle);
  g_autofree char *start = loom_time_format_duration (loom_time_sub (own.idle_ns, hta.idle_ns)),
                  *between = loom_time_format_duration (hta.idle_ns);
  g_autofree char *text = g_strdup_printf (
    _ (
      "Idle time includes %s before the first and after the last kernel or copy of a device: its wait for the first work in a step, and the time in which only other devices of its rank work. Holistic Trace Analysis leaves that part out: its idle time is %s, or %.1f %% of the time from the first to the last kernel or copy of each device."),
    start, between, get_percent (hta.idle_ns, hta.recorded_ns));
  if (own.idle_ns > hta.idle_ns)
    loom_page_content_add_note (sheet, text);
}

static void
fill (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle, const LoomIdleTime *hta,
      const LoomRankBreakdown *times, const LoomStepBreakdown *breakdown, const LoomWaitCause *cause)
{
  g_autoptr (GPtrArray) devices = sort_rows (idle->devices, times), streams = sort_rows (idle->streams, NULL);
  const char *missing = loom_idle_time_get_missing (idle);
  if (devices->len == 0) {
    if (missing != NULL)
      loom_page_add_missing (sheet, missing, loom_idle_time_get_advice (idle));
    return;
  }
  add_verdict (sheet, input, idle, times, cause);
  if (missing != NULL) {
    g_autofree char *why = loom_sentence_join (missing, loom_idle_time_get_advice (idle));
    loom_page_content_add_note (sheet, why);
  }
  add_bars (sheet, input, devices, times, breakdown);
  add_rows (sheet, input, devices, times, FALSE);
  loom_page_idle_gaps_add (sheet, input, idle);
  add_rows (sheet, input, streams, times, TRUE);
  add_launches (sheet, input, idle);
  if (missing == NULL)
    add_start (sheet, hta, idle);
}

LoomPageContent *
loom_page_idle (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, input->range, cancellable);
  const LoomIdleTime *idle = collectives != NULL ? loom_idle_time_get (collectives, cancellable) : NULL;
  g_autoptr (LoomSteps) steps = idle != NULL ? loom_steps_new (input->frame->timeline, cancellable) : NULL;
  g_autoptr (LoomStepBreakdown) breakdown =
    steps != NULL ? loom_step_breakdown_new (input->frame->timeline, steps, collectives, input->range, cancellable)
                  : NULL;
  g_autoptr (GArray) waits = breakdown != NULL ? loom_span_waits_new (collectives, cancellable) : NULL;
  g_autoptr (LoomRankBreakdown) times =
    waits != NULL ? loom_rank_breakdown_new_of_devices (input->frame->timeline, input->range, waits, cancellable)
                  : NULL;
  const LoomIdleTime *counted = times != NULL ? loom_idle_start_get (collectives, cancellable) : NULL;
  loom_page_count_part (input, cancellable);
  if (counted == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  LoomWaitCause cause =
    loom_wait_cause_find (input, collectives, breakdown, get_wait_percent (counted, times), cancellable);
  fill (sheet, input, counted, idle, times, breakdown, &cause);
  g_free (cause.phrase);
  return loom_page_finish (sheet, cancellable);
}
