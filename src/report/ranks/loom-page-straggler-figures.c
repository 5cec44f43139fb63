/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the main numbers at the top of the page "Stragglers": what differences between ranks cost.
 */
#include "loom-page-straggler-answer.h"

#include <glib/gi18n.h>

/* Adds one of the main numbers at the top of the page: the time that would be saved if the stragglers were repaired. */
static void
add_saving (const LoomPageStragglerAnswer *self)
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
add_wait (const LoomPageStragglerAnswer *self, const char *name, gint64 total_ns, gint64 exposed_ns)
{
  g_autofree char *total = loom_time_format_duration (total_ns), *exposed = loom_time_format_duration (exposed_ns);
  g_autofree char *note =
    loom_page_straggler_answer_has_missing (self)
      ? g_strdup (_ ("summed over ranks; waits for ranks that are not open are unknown"))
    : exposed_ns < 0
      ? g_strdup (_ ("summed over ranks, including time in which they also compute"))
      : g_strdup_printf (_ ("summed over ranks; %s of it is exposed: within steps, while nothing is computed"),
                         exposed);
  loom_page_content_add_figure (self->sheet, name, total, note);
}

static void
add_waits (const LoomPageStragglerAnswer *self)
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
add_steps (const LoomPageStragglerAnswer *self)
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
add_delay (const LoomPageStragglerAnswer *self)
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

void
loom_page_straggler_answer_add_figures (const LoomPageStragglerAnswer *self)
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
