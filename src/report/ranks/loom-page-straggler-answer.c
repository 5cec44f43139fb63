/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the top of the page "Stragglers". It states which ranks slow down the others, how much time would be saved if
 * these ranks were as fast as the others, and which work takes longer on them. The finding about a slow rank is
 * computed from the same LoomSlowdown, so the page and the finding state the same times.
 */
#include "loom-page-private.h"

#include "loom-frame-collectives.h"
#include "loom-late-ranks.h"
#include "loom-list-separator.h"
#include "loom-missing-ranks.h"
#include "loom-sentence.h"
#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#define MAX_NAMED 4
#define LEAST_SLOWDOWN 1.02
/* M_S is the share of the lost time that would be saved if the last pipeline stage were as fast as the others
 * (loom-slowdown.h). If M_S is at least this value, the page names the last stage as the cause. The value is from the
 * paper that loom-slowdown.h cites. */
#define LEAST_SHARE 0.5
/* A rank that is not a straggler may also make other ranks wait, because it itself waits for a third rank. The page
 * names such a rank only if the waits for it are at least this share of all waits. */
#define LEAST_WAITED 0.05
/* Minimum saving, as a share of the time of a range. If repairing the ranks that are slow in the whole run would save
 * less of this time, they do not slow down the range. The limit for slow ranks of the whole run is the same
 * (loom-slowdown.h). */
#define LEAST_SAVING 0.01
/* A rank causes a wait of other ranks only if it does not itself wait for a third rank at that time. If a rank causes
 * at most this share of the time that other ranks wait for it, the page states that they wait for it mostly because of
 * the third rank. */
#define MOST_OWN 0.5

typedef struct {
  LoomPageContent *sheet;
  const LoomPageInput *input;
  const LoomSlowdown *slowdown;
  const LoomStragglers *stragglers; /* lateness of the ranks in collectives; NULL: the run has no collectives */
  const LoomHostDelay *delay;       /* the ranks that are late because of their hosts; NULL: there are none */
  const LoomPageStragglerWaits *waits;
} Answer;

/* Returns TRUE if the files of some ranks of the job are not open. It is then unknown how long the other ranks wait for
 * these ranks. */
static gboolean
has_missing (const Answer *self)
{
  g_autoptr (LoomMissingRanks) missing = loom_missing_ranks_new (loom_timeline_get_run (self->input->frame->timeline));
  return loom_missing_ranks_count (missing) > 0;
}

static const LoomSlowdownWorker *
get_straggler (const Answer *self, guint i)
{
  return &g_array_index (self->slowdown->workers, LoomSlowdownWorker,
                         g_array_index (self->slowdown->stragglers, guint, i));
}

char *
loom_page_dup_straggler_names (const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  const Answer answer = { .input = input, .slowdown = slowdown }, *self = &answer;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, self->slowdown->stragglers->len + 1);
  for (guint i = 0; i < self->slowdown->stragglers->len; i++) {
    g_ptr_array_add (names, loom_page_dup_slowdown_worker (self->input, self->slowdown, get_straggler (self, i)));
    ranks[i] = get_straggler (self, i)->rank;
  }
  return loom_page_join_ranks (names, ranks, MAX_NAMED);
}

/* Returns by how much the computing time of a worker in a step exceeds the typical time, in percent of the typical
 * time. */
static double
get_step_percent (const Answer *self, const LoomSlowdownWorker *worker, guint step)
{
  gsize number = (gsize) (worker - &g_array_index (self->slowdown->workers, LoomSlowdownWorker, 0));
  return 100 * (self->slowdown->cells[number * self->slowdown->steps->len + step] - 1);
}

/* Returns by how much the computing time of a worker exceeds the typical time, in percent of the typical time; mean
 * over all steps. */
static double
get_extra_percent (const Answer *self, const LoomSlowdownWorker *worker)
{
  guint n = 0;
  double sum = 0;
  for (guint i = 0; i < self->slowdown->steps->len; i++) {
    double percent = get_step_percent (self, worker, i);
    if (!isfinite (percent))
      continue;
    sum += percent;
    n++;
  }
  return n > 0 ? sum / n : NAN;
}

static double
get_most_percent (const Answer *self)
{
  double most = NAN;
  for (guint i = 0; i < self->slowdown->stragglers->len; i++)
    most = fmax (most, get_extra_percent (self, get_straggler (self, i)));
  return most;
}

/* Returns the share of the waits in collectives during which the waiting rank computes nothing, in percent; NAN:
 * unknown. */
static double
get_exposed_percent (const Answer *self)
{
  gint64 exposed_ns = self->waits->exposed_collectives_ns;
  if (exposed_ns < 0 || self->stragglers == NULL || self->stragglers->wait_ns <= 0)
    return NAN;
  return fmin (loom_statistics_percent ((double) exposed_ns, (double) self->stragglers->wait_ns), 100);
}

