/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-evaluate.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-builtin-rules.h"
#include "loom-custom-rule-groups.h"
#include "loom-custom-rule-slow-rank.h"
#include "loom-frame-collectives.h"
#include "loom-list-separator.h"
#include "loom-rank-order.h"
#include "loom-rule-parameters.h"
#include "loom-statistics.h"

/* Upper limits for the lines in the chart of a result and for the points of a line. */
#define MAX_LINES 6
#define MAX_POINTS 400

/* If at least this share of the lost time is waiting for other ranks, the sentence mentions it. */
#define MOSTLY 0.5

/* The sentence names at most MAX_NAMED ranks, and only ranks for which others waited at least WORTH_A_NAME times as
 * long as for the rank that caused the longest waits. */
#define MAX_NAMED 4
#define WORTH_A_NAME 0.5

typedef struct {
  const LoomCustomRuleGroup *group;
  GArray *slices; /* LoomCustomRuleSlice */
  guint n_hits;   /* number of windows beyond the limit, in runs of at least `patience` consecutive windows */
  double worst;   /* worst value of the windows counted in n_hits; NAN: none */
} Line;

typedef struct {
  const LoomCustomRule *rule;
  LoomRuleResult *result;
  GPtrArray *groups;
  GArray *lines; /* Line; one for each group with enough spans or samples */
  guint n_most, n_fired, n_windows;
  const Line *first; /* the line with the worst value among those beyond the limit; NULL: none */
  /* used to find how much of the lost time is waiting for other ranks; NULL if the rule is not about time */
  const LoomCollectives *collectives;
  /* used to find who waits for a rank that the rule found slow; NULL if ranks are not compared */
  LoomCollectives *compared;
  guint n_steps;    /* number of training steps of the rank with the worst value; 0: not recorded */
  GHashTable *seen; /* index + 1 of each collective whose waits are in `late` */
  GHashTable *late; /* waits by the rank that caused them, for loom_rank_order_add() */
  gint64 wait_ns;   /* sum of the waits for other ranks in the spans of windows beyond the limit */
  GCancellable *cancellable;
} Judge;

static void
clear_line (gpointer data)
{
  g_array_unref (((Line *) data)->slices);
}

static char *
format_value (const LoomCustomRule *rule, double value)
{
  const char *unit = loom_custom_rule_get_unit (rule);
  if (strcmp (unit, "ns") == 0)
    return loom_time_format_duration ((gint64) CLAMP (value, -9e18, 9e18));
  return strcmp (unit, "%") == 0 ? g_strdup_printf ("%.1f %%", value) : g_strdup_printf ("%.6g", value);
}

static gboolean
is_beyond (const LoomCustomRule *rule, double value)
{
  return isfinite (value) && (rule->above ? value > rule->limits.limit : value < rule->limits.limit);
}

static gboolean
is_worse (const LoomCustomRule *rule, double value, double than)
{
  return isnan (than) || (rule->above ? value > than : value < than);
}

/* --- consecutive windows beyond the limit ------------------------------------------------------------------------- */

static LoomRuleOccurrence
new_mark (const LoomCustomRuleGroup *group, gint64 begin_ns, gint64 end_ns, LoomSpanId span)
{
  return (LoomRuleOccurrence) { begin_ns,      end_ns, group->host,
                                group->device, span,   group->worker != G_MAXUINT32 ? group->worker + 1 : 0 };
}

static void
mark_spans (Judge *judge, const Line *line, const LoomCustomRuleSlice *slice)
{
  for (guint i = 0; i < slice->n; i++) {
    const LoomCustomRuleItem *item = &g_array_index (line->group->items, LoomCustomRuleItem, slice->first + i);
    LoomRuleOccurrence mark = new_mark (line->group, item->begin_ns, item->end_ns, item->span);
    loom_rule_result_add_mark (judge->result, &mark);
  }
}

/* Adds the wait for other ranks in a span, if the span belongs to a collective. Following the advice of the rule would
 * not shorten such a wait. */
static void
add_wait (Judge *judge, const LoomCustomRuleItem *item)
{
  guint number = loom_collectives_find (judge->collectives, item->span);
  if (number == G_MAXUINT)
    return;
  const LoomCollective *collective = &judge->collectives->all[number];
  const LoomCollectiveMember *members = loom_collectives_get_members (judge->collectives, collective);
  for (guint i = 0; i < collective->n; i++)
    if (members[i].trace == item->span.trace &&
        loom_timeline_span_id_equal (loom_collectives_get_span (judge->collectives, &members[i]), item->span))
      judge->wait_ns = loom_time_add (judge->wait_ns, MIN (members[i].wait_ns, item->end_ns - item->begin_ns));
  if (g_hash_table_add (judge->seen, GUINT_TO_POINTER (number + 1)))
    loom_rank_order_add (judge->late, members, collective->n);
}

