/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-message.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-host-delay.h"
#include "loom-list-separator.h"
#include "loom-rank-order.h"
#include "loom-sentence.h"
#include "loom-statistics.h"
#include "loom-work-kind.h"

/* A share that is used in two tests. First, the sentence of a result mentions that ranks wait for other ranks if these
 * waits take at least this share of the lost time. Second, it mentions the work of a late rank's host if this work
 * explains at least this share of the rank's lateness. */
#define MOSTLY 0.5
/* The sentence states the time that is spent waiting for late ranks only if it is at least this share of the lost
 * time. */
#define NOTABLE 0.1

/* The sentence names at most MAX_NAMED ranks, and only ranks for which others waited at least WORTH_A_NAME times as
 * long as for the rank that caused the longest waits. */
#define MAX_NAMED 4
#define WORTH_A_NAME 0.5

typedef struct {
  const char *word, *value;
  /* text that replaces the placeholder at the beginning of a sentence; NULL: `value` is used there, too */
  const char *first;
} Placeholder;

/* Returns the placeholder whose word in braces is at the beginning of the text; NULL if there is none. */
static const Placeholder *
find_placeholder (const char *text, const Placeholder *all, guint n)
{
  for (guint i = 0; *text == '{' && i < n; i++)
    if (g_str_has_prefix (text + 1, all[i].word) && text[1 + strlen (all[i].word)] == '}')
      return &all[i];
  return NULL;
}

/* Replaces all placeholders in one pass, so that a name that contains the text of a placeholder is not changed. Owned
 * by the caller. */
static char *
fill_in (const char *text, const Placeholder *all, guint n)
{
  GString *out = g_string_new (NULL);
  for (const char *at = text; *at != '\0';) {
    const Placeholder *found = find_placeholder (at, all, n);
    if (found != NULL)
      g_string_append (out, at == text && found->first != NULL ? found->first : found->value);
    else
      g_string_append_c (out, *at);
    at += found != NULL ? strlen (found->word) + 2 : 1;
  }
  return g_string_free (out, FALSE);
}

/* Returns the node, rank or source of a group as far as they are known, for example "rank 3 on algo-1" or
 * "“bench.json”". Owned by the caller. */
static char *
dup_who (const LoomCustomRuleGroup *group)
{
  gboolean has_node = group->host[0] != '\0';
  if (group->rank >= 0 && group->is_process)
    return has_node ? g_strdup_printf (_ ("process %d on %s"), group->rank, group->host)
                    : g_strdup_printf (_ ("process %d"), group->rank);
  if (group->rank >= 0)
    return has_node ? g_strdup_printf (_ ("rank %d on %s"), group->rank, group->host)
                    : g_strdup_printf (_ ("rank %d"), group->rank);
  if (group->writer[0] != '\0' && strcmp (group->writer, group->host) != 0)
    return has_node ? g_strdup_printf (
                        /* Translators: used if no rank is known: the name of a process or file, and of its node */
                        _ ("“%s” on %s"), group->writer, group->host)
                    : g_strdup_printf (
                        /* Translators: used if no rank is known: the name of a process or file */
                        _ ("“%s”"), group->writer);
  return g_strdup (has_node ? group->host : _ ("the run"));
}

/* Returns the text of dup_who() for the beginning of a sentence. Its first letter becomes a capital letter, unless the
 * text begins with the name of a node, as in languages in which the node comes before the rank. */
static char *
dup_who_first (const LoomCustomRuleGroup *group)
{
  g_autofree char *who = dup_who (group);
  gboolean has_name_first = group->host[0] != '\0' && g_str_has_prefix (who, group->host);
  return has_name_first ? g_steal_pointer (&who) : loom_sentence_dup_capital (who);
}

/* Returns TRUE if the rule is evaluated by rank, there are at least two ranks, and all of them exceed the limit equally
 * often and by nearly equal amounts. Then the worst rank is not the cause. */
static gboolean
are_all_alike (const LoomCustomRuleEvaluation *self)
{
  if (self->rule->per != LOOM_CUSTOM_RULE_PER_RANK || self->first->group->rank < 0 || self->lines->len < 2 ||
      self->n_fired < self->lines->len)
    return FALSE;
  for (guint i = 0; i < self->lines->len; i++) {
    const LoomCustomRuleLine *line = &g_array_index (self->lines, LoomCustomRuleLine, i);
    if (line->n_hits != self->first->n_hits || line->slices->len != self->first->slices->len ||
        !loom_statistics_are_alike (MIN (line->worst, self->first->worst), MAX (line->worst, self->first->worst)))
      return FALSE;
  }
  return TRUE;
}