/* Appends a sentence about the waits that the stragglers cause, and about the share of all waits during which nothing
 * is computed. The waits are summed over ranks: a mean would fit no rank, because ranks that share collectives with a
 * straggler wait much longer than the others. */
static void
append_waits (const Answer *self, GString *text)
{
  gint64 caused_ns = self->slowdown->caused_ns;
  if (caused_ns <= 0 || has_missing (self))
    return;
  double exposed = get_exposed_percent (self);
  g_autofree char *caused = loom_time_format_duration (caused_ns);
  g_autofree char *sentence =
    isfinite (exposed)
      ? g_strdup_printf (
          /* Translators: a duration, and a percentage */
          _ (
            "In collectives, ranks wait %s in total because of slow ranks; during %.0f %% of all waits in collectives, nothing is computed."),
          caused, exposed)
      : g_strdup_printf (/* Translators: a duration */
                         _ ("In collectives, ranks wait %s in total because of slow ranks."), caused);
  loom_sentence_append (text, sentence);
}

char *
loom_page_dup_main_step_saving (const LoomPageInput *input, const char *name, gint64 step, gint64 saved_ns)
{
  g_autofree char *saved = loom_time_format_duration (saved_ns), *share = loom_page_dup_share (input, saved_ns);
  return g_strdup_printf (
    /* Translators: the name of a rank, the number of a step, a duration, and a share such as “2.4 % of the run” */
    _ ("The others wait for %s, mostly in step %" PRId64 ": fixing this rank would save %s (%s)."), name, step, saved,
    share);
}

/* Adds the sentences at the top of the page for a rank that loses most of its time in one step. */
static void
add_answer_of_step (const Answer *self, guint main_step)
{
  const LoomSlowdown *slowdown = self->slowdown;
  g_autofree char *names = loom_page_dup_straggler_names (self->input, slowdown),
                  *answer = loom_page_dup_main_step_saving (
                    self->input, names, g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number,
                    loom_slowdown_get_total_saving (slowdown)),
                  *longer = g_strdup_printf (/* Translators: a percentage */
                                             _ ("In this step, it computes %.0f %% longer than is typical."),
                                             get_step_percent (self, get_straggler (self, 0), main_step));
  g_autoptr (GString) text = g_string_new (answer);
  loom_sentence_append (text, longer);
  loom_page_content_add_answer (self->sheet, text->str);
}

/* Adds a sentence about the reason why the slowest straggler computes longer. */
static void
add_cause (const Answer *self)
{
  g_autofree char *cause = loom_page_dup_straggler_cause (self->input, self->slowdown, get_straggler (self, 0));
  if (cause != NULL)
    loom_page_content_add_answer (self->sheet, cause);
}

static void
add_answer (const Answer *self)
{
  const LoomSlowdown *slowdown = self->slowdown;
  guint main_step = loom_slowdown_find_main_step (slowdown);
  if (main_step != G_MAXUINT) {
    add_answer_of_step (self, main_step);
    return;
  }
  g_autofree char *names = loom_page_dup_straggler_names (self->input, self->slowdown),
                  *saved = loom_time_format_duration (slowdown->saved_ns);
  guint n = slowdown->stragglers->len;
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (
    text,
    ngettext (
      "The others wait for %s: it computes %.0f %% longer than is typical. Fixing this rank would save %s of each step (%.1f %%).",
      "The others wait for %s: they compute up to %.0f %% longer than is typical. Fixing these ranks would save %s of each step (%.1f %%).",
      n),
    names, get_most_percent (self), saved,
    100 * (double) slowdown->saved_ns / (double) loom_slowdown_get_pace (slowdown));
  append_waits (self, text);
  loom_page_content_add_answer (self->sheet, text->str);
}

gboolean
loom_page_has_unequal_transfers (const LoomSlowdown *slowdown)
{
  return slowdown->slowdown >= LEAST_SLOWDOWN && loom_slowdown_find_unequal_transfers (slowdown) != NULL;
}

static double
get_transfer_percent (const LoomSlowdown *slowdown)
{
  return 100 * (double) slowdown->transfer_loss_ns / (double) loom_slowdown_get_pace (slowdown);
}

char *
loom_page_dup_transfer_loss (const LoomSlowdown *slowdown)
{
  if (!loom_page_has_unequal_transfers (slowdown))
    return NULL;
  g_autofree char *time = loom_time_format_duration (slowdown->transfer_loss_ns);
  return g_strdup_printf (/* Translators: a duration and a percentage */
                          _ ("If all links were equally fast, each step would be up to %s (%.0f %%) shorter."), time,
                          get_transfer_percent (slowdown));
}

