/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the ranks, parts of steps and causes that explain the difference between the runs, and writes sentences about
 * them.
 */
#include "loom-comparison-words.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-comparison-ranks.h"
#include "loom-cxx-name.h"
#include "loom-ellipsize.h"
#include "loom-list-separator.h"
#include "loom-module-report.h"
#include "loom-sentence.h"
#include "loom-time.h"

#define NAME_LETTERS 40 /* maximum length of the name of a run in the headline, in characters */
/* A note may name a rank whose own work takes less time in the slower run than in the faster run. The note is added
 * only if this difference is at least the share BETTER_SHARE of the change of the step. */
#define BETTER_SHARE 0.5
/* A note names at most MOST_KERNELS kernels, which explain at least LEAST_TIME of the longer computing time. It names no
 * further kernel if they explain ENOUGH_TIME. */
#define MOST_KERNELS 3
#define LEAST_TIME 0.5
#define ENOUGH_TIME 0.8
#define KERNEL_LETTERS 48 /* maximum length of the name of a kernel in a sentence, in characters */

/* --- the headline ------------------------------------------------------------------------------------------------- */

/* Returns the change of one part of a step in words: "computing +44 ms", "other idle time −3.1 ms". Owned by the
 * caller. */
static char *
dup_part_change (LoomStepBreakdownPart part, double change_ns)
{
  g_autofree char *length = loom_time_format_duration (llround (fabs (change_ns))),
                  *change = g_strconcat (change_ns < 0 ? "−" : "+", length, NULL);
  switch (part) {
  case LOOM_STEP_BREAKDOWN_COMPUTE:
    return g_strdup_printf (
      /* Translators: part of a list of changes: "computing +44 ms, copying −3.1 ms"; %s is a change of a
       * time */
      _ ("computing %s"), change);
  case LOOM_STEP_BREAKDOWN_RANK_WAIT:
    return g_strdup_printf (
      /* Translators: part of a list of changes, like "computing %s" */
      _ ("waiting for other ranks %s"), change);
  case LOOM_STEP_BREAKDOWN_TRANSFER:
    return g_strdup_printf (
      /* Translators: part of a list of changes, like "computing %s": "transfers between ranks +44 ms" */
      _ ("transfers between ranks %s"), change);
  case LOOM_STEP_BREAKDOWN_COPY:
    return g_strdup_printf (
      /* Translators: part of a list of changes, like "computing %s" */
      _ ("copying %s"), change);
  case LOOM_STEP_BREAKDOWN_DATA_WAIT:
    return g_strdup_printf (
      /* Translators: part of a list of changes, like "computing %s" */
      _ ("waiting for data %s"), change);
  case LOOM_STEP_BREAKDOWN_IDLE:
  case LOOM_STEP_BREAKDOWN_N_PARTS:
  default:
    return g_strdup_printf (
      /* Translators: part of a list of changes, like "computing %s": "other idle time −50 ms" */
      _ ("other idle time %s"), change);
  }
}

/* Returns the part of a step whose time changes most on the main ranks (LoomRunComparison.n_main: the few ranks that
 * explain the change). Parts whose bits are set in `listed` are skipped. Returns LOOM_STEP_BREAKDOWN_N_PARTS if no
 * other part changes. */
static LoomStepBreakdownPart
find_next_part (const LoomRunComparison *comparison, guint listed)
{
  LoomStepBreakdownPart found = LOOM_STEP_BREAKDOWN_N_PARTS;
  double most_ns = 0;
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++) {
    double change_ns = fabs (loom_run_comparison_get_main_part_change (comparison, part));
    if ((listed & 1u << part) == 0 && change_ns > most_ns) {
      found = part;
      most_ns = change_ns;
    }
  }
  return found;
}

/* Returns the factor that converts a change (second run minus first run) into the change that sentences state (slower
 * run minus faster run): −1 if the first run is the slower one, otherwise 1. */
static double
get_sign (const LoomRunComparison *comparison)
{
  return loom_run_comparison_get_slower (comparison) == 0 ? -1 : 1;
}

/* Returns the sum of the changes of all parts of a step, in ns. The change of the whole step can differ from this sum,
 * because it may be a change of medians, and because some steps may not be recorded. */