/* Returns by how much the time of the worst group exceeds the median of all groups, per step ("3.4 ms per step") or, if
 * there are not several steps, in total ("1.2 s"). Owned by the caller. */
static char *
dup_extra (const LoomCustomRuleEvaluation *self)
{
  const LoomCustomRuleSlice *slice = &g_array_index (self->first->slices, LoomCustomRuleSlice, 0);
  gint64 extra_ns = self->rule->relative ? loom_custom_rule_evaluation_get_lost (self->rule, slice) : 0;
  g_autofree char *extra = loom_time_format_duration (extra_ns / MAX (self->n_steps, 1));
  return self->n_steps > 1 ? g_strdup_printf (
                               /* Translators: %s is a duration: "3.42 ms per step" */
                               _ ("%s per step"), extra)
                           : g_steal_pointer (&extra);
}

void
loom_custom_rule_message_say_found (LoomCustomRuleEvaluation *self)
{
  LoomCustomRuleGroup only = *self->first->group, *group = &only;
  /* if the run has only one file, its name gives no information about the cause, so it is omitted */
  if (self->groups->len == 1 && only.rank < 0)
    only.writer = "";
  const char *all = C_ ("nodes or devices", "all");
  g_autofree char *value = loom_custom_rule_evaluation_format_value (self->rule, self->first->worst),
                  *limit = loom_custom_rule_evaluation_format_value (self->rule, self->rule->limits.limit),
                  *mean = loom_custom_rule_evaluation_format_value (
                    self->rule, loom_custom_rule_evaluation_get_mean (self->rule, self->first));
  g_autofree char *rank =
    group->rank >= 0 ? g_strdup_printf ("%d", group->rank) : g_strdup (self->first->group->writer);
  guint n = self->lines->len;
  gboolean are_alike = are_all_alike (self);
  /* Translators: replaces the rank in a sentence: "each of 8 ranks waits for data in 5 of 5 steps". */
  g_autofree char *who = are_alike ? g_strdup_printf (ngettext ("each of %u rank", "each of %u ranks", n), n)
                                   : dup_who (group),
                  *who_first = are_alike ? g_strdup_printf (
                                             /* Translators: beginning of a sentence: "Each of 8 ranks waits" */
                                             ngettext ("Each of %u rank", "Each of %u ranks", n), n)
                                         : dup_who_first (group);
  g_autofree char *count = g_strdup_printf ("%u", self->first->n_hits);
  g_autofree char *windows = g_strdup_printf ("%u", self->first->slices->len),
                  *groups = g_strdup_printf ("%u", self->n_fired), *extra = dup_extra (self);
  const Placeholder words[] = { { "count", count },
                                { "windows", windows },
                                { "groups", groups },
                                { "value", value },
                                { "mean", mean },
                                { "extra", extra },
                                { "limit", limit },
                                { "name", self->rule->name },
                                { "rank", rank },
                                { "who", who, who_first },
                                { "node", group->host[0] != '\0' ? group->host : all },
                                { "device", group->device[0] != '\0'  ? group->device
                                            : group->label[0] != '\0' ? group->label
                                                                      : all } };
  g_autofree char *sentence = fill_in (self->rule->sentence, words, G_N_ELEMENTS (words));
  loom_rule_result_set_message (self->result, LOOM_RULE_FIRED, "%s", sentence);
  if (self->rule->headline != NULL) {
    g_autofree char *headline = fill_in (self->rule->headline, words, G_N_ELEMENTS (words));
    loom_rule_result_set_headline (self->result, "%s", headline);
  }
}

/* Returns the ranks for which others waited longest, such as "3, 2"; the rank with the longest waits comes first. Sets
 * `n` to the number of these ranks; 0 if ranks are unknown. Owned by the caller. */