char *
loom_page_dup_unequal_transfers (const LoomSlowdown *slowdown, LoomCollectives *collectives)
{
  if (!loom_page_has_unequal_transfers (slowdown))
    return NULL;
  const LoomTransfers *transfers = collectives != NULL ? loom_transfers_get (collectives, NULL) : NULL;
  const LoomTransferGroup *slow =
    transfers != NULL && transfers->groups->len > 0 ? &g_array_index (transfers->groups, LoomTransferGroup, 0) : NULL;
  double saved = get_transfer_percent (slowdown);
  if (slow == NULL || !slow->slow)
    return g_strdup_printf (
      _ (
        "Unequal transfers cost more than unequal computation: if all links were equally fast, steps would be up to %.0f %% shorter; see “Collectives”."),
      saved);
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, slow, loom_list_separator ());
  return g_strdup_printf (
    /* Translators: ranks ("0, 1, 2"), a factor, and a percentage */
    _ (
      "Transfers between ranks %s take %.1f times as long as between other ranks: if all links were equally fast, steps would be up to %.0f %% shorter; see “Collectives”."),
    ranks, (double) slow->median_ns / (double) slow->typical_ns, saved);
}

/* If unequal transfers cost a noticeable part of a step, appends a sentence about them and returns TRUE; otherwise
 * returns FALSE. */
static gboolean
append_transfers (const Answer *self, GString *text)
{
  g_autofree char *sentence =
    loom_page_dup_unequal_transfers (self->slowdown, self->stragglers != NULL ? self->stragglers->collectives : NULL);
  if (sentence != NULL)
    loom_sentence_append (text, sentence);
  return sentence != NULL;
}

/* Appends a sentence about the cause of long steps if no rank is slow: slow links, or the last pipeline stage. */
static void
append_other_causes (const Answer *self, GString *text)
{
  const LoomSlowdown *slowdown = self->slowdown;
  if (!append_transfers (self, text) && slowdown->slowdown >= LEAST_SLOWDOWN && slowdown->last_stage >= LEAST_SHARE) {
    g_string_append_c (text, ' ');
    g_string_append (text,
                     _ ("The last stage of the pipeline takes longer than the others; this costs the most time."));
  }
}

char *
loom_page_dup_delayed_ranks (const LoomPageInput *input, const LoomHostDelay *delay)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, delay->n);
  for (guint i = 0; i < delay->n; i++) {
    guint source = loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), delay->ranks[i]->trace);
    ranks[i] = delay->ranks[i]->rank;
    g_ptr_array_add (names, loom_page_rank_name (input, NULL, ranks[i], &source));
  }
  return loom_page_join_ranks (names, ranks, MAX_NAMED);
}

char *
loom_page_dup_delay_answer (const LoomPageInput *input, const LoomHostDelay *delay)
{
  g_autofree char *names = loom_page_dup_delayed_ranks (input, delay),
                  *saved = loom_time_format_duration (delay->saved_ns),
                  *share = loom_page_dup_share (input, delay->saved_ns),
                  *longer = loom_time_format_duration (delay->before_ns);
  return g_strdup_printf (
    ngettext (
      /* Translators: names of ranks, a duration, a share (“12 % of the run”), a duration, and the name of work */
      "The others wait for %s: fixing this rank would save up to %s (%s). Before it arrives, its host spends %s longer in “%s”.",
      "The others wait for %s: fixing these ranks would save up to %s (%s). Before they arrive, their hosts spend up to %s longer in “%s”.",
      delay->n),
    names, saved, share, longer, delay->before);
}

/* Adds a sentence about the ranks that are late because of work on their hosts. The computed slowdown does not include
 * this delay: the slowdown is computed by simulating the job with other durations of device work, but with the measured
 * times of hosts. Returns FALSE if no rank is late for this reason. */
static gboolean
add_uncovered (const Answer *self)
{
  if (self->delay == NULL)
    return FALSE;
  g_autofree char *answer = loom_page_dup_delay_answer (self->input, self->delay);
  g_autoptr (GString) text = g_string_new (answer);
  append_transfers (self, text);
  loom_page_content_add_answer (self->sheet, text->str);
  return TRUE;
}

/* Adds a sentence about the device of the rank that is late because of its host. */
static void
add_cause_of_delay (const Answer *self)
{
  const LoomStraggler *rank = self->delay->main;
  const LoomSlowdownWorker *worker = loom_slowdown_find_worker (self->slowdown, rank->node, rank->rank);
  const LoomSlowdownCause *cause = worker != NULL ? loom_slowdown_find_cause (self->slowdown, worker) : NULL;
  if (self->delay->n > 1 || cause == NULL || cause->kind != LOOM_SLOWDOWN_CAUSE_IDLE)
    return;
  g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, worker),
                  *idle = loom_time_format_duration (cause->idle_ns);
  g_autofree char *text = g_strdup_printf (
    /* Translators: the name of a rank, and a duration */
    _ ("The kernels of %s take as long as on the other ranks; its devices are idle %s longer per step on average."),
    name, idle);
  loom_page_content_add_answer (self->sheet, text);
}