static double
sum_part_changes (const LoomRunComparison *comparison)
{
  double sum_ns = 0;
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    sum_ns += loom_run_comparison_get_main_part_change (comparison, part);
  return sum_ns;
}

/* Exposed transfers are those that computing does not hide. The time of exposed transfers may change although the
 * transfers take equally long in both runs, because computing hides more or less of them. `change_ns`: change of the
 * time of exposed transfers. `exposed_ns`: the part of this change for which the hiding is the reason. Returns TRUE if
 * `exposed_ns` is more than half of `change_ns`. */
static gboolean
is_exposure (double change_ns, double exposed_ns)
{
  return fabs (exposed_ns) > fabs (change_ns) / 2;
}

/* Returns the change of a part of a step on the main ranks (LoomRunComparison.n_main), as text like that of
 * dup_part_change(). If transfers take equally long in both runs, but computing hides less of them in the slower run,
 * the text says so. Owned by the caller. */
static char *
dup_main_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part, double change_ns)
{
  double slower_ns = get_sign (comparison) * change_ns;
  if (part != LOOM_STEP_BREAKDOWN_TRANSFER || slower_ns <= 0 ||
      !is_exposure (change_ns, loom_run_comparison_get_exposed_change (comparison)))
    return dup_part_change (part, slower_ns);
  g_autofree char *length = loom_time_format_duration (llround (slower_ns));
  /* Translators: part of a list such as "computing +8.6 ms, waiting for other ranks −2.8 ms"; a time */
  return g_strdup_printf (_ ("transfers no longer hidden by computing +%s"), length);
}

/* Returns the changes of the parts of a step, as times of the slower run minus times of the faster run: "waiting for
 * data +58 ms, other idle time −50 ms". Begins with the part `first`, and continues until the changes of all remaining
 * parts are small. Owned by the caller. */
static char *
dup_part_changes (const LoomRunComparison *comparison, LoomStepBreakdownPart first)
{
  GString *text = g_string_new (NULL);
  double rest_ns = sum_part_changes (comparison),
         least_ns = LOOM_RUN_COMPARISON_NOTABLE * fabs (loom_run_comparison_get_step_change (comparison));
  guint listed = 0;
  for (LoomStepBreakdownPart part = first; part < LOOM_STEP_BREAKDOWN_N_PARTS;
       part = find_next_part (comparison, listed)) {
    double change_ns = loom_run_comparison_get_main_part_change (comparison, part);
    g_autofree char *change = dup_main_part_change (comparison, part, change_ns);
    g_string_append_printf (text, listed != 0 ? ", %s" : "%s", change);
    listed |= 1u << part;
    rest_ns -= change_ns;
    if (fabs (rest_ns) <= least_ns)
      break;
  }
  return g_string_free (text, FALSE);
}

static char *
dup_cause (const LoomRunComparison *comparison, const char *verdict)
{
  if (comparison->n_main > 0) {
    double change_ns = loom_run_comparison_get_main_change (comparison);
    g_autofree char *ranks = loom_comparison_ranks_dup_main (comparison),
                    *change = loom_time_format_duration (llround (fabs (change_ns)));
    return loom_comparison_ranks_dup_cause (comparison, verdict, ranks, change);
  }
  /* a run may be slower in total although its recorded steps are not longer; the parts of these steps then cannot
   * explain why it is slower */
  LoomStepBreakdownPart part = loom_run_comparison_find_main_part (comparison);
  if (get_sign (comparison) * sum_part_changes (comparison) <= 0)
    return g_strdup (verdict);
  g_autofree char *changes = dup_part_changes (comparison, part);
  /* Translators: a sentence, then "waiting for data +58 ms, other idle time −50 ms" */
  return g_strdup_printf (_ ("%s: %s per step on average"), verdict, changes);
}

/* Returns a short name of a run: the last part of its path, with an ellipsis in the middle if it is longer than `most`
 * characters. Owned by the caller. */
static char *
dup_short_name (const char *name, glong most)
{
  const char *slash = strrchr (name, '/');
  return loom_ellipsize_middle (slash != NULL && slash[1] != '\0' ? slash + 1 : name, most);
}

