/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-result.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-locale-number.h"
#include "loom-time.h"

/* A warning is severe if more than 1 / SEVERE_PART of the range is lost. */
#define SEVERE_PART 5

const char *
loom_rule_result_status_to_string (LoomRuleStatus status)
{
  static const char *const words[LOOM_N_RULE_STATUS] = { "fired", "passed", "not enough data", "not applicable" };
  return words[status];
}

LoomRuleResult *
loom_rule_result_new (const char *name, guint rule)
{
  LoomRuleResult *result = g_new0 (LoomRuleResult, 1);
  result->name = g_strdup (name);
  result->rule = rule;
  result->status = LOOM_RULE_PASSED;
  result->late_rank = -1;
  result->marks = g_array_new (FALSE, FALSE, sizeof (LoomRuleOccurrence));
  result->held = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  result->details = json_object_new ();
  result->evidence = g_array_new (FALSE, FALSE, sizeof (LoomRulePoint));
  result->groups = g_ptr_array_new_with_free_func (g_free);
  result->limit = NAN;
  result->unit = "";
  return result;
}

void
loom_rule_result_free (LoomRuleResult *result)
{
  if (result == NULL)
    return;
  g_free (result->name);
  g_free (result->sentence);
  g_free (result->headline);
  g_free (result->cost_sentence);
  g_free (result->small_loss);
  g_free (result->late_ranks);
  g_free (result->advice);
  g_free (result->parameters);
  g_array_unref (result->marks);
  g_array_unref (result->held);
  json_object_unref (result->details);
  g_array_unref (result->evidence);
  g_ptr_array_unref (result->groups);
  loom_rule_result_free (result->without_data);
  g_free (result);
}

void
loom_rule_result_note_value (LoomRuleResult *result, guint limit, double value, gboolean wants_least)
{
  g_return_if_fail (limit < result->n_limits);
  double *judged = &result->limits[limit].judged;
  if (isfinite (value) && (isnan (*judged) || (wants_least ? value < *judged : value > *judged)))
    *judged = value;
}

char *
loom_rule_result_dup_value (const LoomRuleLimit *limit, double value)
{
  if (strcmp (limit->unit, "ns") == 0)
    return loom_time_format_duration ((gint64) CLAMP (value, -9e18, 9e18));
  g_autofree char *number = limit->is_whole    ? loom_locale_number_group ((guint64) MAX (value, 0))
                            : fabs (value) < 1 ? g_strdup_printf ("%.2f", value)
                                               : g_strdup_printf ("%.1f", value);
  return *limit->unit != '\0' ? g_strdup_printf ("%s %s", number, limit->unit) : g_steal_pointer (&number);
}

void
loom_rule_result_set_message (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (result->sentence);
  result->sentence = g_strdup_vprintf (format, args);
  result->status = status;
  va_end (args);
}

void
loom_rule_result_take_cost_sentence (LoomRuleResult *result, char *sentence)
{
  g_free (result->cost_sentence);
  result->cost_sentence = sentence;
}

void
loom_rule_result_set_headline (LoomRuleResult *result, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_free (result->headline);
  g_free (result->small_loss);
  result->headline = g_strdup_vprintf (format, args);
  va_end (args);
}

void
loom_rule_result_take_late_ranks (LoomRuleResult *result, gint rank, guint n, char *ranks)
{
  g_free (result->late_ranks);
  result->late_rank = rank;
  result->late_ranks = ranks;
  result->n_late_ranks = n;
}

void
loom_rule_result_take_small_loss (LoomRuleResult *result, char *sentences, gint64 lost_ns)
{
  g_free (result->small_loss);
  result->small_loss = sentences;
  result->small_loss_ns = lost_ns;
}

void
loom_rule_result_set_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what)
{
  result->n_have = n_have;
  result->n_needed = n_needed;
  /* Translators: "3 of 20 samples"; what is counted is translated as “rule counts”. */
  loom_rule_result_set_message (result, LOOM_RULE_NOT_ENOUGH, _ ("not enough data (%u of %u %s)"), (guint) n_have,
                                (guint) MIN (n_needed, G_MAXUINT), what);
}