/* Returns the lost time in a window. If the rule limits values from above, this is the time that spans took; if from
 * below, the time in which no span ran. 0 for other statistics than times. */
static gint64
lost_in (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice)
{
  if (rule->statistic != LOOM_CUSTOM_RULE_SHARE && rule->statistic != LOOM_CUSTOM_RULE_DURATION)
    return 0;
  if (rule->relative)
    return (gint64) ((double) slice->busy_ns * (1 - 100 / MAX (slice->value, 100)));
  return rule->above ? slice->busy_ns : slice->end_ns - slice->begin_ns - slice->busy_ns;
}

/* Counts n consecutive windows beyond the limit from index `first` on, if there are at least `patience` of them. */
static void
take_stretch (Judge *judge, Line *line, guint first, guint n)
{
  const LoomCustomRuleSlice *slices = (const LoomCustomRuleSlice *) (gpointer) line->slices->data;
  if (n < judge->rule->limits.patience)
    return;
  line->n_hits += n;
  for (guint i = first; i < first + n; i++) {
    judge->result->lost_ns += lost_in (judge->rule, &slices[i]);
    if (is_worse (judge->rule, slices[i].value, line->worst))
      line->worst = slices[i].value;
    for (guint k = 0; judge->collectives != NULL && k < slices[i].n; k++)
      add_wait (judge, &g_array_index (line->group->items, LoomCustomRuleItem, slices[i].first + k));
    if (judge->rule->mark == LOOM_CUSTOM_RULE_OCCURRENCE_SPANS)
      mark_spans (judge, line, &slices[i]);
  }
  if (judge->rule->mark != LOOM_CUSTOM_RULE_OCCURRENCE_WINDOWS)
    return;
  LoomRuleOccurrence mark =
    new_mark (line->group, slices[first].begin_ns, slices[first + n - 1].end_ns, LOOM_SPAN_ID_NONE);
  loom_rule_result_add_mark (judge->result, &mark);
}

static void
judge_line (Judge *judge, Line *line)
{
  guint begin = 0, n = 0;
  for (guint i = 0; i <= line->slices->len; i++) {
    if (i < line->slices->len && is_beyond (judge->rule, g_array_index (line->slices, LoomCustomRuleSlice, i).value)) {
      begin = n++ == 0 ? i : begin;
      continue;
    }
    loom_rule_result_note_value (judge->result, LOOM_CUSTOM_RULE_PATIENCE, n, FALSE);
    if (n > 0)
      take_stretch (judge, line, begin, n);
    n = 0;
  }
  judge->result->n_datapoints += line->slices->len;
  judge->result->n_violations += line->n_hits;
  judge->n_fired += line->n_hits > 0;
  if (line->n_hits > 0 && (judge->first == NULL || is_worse (judge->rule, line->worst, judge->first->worst)))
    judge->first = line;
  if (line->n_hits == 0 || judge->rule->mark != LOOM_CUSTOM_RULE_OCCURRENCE_RUN)
    return;
  LoomRuleOccurrence mark =
    new_mark (line->group, line->group->known.begin_ns, line->group->known.end_ns, LOOM_SPAN_ID_NONE);
  loom_rule_result_add_mark (judge->result, &mark);
}

/* --- values relative to the median of all groups ------------------------------------------------------------------ */

/* Replaces the values of all groups by percents of their median. Returns FALSE if there are not enough values to
 * compare. */
static gboolean
make_relative (Judge *judge)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < judge->lines->len; i++) {
    const Line *line = &g_array_index (judge->lines, Line, i);
    if (line->slices->len > 0 && isfinite (g_array_index (line->slices, LoomCustomRuleSlice, 0).value))
      g_array_append_val (values, g_array_index (line->slices, LoomCustomRuleSlice, 0).value);
  }
  double median = loom_statistics_median ((double *) (gpointer) values->data, values->len);
  if (values->len < 2 || !(median > 0))
    return FALSE;
  for (guint i = 0; i < judge->lines->len; i++) {
    GArray *slices = g_array_index (judge->lines, Line, i).slices;
    for (guint k = 0; k < slices->len; k++)
      g_array_index (slices, LoomCustomRuleSlice, k).value *= 100 / median;
  }
  return TRUE;
}

