/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-private.h"

static void
free_rule (gpointer data)
{
  LoomCustomRule *rule = data;
  g_free (rule->name);
  g_free (rule->about);
  g_free (rule->sentence);
  for (guint i = 0; i < LOOM_N_CUSTOM_RULE_FIELDS; i++)
    g_clear_pointer (&rule->where[i], g_regex_unref);
  g_free (rule);
}

LoomCustomRules *
loom_custom_rule_rules_new (void)
{
  LoomCustomRules *rules = g_new0 (LoomCustomRules, 1);
  g_atomic_ref_count_init (&rules->ref_count);
  rules->rules = g_ptr_array_new_with_free_func (free_rule);
  return rules;
}

LoomCustomRules *
loom_custom_rules_ref (LoomCustomRules *rules)
{
  g_atomic_ref_count_inc (&rules->ref_count);
  return rules;
}

void
loom_custom_rules_unref (LoomCustomRules *rules)
{
  if (rules == NULL || !g_atomic_ref_count_dec (&rules->ref_count))
    return;
  g_ptr_array_unref (rules->rules);
  g_free (rules);
}

guint
loom_custom_rules_get_n (const LoomCustomRules *rules)
{
  return rules->rules->len;
}

const LoomCustomRule *
loom_custom_rules_get (const LoomCustomRules *rules, guint i)
{
  return rules->rules->pdata[i];
}

const char *
loom_custom_rule_get_unit (const LoomCustomRule *rule)
{
  if (rule->relative)
    return "%";
  switch (rule->statistic) {
  case LOOM_CUSTOM_RULE_COUNT: return "";
  case LOOM_CUSTOM_RULE_DURATION: return "ns";
  case LOOM_CUSTOM_RULE_SHARE:
  case LOOM_CUSTOM_RULE_SHARE_ABOVE:
  case LOOM_CUSTOM_RULE_SHARE_BELOW:
  case LOOM_CUSTOM_RULE_GROWTH: return "%";
  default: return rule->source == LOOM_CUSTOM_RULE_SPANS ? "ns" : "";
  }
}
