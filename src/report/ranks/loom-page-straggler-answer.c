/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the top of the page "Stragglers". It states which ranks slow down the others, how much time would be saved if
 * these ranks were as fast as the others, and which work takes longer on them. The finding about a slow rank is
 * computed from the same LoomSlowdown, so the page and the finding state the same times.
 */
#include "loom-page-straggler-answer.h"

#include "loom-frame-collectives.h"
#include "loom-late-ranks.h"
#include "loom-list-separator.h"
#include "loom-missing-ranks.h"
#include "loom-sentence.h"
#include "loom-transfers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#define LEAST_SLOWDOWN 1.02
/* M_S is the share of the lost time that would be saved if the last pipeline stage were as fast as the others
 * (loom-slowdown.h). If M_S is at least this value, the page names the last stage as the cause. The value is from the
 * paper that loom-slowdown.h cites. */
#define LEAST_SHARE 0.5
/* Minimum saving, as a share of the time of a range. If repairing the ranks that are slow in the whole run would save
 * less of this time, they do not slow down the range. The limit for slow ranks of the whole run is the same
 * (loom-slowdown.h). */
#define LEAST_SAVING 0.01

gboolean
loom_page_straggler_answer_has_missing (const LoomPageStragglerAnswer *self)
{
  g_autoptr (LoomMissingRanks) missing = loom_missing_ranks_new (loom_timeline_get_run (self->input->frame->timeline));
  return loom_missing_ranks_count (missing) > 0;
}

const LoomSlowdownWorker *
loom_page_straggler_answer_get_straggler (const LoomPageStragglerAnswer *self, guint i)
{
  return &g_array_index (self->slowdown->workers, LoomSlowdownWorker,
                         g_array_index (self->slowdown->stragglers, guint, i));
}

char *
loom_page_dup_straggler_names (const LoomPageInput *input, const LoomSlowdown *slowdown)
{
  const LoomPageStragglerAnswer answer = { .input = input, .slowdown = slowdown }, *self = &answer;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree gint *ranks = g_new (gint, self->slowdown->stragglers->len + 1);
  for (guint i = 0; i < self->slowdown->stragglers->len; i++) {
    g_ptr_array_add (names, loom_page_dup_slowdown_worker (self->input, self->slowdown,
                                                           loom_page_straggler_answer_get_straggler (self, i)));
    ranks[i] = loom_page_straggler_answer_get_straggler (self, i)->rank;
  }
  return loom_page_join_ranks (names, ranks, LOOM_PAGE_STRAGGLER_ANSWER_MAX_NAMED);
}

double
loom_page_straggler_answer_get_step_percent (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker,
                                             guint step)
{
  gsize number = (gsize) (worker - &g_array_index (self->slowdown->workers, LoomSlowdownWorker, 0));
  return 100 * (self->slowdown->cells[number * self->slowdown->steps->len + step] - 1);
}

double
loom_page_straggler_answer_get_extra_percent (const LoomPageStragglerAnswer *self, const LoomSlowdownWorker *worker)
{
  guint n = 0;
  double sum = 0;
  for (guint i = 0; i < self->slowdown->steps->len; i++) {
    double percent = loom_page_straggler_answer_get_step_percent (self, worker, i);
    if (!isfinite (percent))
      continue;
    sum += percent;
    n++;
  }
  return n > 0 ? sum / n : NAN;
}

static double
get_most_percent (const LoomPageStragglerAnswer *self)
{
  double most = NAN;
  for (guint i = 0; i < self->slowdown->stragglers->len; i++)
    most = fmax (
      most, loom_page_straggler_answer_get_extra_percent (self, loom_page_straggler_answer_get_straggler (self, i)));
  return most;
}

/* Returns the share of the waits in collectives during which the waiting rank computes nothing, in percent; NAN:
 * unknown. */