/* --- sentences, details and charts of a result -------------------------------------------------------------------- */

typedef struct {
  const char *word, *value;
} Placeholder;

/* Returns the placeholder "{word}" at the beginning of the text; NULL if there is none. */
static const Placeholder *
find_placeholder (const char *text, const Placeholder *all, guint n)
{
  for (guint i = 0; *text == '{' && i < n; i++)
    if (g_str_has_prefix (text + 1, all[i].word) && text[1 + strlen (all[i].word)] == '}')
      return &all[i];
  return NULL;
}

/* Replaces all placeholders in one pass, so that a name in the run that looks like a placeholder is not replaced. */
static void
fill_in (GString *out, const char *sentence, const Placeholder *all, guint n)
{
  for (const char *at = sentence; *at != '\0';) {
    const Placeholder *found = find_placeholder (at, all, n);
    if (found != NULL)
      g_string_append (out, found->value);
    else
      g_string_append_c (out, *at);
    at += found != NULL ? strlen (found->word) + 2 : 1;
  }
}

/* Returns the node, rank or source of a group as far as it is known, e.g. "rank 3 on algo-1", "“bench.json”". Owned by
 * the caller. */
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
    return has_node ? g_strdup_printf (_ ("“%s” on %s"), group->writer, group->host)
                    : g_strdup_printf (_ ("“%s”"), group->writer);
  return g_strdup (has_node ? group->host : _ ("the run"));
}

/* Returns the text of dup_who() for the beginning of a sentence: with a capital letter, except if it begins with a
 * name. */
static char *
dup_who_first (const LoomCustomRuleGroup *group)
{
  char *who = dup_who (group);
  if (group->rank < 0 && (group->host[0] != '\0' || group->writer[0] != '\0'))
    return who;
  g_autofree char *own = who, *first = g_utf8_substring (who, 0, 1), *upper = g_utf8_strup (first, -1);
  return g_strconcat (upper, g_utf8_next_char (own), NULL);
}

/* Returns by how much the lost time of the worst group exceeds the median of the groups: "3.4 ms per step"; if no
 * steps are recorded, the total ("1.2 s"). Owned by the caller. */
static char *
dup_extra (const Judge *judge)
{
  const LoomCustomRuleSlice *slice = &g_array_index (judge->first->slices, LoomCustomRuleSlice, 0);
  gint64 extra_ns = judge->rule->relative ? lost_in (judge->rule, slice) : 0;
  g_autofree char *extra = loom_time_format_duration (extra_ns / MAX (judge->n_steps, 1));
  return judge->n_steps > 0 ? g_strdup_printf (_ ("%s per step"), extra) : g_steal_pointer (&extra);
}

static void
say_found (Judge *judge)
{
  const LoomCustomRuleGroup *group = judge->first->group;
  const char *all = C_ ("nodes or devices", "all"), *sentence = judge->rule->sentence;
  gboolean is_first = g_str_has_prefix (sentence, "{who}");
  g_autofree char *value = format_value (judge->rule, judge->first->worst),
                  *limit = format_value (judge->rule, judge->rule->limits.limit);
  g_autofree char *rank = group->rank >= 0 ? g_strdup_printf ("%d", group->rank) : g_strdup (group->writer);
  g_autofree char *who = dup_who (group), *who_first = is_first ? dup_who_first (group) : NULL;
  g_autofree char *count = g_strdup_printf ("%u", judge->first->n_hits);
  g_autofree char *windows = g_strdup_printf ("%u", judge->first->slices->len),
                  *groups = g_strdup_printf ("%u", judge->n_fired), *extra = dup_extra (judge);
  const Placeholder words[] = { { "count", count },
                                { "windows", windows },
                                { "groups", groups },
                                { "value", value },
                                { "extra", extra },
                                { "limit", limit },
                                { "name", judge->rule->name },
                                { "rank", rank },
                                { "who", who },
                                { "node", group->host[0] != '\0' ? group->host : all },
                                { "device", group->device[0] != '\0'  ? group->device
                                            : group->label[0] != '\0' ? group->label
                                                                      : all } };
  g_autoptr (GString) text = g_string_new (who_first);
  fill_in (text, sentence + (is_first ? strlen ("{who}") : 0), words, G_N_ELEMENTS (words));
  loom_rule_result_set_message (judge->result, LOOM_RULE_FIRED, "%s", text->str);
}