void
loom_comparison_words_make_short_names (const char *const names[2], glong most, char *short_names[2])
{
  for (guint i = 0; i < 2; i++)
    short_names[i] = dup_short_name (names[i], most);
  if (!g_str_equal (short_names[0], short_names[1]))
    return;
  g_free (short_names[0]);
  g_free (short_names[1]);
  /* Translators: in place of the name of a run, in "%s is 12.0 %% slower than %s" */
  short_names[0] = g_strdup (C_ ("run", "the first run"));
  /* Translators: in place of the name of a run, in "%s is 12.0 %% slower than %s" */
  short_names[1] = g_strdup (C_ ("run", "the second run"));
}

/* Returns a sentence that says which of the two runs with these names takes longer, and by how much. Owned by the
 * caller. */
static char *
dup_verdict (const char *slower, const char *faster, double slower_ns, double faster_ns)
{
  double times = slower_ns / fmax (faster_ns, 1);
  g_autofree char *longer = loom_time_format_duration (llround (slower_ns)),
                  *shorter = loom_time_format_duration (llround (faster_ns));
  if (times < 2)
    /* Translators: the name of a run, a number, the name of the other run, two times */
    return g_strdup_printf (_ ("%s is %.1f %% slower than %s (median step %s instead of %s)"), slower,
                            100 * (times - 1), faster, longer, shorter);
  /* Translators: the name of a run, a number, the name of the other run, two times */
  return g_strdup_printf (_ ("%s takes %.1f times as long as %s (median step %s instead of %s)"), slower, times, faster,
                          longer, shorter);
}

/* Returns a sentence about the long steps that make a run slower. Owned by the caller. */
static char *
dup_long_steps (const LoomRunComparison *comparison, guint slower, const char *verdict)
{
  const GArray *steps = comparison->long_steps[slower];
  const LoomLongStep *longest = &g_array_index (steps, LoomLongStep, 0);
  g_autofree char *number = g_strdup_printf ("%" G_GINT64_FORMAT, longest->step),
                  *length = loom_time_format_duration (llround (longest->length_ns)),
                  *typical = loom_time_format_duration (llround (longest->typical_ns)),
                  *all = loom_time_format_duration (llround (loom_long_steps_sum_excess (steps)));
  if (steps->len == 1 && comparison->n_ranks > 1)
    /* Translators: a sentence, the number of a step, two times */
    return g_strdup_printf (_ ("%s: step %s takes %s instead of %s, averaged over the ranks"), verdict, number, length,
                            typical);
  if (steps->len == 1)
    /* Translators: a sentence, the number of a step, two times */
    return g_strdup_printf (_ ("%s: step %s takes %s instead of %s"), verdict, number, length, typical);
  /* Translators: a sentence, a number of steps, a time, the number of a step, two times */
  return g_strdup_printf (ngettext ("%s: %u step takes %s longer; step %s takes %s instead of %s",
                                    "%s: %u steps take %s longer in total; step %s takes %s instead of %s", steps->len),
                          verdict, steps->len, all, number, length, typical);
}

/* Returns the headline for two runs with equal median steps but different mean steps. Owned by the caller. */
static char *
dup_headline_of_means (const LoomRunComparison *comparison, guint slower, char *const short_names[2])
{
  const double *mean_ns = comparison->mean_step_ns;
  g_autofree char *median = loom_time_format_duration (llround (comparison->breakdowns[slower]->median_ns)),
                  *longer = loom_time_format_duration (llround (mean_ns[slower])),
                  *shorter = loom_time_format_duration (llround (mean_ns[1 - slower]));
  /* Translators: a time, the name of a run, a number, the name of the other run, two times */
  g_autofree char *verdict = g_strdup_printf (
    _ (
      "Typical steps take the same time (median %s), but %s is %.1f %% slower than %s on average (mean step %s instead "
      "of %s)"),
    median, short_names[slower], 100 * (mean_ns[slower] / fmax (mean_ns[1 - slower], 1) - 1), short_names[1 - slower],
    longer, shorter);
  return loom_run_comparison_is_by_long_steps (comparison) ? dup_long_steps (comparison, slower, verdict)
                                                           : dup_cause (comparison, verdict);
}