static char *
dup_late_ranks (const LoomCustomRuleEvaluation *self, guint *n)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) late = loom_rank_order_sort (self->late);
  for (*n = 0; *n < MIN (late->len, MAX_NAMED); (*n)++) {
    const LoomLateRank *one = &g_array_index (late, LoomLateRank, *n);
    if (one->waited_ns < WORTH_A_NAME * g_array_index (late, LoomLateRank, 0).waited_ns)
      break;
    g_string_append_printf (text, "%s%d", *n > 0 ? loom_list_separator () : "", one->rank);
  }
  return g_string_free (text, FALSE);
}

static char *
dup_with_late (const char *sentence, const char *ranks, guint n)
{
  return g_strdup_printf (ngettext ("%s; most of this time is spent waiting for rank %s, which arrives late",
                                    "%s; most of this time is spent waiting for ranks %s, which arrive late", n),
                          sentence, ranks);
}

static void
add_late (LoomRuleResult *result, const char *ranks, guint n)
{
  g_autofree char *sentence = dup_with_late (result->sentence, ranks, n);
  loom_rule_result_set_message (result, LOOM_RULE_FIRED, "%s", sentence);
  if (result->headline != NULL) {
    g_autofree char *headline = dup_with_late (result->headline, ranks, n);
    loom_rule_result_set_headline (result, "%s", headline);
  }
}

/* Appends to the sentence how much of the lost time is spent waiting for late ranks. Other findings about late ranks
 * state only this part, so the sentence shows how the numbers are related. */
static void
add_part (LoomRuleResult *result, const char *wait, const char *lost)
{
  g_autofree char *sentence = g_strdup (result->sentence);
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    /* Translators: a sentence about devices, and two durations */
    _ ("%s; of the %s lost on all devices with this finding, %s is spent waiting for late ranks"), sentence, lost,
    wait);
}

/* Returns TRUE if the waits of other ranks for this rank are at least the share WORTH_A_NAME of their waits for the
 * rank that caused the longest waits. */
static gboolean
is_late (const LoomCustomRuleEvaluation *self, int rank)
{
  g_autoptr (GArray) late = loom_rank_order_sort (self->late);
  for (guint i = 0; i < late->len; i++)
    if (g_array_index (late, LoomLateRank, i).rank == rank)
      return g_array_index (late, LoomLateRank, i).waited_ns >=
             WORTH_A_NAME * g_array_index (late, LoomLateRank, 0).waited_ns;
  return FALSE;
}

/* Returns the ranks that are late because of work on their hosts. Returns NULL in three cases: there are no such ranks;
 * this work explains less than MOSTLY of the lateness of LoomHostDelay.main; or is_late() is FALSE for one of these
 * ranks. Owned by the caller. */
static LoomHostDelay *
find_host_delay (const LoomCustomRuleEvaluation *self)
{
  g_autoptr (LoomStragglers) stragglers = loom_stragglers_new (self->collectives, self->cancellable);
  g_autoptr (LoomHostDelay) delay = stragglers != NULL ? loom_host_delay_find (stragglers) : NULL;
  if (delay == NULL || (double) delay->main->before_ns < MOSTLY * (double) delay->main->behind_ns)
    return NULL;
  for (guint i = 0; i < delay->n; i++)
    if (!is_late (self, delay->ranks[i]->rank))
      return NULL;
  loom_rule_result_take_late_ranks (self->result, delay->main->rank, delay->n, loom_host_delay_dup_ranks (delay));
  self->result->saved_ns = delay->saved_ns;
  return g_steal_pointer (&delay);
}

/* Appends to the sentence that the hosts of late ranks spend longer on `work` (the name of a span) than other hosts.
 * Also states this in the headline, because it is the cause of the lost time. The rule itself measures only the effect:
 * the share of time that the other ranks spend in collectives. */
static void
say_host_delay (LoomRuleResult *result, guint n, const char *work, gint64 longer_ns)
{
  g_autofree char *sentence = g_strdup (result->sentence), *longer = loom_time_format_duration (longer_ns);
  loom_rule_result_set_message (
    result, LOOM_RULE_FIRED,
    /* Translators: a sentence, the numbers of ranks ("2 and 3"), a time, and the name of work. */
    ngettext ("%s; before rank %s arrives, its host spends %s longer in “%s” than other hosts",
              "%s; before ranks %s arrive, their hosts spend up to %s longer in “%s” than other hosts", n),
    sentence, result->late_ranks, longer, work);
  loom_rule_result_set_headline (
    result,
    /* Translators: the numbers of ranks ("2 and 3"), a time, and the name of work. */
    ngettext ("The others wait in collectives for rank %s: its host spends %s longer in “%s” than other hosts",
              "The others wait in collectives for ranks %s: their hosts spend up to %s longer in “%s” than other hosts",
              n),
    result->late_ranks, longer, work);
}