/* Returns the ranks for which others waited longest, sorted by these waits: "3, 2". Sets `n` to their number, 0 if
 * ranks are unknown. */
static char *
dup_late_ranks (const Judge *judge, guint *n)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) late = loom_rank_order_sort (judge->late);
  for (*n = 0; *n < MIN (late->len, MAX_NAMED); (*n)++) {
    const LoomLateRank *one = &g_array_index (late, LoomLateRank, *n);
    if (one->waited_ns < WORTH_A_NAME * g_array_index (late, LoomLateRank, 0).waited_ns)
      break;
    g_string_append_printf (text, "%s%d", *n > 0 ? loom_list_separator () : "", one->rank);
  }
  return g_string_free (text, FALSE);
}

/* If most of the lost time is waiting for other ranks, puts a sentence about this before the rule's own advice, which
 * doesn't shorten waits. */
static void
say_waiting (Judge *judge)
{
  guint n;
  if (judge->wait_ns <= 0 || (double) judge->wait_ns < MOSTLY * (double) judge->result->lost_ns)
    return;
  g_autofree char *ranks = dup_late_ranks (judge, &n), *sentence = g_strdup (judge->result->sentence);
  if (n == 0)
    return;
  g_autofree char *about = judge->result->advice;
  g_autofree char *wait = loom_time_format_duration (judge->wait_ns),
                  *lost = loom_time_format_duration (judge->result->lost_ns);
  loom_rule_result_set_message (judge->result, LOOM_RULE_FIRED,
                                ngettext ("%s; most of that is time spent waiting for rank %s, which arrives late",
                                          "%s; most of that is time spent waiting for ranks %s, which arrive late", n),
                                sentence, ranks);
  g_autofree char *first = g_strdup_printf (
    _ (
      "%s of the %s is time spent waiting for late ranks; only the rest is communication. The page Stragglers shows which ranks these are, and what makes them late."),
    wait, lost);
  judge->result->advice = g_strdup_printf ("%s %s", first, about);
}

/* Counts the training steps of the rank whose group has the worst value. */
static void
count_steps (Judge *judge, const LoomDataFrame *frame)
{
  const LoomCustomRuleGroup *group = judge->first->group;
  for (guint32 i = 0; i < frame->rows.n; i++) {
    const LoomWorker *worker = &frame->workers[frame->rows.worker[i]];
    judge->n_steps += (frame->rows.flags[i] & LOOM_ROW_TRAIN) != 0 && worker->rank == group->rank && group->rank >= 0 &&
                      strcmp (worker->host, group->host) == 0;
  }
}

static void
say_over (Judge *judge)
{
  static const LoomRuleOver over[] = { LOOM_RULE_OVER_ONE, LOOM_RULE_OVER_NODES, LOOM_RULE_OVER_RANKS,
                                       LOOM_RULE_OVER_DEVICES };
  judge->result->lost_over = over[judge->rule->per];
  judge->result->n_lost_over = judge->n_fired;
}

/* Sets the message of a rule whose values were beyond the limit, but never in `patience` windows in a row. */
static void
say_short (Judge *judge, const char *value, const char *limit)
{
  g_autofree char *text = g_strdup_printf (judge->rule->above ? _ ("highest value %s, above the limit of %s")
                                                              : _ ("lowest value %s, below the limit of %s"),
                                           value, limit);
  loom_rule_result_set_message (judge->result, LOOM_RULE_PASSED,
                                ngettext ("%s, but never in %u window in a row", "%s, but never in %u windows in a row",
                                          judge->rule->limits.patience),
                                text, judge->rule->limits.patience);
}

/* Sets the message of a rule that passed, with the value that came closest to the limit. */
static void
say_passed (Judge *judge, double worst)
{
  g_autofree char *value = format_value (judge->rule, worst),
                  *limit = format_value (judge->rule, judge->rule->limits.limit);
  if (judge->first != NULL || !isfinite (worst))
    return;
  if (is_beyond (judge->rule, worst))
    say_short (judge, value, limit);
  else
    loom_rule_result_set_message (
      judge->result, LOOM_RULE_PASSED,
      judge->rule->above ? _ ("highest value: %s; limit: %s") : _ ("lowest value: %s; limit: %s"), value, limit);
}

static double
worst_of (const Judge *judge, const Line *line)
{
  double worst = NAN;
  for (guint k = 0; k < line->slices->len; k++) {
    double value = g_array_index (line->slices, LoomCustomRuleSlice, k).value;
    worst = isfinite (value) && is_worse (judge->rule, value, worst) ? value : worst;
  }
  return worst;
}

