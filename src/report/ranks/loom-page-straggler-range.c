/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the sentences of the page "Stragglers" for a range with too few steps to compute a slowdown, from the slowdown
 * of the whole run. The whole run has the typical times with which the ranks in the range are compared.
 */
#include "loom-page-private.h"

#include "loom-missing-ranks.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

/* A rank computes about as long as is typical if it computes at most this many percent longer. The heat map of the page
 * has the same limit. */
#define MOST_TYPICAL_PERCENT 5

/* The worker that exceeds the typical computing time most in a range. */
typedef struct {
  const LoomSlowdownWorker *worker; /* NULL: no step of the run is in the range */
  guint step;                       /* index in LoomSlowdown.steps */
  double percent;                   /* excess of the computing time in this step, in percent of the typical time */
} Longest;

static gboolean
is_inside (LoomRange outer, LoomRange inner)
{
  gint64 middle_ns = loom_time_add (inner.begin_ns, loom_time_sub (inner.end_ns, inner.begin_ns) / 2);
  return middle_ns >= outer.begin_ns && middle_ns < outer.end_ns;
}

/* Compares the computing times of all workers in a step with the typical time. If the greatest excess is greater than
 * that of `longest`, sets `longest` to the worker with this excess. */
static void
compare_workers (const LoomSlowdown *slowdown, guint step, Longest *longest)
{
  for (guint i = 0; i < slowdown->workers->len; i++) {
    double percent = 100 * (slowdown->cells[(gsize) i * slowdown->steps->len + step] - 1);
    if (!isfinite (percent) || (longest->worker != NULL && percent <= longest->percent))
      continue;
    *longest = (Longest) { &g_array_index (slowdown->workers, LoomSlowdownWorker, i), step, percent };
  }
}

/* Compares the workers in the steps whose middle is in the range. If there are none, because the range is a part of a
 * step, compares them in the steps that contain the middle of the range. O(workers · steps). */
static Longest
find_longest (const LoomSlowdown *slowdown, LoomRange range)
{
  Longest inside = { 0 }, around = { 0 };
  for (guint i = 0; i < slowdown->steps->len; i++) {
    LoomRange step = g_array_index (slowdown->steps, LoomSlowdownStep, i).range;
    if (is_inside (range, step))
      compare_workers (slowdown, i, &inside);
    else if (is_inside (step, range))
      compare_workers (slowdown, i, &around);
  }
  return inside.worker != NULL ? inside : around;
}

/* Returns a sentence with the waits in the range, summed over all ranks. NULL: no rank waits. Owned by the caller. */
static char *
dup_waits (gint64 collectives_ns, gint64 messages_ns)
{
  g_autofree char *collectives = loom_time_format_duration (collectives_ns),
                  *messages = loom_time_format_duration (messages_ns);
  if (messages_ns > 0)
    return g_strdup_printf (
      /* Translators: two durations */
      _ ("All ranks together wait %s in collectives and %s for messages."), collectives, messages);
  return collectives_ns > 0 ? g_strdup_printf (/* Translators: a duration */
                                               _ ("All ranks together wait %s in collectives."), collectives)
                            : NULL;
}

/* Returns the sentences for a range in which no rank is slow. Owned by the caller. */
static char *
dup_typical (LoomCollectives *whole, const LoomSlowdown *slowdown, const LoomStragglers *stragglers,
             const LoomPageStragglerWaits *waits)
{
  g_autofree char *wait = dup_waits (stragglers->wait_ns, waits->messages_ns),
                  *transfers = loom_page_dup_unequal_transfers (slowdown, whole);
  GString *text = g_string_new (
    _ ("No rank slows down the others in this range: each computes about as long as is typical of the whole run."));
  if (wait != NULL)
    loom_sentence_append (text, wait);
  if (transfers != NULL)
    loom_sentence_append (text, transfers);
  return g_string_free (text, FALSE);
}

gboolean
loom_page_add_typical_answer (LoomPageContent *sheet, const LoomPageInput *input, LoomCollectives *whole,
                              const LoomSlowdown *slowdown, const LoomStragglers *stragglers,
                              const LoomPageStragglerWaits *waits)
{
  Longest longest = find_longest (slowdown, input->range);
  if (longest.worker == NULL || longest.percent > MOST_TYPICAL_PERCENT)
    return FALSE;
  g_autoptr (LoomMissingRanks) missing = loom_missing_ranks_new (loom_timeline_get_run (input->frame->timeline));
  g_autofree char *text =
    loom_missing_ranks_count (missing) > 0
      ? g_strdup (_ (
          "No open rank slows down the others. Some ranks of the job are not open, so it is unknown whether the others wait for one of these."))
      : dup_typical (whole, slowdown, stragglers, waits);
  loom_page_content_add_answer (sheet, text);
  return TRUE;
}

gboolean
loom_page_add_slow_step_note (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  Longest longest = find_longest (slowdown, input->range);
  if (longest.worker == NULL)
    return FALSE;
  gint64 number = g_array_index (slowdown->steps, LoomSlowdownStep, longest.step).number;
  g_autofree char *name = loom_page_dup_slowdown_worker (input, slowdown, longest.worker);
  g_autofree char *text =
    number >= 0
      ? g_strdup_printf (/* Translators: the number of a step, the name of a rank, and a percentage */
                         _ ("In step %" PRId64 ", %s computes %.0f %% longer than is typical of the whole run."),
                         number, name, longest.percent)
      : g_strdup_printf (/* Translators: the name of a rank, and a percentage */
                         _ ("In this step, %s computes %.0f %% longer than is typical of the whole run."), name,
                         longest.percent);
  loom_page_content_add_note (sheet, text);
  return TRUE;
}
