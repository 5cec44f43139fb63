/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-slow-rank.h"

#include <glib/gi18n.h>

#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-rank-order.h"
#include "loom-slowdown.h"

/* The sentence mentions that other ranks wait for a slow rank if these waits are at least this share of the lost time
 * that the rule reports. */
#define MOSTLY 0.5
/* A rank is slow in a step if its computation takes at least this many times as long as the typical computation. */
#define SLOW 1.05
/* If a rule passed, but ranks lose time, this loss is mentioned if it is at least this percentage of the time of the
 * steps. */
#define LEAST_SMALL_PERCENT 2
#define MAX_NAMED 4 /* maximum number of stragglers that a sentence names */

/* Moves the only mark of a result to `range` and `span`, where the rank is slow, and returns TRUE. Does so only if this
 * mark has no span: such a mark covers the whole run, and shows neither which rank is slow nor why. Otherwise changes
 * nothing, and returns FALSE. */
static gboolean
set_mark (LoomRuleResult *result, LoomRange range, LoomSpanId span)
{
  LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, 0);
  if (result->marks->len != 1 || result->n_left_out > 0 || loom_timeline_span_id_is_none (span) ||
      !loom_timeline_span_id_is_none (mark->span))
    return FALSE;
  mark->begin_ns = range.begin_ns;
  mark->end_ns = range.end_ns;
  mark->span = span;
  result->range = range;
  return TRUE;
}

/* --- waits for the rank in collectives ---------------------------------------------------------------------------- */

/* Returns how long other ranks wait for `rank`, in total, in the collectives that end in the range. Sets `worst` to the
 * index of the collective in which they wait longest; G_MAXUINT: they never wait for this rank. */
static double
sum_waits_for (gint rank, const LoomCollectives *collectives, LoomRange range, guint *worst)
{
  double sum = 0, longest = 0;
  *worst = G_MAXUINT;
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *collective = &collectives->all[i];
    if (collective->end_ns <= range.begin_ns || collective->end_ns > range.end_ns)
      continue;
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
    g_autofree double *shares = loom_rank_order_dup_shares (collectives, collective);
    for (guint k = 0; k < collective->n; k++) {
      if (members[k].rank != rank)
        continue;
      sum += shares[k];
      *worst = shares[k] > longest ? i : *worst;
      longest = MAX (longest, shares[k]);
    }
  }
  return sum;
}

static LoomSpanId
get_span_of (gint rank, const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  for (guint i = 0; i < collective->n; i++)
    if (members[i].rank == rank)
      return loom_collectives_get_span (collectives, &members[i]);
  return LOOM_SPAN_ID_NONE;
}

static void
mark_collective (LoomRuleResult *result, gint rank, const LoomCollectives *collectives, guint number)
{
  const LoomCollective *collective = &collectives->all[number];
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  const LoomRange range = { members[0].arrival_ns, MAX (collective->end_ns, collective->arrival_ns) + 1 };
  set_mark (result, range, get_span_of (rank, collectives, collective));
}

static void
say_waits (LoomRuleResult *result, gint rank, const LoomCollectives *collectives)
{
  guint worst;
  double waited_ns = sum_waits_for (rank, collectives, (LoomRange) { G_MININT64, G_MAXINT64 }, &worst);
  if (waited_ns <= 0 || waited_ns < MOSTLY * (double) result->lost_ns)
    return;
  g_autofree char *sentence = g_strdup (result->sentence), *wait = loom_time_format_duration ((gint64) waited_ns);
  result->holds_up = TRUE;
  loom_rule_result_take_late_ranks (result, rank, 1, g_strdup_printf ("%d", rank));
  result->caused_ns = (gint64) waited_ns;
  /* Translators: the first is a sentence about a rank, the second the sum of the time that other ranks wait. */
  loom_rule_result_set_message (result, LOOM_RULE_FIRED, _ ("%s; the other ranks wait %s for this rank"), sentence,
                                wait);
  mark_collective (result, rank, collectives, worst);
}

/* --- sentences about the straggler -------------------------------------------------------------------------------- */

/* Adds to the sentence how long other ranks wait because of the straggler. The “Stragglers” page states the same
 * time. */
static void
say_caused (LoomRuleResult *result, const LoomSlowdown *slowdown)
{
  g_autofree char *sentence = g_strdup (result->sentence), *caused = loom_time_format_duration (slowdown->caused_ns),
                  *all = loom_time_format_duration (slowdown->waits_ns);
  if (slowdown->caused_ns > 0 && slowdown->stragglers->len == 1)
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  /* Translators: the first is a sentence about a rank, the others are sums of times. */
                                  _ ("%s; this causes %s of the total of %s that ranks wait in collectives"), sentence,
                                  caused, all);
}

