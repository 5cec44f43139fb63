/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers of custom rules (limit, threshold, patience, least) that users can change in the window or in a parameter
 * file, without editing the rule file.
 */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-custom-rule-json.h"
#include "loom-custom-rule.h"

static const char *
get_limit_member (const LoomCustomRule *rule)
{
  return rule->above ? "above" : "below";
}

/* Returns TRUE if the rule's threshold is a time. Rules about spans compare the threshold with durations. Rules about
 * samples compare it with values that have no unit. */
static gboolean
is_threshold_time (const LoomCustomRule *rule)
{
  return rule->source == LOOM_CUSTOM_RULE_SPANS;
}

static gboolean
set_member (LoomCustomRule *rule, const char *name, JsonNode *node)
{
  gboolean is_time = strcmp (loom_custom_rule_get_unit (rule), "ns") == 0;
  if (strcmp (name, get_limit_member (rule)) == 0)
    return loom_custom_rule_json_get_quantity (node, is_time, &rule->limits.limit);
  if (strcmp (name, "threshold") == 0 && isfinite (rule->initial.threshold))
    return loom_custom_rule_json_get_quantity (node, is_threshold_time (rule), &rule->limits.threshold);
  if (strcmp (name, "patience") == 0)
    return loom_custom_rule_json_get_whole (node, &rule->limits.patience);
  return strcmp (name, "least") == 0 && loom_custom_rule_json_get_whole (node, &rule->limits.least);
}

static void
set_members (LoomCustomRule *rule, JsonObject *values, GPtrArray *warnings)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  json_object_iter_init_ordered (&iter, values);
  while (json_object_iter_next_ordered (&iter, &name, &node)) {
    if (set_member (rule, name, node) || warnings == NULL)
      continue;
    g_autofree char *text =
      g_strdup_printf (_ ("rule %s: the value of “%s” cannot be used; the default is kept"), rule->name, name);
    g_ptr_array_add (warnings, g_utf8_make_valid (text, -1));
  }
}

gboolean
loom_custom_rules_set_parameters (GPtrArray *rules, const LoomRuleParameters *parameters, GPtrArray *warnings)
{
  gboolean found = FALSE;
  for (guint i = 0; i < rules->len; i++) {
    LoomCustomRule *rule = rules->pdata[i];
    JsonObject *values = loom_rule_parameters_get_custom (parameters, rule->name);
    if (values != NULL)
      set_members (rule, values, warnings);
    found |= values != NULL;
  }
  return found;
}

static LoomRuleLimit
new_count (const char *parameter, const char *label, guint value, guint initial)
{
  return (LoomRuleLimit) { .parameter = parameter,
                           .label = label,
                           .unit = "",
                           .value = value,
                           .initial = initial,
                           .least = 1,
                           .most = LOOM_CUSTOM_RULE_JSON_MOST,
                           .is_whole = TRUE,
                           .judged = NAN };
}

/* Returns one of the rule's numbers together with the limits within which users can set it. A percentage may exceed
 * 100, because a rule can compare values with their median. */
static LoomRuleLimit
new_quantity (const char *parameter, const char *label, const char *unit, double value, double initial)
{
  gboolean is_count = *unit == '\0';
  return (LoomRuleLimit) { .parameter = parameter,
                           .label = label,
                           .unit = unit,
                           .value = value,
                           .initial = initial,
                           .least = 0,
                           .most = strcmp (unit, "ns") == 0 ? 9e18
                                   : is_count               ? 1e15
                                                            : 1e6,
                           .judged = NAN };
}

void
loom_custom_rule_list_limits (const LoomCustomRule *rule, LoomRuleResult *result)
{
  const LoomCustomRuleLimits *limits = &rule->limits, *initial = &rule->initial;
  gboolean of_spans = rule->source == LOOM_CUSTOM_RULE_SPANS;
  result->limits[LOOM_CUSTOM_RULE_LIMIT] =
    new_quantity (get_limit_member (rule), rule->above ? _ ("Report values above") : _ ("Report values below"),
                  loom_custom_rule_get_unit (rule), limits->limit, initial->limit);
  result->limits[LOOM_CUSTOM_RULE_PATIENCE] =
    new_count ("patience", _ ("Consecutive windows needed"), limits->patience, initial->patience);
  result->limits[LOOM_CUSTOM_RULE_LEAST] =
    new_count ("least", of_spans ? _ ("Spans needed") : _ ("Samples needed"), limits->least, initial->least);
  result->n_limits = LOOM_CUSTOM_RULE_LEAST + 1;
  if (isfinite (initial->threshold))
    result->limits[result->n_limits++] = new_quantity ("threshold", _ ("Threshold for each span or sample"),
                                                       of_spans ? "ns" : "", limits->threshold, initial->threshold);
}
