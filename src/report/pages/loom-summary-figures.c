/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-summary-figures.h"

#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-page-private.h"
#include "loom-step-breakdown.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* --- sums --------------------------------------------------------------------------------------------------------- */

LoomSummarySums
loom_summary_figures_sum (const LoomRankBreakdown *breakdown)
{
  const LoomRankTime *times = breakdown->ranks;
  LoomSummarySums sums = { .devices = loom_device_parts_get_word (breakdown) };
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const gint64 parts[] = { times[i].compute_ns, times[i].exposed_communication_ns, times[i].exposed_copy_ns,
                             times[i].idle_ns };
    sums.recorded += (double) times[i].recorded_ns;
    sums.communication += (double) times[i].communication_ns;
    for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
      sums.parts[k] += (double) parts[k];
  }
  return sums;
}

/* Results about the steps of all ranks that overlap the range. Durations are those of whole steps, but waits count only
 * inside the range. If devices are recorded in some of the steps, only the waits in those steps count. */
typedef struct {
  guint n_steps;
  double median_ns; /* median duration of a step in ns; NAN if there are no steps */
  guint n_measured; /* number of steps from which the members below are computed */
  gint64 waits_for_ranks_ns, waits_for_data_ns;
  /* time of all waits for data, in ns: waits_for_data_ns, plus the waits for data during which devices work */
  gint64 all_data_waits_ns;
  /* the part of waits_for_ranks_ns in collectives; in the rest of it, ranks wait for messages */
  gint64 collective_waits_ns;
  gint64 all_ns; /* total time of the n_measured steps */
  /* `n_ranks`: number of ranks. `n_each`: number of steps of each rank; 0 if ranks have different numbers of steps */
  guint n_ranks, n_each;
  gboolean is_cut; /* TRUE if the range contains only a part of one of the steps */
  /* TRUE if ranks wait for the data of a step before the span of the step, so that the real step is longer than its
   * span */
  gboolean has_early_waits;
} StepSums;

static void
add_step (StepSums *sums, const LoomStepTime *step, LoomRange range)
{
  const gint64 *parts_ns = step->parts_ns;
  sums->n_measured++;
  sums->is_cut |= step->begin_ns < range.begin_ns || step->end_ns > range.end_ns;
  sums->waits_for_ranks_ns = loom_time_add (sums->waits_for_ranks_ns, parts_ns[LOOM_STEP_BREAKDOWN_RANK_WAIT]);
  sums->waits_for_data_ns = loom_time_add (sums->waits_for_data_ns, parts_ns[LOOM_STEP_BREAKDOWN_DATA_WAIT]);
  sums->all_data_waits_ns = loom_time_add (sums->all_data_waits_ns, step->data_waits_ns);
  sums->collective_waits_ns = loom_time_add (sums->collective_waits_ns, step->collective_waits_ns);
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    sums->all_ns = loom_time_add (sums->all_ns, parts_ns[part]);
}

static gboolean
has_devices (const LoomStepBreakdown *breakdown)
{
  for (guint i = 0; i < breakdown->n_ranks; i++)
    if (breakdown->ranks[i].has_device)
      return TRUE;
  return FALSE;
}

static StepSums
sum_steps (const LoomStepBreakdown *breakdown, LoomRange range)
{
  gboolean only_devices = has_devices (breakdown);
  StepSums sums = { .n_steps = breakdown->n_steps,
                    .median_ns = breakdown->n_steps > 0 ? breakdown->median_ns : NAN,
                    .n_ranks = breakdown->n_ranks,
                    .has_early_waits = breakdown->has_early_waits };
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    sums.n_each = i == 0 || rank->n_steps == sums.n_each ? rank->n_steps : 0;
    for (guint k = 0; (rank->has_device || !only_devices) && k < rank->n_steps; k++)
      if (rank->steps[k].is_recorded || !only_devices)
        add_step (&sums, &rank->steps[k], range);
  }
  return sums;
}

/* Returns TRUE if each rank has one step in the range. */
static gboolean
is_one_step (const StepSums *steps)
{
  return steps->n_each == 1 || steps->n_steps == 1;
}