/* Adds to the sentence which kernels of the straggler take longer, if this is known. */
static void
say_kernels (LoomRuleResult *result, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (slowdown, worker);
  g_autofree char *sentence = g_strdup (result->sentence);
  if (cause != NULL && cause->kind == LOOM_SLOWDOWN_CAUSE_DEVICE)
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  /* Translators: a sentence about a rank without a full stop, and a percentage */
                                  _ ("%s. Nearly all its kernels take about %.0f %% longer than on the other ranks"),
                                  sentence, 100 * (cause->factor - 1));
  else if (cause != NULL && cause->kind == LOOM_SLOWDOWN_CAUSE_MOST_KERNELS)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: a sentence about a rank without a full stop, and two percentages */
      _ ("%s. Most of its kernels (%.0f %% of their time) take about %.0f %% longer than on the other ranks"), sentence,
      100 * cause->alike, 100 * (cause->alike_factor - 1));
  else if (cause != NULL && cause->kind == LOOM_SLOWDOWN_CAUSE_KERNELS) {
    g_autofree char *names = loom_slowdown_cause_dup_names (cause);
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  /* Translators: a sentence without a full stop, and kernels: “gemm (+40 %)” */
                                  ngettext ("%s. One kernel takes longer than on the other ranks: %s",
                                            "%s. These kernels take longer than on the other ranks: %s", cause->n_main),
                                  sentence, names);
  }
}

/* Adds to the sentence whether the inputs of the straggler explain its longer kernels, if this is known. */
static void
say_inputs (LoomRuleResult *result, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (slowdown, worker);
  g_autofree char *sentence = g_strdup (result->sentence);
  if (cause != NULL && cause->inputs == LOOM_SLOWDOWN_INPUTS_SAME)
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  /* Translators: a sentence about a rank without a full stop */
                                  _ ("%s. Its inputs have the same shapes as on other ranks"), sentence);
  else if (cause != NULL && cause->inputs == LOOM_SLOWDOWN_INPUTS_LARGER)
    loom_rule_result_set_message (result, LOOM_RULE_FIRED,
                                  /* Translators: a sentence about a rank without a full stop */
                                  _ ("%s. Its inputs are larger than on other ranks"), sentence);
}

/* Returns how much of a mean step would be saved if all stragglers were repaired, in percent. */
static double
get_saved_percent (const LoomSlowdown *slowdown)
{
  return 100 * (double) slowdown->saved_ns / (double) loom_slowdown_get_pace (slowdown);
}

/* Returns the ranks of the stragglers for a sentence, such as "3 and 5". Owned by the caller. */
static char *
dup_ranks (const LoomSlowdown *slowdown)
{
  g_autoptr (GPtrArray) ranks = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < slowdown->stragglers->len; i++) {
    guint worker = g_array_index (slowdown->stragglers, guint, i);
    g_ptr_array_add (ranks, g_strdup_printf ("%d", g_array_index (slowdown->workers, LoomSlowdownWorker, worker).rank));
  }
  return loom_list_separator_join_most (ranks, MAX_NAMED);
}

static void
say_saved (LoomRuleResult *result, const LoomSlowdown *slowdown)
{
  g_autofree char *sentence = g_strdup (result->sentence), *ranks = dup_ranks (slowdown);
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    /* Translators: the first is a sentence without a full stop, the second "3" or "3, 5". */
    ngettext ("%s. Fixing rank %s would save %.1f %% of a step", "%s. Fixing ranks %s would save %.1f %% of a step",
              slowdown->stragglers->len),
    sentence, ranks, get_saved_percent (slowdown));
}

static void
add_slow_step (LoomRuleResult *result, LoomRange step)
{
  if (result->n_held++ < LOOM_RULE_MAX_MARKS) {
    g_array_append_val (result->held, step);
    return;
  }
  LoomRange *last = &g_array_index (result->held, LoomRange, result->held->len - 1);
  last->end_ns = MAX (last->end_ns, step.end_ns);
}

/* Stores in the result all steps in which the worker is slow, because the mark shows only one of them. `cells`: the
 * worker's values in LoomSlowdown.cells. */
static void
note_slow_steps (LoomRuleResult *result, const LoomSlowdown *slowdown, const double *cells)
{
  result->n_steps = slowdown->steps->len;
  for (guint i = 0; i < slowdown->steps->len; i++) {
    if (cells[i] >= SLOW)
      add_slow_step (result, g_array_index (slowdown->steps, LoomSlowdownStep, i).range);
  }
  json_object_set_int_member (result->details, "slow_steps", result->n_held);
  json_object_set_int_member (result->details, "steps", result->n_steps);
}