/* Returns the headline for two runs that are equally fast. Owned by the caller. */
static char *
dup_headline_of_equals (const LoomRunComparison *comparison)
{
  const double *mean_ns = comparison->mean_step_ns;
  g_autofree char *first = loom_time_format_duration (llround (comparison->breakdowns[0]->median_ns)),
                  *second = loom_time_format_duration (llround (comparison->breakdowns[1]->median_ns)),
                  *first_mean = loom_time_format_duration (llround (mean_ns[0])),
                  *second_mean = loom_time_format_duration (llround (mean_ns[1]));
  if (comparison->is_mixed)
    return g_strdup_printf (_ ("Neither run is clearly slower: median step %s and %s, mean step %s and %s"), first,
                            second, first_mean, second_mean);
  return g_strdup_printf (_ ("Both runs take the same time: median step %s and %s, less than 1 %% apart"), first,
                          second);
}

/* Returns words about the span name with the largest change of time: "largest change: gemm −31.6 ms"; "" if the time of
 * no name has changed. Owned by the caller. */
static char *
dup_largest_change (const LoomRunComparison *comparison)
{
  double time_ns[2] = { 0, 0 };
  if (comparison->n_names > 0)
    loom_run_comparison_get_name_times (comparison, comparison->names[0], time_ns);
  double change_ns = time_ns[1] - time_ns[0];
  if (fabs (change_ns) < 1)
    return g_strdup ("");
  g_autofree char *name = loom_cxx_name_dup_brief (comparison->names[0]->name, NAME_LETTERS),
                  *length = loom_time_format_duration (llround (fabs (change_ns)));
  return g_strdup_printf (/* Translators: a name, a minus or plus sign, and a time */
                          _ ("The largest change is that of %s: %s%s."), name, change_ns < 0 ? "−" : "+", length);
}

/* Returns how long kernels and copies take in both runs, summed over all devices; NULL if this is unknown. Owned by the
 * caller. */
static char *
dup_device_times (const LoomRunComparison *comparison, const char *const names[2])
{
  if (!loom_module_report_has_table (comparison) || comparison->modules->rows[0].time_ns[0] <= 0)
    return NULL;
  const double *times_ns = comparison->modules->rows[0].time_ns;
  double percent = 100 * (times_ns[1] / times_ns[0] - 1);
  g_autofree char *first = loom_time_format_duration (llround (times_ns[0])),
                  *second = loom_time_format_duration (llround (times_ns[1]));
  char *short_names[2];
  loom_comparison_words_make_short_names (names, NAME_LETTERS, short_names);
  char *text = g_strdup_printf (
    /* Translators: a time, the name of a run, a time, the name of the other run, a plus or minus sign, and the change in
     * percent */
    _ ("Kernels and copies take %s in %s and %s in %s (%s%.1f %%)."), first, short_names[0], second, short_names[1],
    percent < 0 ? "−" : "+", fabs (percent));
  g_free (short_names[0]);
  g_free (short_names[1]);
  return text;
}

/* Returns the headline for two runs of which at least one has no steps. Owned by the caller. */
static char *
dup_headline_without_steps (const LoomRunComparison *comparison, const char *const names[2])
{
  const char *limit =
    loom_module_report_has_table (comparison)
      ? _ ("At least one of the runs has no training steps, so only modules and names can be compared")
      : _ ("At least one of the runs has no training steps, so only names can be compared");
  g_autofree char *times = dup_device_times (comparison, names), *largest = dup_largest_change (comparison);
  if (times == NULL)
    return g_strdup (limit);
  g_autofree char *begin = loom_sentence_join (times, largest);
  return loom_sentence_join (begin, limit);
}