static void
add_details (Judge *judge)
{
  double all = NAN;
  for (guint i = 0; i < judge->lines->len; i++) {
    const Line *line = &g_array_index (judge->lines, Line, i);
    double worst = worst_of (judge, line);
    JsonObject *object = json_object_new ();
    all = isfinite (worst) && is_worse (judge->rule, worst, all) ? worst : all;
    loom_rule_result_note_value (judge->result, LOOM_CUSTOM_RULE_LIMIT, worst, !judge->rule->above);
    json_object_set_int_member (object, "windows", line->slices->len);
    json_object_set_int_member (object, "beyond", line->n_hits);
    if (isfinite (worst))
      json_object_set_double_member (object, "worst", worst);
    json_object_set_object_member (judge->result->details, line->group->key[0] != '\0' ? line->group->key : "run",
                                   object);
  }
  say_passed (judge, all);
}

/* Adds a line to the chart of the result. If the line has more than MAX_POINTS windows, each point is the worst value
 * of `step` windows. */
static void
add_points (Judge *judge, const Line *line)
{
  guint group = judge->result->groups->len, n = line->slices->len, step = (n + MAX_POINTS - 1) / MAX_POINTS;
  g_ptr_array_add (judge->result->groups,
                   g_strdup (line->group->label[0] != '\0' ? line->group->label : C_ ("nodes or devices", "all")));
  for (guint i = 0; i < n; i += step) {
    LoomRulePoint point = { g_array_index (line->slices, LoomCustomRuleSlice, i).begin_ns, NAN, group };
    for (guint k = i; k < MIN (i + step, n); k++) {
      double value = g_array_index (line->slices, LoomCustomRuleSlice, k).value;
      point.value = isfinite (value) && is_worse (judge->rule, value, point.value) ? value : point.value;
    }
    if (isfinite (point.value))
      g_array_append_val (judge->result->evidence, point);
  }
}

/* Adds the lines of groups beyond the limit to the chart of the result, then others, up to MAX_LINES. */
static void
add_evidence (Judge *judge)
{
  judge->result->limit = judge->rule->limits.limit;
  judge->result->unit = loom_custom_rule_get_unit (judge->rule);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < judge->lines->len && judge->result->groups->len < MAX_LINES; i++) {
      const Line *line = &g_array_index (judge->lines, Line, i);
      if ((line->n_hits > 0) == (pass == 0) && line->slices->len > 1)
        add_points (judge, line);
    }
}

static char *
print_parameters (const LoomCustomRule *rule)
{
  g_autofree char *limit = format_value (rule, rule->limits.limit);
  return g_strdup_printf ("%s:%s\npatience:%u\nleast:%u", rule->above ? "above" : "below", limit, rule->limits.patience,
                          rule->limits.least);
}

/* --- evaluation of a rule ----------------------------------------------------------------------------------------- */

static void
add_lines (Judge *judge, LoomDataFrame *frame)
{
  g_autoptr (LoomCustomRuleSteps) steps =
    judge->rule->window == LOOM_CUSTOM_RULE_WINDOW_STEP ? loom_custom_rule_steps_new (frame) : NULL;
  for (guint i = 0; i < judge->groups->len; i++) {
    const LoomCustomRuleGroup *group = judge->groups->pdata[i];
    judge->n_most = MAX (judge->n_most, group->n_known);
    loom_rule_result_note_value (judge->result, LOOM_CUSTOM_RULE_LEAST, group->n_known, FALSE);
    if (group->n_known < judge->rule->limits.least)
      continue;
    Line line = { group, loom_custom_rule_groups_list_windows (steps, judge->rule, group), 0, NAN };
    judge->n_windows = MAX (judge->n_windows, line.slices->len);
    g_array_append_val (judge->lines, line);
  }
}

/* Returns FALSE if no span or sample matches. They may not have been recorded, so the rule cannot be evaluated. */
static gboolean
has_items (const Judge *judge)
{
  for (guint i = 0; i < judge->groups->len; i++)
    if (((const LoomCustomRuleGroup *) judge->groups->pdata[i])->items->len > 0)
      return TRUE;
  return FALSE;
}