/* Moves the mark to the step in which the worker's computation is longest relative to the typical computation. The
 * marked span is the worker's part in one collective of this step: the one in which the other ranks wait longest for
 * the worker. */
static void
mark_slowest_step (LoomRuleResult *result, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker,
                   const LoomCollectives *collectives)
{
  guint number = (guint) (worker - &g_array_index (slowdown->workers, LoomSlowdownWorker, 0)), worst,
        slowest = loom_slowdown_find_slowest_step (slowdown, number);
  gsize first = (gsize) number * slowdown->steps->len;
  LoomRange range = g_array_index (slowdown->steps, LoomSlowdownStep, slowest).range;
  LoomSpanId span = slowdown->spans[first + slowest];
  if (slowdown->source == LOOM_SLOWDOWN_OF_KERNELS && sum_waits_for (worker->rank, collectives, range, &worst) > 0)
    span = get_span_of (worker->rank, collectives, &collectives->all[worst]);
  if (set_mark (result, range, span))
    note_slow_steps (result, slowdown, &slowdown->cells[first]);
}

/* Adds to the headline how much of each step the straggler costs, as time and in percent. This is less than the time by
 * which the straggler computes longer if other work hides a part of it. */
static void
say_cost (LoomRuleResult *result, const LoomSlowdown *slowdown)
{
  g_autofree char *headline = g_strdup (result->headline), *saved = loom_time_format_duration (slowdown->saved_ns);
  double percent = get_saved_percent (slowdown);
  if (headline != NULL && slowdown->stragglers->len == 1 && percent >= 0.5)
    loom_rule_result_set_headline (
      result,
      /* Translators: the first is a sentence about a rank, without a full stop: "Rank 3 computes 5 ms longer"; then a
       * duration and a percentage. */
      _ ("%s, which costs %s of each step (%.1f %%)"), headline, saved, percent);
}

static void
say_straggler (LoomRuleResult *result, const LoomSlowdown *slowdown, const LoomSlowdownWorker *worker,
               const LoomCollectives *collectives)
{
  result->holds_up = TRUE;
  loom_rule_result_take_late_ranks (result, worker->rank, slowdown->stragglers->len, dup_ranks (slowdown));
  result->lost_ns = result->stated_saving_ns = loom_slowdown_get_total_saving (slowdown);
  result->caused_ns = slowdown->caused_ns;
  say_cost (result, slowdown);
  say_caused (result, slowdown);
  if (slowdown->stragglers->len == 1)
    say_kernels (result, slowdown, worker);
  say_inputs (result, slowdown, worker);
  say_saved (result, slowdown);
  mark_slowest_step (result, slowdown, worker, collectives);
}

/* For each other rank, adds up its waits in the collectives in which `rank` arrives last. Returns the greatest of these
 * sums, in ns. */
static gint64
find_longest_waits (gint rank, const LoomCollectives *collectives)
{
  gint64 longest_ns = 0;
  /* rank → how long the rank waits, in ns (gint64) */
  g_autoptr (GHashTable) waits = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *collective = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
    for (guint k = 0; k + 1 < collective->n && members[collective->n - 1].rank == rank; k++) {
      gint64 *sum_ns = g_hash_table_lookup (waits, GINT_TO_POINTER (members[k].rank));
      if (sum_ns == NULL)
        g_hash_table_insert (waits, GINT_TO_POINTER (members[k].rank), sum_ns = g_new0 (gint64, 1));
      *sum_ns = loom_time_add (*sum_ns, loom_rank_order_get_wait (collectives, collective, &members[k]));
      longest_ns = MAX (longest_ns, *sum_ns);
    }
  }
  return longest_ns;
}

/* Limits the lost time of a run that is read from an index file. An index file has no launches, so steps cannot be
 * replayed to compute the lost time. But the lost time cannot exceed the longest total wait of one other rank for the
 * slow rank. The lost time is less than this limit if the waiting rank also waits for something else. */
static void
bound_lost (LoomRuleResult *result, gint rank, LoomCollectives *collectives)
{
  if (!result->holds_up || !loom_run_has_index (loom_timeline_get_run (collectives->timeline)))
    return;
  result->lost_ns = MIN (result->lost_ns, find_longest_waits (rank, collectives));
  result->lost_at_most = TRUE;
}