/* Returns sentences about a rank that is late, but neither because of equally long, additional kernels nor because of
 * idle devices. */
static char *
dup_late (const LoomSlowdownCause *cause, const char *name, const char *waits)
{
  g_autofree char *late = loom_time_format_duration (cause->late_ns),
                  *reason = loom_slowdown_cause_dup_sentence (cause, name);
  GString *text = g_string_new (NULL);
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_OTHER)
    g_string_append_printf (text, /* Translators: the name of a rank, and a duration */
                            _ ("The others wait for %s, %s in total."), name, waits);
  else
    g_string_append_printf (
      text,
      _ (
        /* Translators: the name of a rank, and two durations */
        "The others wait for %s, %s in total. Its kernels and idle times together take %s longer per step than on the other ranks."),
      name, waits, late);
  if (reason != NULL)
    loom_sentence_append (text, reason);
  return g_string_free (text, FALSE);
}

static char *
dup_unequal (const Answer *self, const LoomStraggler *rank, const LoomSlowdownCause *cause)
{
  const LoomSlowdownWorker *worker = &g_array_index (self->slowdown->workers, LoomSlowdownWorker, cause->worker);
  g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, worker),
                  *waits = loom_time_format_duration (rank->others_ns),
                  *idle = loom_time_format_duration (cause->idle_ns);
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_CALLS)
    return g_strdup_printf (
      /* Translators: the name of a rank, a duration, and a percentage */
      _ (
        "The others wait for %s, %s in total. Its kernels take as long as on the other ranks, but it runs %.0f %% more of them."),
      name, waits, 100 * (cause->calls - 1));
  if (cause->kind == LOOM_SLOWDOWN_CAUSE_IDLE)
    return g_strdup_printf (
      /* Translators: the name of a rank, and two durations */
      _ (
        "The others wait for %s, %s in total. Its kernels take as long as on the other ranks, but its devices are idle %s longer per step on average; see “Idle Time”."),
      name, waits, idle);
  return dup_late (cause, name, waits);
}

/* Adds a sentence about the rank for which the others wait because its kernels and idle times together take longer.
 * Returns FALSE if there is no such rank. */
static gboolean
add_unequal (const Answer *self)
{
  const LoomSlowdownCause *cause;
  const LoomStraggler *rank =
    self->stragglers != NULL ? loom_late_ranks_find_unequal (self->slowdown, self->stragglers, &cause) : NULL;
  if (rank == NULL)
    return FALSE;
  g_autofree char *answer = dup_unequal (self, rank, cause);
  g_autoptr (GString) text = g_string_new (answer);
  append_transfers (self, text);
  loom_page_content_add_answer (self->sheet, text->str);
  return TRUE;
}