/* Returns a note that states from how many steps the median was computed. Owned by the caller. */
static char *
dup_step_note (const StepSums *steps)
{
  if (is_one_step (steps))
    return steps->n_ranks > 1
             ? g_strdup_printf (/* Translators: the number of ranks */
                                ngettext ("median of %u rank", "median of %u ranks", steps->n_ranks), steps->n_ranks)
             : g_strdup (_ ("the only step in this range"));
  if (steps->n_ranks > 1 && steps->n_each > 0)
    return g_strdup_printf (
      /* Translators: the number of steps of a rank, and the number of ranks */
      ngettext ("median of %u step on each of %u ranks", "median of %u steps on each of %u ranks", steps->n_each),
      steps->n_each, steps->n_ranks);
  return g_strdup_printf (steps->n_ranks > 1 ? ngettext ("median of %u step over all ranks",
                                                         "median of %u steps over all ranks", steps->n_steps)
                                             : ngettext ("median of %u step", "median of %u steps", steps->n_steps),
                          steps->n_steps);
}

static void
add_step_figure (LoomPageContent *sheet, const StepSums *steps)
{
  g_autofree char *value = loom_chart_format (steps->median_ns, "ns");
  g_autofree char *note = dup_step_note (steps);
  /* The label says that the number includes the wait for data, because the page "Steps" shows a shorter median: that of
   * the spans alone. */
  const char *median = steps->has_early_waits ? _ ("Median Step with Its Wait for Data") : _ ("Median Step"),
             *single = steps->has_early_waits ? _ ("Step with Its Wait for Data") : _ ("Step Duration");
  loom_page_content_add_figure (sheet, is_one_step (steps) ? single : median, value, note);
}

/* The note about busy devices states how long the devices only copy memory, provided that this is at least this
 * percentage of their time. */
#define LEAST_COPY_PERCENT 10

/* Returns a note that says when devices count as busy, and how long they only copy memory; it also states the
 * utilization by the GPUs' own counters if they were recorded. Owned by the caller. */
static char *
dup_busy_note (const LoomPageInput *input, const LoomSummarySums *sums)
{
  double counted = loom_page_get_counted_usage (input),
         copies = loom_statistics_percent (sums->parts[2], sums->recorded);
  g_autofree char *value = loom_chart_format (counted, "%"), *copying = loom_chart_format (copies, "%");
  if (copies >= LEAST_COPY_PERCENT)
    return isnan (counted)
             ? g_strdup_printf (
                 _ ("share of the recorded time with a kernel or a copy; %s is nothing but copying memory"), copying)
             : g_strdup_printf (
                 _ (
                   "share of the recorded time with a kernel or a copy; %s is nothing but copying memory; the GPUs’ own counters report %s"),
                 copying, value);
  if (isnan (counted))
    return g_strdup (_ ("share of the recorded time with a kernel or a copy"));
  return g_strdup_printf (_ ("share of the recorded time with a kernel or a copy; the GPUs’ own counters report %s"),
                          value);
}

static void
add_device_figures (LoomPageContent *sheet, const LoomPageInput *input, const LoomSummarySums *sums)
{
  gboolean known = sums->recorded > 0;
  g_autofree char *note = dup_busy_note (input, sums);
  g_autofree char *busy =
    loom_chart_format (known ? loom_statistics_percent (sums->recorded - sums->parts[3], sums->recorded) : NAN, "%");
  g_autofree char *exposed =
    loom_chart_format (known ? loom_statistics_percent (sums->parts[1], sums->recorded) : NAN, "%");
  g_autofree char *title =
    g_strdup_printf (/* Translators: %s is “GPUs” or “TPUs” */ _ ("%s Busy (from Trace)"), sums->devices);
  const char *none = _ ("There are no GPU kernels or memory copies in this range.");
  loom_page_content_add_figure (sheet, title, busy, known ? note : none);
  if (!known || sums->communication > 0)
    loom_page_content_add_figure (
      sheet, _ ("Exposed Communication"), exposed,
      known
        ? _ (
            "share of the recorded time with communication, while nothing is computed; includes waiting for other ranks")
        : none);
}