/* Sets the lost time of a result if its range has too few steps for a replay. The lost time is then that part of the
 * savings of the whole run that lies in the range. Returns FALSE if the rank is not a straggler of the run, if nothing
 * is lost in the range, or when cancelled. */
static gboolean
say_straggler_of_run (LoomRuleResult *result, gint rank, LoomCollectives *collectives, LoomDataFrame *frame,
                      GCancellable *cancellable)
{
  static const LoomRange whole = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (frame, whole, cancellable);
  const LoomSlowdown *slowdown = all != NULL ? loom_slowdown_get (all, cancellable) : NULL;
  const LoomSlowdownWorker *worker = slowdown != NULL ? loom_slowdown_find_rank (slowdown, rank) : NULL;
  if (worker == NULL || !loom_slowdown_fits (slowdown) || !loom_slowdown_is_straggler (slowdown, worker))
    return FALSE;
  gint64 saved_ns = loom_slowdown_get_saving_in (slowdown, collectives->range);
  if (saved_ns <= 0)
    return FALSE;
  result->lost_ns = result->stated_saving_ns = saved_ns;
  say_waits (result, rank, collectives);
  g_autofree char *sentence = g_strdup (result->sentence), *ranks = dup_ranks (slowdown),
                  *saved = loom_time_format_duration (saved_ns);
  result->holds_up = TRUE;
  loom_rule_result_take_late_ranks (result, rank, slowdown->stragglers->len, dup_ranks (slowdown));
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    /* Translators: the first is a sentence without a full stop, the second "3" or "3 and 5", the third a duration. */
    ngettext ("%s. Fixing rank %s would save %s in this range", "%s. Fixing ranks %s would save %s in this range",
              slowdown->stragglers->len),
    sentence, ranks, saved);
  return TRUE;
}

void
loom_custom_rule_slow_rank_explain (LoomRuleResult *result, gint rank, LoomCollectives *collectives,
                                    LoomDataFrame *frame, GCancellable *cancellable)
{
  const LoomSlowdown *slowdown = rank >= 0 ? loom_slowdown_get (collectives, cancellable) : NULL;
  const LoomSlowdownWorker *worker = slowdown != NULL ? loom_slowdown_find_rank (slowdown, rank) : NULL;
  if (slowdown == NULL)
    return;
  if (worker != NULL && loom_slowdown_fits (slowdown) && loom_slowdown_is_straggler (slowdown, worker))
    say_straggler (result, slowdown, worker, collectives);
  else if (loom_slowdown_fits (slowdown) || !say_straggler_of_run (result, rank, collectives, frame, cancellable)) {
    say_waits (result, rank, collectives);
    bound_lost (result, rank, collectives);
  }
}

/* --- losses below the limit of the rule --------------------------------------------------------------------------- */

/* Returns sentences about stragglers whose loss is too small for a finding. Owned by the caller. */
static char *
dup_small_loss (const LoomSlowdown *slowdown)
{
  guint n = slowdown->stragglers->len;
  guint main_step = loom_slowdown_find_main_step (slowdown);
  g_autofree char *ranks = dup_ranks (slowdown);
  double percent = get_saved_percent (slowdown);
  if (main_step != G_MAXUINT) {
    g_autofree char *step = g_strdup_printf ("%" G_GINT64_FORMAT,
                                             g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number),
                    *saved = loom_time_format_duration (loom_slowdown_get_total_saving (slowdown));
    return g_strdup_printf (
      /* Translators: the number of a rank, the number of a step, a duration, and a percentage */
      _ (
        "The others wait for rank %s, mostly in step %s. Fixing this rank would save %s (%.1f %% of the time of all steps)."),
      ranks, step, saved, percent);
  }
  return g_strdup_printf (
    /* Translators: "3" or "3, 5", and a percentage */
    ngettext ("The others wait for rank %s. Fixing this rank would save %.1f %% of each step.",
              "The others wait for ranks %s. Fixing these ranks would save %.1f %% of each step.", n),
    ranks, percent);
}

void
loom_custom_rule_slow_rank_note_small_loss (LoomRuleResult *result, LoomCollectives *collectives,
                                            GCancellable *cancellable)
{
  const LoomSlowdown *slowdown = loom_slowdown_get (collectives, cancellable);
  if (slowdown == NULL || slowdown->missing != NULL || !loom_slowdown_fits (slowdown) ||
      slowdown->stragglers->len == 0 || get_saved_percent (slowdown) < LEAST_SMALL_PERCENT)
    return;
  loom_rule_result_take_small_loss (result, dup_small_loss (slowdown), loom_slowdown_get_total_saving (slowdown));
}