char *
loom_comparison_words_dup_headline (const LoomRunComparison *comparison, const char *const names[2])
{
  if (!loom_run_comparison_has_steps (comparison))
    return dup_headline_without_steps (comparison, names);
  const double medians_ns[] = { comparison->breakdowns[0]->median_ns, comparison->breakdowns[1]->median_ns };
  int slower = loom_run_comparison_get_slower (comparison);
  if (slower < 0)
    return dup_headline_of_equals (comparison);
  char *short_names[2], *headline;
  loom_comparison_words_make_short_names (names, NAME_LETTERS, short_names);
  if (comparison->by_mean) {
    headline = dup_headline_of_means (comparison, (guint) slower, short_names);
  } else {
    g_autofree char *verdict =
      dup_verdict (short_names[slower], short_names[1 - slower], medians_ns[slower], medians_ns[1 - slower]);
    headline = dup_cause (comparison, verdict);
  }
  g_free (short_names[0]);
  g_free (short_names[1]);
  return headline;
}

/* --- notes shown with the headline -------------------------------------------------------------------------------- */

/* Adds a note that states how the parts of a step change on the main ranks (LoomRunComparison.n_main), for example that
 * these ranks wait less. `short_names`: the names of both runs. Adds nothing if the headline already names a part of a
 * step that explains the whole change. */
static void
add_main_ranks_note (const LoomRunComparison *comparison, char *const short_names[2], GPtrArray *notes)
{
  double step_ns = loom_run_comparison_get_step_change (comparison),
         main_ns = loom_run_comparison_get_main_change (comparison);
  if (comparison->n_main == 0 || fabs (main_ns - step_ns) <= LOOM_RUN_COMPARISON_NOTABLE * fabs (step_ns))
    return;
  g_autofree char *ranks = loom_comparison_ranks_dup_main (comparison),
                  *changes = dup_part_changes (comparison, comparison->main_ranks_part);
  const char *slower = short_names[loom_run_comparison_get_slower (comparison)];
  g_ptr_array_add (notes, loom_comparison_ranks_dup_parts (comparison->ranks[0].is_process, comparison->n_main, ranks,
                                                           slower, changes));
}

/* Returns the rank that spends much less time on its own work in the slower run than in the faster run; the difference
 * is at least BETTER_SHARE of the change of the step. Returns NULL if there is no such rank, or if there are
 * several. */
static const LoomRankChange *
find_better_rank (const LoomRunComparison *comparison)
{
  double sign = get_sign (comparison),
         least_ns = BETTER_SHARE * fabs (loom_run_comparison_get_step_change (comparison));
  const LoomRankChange *found = NULL;
  for (guint i = 0; i < comparison->n_ranks; i++) {
    const LoomRankChange *rank = &comparison->ranks[i];
    if (rank->is_main || -sign * rank->own_ns < least_ns)
      continue;
    if (found != NULL)
      return NULL;
    found = rank;
  }
  return found;
}

/* Adds a note about the rank whose own work takes less time in the slower run than in the faster run, for example
 * because it was slow in the faster run. This rank is the reason why the step changed by less than the sum of the
 * causes in the headline. */
static void
add_better_note (const LoomRunComparison *comparison, char *const short_names[2], GPtrArray *notes)
{
  const LoomRankChange *rank = loom_run_comparison_get_slower (comparison) >= 0 ? find_better_rank (comparison) : NULL;
  double sign = get_sign (comparison), best_ns = 0;
  LoomStepBreakdownPart best = LOOM_STEP_BREAKDOWN_COMPUTE;
  for (LoomStepBreakdownPart part = 0; rank != NULL && part < LOOM_STEP_BREAKDOWN_N_PARTS; part++) {
    double change_ns = sign * (rank->typical[1].parts_ns[part] - rank->typical[0].parts_ns[part]);
    if (part == LOOM_STEP_BREAKDOWN_RANK_WAIT || part == LOOM_STEP_BREAKDOWN_TRANSFER || change_ns >= best_ns)
      continue;
    best = part;
    best_ns = change_ns;
  }
  if (best_ns == 0)
    return;
  g_autofree char *number = loom_comparison_ranks_dup_number (comparison, rank),
                  *change = dup_part_change (best, best_ns);
  const char *slower = short_names[loom_run_comparison_get_slower (comparison)];
  g_ptr_array_add (notes, loom_comparison_ranks_dup_parts (rank->is_process, 1, number, slower, change));
}

/* Adds a note if the other ranks spend more time on transfers only because they wait for the main ranks
 * (LoomRunComparison.n_main). In the faster run, computing hid these transfers. In the slower run, the transfers begin
 * only after the wait, when there is nothing left to compute. */
