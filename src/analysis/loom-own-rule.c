/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-own-private.h"

static void
free_rule (gpointer data)
{
  LoomOwnRule *rule = data;
  g_free (rule->name);
  g_free (rule->about);
  g_free (rule->sentence);
  for (guint i = 0; i < LOOM_N_OWN_FIELDS; i++)
    g_clear_pointer (&rule->where[i], g_regex_unref);
  g_free (rule);
}

LoomOwnRules *
loom_own_rules_new (void)
{
  LoomOwnRules *rules = g_new0 (LoomOwnRules, 1);
  g_atomic_ref_count_init (&rules->ref_count);
  rules->rules = g_ptr_array_new_with_free_func (free_rule);
  return rules;
}

LoomOwnRules *
loom_own_rules_ref (LoomOwnRules *rules)
{
  g_atomic_ref_count_inc (&rules->ref_count);
  return rules;
}

void
loom_own_rules_unref (LoomOwnRules *rules)
{
  if (rules == NULL || !g_atomic_ref_count_dec (&rules->ref_count))
    return;
  g_ptr_array_unref (rules->rules);
  g_free (rules);
}

guint
loom_own_rules_get_n (const LoomOwnRules *rules)
{
  return rules->rules->len;
}

const LoomOwnRule *
loom_own_rules_get (const LoomOwnRules *rules, guint i)
{
  return rules->rules->pdata[i];
}

const char *
loom_own_rule_get_unit (const LoomOwnRule *rule)
{
  if (rule->relative)
    return "%";
  switch (rule->statistic) {
  case LOOM_OWN_COUNT: return "";
  case LOOM_OWN_DURATION: return "ns";
  case LOOM_OWN_SHARE:
  case LOOM_OWN_SHARE_ABOVE:
  case LOOM_OWN_SHARE_BELOW:
  case LOOM_OWN_GROWTH: return "%";
  default: return rule->source == LOOM_OWN_SPANS ? "ns" : "";
  }
}