static void
conclude (Judge *judge, const LoomDataFrame *frame)
{
  const char *what =
    judge->rule->source == LOOM_CUSTOM_RULE_SPANS ? C_ ("rule counts", "spans") : C_ ("rule counts", "samples");
  if (!has_items (judge))
    loom_rule_result_set_message (judge->result, LOOM_RULE_NOT_APPLICABLE,
                                  judge->rule->source == LOOM_CUSTOM_RULE_SPANS ? _ ("no spans match the rule")
                                                                                : _ ("no samples match the rule"));
  else if (judge->lines->len == 0)
    loom_rule_result_set_not_enough (judge->result, judge->n_most, judge->rule->limits.least, what);
  else if (judge->n_windows < judge->rule->limits.patience)
    loom_rule_result_set_not_enough (judge->result, judge->n_windows, judge->rule->limits.patience,
                                     C_ ("rule counts", "windows"));
  else if (judge->rule->relative && !make_relative (judge))
    loom_rule_result_set_message (judge->result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("there are no other groups to compare with"));
  else {
    for (guint i = 0; i < judge->lines->len; i++)
      judge_line (judge, &g_array_index (judge->lines, Line, i));
    add_details (judge);
    add_evidence (judge);
    if (judge->first == NULL)
      return;
    count_steps (judge, frame);
    say_found (judge);
    say_over (judge);
    if (judge->compared != NULL)
      loom_custom_rule_slow_rank_explain (judge->result, judge->first->group->rank, judge->compared,
                                          judge->cancellable);
    else
      say_waiting (judge);
  }
}

/* Returns TRUE if the rule finds spans that take too much time, or too large a share of the time. */
static gboolean
is_of_time (const LoomCustomRule *rule)
{
  return rule->source == LOOM_CUSTOM_RULE_SPANS &&
         (rule->statistic == LOOM_CUSTOM_RULE_SHARE || rule->statistic == LOOM_CUSTOM_RULE_DURATION) && rule->above &&
         !rule->relative;
}

/* Evaluates a rule. Sets `collectives` when the first rule needs them. */
static LoomRuleResult *
evaluate (LoomDataFrame *frame, const LoomCustomRule *rule, LoomCollectives **collectives, GCancellable *cancellable)
{
  g_autoptr (LoomRuleResult) result = loom_rule_result_new (rule->name, LOOM_N_RULES);
  g_autofree char *too_hard = NULL;
  g_autoptr (GPtrArray) groups = loom_custom_rule_groups (frame, rule, &too_hard, cancellable);
  if (groups == NULL)
    return NULL;
  g_autoptr (GArray) lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_array_set_clear_func (lines, clear_line);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) late = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Judge judge = { .rule = rule,
                  .result = result,
                  .groups = groups,
                  .lines = lines,
                  .seen = seen,
                  .late = late,
                  .cancellable = cancellable };
  result->severity = rule->severity;
  result->explains[0] = rule->explains;
  result->advice = g_strdup (rule->about != NULL ? rule->about : "");
  result->parameters = print_parameters (rule);
  loom_custom_rule_list_limits (rule, result);
  if (too_hard != NULL) {
    g_autofree char *start = g_utf8_substring (too_hard, 0, MIN (g_utf8_strlen (too_hard, -1), 60));
    loom_rule_result_set_message (
      result, LOOM_RULE_NOT_APPLICABLE,
      _ ("the rule was not evaluated: one of its regular expressions takes too long on “%s”"), start);
  } else {
    gboolean compares = rule->relative && rule->above && rule->per == LOOM_CUSTOM_RULE_PER_RANK;
    if ((is_of_time (rule) || compares) && *collectives == NULL)
      *collectives = loom_frame_collectives_get (frame, frame->range, cancellable);
    judge.collectives = is_of_time (rule) ? *collectives : NULL;
    judge.compared = compares ? *collectives : NULL;
    add_lines (&judge, frame);
    conclude (&judge, frame);
  }
  result->is_held_up = judge.collectives != NULL && g_hash_table_size (seen) > 0;
  loom_rule_result_close (result);
  return g_steal_pointer (&result);
}

gboolean
loom_custom_rule_evaluate_all (LoomDataFrame *frame, const GPtrArray *rules, GPtrArray *results,
                               GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = NULL;
  for (guint i = 0; i < rules->len; i++) {
    LoomRuleResult *result = evaluate (frame, rules->pdata[i], &collectives, cancellable);
    if (result == NULL || g_cancellable_is_cancelled (cancellable)) {
      loom_rule_result_free (result);
      return FALSE;
    }
    g_ptr_array_add (results, result);
    loom_builtin_rules_leave_data (results, result);
  }
  return TRUE;
}