static void
add_exposed_note (const LoomRunComparison *comparison, GPtrArray *notes)
{
  double sign = get_sign (comparison), exposed_ns = sign * loom_run_comparison_get_all_exposed_change (comparison),
         change_ns = sign * loom_run_comparison_get_part_change (comparison, LOOM_STEP_BREAKDOWN_TRANSFER),
         step_ns = fabs (loom_run_comparison_get_step_change (comparison));
  if (comparison->n_main == 0 || comparison->main_ranks_part == LOOM_STEP_BREAKDOWN_TRANSFER || change_ns <= 0 ||
      exposed_ns < LOOM_RUN_COMPARISON_NOTABLE * step_ns || !is_exposure (change_ns, exposed_ns))
    return;
  g_autofree char *ranks = loom_comparison_ranks_dup_main (comparison),
                  *length = loom_time_format_duration (llround (exposed_ns));
  g_ptr_array_add (notes, loom_comparison_ranks_dup_exposed (comparison, length, ranks));
}

/* A kernel that computes, and how much longer it takes per step in the slower run, as the mean over all ranks. */
typedef struct {
  const LoomNameChange *name;
  double longer_ns, factor;
} LongerKernel;

static int
compare_kernels (gconstpointer a, gconstpointer b)
{
  const LongerKernel *x = a, *y = b;
  return x->longer_ns > y->longer_ns ? -1 : x->longer_ns < y->longer_ns;
}

/* Returns an array of LongerKernel, longest first: the kernels of both runs that take longer in the slower run. */
static GArray *
list_longer_kernels (const LoomRunComparison *comparison)
{
  guint slower = (guint) loom_run_comparison_get_slower (comparison);
  GArray *kernels = g_array_new (FALSE, FALSE, sizeof (LongerKernel));
  for (guint i = 0; i < comparison->n_work_names; i++) {
    const LoomNameChange *name = comparison->names[i];
    double time_ns[2];
    loom_run_comparison_get_name_times (comparison, name, time_ns);
    const LongerKernel kernel = { name, time_ns[slower] - time_ns[1 - slower], time_ns[slower] / time_ns[1 - slower] };
    if (name->work == LOOM_WORK_KIND_COMPUTE && time_ns[1 - slower] > 0 && kernel.longer_ns > 0)
      g_array_append_val (kernels, kernel);
  }
  g_array_sort (kernels, compare_kernels);
  return kernels;
}

/* Returns the first `n` kernels, each with its additional time: "gemm (+83 %), flash_fwd (+80 %)". Owned by the
 * caller. */
static char *
dup_kernels (const GArray *kernels, guint n)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n; i++) {
    const LongerKernel *kernel = &g_array_index (kernels, LongerKernel, i);
    g_autofree char *brief = loom_cxx_name_dup_brief (kernel->name->name, KERNEL_LETTERS);
    g_ptr_array_add (texts,
                     g_strdup_printf (/* Translators: the name of a kernel, and how much longer it takes */
                                      C_ ("kernel, extra time", "%s (%+.0f %%)"), brief, 100 * (kernel->factor - 1)));
  }
  return loom_list_separator_join_all (texts);
}

/* Adds a note that names the kernels that explain the longer computing time, if this is the reason why a run is slower on
 * all ranks, and if at most MOST_KERNELS kernels explain most of it. */
static void
add_kernels_note (const LoomRunComparison *comparison, GPtrArray *notes)
{
  double longer_ns =
           get_sign (comparison) * loom_run_comparison_get_part_change (comparison, LOOM_STEP_BREAKDOWN_COMPUTE),
         listed_ns = 0;
  if (loom_run_comparison_get_slower (comparison) < 0 || comparison->n_main > 0 || longer_ns <= 0 ||
      loom_run_comparison_find_main_part (comparison) != LOOM_STEP_BREAKDOWN_COMPUTE)
    return;
  g_autoptr (GArray) kernels = list_longer_kernels (comparison);
  guint n = 0;
  while (n < MIN (kernels->len, MOST_KERNELS) && listed_ns < ENOUGH_TIME * longer_ns)
    listed_ns += g_array_index (kernels, LongerKernel, n++).longer_ns;
  if (listed_ns < LEAST_TIME * longer_ns)
    return;
  g_autofree char *names = dup_kernels (kernels, n);
  g_ptr_array_add (notes, g_strdup_printf (
                            /* Translators: a percentage, and a list of kernels such as “gemm (+40 %)” */
                            ngettext ("Of the time that computing takes longer, %.0f %% is in one kernel: %s.",
                                      "Of the time that computing takes longer, %.0f %% is in these kernels: %s.", n),
                            fmin (100 * listed_ns / longer_ns, 100), names));
}