static double
get_exposed_percent (const LoomPageStragglerAnswer *self)
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
append_waits (const LoomPageStragglerAnswer *self, GString *text)
{
  gint64 caused_ns = self->slowdown->caused_ns;
  if (caused_ns <= 0 || loom_page_straggler_answer_has_missing (self))
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
add_answer_of_step (const LoomPageStragglerAnswer *self, guint main_step)
{
  const LoomSlowdown *slowdown = self->slowdown;
  g_autofree char *names = loom_page_dup_straggler_names (self->input, slowdown),
                  *answer = loom_page_dup_main_step_saving (
                    self->input, names, g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number,
                    loom_slowdown_get_total_saving (slowdown)),
                  *longer = g_strdup_printf (/* Translators: a percentage */
                                             _ ("In this step, it computes %.0f %% longer than is typical."),
                                             loom_page_straggler_answer_get_step_percent (
                                               self, loom_page_straggler_answer_get_straggler (self, 0), main_step));
  g_autoptr (GString) text = g_string_new (answer);
  loom_sentence_append (text, longer);
  loom_page_content_add_answer (self->sheet, text->str);
}

/* Adds a sentence about the reason why the slowest straggler computes longer. */
static void
add_cause (const LoomPageStragglerAnswer *self)
{
  g_autofree char *cause =
    loom_page_dup_straggler_cause (self->input, self->slowdown, loom_page_straggler_answer_get_straggler (self, 0));
  if (cause != NULL)
    loom_page_content_add_answer (self->sheet, cause);
}

static void
add_answer (const LoomPageStragglerAnswer *self)
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
append_transfers (const LoomPageStragglerAnswer *self, GString *text)
{
  g_autofree char *sentence =
    loom_page_dup_unequal_transfers (self->slowdown, self->stragglers != NULL ? self->stragglers->collectives : NULL);
  if (sentence != NULL)
    loom_sentence_append (text, sentence);
  return sentence != NULL;
}

/* Appends a sentence about the cause of long steps if no rank is slow: slow links, or the last pipeline stage. */
static void
append_other_causes (const LoomPageStragglerAnswer *self, GString *text)
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
  return loom_page_join_ranks (names, ranks, LOOM_PAGE_STRAGGLER_ANSWER_MAX_NAMED);
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
add_uncovered (const LoomPageStragglerAnswer *self)
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
add_cause_of_delay (const LoomPageStragglerAnswer *self)
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
dup_unequal (const LoomPageStragglerAnswer *self, const LoomStraggler *rank, const LoomSlowdownCause *cause)
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
add_unequal (const LoomPageStragglerAnswer *self)
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
add_no_straggler (const LoomPageStragglerAnswer *self)
{
  if (add_uncovered (self)) {
    add_cause_of_delay (self);
    return;
  }
  if (add_unequal (self))
    return;
  if (loom_page_straggler_answer_has_missing (self)) {
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

void
loom_page_add_straggler_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown,
                                const LoomStragglers *stragglers, const LoomHostDelay *delay,
                                const LoomPageStragglerWaits *waits)
{
  const LoomPageStragglerAnswer self = { sheet, input, slowdown, stragglers, delay, waits };
  guint n = slowdown->stragglers->len;
  if (n > 0) {
    add_answer (&self);
    add_cause (&self);
  } else
    add_no_straggler (&self);
  loom_page_straggler_answer_add_figures (&self);
  loom_page_straggler_answer_add_facts (&self);
  if (n > 0)
    loom_page_add_straggler_kernels (sheet, input, slowdown);
}

/* Returns how long ranks wait inside the range for the stragglers of the whole run, in ns. */
static gint64
sum_waits_in_range (const LoomPageStragglerAnswer *whole, const LoomStragglers *stragglers)
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
dup_range_answer (const LoomPageStragglerAnswer *whole, gint64 waits_ns)
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
                  *longer =
                    main_step != G_MAXUINT
                      ? g_strdup_printf (/* Translators: the number of a step, and a percentage */
                                         _ ("In step %" PRId64 ", it computes %.0f %% longer than is typical."),
                                         g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number,
                                         loom_page_straggler_answer_get_step_percent (
                                           whole, loom_page_straggler_answer_get_straggler (whole, 0), main_step))
                      : g_strdup_printf (
                          /* Translators: a percentage */
                          ngettext ("In the whole run, it computes %.0f %% longer than is typical.",
                                    "In the whole run, they compute up to %.0f %% longer than is typical.", n),
                          get_most_percent (whole));
  return loom_sentence_join (first, longer);
}

/* Returns TRUE if the stragglers of the whole run cost a noticeable part of the range. */
static gboolean
is_range_slowed (const LoomPageStragglerAnswer *whole)
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
  const LoomPageStragglerAnswer whole = { .sheet = sheet, .input = input, .slowdown = slowdown, .stragglers = of_run };
  gint64 waits_ns = sum_waits_in_range (&whole, stragglers);
  if (of_run == NULL || waits_ns <= 0 || !is_range_slowed (&whole))
    return FALSE;
  g_autofree char *held_up = loom_page_straggler_answer_dup_held_up (&whole),
                  *range_text = dup_range_answer (&whole, waits_ns);
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