static void
add_no_straggler (const Answer *self)
{
  if (add_uncovered (self)) {
    add_cause_of_delay (self);
    return;
  }
  if (add_unequal (self))
    return;
  if (has_missing (self)) {
    loom_page_content_add_answer (
      self->sheet,
      _ (
        "No open rank slows down the others. Some ranks of the job are not open, so it is unknown whether the others wait for one of these."));
    return;
  }
  if ((self->stragglers == NULL || self->stragglers->collectives->n == 0) && self->waits->messages_ns <= 0) {
    loom_page_content_add_answer (self->sheet, _ ("No collectives of several ranks were found."));
    return;
  }
  g_autoptr (GString) text =
    g_string_new (_ ("No rank slows down the others: fixing the slowest one would hardly shorten a step."));
  append_other_causes (self, text);
  loom_page_content_add_answer (self->sheet, text->str);
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

/* Adds one of the main numbers at the top of the page: the time that would be saved if the stragglers were repaired. */
static void
add_saving (const Answer *self)
{
  const LoomSlowdown *slowdown = self->slowdown;
  gboolean is_in_one = loom_slowdown_find_main_step (slowdown) != G_MAXUINT;
  gint64 total_ns = loom_slowdown_get_total_saving (slowdown), step_ns = slowdown->saved_ns;
  g_autofree char *names = loom_page_dup_straggler_names (self->input, slowdown),
                  *saved = loom_time_format_duration (is_in_one ? total_ns : step_ns),
                  *share = loom_page_dup_share (self->input, total_ns);
  g_autofree char *note = g_strdup_printf (
    is_in_one
      /* Translators: a share such as “2.4 % of the run”, and names of ranks */
      ? ngettext ("%s, if %s computed as long as is typical", "%s, if %s computed as long as is typical",
                  slowdown->stragglers->len)
      /* Translators: a share such as “2.4 % of the run”, and names of ranks */
      : ngettext ("of each step (%s), if %s computed as long as is typical",
                  "of each step (%s), if %s computed as long as is typical", slowdown->stragglers->len),
    share, names);
  loom_page_content_add_figure (self->sheet, _ ("Possible Saving"), saved, note);
}

/* Adds one of the main numbers at the top of the page: how long ranks wait in total. `exposed_ns`: the part of these
 * waits that is included in the number on the page "Summary"; −1: unknown. */
static void
add_wait (const Answer *self, const char *name, gint64 total_ns, gint64 exposed_ns)
{
  g_autofree char *total = loom_time_format_duration (total_ns), *exposed = loom_time_format_duration (exposed_ns);
  g_autofree char *note =
    has_missing (self) ? g_strdup (_ ("summed over ranks; waits for ranks that are not open are unknown"))
    : exposed_ns < 0
      ? g_strdup (_ ("summed over ranks, including time in which they also compute"))
      : g_strdup_printf (_ ("summed over ranks; %s of it is exposed: within steps, while nothing is computed"),
                         exposed);
  loom_page_content_add_figure (self->sheet, name, total, note);
}

static void
add_waits (const Answer *self)
{
  const LoomPageStragglerWaits *waits = self->waits;
  if (self->stragglers != NULL && self->stragglers->collectives->n > 0)
    add_wait (self, _ ("Waiting in Collectives"), self->stragglers->wait_ns, waits->exposed_collectives_ns);
  if (waits->messages_ns > 0)
    add_wait (self, _ ("Waiting for Messages"), waits->messages_ns, waits->exposed_messages_ns);
}

/* Adds the main numbers about steps at the top of the page: the time that would be saved if the stragglers were
 * repaired, the mean time per step, and the time of a step if all ranks were equally fast. The mean time per step
 * (loom_slowdown_get_pace()) can differ from the mean on the page "Steps", which is the mean duration of a step on a
 * rank. */
static void
add_steps (const Answer *self)
{
  const LoomSlowdown *slowdown = self->slowdown;
  gint64 pace_ns = loom_slowdown_get_pace (slowdown),
         lost_ns = MAX (loom_time_sub (slowdown->replayed_pace_ns, slowdown->typical_pace_ns), 0);
  g_autofree char *step = loom_time_format_duration (pace_ns),
                  *typical = loom_time_format_duration (MAX (loom_time_sub (pace_ns, lost_ns), 0));
  add_saving (self);
  loom_page_content_add_figure (self->sheet, _ ("Time per Step"), step,
                                _ ("time of all steps, divided by their number"));
  loom_page_content_add_figure (
    self->sheet, _ ("Step Time Without Slow Ranks"), typical,
    _ ("the step time if every rank and link took the median time; a single slow rank does not change the median"));
}

/* Adds two of the main numbers at the top of the page, about the ranks that are late because of work on their hosts:
 * the time that would be saved if these ranks were repaired; and the greatest lateness of such a rank at a collective,
 * compared with the rank that arrived first. */
static void
add_delay (const Answer *self)
{
  if (self->delay == NULL)
    return;
  g_autofree char *names = loom_page_dup_delayed_ranks (self->input, self->delay),
                  *share = loom_page_dup_share (self->input, self->delay->saved_ns),
                  *saved = loom_time_format_duration (self->delay->saved_ns),
                  *late = loom_time_format_duration (self->delay->latest_ns),
                  *note = g_strdup_printf (
                    ngettext (
                      /* Translators: a share such as “12 % of the run”, and names of ranks */
                      "%s, if %s is as early as the others",
                      "%s, if %s are as early as the others; fixing only one of them would save less", self->delay->n),
                    share, names);
  loom_page_content_add_figure (self->sheet, _ ("Possible Saving"), saved, note);
  loom_page_content_add_figure (self->sheet, _ ("Largest Lateness"), late, _ ("of a rank in one collective"));
}

static void
add_figures (const Answer *self)
{
  gboolean has_waits = self->stragglers != NULL && self->stragglers->collectives->n > 0;
  if (self->slowdown->stragglers->len == 0 && !has_waits)
    return;
  loom_page_content_add_figures (self->sheet, _ ("What differences between ranks cost"));
  if (self->slowdown->stragglers->len > 0)
    add_steps (self);
  else
    add_delay (self);
  add_waits (self);
}

/* --- what stragglers do longer than other ranks ------------------------------------------------------------------- */

/* Finds the lateness of a worker by its node and rank number. If no rank on the node has this number, returns the first
 * rank with this number on any node. NULL if no rank has this number. */
static const LoomStraggler *
find_lateness (const LoomStragglers *stragglers, const LoomSlowdownWorker *worker)
{
  const LoomStraggler *found = NULL;
  for (guint i = 0; stragglers != NULL && worker->rank >= 0 && i < stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &stragglers->ranks[i];
    if (rank->rank == worker->rank && g_strcmp0 (rank->node, worker->node) == 0)
      return rank;
    if (rank->rank == worker->rank && found == NULL)
      found = rank;
  }
  return found;
}

/* Adds a fact with the work on which a rank spends most extra time. `longer`: the extra time, as text. */
static void
add_before_fact (const Answer *self, const LoomStraggler *rank, const char *longer)
{
  g_autofree char *text = rank->on_host
                            ? g_strdup_printf (/* Translators: a name, and a text such as “3 ms per step” */
                                               C_ ("work, extra time", "%s on its host, %s"), rank->before, longer)
                            : g_strdup_printf (/* Translators: a name, and a text such as “3 ms per step” */
                                               C_ ("work, extra time", "%s, %s"), rank->before, longer);
  loom_page_content_add_fact (self->sheet, _ ("Most extra time, compared with the median rank"), text);
}

static char *
dup_in_step (const Answer *self, const char *time, guint step)
{
  gint64 number = g_array_index (self->slowdown->steps, LoomSlowdownStep, step).number;
  return g_strdup_printf (/* Translators: a duration, and the number of a step */ _ ("%s in step %" PRId64), time,
                          number);
}

/* Adds a fact with the work on which a rank spends most extra time in one step. The extra times of other steps are not
 * added, because they are noise: with them, the sum could be greater than the time by which the rank computes longer
 * than is typical. O(collectives · ranks). */
static void
add_before_in (const Answer *self, const LoomSlowdownWorker *worker, guint number)
{
  const LoomSlowdownStep *step = &g_array_index (self->slowdown->steps, LoomSlowdownStep, number);
  g_autoptr (LoomCollectives) collectives =
    loom_collectives_new (self->stragglers->collectives->timeline, &step->range, NULL);
  g_autoptr (LoomStragglers) stragglers = loom_stragglers_new (collectives, NULL);
  const LoomStraggler *rank = find_lateness (stragglers, worker);
  if (rank == NULL || rank->before == NULL)
    return;
  g_autofree char *time = loom_time_format_duration (rank->before_ns), *longer = dup_in_step (self, time, number);
  add_before_fact (self, rank, longer);
}

/* Adds the fact about the kernel with most extra time, as in the table of the kernels of slow ranks. Returns FALSE if
 * the kernels of the rank were not compared with those of other ranks. */
static gboolean
add_kernel (const Answer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdownCause *cause = loom_slowdown_find_cause (self->slowdown, worker);
  guint main_step = loom_slowdown_find_main_step (self->slowdown);
  if (cause == NULL || cause->names->len == 0)
    return FALSE;
  const LoomSlowdownCauseName *name = &g_array_index (cause->names, LoomSlowdownCauseName, 0);
  g_autofree char *time = loom_time_format_duration (name->longer_ns / MAX (cause->n_steps, 1)),
                  *longer = main_step != G_MAXUINT ? dup_in_step (self, time, main_step)
                                                   : g_strdup_printf (_ ("%s per step"), time);
  g_autofree char *text = g_strdup_printf (C_ ("work, extra time", "%s, %s"), name->name, longer);
  loom_page_content_add_fact (self->sheet, _ ("Most extra time, compared with the median rank"), text);
  return TRUE;
}

static void
add_before (const Answer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdown *slowdown = self->slowdown;
  const LoomStraggler *rank = find_lateness (self->stragglers, worker);
  guint main_step = loom_slowdown_find_main_step (slowdown);
  if (rank == NULL || rank->before == NULL || (!rank->on_host && add_kernel (self, worker)))
    return;
  if (main_step != G_MAXUINT) {
    add_before_in (self, worker, main_step);
    return;
  }
  g_autofree char *time = loom_time_format_duration (rank->before_ns / MAX (slowdown->steps->len, 1)),
                  *longer = g_strdup_printf (/* Translators: a duration */ _ ("%s per step"), time);
  add_before_fact (self, rank, longer);
}

/* Returns TRUE if a rank is not a straggler, but makes other ranks wait, mostly because it itself waits for a third
 * rank. */
static gboolean
is_held_up (const Answer *self, const LoomStraggler *rank, const LoomSlowdownWorker *worker)
{
  return worker != NULL && (double) rank->others_ns >= LEAST_WAITED * (double) self->stragglers->wait_ns &&
         !loom_slowdown_is_straggler (self->slowdown, worker) &&
         (double) loom_page_get_own_waits (self->slowdown, rank) <= MOST_OWN * (double) rank->others_ns;
}

/* Returns the names of the ranks that are held up, see is_held_up(): "ranks 7, 2 and 6". NULL if there are no such
 * ranks. Owned by the caller. */
static char *
dup_held_up (const Answer *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  for (guint i = 0; self->stragglers != NULL && i < self->stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &self->stragglers->ranks[i];
    const LoomSlowdownWorker *worker = loom_slowdown_find_worker (self->slowdown, rank->node, rank->rank);
    if (!is_held_up (self, rank, worker))
      continue;
    g_ptr_array_add (names, loom_page_dup_slowdown_worker (self->input, self->slowdown, worker));
    g_array_append_val (ranks, rank->rank);
  }
  return names->len > 0 ? loom_page_join_ranks (names, (const gint *) (gconstpointer) ranks->data, MAX_NAMED) : NULL;
}

/* Adds a sentence that states how long all ranks wait because of a straggler. `held_up`: names of the ranks that are
 * late mostly because they wait for the straggler; NULL if there are none. */
static void
add_caused (const Answer *self, const LoomSlowdownWorker *worker, const char *held_up)
{
  double share = loom_slowdown_get_caused (self->slowdown, worker);
  if (share <= 0)
    return;
  const LoomStraggler *rank = find_lateness (self->stragglers, worker);
  gint64 caused_ns = MIN (worker->waits_ns, self->slowdown->waits_ns);
  /* at most 99 %, because the text “476 ms of 478 ms (100 %)” would be wrong */
  double percent = share < 1 ? MIN (100 * share, 99) : 100;
  g_autofree char *caused = loom_time_format_duration (caused_ns),
                  *all = loom_time_format_duration (self->slowdown->waits_ns),
                  *direct = loom_time_format_duration (MIN (rank != NULL ? rank->others_ns : 0, caused_ns));
  g_autofree char *text =
    held_up != NULL
      ? g_strdup_printf (
          /* Translators: two durations, a share, a duration, and names of ranks */
          _ (
            "%s of %s in collectives (%.0f %%): %s for this rank, the rest for %s, late mostly because of waiting for this rank"),
          caused, all, percent, direct, held_up)
      : g_strdup_printf (/* Translators: two durations and a share */ _ ("%s of %s in collectives (%.0f %%)"), caused,
                         all, percent);
  loom_page_content_add_fact (self->sheet, _ ("Waits caused by this rank"), text);
}

/* Returns by how much the computing time of a rank exceeds the typical time: "3.42 ms per step (+14 %)". If most of
 * this time is in one step: "5 ms in total (+58 % in step 6)". Owned by the caller. */
static char *
dup_extra (const Answer *self, const LoomSlowdownWorker *worker)
{
  const LoomSlowdown *slowdown = self->slowdown;
  guint main_step = loom_slowdown_find_main_step (slowdown);
  g_autofree char *extra =
    loom_time_format_duration (worker->excess_ns * (main_step != G_MAXUINT ? slowdown->steps->len : 1));
  if (main_step != G_MAXUINT)
    return g_strdup_printf (/* Translators: a duration, a percentage, and the number of a step */
                            _ ("%s in total (%+.0f %% in step %" PRId64 ")"), extra,
                            get_step_percent (self, worker, main_step),
                            g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number);
  return g_strdup_printf (/* Translators: how much longer a rank computes: "3.42 ms per step (+14 %)" */
                          _ ("%s per step (%+.0f %%)"), extra, get_extra_percent (self, worker));
}

static void
add_straggler (const Answer *self, const LoomSlowdownWorker *worker, const char *held_up)
{
  g_autofree char *name = loom_page_dup_slowdown_worker (self->input, self->slowdown, worker),
                  *text = dup_extra (self, worker), *title = g_strdup_printf (_ ("Work that takes longer on %s"), name);
  loom_page_content_add_facts (self->sheet, title);
  loom_page_content_add_fact (self->sheet,
                              self->slowdown->stages->len > 1 || worker->stage >= 0
                                ? _ ("Computation beyond what is typical of its stage")
                                : _ ("Computation beyond the median of the same kernels"),
                              text);
  loom_page_add_straggler_cause (self->sheet, self->slowdown, worker);
  add_before (self, worker);
  add_caused (self, worker, held_up);
}

gint64
loom_page_get_own_waits (const LoomSlowdown *slowdown, const LoomStraggler *rank)
{
  const LoomSlowdownWorker *worker =
    rank->rank >= 0 ? loom_slowdown_find_worker (slowdown, rank->node, rank->rank) : NULL;
  if (!loom_slowdown_fits (slowdown) || worker == NULL || worker->waits_ns == G_MININT64 ||
      loom_slowdown_is_straggler (slowdown, worker))
    return rank->others_ns;
  return CLAMP (worker->waits_ns, 0, rank->others_ns);
}

void
loom_page_add_straggler_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown,
                                const LoomStragglers *stragglers, const LoomHostDelay *delay,
                                const LoomPageStragglerWaits *waits)
{
  const Answer self = { sheet, input, slowdown, stragglers, delay, waits };
  guint n = slowdown->stragglers->len;
  if (n > 0) {
    add_answer (&self);
    add_cause (&self);
  } else
    add_no_straggler (&self);
  add_figures (&self);
  g_autofree char *held_up = n > 0 ? dup_held_up (&self) : NULL;
  for (guint i = 0; i < MIN (n, MAX_NAMED); i++)
    add_straggler (&self, get_straggler (&self, i), i == 0 ? held_up : NULL);
  if (n > 0)
    loom_page_add_straggler_kernels (sheet, input, slowdown);
}