/* Returns a sentence that states `cause`, the reason why devices are idle for a different time in the slower run.
 * `change`: for example "+2.5 ms"; `before` and `after`: mean length of an idle gap in the faster and in the slower
 * run. Owned by the caller. */
static char *
dup_idle_words (LoomIdleCause cause, const char *change, const char *before, const char *after)
{
  switch (cause) {
  case LOOM_IDLE_CAUSE_HOST:
    return g_strdup_printf (_ ("Idle devices wait for the host: %s per step; the mean gap is %s instead of %s."),
                            change, after, before);
  case LOOM_IDLE_CAUSE_KERNEL:
    return g_strdup_printf (
      _ ("Devices are idle between queued kernels: %s per step; the mean gap is %s instead of %s."), change, after,
      before);
  case LOOM_IDLE_CAUSE_OTHER:
    return g_strdup_printf (
      _ ("Idle devices wait for other streams or devices: %s per step; the mean gap is %s instead of %s."), change,
      after, before);
  case LOOM_IDLE_CAUSE_UNKNOWN:
  case LOOM_N_IDLE_CAUSES:
  default:
    return g_strdup_printf (_ ("The cause of idle time is unknown for %s per step, because launches are not recorded."),
                            change);
  }
}

static void
add_idle_note (const LoomRunComparison *comparison, GPtrArray *notes)
{
  if (!comparison->has_idle)
    return;
  int slower = loom_run_comparison_get_slower (comparison);
  const LoomIdleParts *idle = comparison->idle, *more = &idle[slower], *less = &idle[1 - slower];
  double idle_ns =
    get_sign (comparison) * loom_run_comparison_get_main_part_change (comparison, LOOM_STEP_BREAKDOWN_IDLE);
  double sign = idle_ns < 0 ? -1 : 1;
  LoomIdleCause cause = loom_idle_parts_find_main (less, more, sign);
  double change_ns = more->per_step_ns[cause] - less->per_step_ns[cause];
  if (sign * change_ns <= 0)
    return;
  g_autofree char *length = loom_time_format_duration (llround (fabs (change_ns))),
                  *change = g_strconcat (sign < 0 ? "−" : "+", length, NULL),
                  *before = loom_time_format_duration (llround (less->gap_ns[cause])),
                  *after = loom_time_format_duration (llround (more->gap_ns[cause]));
  g_ptr_array_add (notes, dup_idle_words (cause, change, before, after));
}

/* Adds a note that states what made the longest step of the run long. Adds nothing if all long steps together take only
 * a small part of the run's time. */
static void
add_long_step_note (const LoomRunComparison *comparison, guint which, const char *name, GPtrArray *notes)
{
  const GArray *steps = comparison->long_steps[which];
  const LoomStepBreakdown *breakdown = comparison->breakdowns[which];
  if (steps->len == 0 || loom_long_steps_sum_excess (steps) <
                           LOOM_RUN_COMPARISON_LEAST * comparison->mean_step_ns[which] * comparison->n_steps[which])
    return;
  const LoomLongStep *step = &g_array_index (steps, LoomLongStep, 0);
  if (step->part >= LOOM_STEP_BREAKDOWN_N_PARTS)
    return;
  g_autofree char *change = dup_part_change (step->part, step->part_ns),
                  *number = g_strdup_printf ("%" G_GINT64_FORMAT, step->step);
  if (step->is_process)
    /* Translators: the number of a step, the name of a run, the id of a process, then "other idle time +20 ms" */
    g_ptr_array_add (notes, g_strdup_printf (_ ("Step %s of %s, process %d: %s compared with its other steps."), number,
                                             name, step->rank, change));
  else if (step->rank >= 0)
    /* Translators: the number of a step, the name of a run, the number of a rank, then "other idle time +20 ms" */
    g_ptr_array_add (notes, g_strdup_printf (_ ("Step %s of %s, rank %d: %s compared with its other steps."), number,
                                             name, step->rank, change));
  else if (breakdown->n_ranks > 0)
    /* Translators: the number of a step, the name of a run, then "other idle time +20 ms" */
    g_ptr_array_add (notes,
                     g_strdup_printf (_ ("Step %s of %s: %s compared with its other steps."), number, name, change));
}