gint64
loom_rule_result_get_average_ns (const LoomRuleResult *result)
{
  return result->lost_ns / MAX (result->n_lost_over, 1);
}

LoomRuleSeverity
loom_rule_result_weigh (const LoomRuleResult *result, gint64 explained_ns, LoomRange range)
{
  gboolean is_large = (result->lost_ns - explained_ns) / MAX (result->n_lost_over, 1) >
                      loom_time_sub (range.end_ns, range.begin_ns) / SEVERE_PART;
  return result->severity == LOOM_RULE_WARNING && is_large && !result->lost_at_most ? LOOM_RULE_SEVERE
                                                                                    : result->severity;
}

char *
loom_rule_result_dup_over (const LoomRuleResult *result)
{
  guint n = result->n_lost_over;
  if (n < 2)
    return NULL;
  switch (result->lost_over) {
  case LOOM_RULE_OVER_NODES: return g_strdup_printf (ngettext ("summed over %u node", "summed over %u nodes", n), n);
  case LOOM_RULE_OVER_RANKS: return g_strdup_printf (ngettext ("summed over %u rank", "summed over %u ranks", n), n);
  case LOOM_RULE_OVER_DEVICES:
    return g_strdup_printf (ngettext ("summed over %u device", "summed over %u devices", n), n);
  default: return NULL;
  }
}

void
loom_rule_result_add_mark (LoomRuleResult *result, const LoomRuleOccurrence *mark)
{
  gint64 end_ns = MAX (mark->end_ns, loom_time_add (mark->begin_ns, 1));
  gboolean is_first = result->marks->len == 0;
  result->range.begin_ns = is_first ? mark->begin_ns : MIN (result->range.begin_ns, mark->begin_ns);
  result->range.end_ns = is_first ? end_ns : MAX (result->range.end_ns, end_ns);
  if (result->marks->len < LOOM_RULE_MAX_MARKS)
    g_array_append_val (result->marks, *mark);
  else
    result->n_left_out++;
}

void
loom_rule_result_add_occurrence (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host,
                                 const char *device)
{
  LoomRuleOccurrence mark = { begin_ns, end_ns, host, device, LOOM_SPAN_ID_NONE, 0 };
  loom_rule_result_add_mark (result, &mark);
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  const LoomRuleOccurrence *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

void
loom_rule_result_close (LoomRuleResult *result)
{
  g_array_sort (result->marks, compare_marks);
  if (result->sentence == NULL)
    loom_rule_result_set_message (result, result->status, "%s", _ ("nothing found"));
}

static void
add_marks (JsonObject *object, const GArray *marks)
{
  JsonArray *array = json_array_new ();
  for (guint i = 0; i < marks->len; i++) {
    const LoomRuleOccurrence *mark = &g_array_index (marks, LoomRuleOccurrence, i);
    JsonObject *place = json_object_new ();
    json_object_set_int_member (place, "start_ns", mark->begin_ns);
    json_object_set_int_member (place, "end_ns", mark->end_ns);
    json_object_set_string_member (place, "node", mark->host);
    json_object_set_string_member (place, "device", mark->device);
    json_array_add_object_element (array, place);
  }
  json_object_set_array_member (object, "Marks", array);
}

JsonNode *
loom_rule_result_to_json (const LoomRuleResult *result)
{
  g_autoptr (JsonObject) object = json_object_new ();
  json_object_set_int_member (object, "RuleTriggered", result->status == LOOM_RULE_FIRED);
  json_object_set_int_member (object, "Violations", (gint64) result->n_violations);
  json_object_set_int_member (object, "Datapoints", (gint64) result->n_datapoints);
  json_object_set_string_member (object, "RuleParameters", result->parameters != NULL ? result->parameters : "");
  json_object_set_object_member (object, "Details", json_object_ref (result->details));
  json_object_set_string_member (object, "Status", loom_rule_result_status_to_string (result->status));
  json_object_set_string_member (object, "Sentence", result->sentence);
  add_marks (object, result->marks);
  if (result->n_left_out > 0)
    json_object_set_int_member (object, "MarksLeftOut", (gint64) result->n_left_out);
  return json_node_init_object (json_node_alloc (), object);
}