/* Returns how long ranks wait inside the range for the stragglers of the whole run, in ns. */
static gint64
sum_waits_in_range (const Answer *whole, const LoomStragglers *stragglers)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < stragglers->n_ranks; i++) {
    const LoomStraggler *rank = &stragglers->ranks[i];
    const LoomSlowdownWorker *worker = loom_slowdown_find_worker (whole->slowdown, rank->node, rank->rank);
    if (worker != NULL && loom_slowdown_is_straggler (whole->slowdown, worker))
      sum_ns = loom_time_add (sum_ns, rank->others_ns);
  }
  return sum_ns;
}

/* Returns sentences about the stragglers of the whole run: the time that would be saved in the range if the stragglers
 * were repaired, how long other ranks wait for them in the range, and how much longer the stragglers compute than is
 * typical. Owned by the caller. */
static char *
dup_range_answer (const Answer *whole, gint64 waits_ns)
{
  const LoomSlowdown *slowdown = whole->slowdown;
  gint64 saved_ns = loom_slowdown_get_saving_in (slowdown, whole->input->range);
  guint n = slowdown->stragglers->len, main_step = loom_slowdown_find_main_step (slowdown);
  g_autofree char *names = loom_page_dup_straggler_names (whole->input, slowdown),
                  *waits = loom_time_format_duration (waits_ns), *saved = loom_time_format_duration (saved_ns),
                  *share = loom_page_dup_share (whole->input, saved_ns);
  g_autofree char *first = g_strdup_printf (
                    /* Translators: names of ranks, two durations, and a share such as “20.1 % of this range” */
                    ngettext (
                      "In this range, the others wait for %s, %s in total: fixing this rank would save %s (%s).",
                      "In this range, the others wait for %s, %s in total: fixing these ranks would save %s (%s).", n),
                    names, waits, saved, share),
                  *longer = main_step != G_MAXUINT
                              ? g_strdup_printf (/* Translators: the number of a step, and a percentage */
                                                 _ ("In step %" PRId64 ", it computes %.0f %% longer than is typical."),
                                                 g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number,
                                                 get_step_percent (whole, get_straggler (whole, 0), main_step))
                              : g_strdup_printf (
                                  /* Translators: a percentage */
                                  ngettext ("In the whole run, it computes %.0f %% longer than is typical.",
                                            "In the whole run, they compute up to %.0f %% longer than is typical.", n),
                                  get_most_percent (whole));
  return loom_sentence_join (first, longer);
}