static void
add_recorded_note (const LoomStepBreakdown *breakdown, const char *name, GPtrArray *notes)
{
  if (breakdown->n_recorded < breakdown->n_steps)
    /* Translators: the name of a run, two numbers */
    g_ptr_array_add (
      notes,
      g_strdup_printf (
        ngettext (
          "In %s, devices are recorded in %u of %u step of all ranks; the parts of a step are computed only from these.",
          "In %s, devices are recorded in %u of %u steps of all ranks; the parts of a step are computed only from these.",
          breakdown->n_steps),
        name, breakdown->n_recorded, breakdown->n_steps));
}

static void
add_ranks_note (const LoomRunComparison *comparison, char *const names[2], GPtrArray *notes)
{
  if (loom_run_comparison_has_equal_ranks (comparison) || !loom_run_comparison_has_steps (comparison))
    return;
  g_ptr_array_add (
    notes,
    g_strdup_printf (
      /* Translators: the name of a run and its number of ranks, then the name of the other run and its number of ranks
       */
      _ (
        "Ranks with steps: %s has %u, %s has %u. Times by name are the mean of all ranks of a run, and a rank that only "
        "one run has is not compared."),
      names[0], comparison->breakdowns[0]->n_ranks, names[1], comparison->breakdowns[1]->n_ranks));
}

static gboolean
has_processes (const LoomRunComparison *comparison)
{
  gboolean has = FALSE;
  for (guint i = 0; i < comparison->n_ranks && !has; i++)
    has = comparison->ranks[i].is_process && comparison->n_ranks > 1;
  return has;
}

char **
loom_comparison_words_dup_notes (const LoomRunComparison *comparison, const char *const names[2])
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();
  char *short_names[2];
  loom_comparison_words_make_short_names (names, NAME_LETTERS, short_names);
  if (comparison->by_position)
    g_ptr_array_add (notes,
                     g_strdup (_ ("The runs have no step number in common, so steps are matched by their position: "
                                  "the first with the first.")));
  if (comparison->breakdowns[0]->has_early_waits || comparison->breakdowns[1]->has_early_waits)
    g_ptr_array_add (
      notes, g_strdup (_ ("A step includes its wait for data, even if the wait was recorded before the step.")));
  if (has_processes (comparison))
    g_ptr_array_add (notes, g_strdup (_ ("The ranks of processes are not recorded, so processes are matched by their "
                                         "node and order.")));
  add_ranks_note (comparison, short_names, notes);
  for (guint i = 0; i < 2; i++)
    add_recorded_note (comparison->breakdowns[i], short_names[i], notes);
  add_main_ranks_note (comparison, short_names, notes);
  add_better_note (comparison, short_names, notes);
  add_exposed_note (comparison, notes);
  add_kernels_note (comparison, notes);
  add_idle_note (comparison, notes);
  /* If a slow link is the cause, the note about modules is omitted: kernels of a collective belong to a module, but the
   * module is not the reason why they are slow. */
  gboolean is_link = comparison->n_main > 0 && comparison->main_ranks_part == LOOM_STEP_BREAKDOWN_TRANSFER;
  char *modules = is_link ? NULL : loom_module_report_dup_sentence (comparison, (const char *const *) short_names);
  if (modules != NULL)
    g_ptr_array_add (notes, modules);
  for (guint i = 0; i < 2; i++) {
    add_long_step_note (comparison, i, short_names[i], notes);
    g_free (short_names[i]);
  }
  g_ptr_array_add (notes, NULL);
  return (char **) g_ptr_array_steal (notes, NULL);
}