/* Returns advice about the work that delays hosts; NULL: there is no advice for this work. Translated, static. */
static const char *
get_advice (const char *work)
{
  return loom_work_kind_is_data_wait (work, "")
           ? _ (
               "Steps wait for their batches. Use more data loader workers, prefetch further ahead, move expensive transforms out of the training loop, or store the data in larger files closer to the machine.")
           : NULL;
}

/* Explains a finding whose lost time is mostly spent waiting for late ranks. If work on the hosts of these ranks makes
 * them late, sets `advice` to advice about this work, which replaces the advice about communication; NULL: there is no
 * advice for this work. */
static void
explain_late (LoomCustomRuleEvaluation *self, const char *ranks, guint n, const char **advice)
{
  add_late (self->result, ranks, n);
  g_autoptr (LoomHostDelay) delay = find_host_delay (self);
  if (delay == NULL)
    return;
  say_host_delay (self->result, delay->n, delay->before, delay->before_ns);
  *advice = get_advice (delay->before);
}

void
loom_custom_rule_message_say_waiting (LoomCustomRuleEvaluation *self)
{
  guint n;
  if (self->wait_ns <= 0 || (double) self->wait_ns < NOTABLE * (double) self->result->lost_ns)
    return;
  g_autofree char *ranks = dup_late_ranks (self, &n);
  if (n == 0)
    return;
  g_autofree char *about = self->result->advice;
  g_autofree char *wait = loom_time_format_duration (self->wait_ns),
                  *lost = loom_time_format_duration (self->result->lost_ns);
  const char *advice = about;
  if ((double) self->wait_ns >= MOSTLY * (double) self->result->lost_ns)
    explain_late (self, ranks, n, &advice);
  else
    add_part (self->result, wait, lost);
  g_autofree char *first = g_strdup_printf (
    _ (
      "%s of the lost time of %s is spent waiting for late ranks; only the rest is communication. “Stragglers” shows which ranks these are, and what makes them late."),
    wait, lost);
  self->result->advice = loom_sentence_join (first, advice);
}

/* Returns the message of a rule that passed: `text`, after what the rule measures, if the rule states it. Owned by the
 * caller. */
static char *
dup_measured (const LoomCustomRuleEvaluation *self, const char *text)
{
  if (self->rule->measures == NULL)
    return g_strdup (text);
  return g_strdup_printf (
    /* Translators: what a rule measures, and its worst value, for example "share of a step that a rank waits for data:
     * highest value 1.2 % (limit: 10 %)" */
    _ ("%s: %s"), self->rule->measures, text);
}

/* Returns the words for a rule that passed although some windows are beyond the limit. It passed because there are
 * never `patience` such windows in a row. Owned by the caller. */
static char *
dup_short (const LoomCustomRuleEvaluation *self, const char *value, const char *limit)
{
  g_autofree char *text = g_strdup_printf (self->rule->above ? _ ("highest value %s, above the limit of %s")
                                                             : _ ("lowest value %s, below the limit of %s"),
                                           value, limit);
  /* Translators: "highest value 12 %, above the limit of 10 %" */
  return g_strdup_printf (ngettext ("%s, but never in %u window in a row", "%s, but never in %u windows in a row",
                                    self->rule->limits.patience),
                          text, self->rule->limits.patience);
}

void
loom_custom_rule_message_say_passed (LoomCustomRuleEvaluation *self, double worst)
{
  g_autofree char *value = loom_custom_rule_evaluation_format_value (self->rule, worst),
                  *limit = loom_custom_rule_evaluation_format_value (self->rule, self->rule->limits.limit);
  if (self->first != NULL || !isfinite (worst))
    return;
  g_autofree char *text =
    loom_custom_rule_evaluation_is_beyond (self->rule, worst)
      ? dup_short (self, value, limit)
      : g_strdup_printf (self->rule->above ? _ ("highest value %s (limit: %s)") : _ ("lowest value %s (limit: %s)"),
                         value, limit);
  g_autofree char *message = dup_measured (self, text);
  loom_rule_result_set_message (self->result, LOOM_RULE_PASSED, "%s", message);
}