void
loom_summary_figures_set_headline (LoomPageContent *sheet, const LoomSummarySums *sums)
{
  if (sums->recorded <= 0)
    return;
  double computing = loom_statistics_percent (sums->parts[0], sums->recorded),
         exposed = loom_statistics_percent (sums->parts[1], sums->recorded),
         idle = loom_statistics_percent (sums->parts[3], sums->recorded);
  g_autofree char *text =
    sums->communication > 0
      ? g_strdup_printf (
          /* Translators: “GPUs” or “TPUs”, and three percentages */
          _ (
            "%s compute for %.1f %% of their time, communicate without computing for %.1f %%, and are idle for %.1f %%."),
          sums->devices, computing, exposed, idle)
      : g_strdup_printf (/* Translators: “GPUs” or “TPUs”, and two percentages */
                         _ ("%s compute for %.1f %% of their time, and are idle for %.1f %%."), sums->devices,
                         computing, idle);
  loom_page_content_set_headline (sheet, text);
}

/* Returns the text for one kind of wait, such as "8.00 ms for data". `part`: index of the kind in dup_waiting_parts().
 * Owned by the caller. */
static char *
dup_waiting_part (guint part, const char *time)
{
  switch (part) {
  case 0:
    return g_strdup_printf (/* Translators: a duration; one of the parts of “waiting during steps …: %s” */
                            _ ("%s for other ranks in collectives"), time);
  case 1:
    return g_strdup_printf (/* Translators: a duration; one of the parts of “waiting during steps …: %s” */
                            _ ("%s for messages from other ranks"), time);
  default:
    return g_strdup_printf (/* Translators: a duration, or a text such as “356 ms of 416 ms”; one of the parts of “waiting
                             * during steps …: %s” */
                            _ ("%s for data"), time);
  }
}

/* Returns the time of the exposed waits for data, as text. If the time of all waits for data is different when
 * formatted, the text contains both: "300 µs of 8.00 ms". The findings and the page “Data Loading” state the time of
 * all waits. Owned by the caller. */
static char *
dup_data_waits (const StepSums *steps)
{
  g_autofree char *exposed = loom_chart_format ((double) steps->waits_for_data_ns, "ns"),
                  *all = loom_chart_format ((double) steps->all_data_waits_ns, "ns");
  if (strcmp (exposed, all) == 0)
    return g_steal_pointer (&exposed);
  return g_strdup_printf (/* Translators: two durations: the part of the waits during which nothing is computed, and all
                           * waits */
                          _ ("%s of %s"), exposed, all);
}

/* Returns the list of the kinds of waits that take time, such as "300 µs in collectives, 8.00 ms for data". Owned by
 * the caller. */