/* Returns TRUE if the stragglers of the whole run cost a noticeable part of the range. */
static gboolean
is_range_slowed (const Answer *whole)
{
  LoomRange all, range = whole->input->range;
  if (!loom_timeline_get_extent (whole->input->frame->timeline, &all))
    return FALSE;
  gint64 length_ns = loom_time_sub (MIN (range.end_ns, all.end_ns), MAX (range.begin_ns, all.begin_ns)),
         saved_ns = loom_slowdown_get_saving_in (whole->slowdown, range);
  return saved_ns > 0 && (double) saved_ns >= LEAST_SAVING * (double) length_ns;
}

gboolean
loom_page_add_whole_run_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomStragglers *stragglers,
                                GCancellable *cancellable)
{
  static const LoomRange range = { G_MININT64, G_MAXINT64 };
  g_autoptr (LoomCollectives) all = loom_frame_collectives_get (input->frame, range, cancellable);
  const LoomSlowdown *slowdown = all != NULL ? loom_slowdown_get (all, cancellable) : NULL;
  if (slowdown == NULL || !loom_slowdown_fits (slowdown) || slowdown->stragglers->len == 0)
    return FALSE;
  g_autoptr (LoomStragglers) of_run = loom_stragglers_new (all, cancellable);
  const Answer whole = { .sheet = sheet, .input = input, .slowdown = slowdown, .stragglers = of_run };
  gint64 waits_ns = sum_waits_in_range (&whole, stragglers);
  if (of_run == NULL || waits_ns <= 0 || !is_range_slowed (&whole))
    return FALSE;
  g_autofree char *held_up = dup_held_up (&whole), *range_text = dup_range_answer (&whole, waits_ns);
  g_autoptr (GString) text = g_string_new (range_text);
  if (held_up != NULL) {
    g_autofree char *effect = g_strdup_printf (/* Translators: names of ranks */
                                               _ ("Others wait for %s mostly because of that."), held_up);
    loom_sentence_append (text, effect);
  }
  loom_page_content_add_answer (sheet, text->str);
  add_cause (&whole);
  return TRUE;
}