static char *
dup_waiting_parts (const StepSums *steps)
{
  const gint64 parts_ns[] = { steps->collective_waits_ns, steps->waits_for_ranks_ns - steps->collective_waits_ns,
                              steps->waits_for_data_ns };
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts_ns); i++) {
    g_autofree char *time = i < 2 ? loom_chart_format ((double) parts_ns[i], "ns") : dup_data_waits (steps);
    if (parts_ns[i] <= 0)
      continue;
    g_string_append (text, text->len > 0 ? loom_list_separator () : "");
    g_autofree char *part = dup_waiting_part (i, time);
    g_string_append (text, part);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns the note about waits for a run in which the waits of all steps are known. `parts`: the list of the waits.
 * Owned by the caller. */
static char *
dup_waits_of_all_steps (const StepSums *steps, const char *parts)
{
  if (is_one_step (steps) && steps->n_ranks == 1)
    return g_strdup_printf (/* Translators: a list such as "8.00 ms for data" */
                            _ ("of the step’s time, while nothing is computed: %s"), parts);
  if (is_one_step (steps))
    return g_strdup_printf (/* Translators: a list such as "300 µs for other ranks in collectives, 8.00 ms for data" */
                            _ ("of the step’s time on all ranks, while nothing is computed: %s"), parts);
  if (steps->n_ranks == 1)
    return g_strdup_printf (/* Translators: a list such as "8.00 ms for data" */
                            _ ("of the steps’ time, while nothing is computed: %s"), parts);
  return g_strdup_printf (/* Translators: a list such as "300 µs for other ranks in collectives, 8.00 ms for data" */
                          _ ("of the steps’ time on all ranks, while nothing is computed: %s"), parts);
}

/* Returns for how long and for what the ranks wait, and in which steps. Owned by the caller. */
static char *
dup_waiting_note (const StepSums *steps)
{
  g_autofree char *parts = dup_waiting_parts (steps);
  if (parts[0] == '\0')
    return g_strdup (_ ("waiting for other ranks or for data during steps, while nothing is computed"));
  if (steps->n_measured == steps->n_steps)
    return dup_waits_of_all_steps (steps, parts);
  return g_strdup_printf (
    /* Translators: the number of steps in which devices were recorded, the number of all steps, and a list such as
     * "300 µs for other ranks in collectives, 8.00 ms for data" */
    _ ("of the time of the %u of %u steps that have recorded devices, while nothing is computed: %s"),
    steps->n_measured, steps->n_steps, parts);
}

static void
add_waiting_figure (LoomPageContent *sheet, const StepSums *steps)
{
  double waits_ns = (double) (steps->waits_for_ranks_ns + steps->waits_for_data_ns);
  g_autofree char *value = loom_chart_format (loom_statistics_percent (waits_ns, (double) steps->all_ns), "%"),
                  *note = dup_waiting_note (steps);
  loom_page_content_add_figure (sheet, _ ("Exposed Waiting"), value, note);
}

/* Adds the main results if the run has neither steps nor work of devices. Such a run has main results only if memory was
 * recorded; otherwise, sentences elsewhere on the page say which data is missing. Returns FALSE when cancelled. */
static gboolean
add_other_figures (LoomPageContent *sheet, const LoomPageInput *input, LoomSteps *steps, GCancellable *cancellable)
{
  guint n_before = sheet->blocks->len;
  if (!loom_page_add_memory_figures (sheet, input, steps, cancellable))
    return FALSE;
  if (sheet->blocks->len > n_before)
    loom_page_content_move_last_first (sheet);
  return TRUE;
}

/* A note is added if the time in steps differs from the recorded time of the devices by more than this percentage.
 * Smaller differences are normal: if steps begin at slightly different times on the ranks, the range of a step cuts the
 * step a little on some ranks. */
#define LEAST_CUT_PERCENT 1

/* Adds a note if the range cuts steps, and the time in steps differs from the recorded time of the devices by more than
 * LEAST_CUT_PERCENT. The share of the waits then refers only to the time in steps, but the shares in the charts refer
 * to the whole range. */
static void
add_cut_note (LoomPageContent *sheet, const StepSums *steps, const LoomSummarySums *sums)
{
  double outside_ns = fabs (sums->recorded - (double) steps->all_ns);
  if (!steps->is_cut || !(loom_statistics_percent (outside_ns, sums->recorded) > LEAST_CUT_PERCENT))
    return;
  loom_page_content_add_note (sheet, _ ("This range cuts steps of some ranks. Exposed waiting counts only the time of "
                                        "steps inside the range; the charts count the whole range."));
  loom_page_content_move_last_first (sheet);
}

static void
add_all (LoomPageContent *sheet, const LoomPageInput *input, const StepSums *steps, const LoomSummarySums *sums,
         gboolean can_wait)
{
  if (can_wait)
    add_cut_note (sheet, steps, sums);
  loom_page_content_add_figures (sheet, _ ("At a Glance"));
  /* A main result without a value is omitted: it would need a note with the reason, which another part of the page
   * states already. */
  if (steps->n_steps > 0)
    add_step_figure (sheet, steps);
  add_device_figures (sheet, input, sums);
  if (can_wait)
    add_waiting_figure (sheet, steps);
  loom_page_content_move_last_first (sheet);
}

gboolean
loom_summary_figures_add (LoomPageContent *sheet, const LoomPageInput *input, LoomSteps *found,
                          const LoomSummarySums *sums, GCancellable *cancellable)
{
  /* collectives of the whole run, because steps that overlap the range may extend beyond it */
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomCollectives) collectives = loom_frame_collectives_get (input->frame, whole, cancellable);
  g_autoptr (LoomStepBreakdown) breakdown =
    collectives != NULL
      ? loom_step_breakdown_new (input->frame->timeline, found, collectives, input->range, cancellable)
      : NULL;
  if (breakdown == NULL)
    return FALSE;
  const StepSums steps = sum_steps (breakdown, input->range);
  if (steps.n_steps == 0 && sums->recorded <= 0)
    return add_other_figures (sheet, input, found, cancellable);
  /* The waiting time would always be 0 in a run without collectives and without waits for data. */
  gboolean can_wait =
    steps.n_steps > 0 && (collectives->n > 0 || steps.waits_for_ranks_ns + steps.waits_for_data_ns > 0);
  add_all (sheet, input, &steps, sums, can_wait);
  return TRUE;
}
