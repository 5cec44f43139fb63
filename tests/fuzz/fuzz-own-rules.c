/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes files of custom rules: any content is read, or refused with a line number. Rules that were read are within
 * limits, and evaluating them on an empty run gives a sentence.
 */
#include "fuzz.h"

#include <math.h>

#include "loom-custom-rule-evaluate.h"
#include "loom-error.h"

static LoomDataFrame *
empty_frame (void)
{
  g_autoptr (LoomRun) run = loom_run_new (NULL, 0);
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_NONE, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
}

static void
check_rule (const LoomCustomRule *rule)
{
  fuzz_check (rule->name != NULL && g_utf8_validate (rule->name, -1, NULL) && rule->name[0] != '\0',
              "a rule without a name");
  fuzz_check (rule->sentence != NULL && g_utf8_validate (rule->sentence, -1, NULL), "%s: no sentence", rule->name);
  fuzz_check (isfinite (rule->limits.limit), "%s: limit %g", rule->name, rule->limits.limit);
  fuzz_check (rule->quantile >= 0 && rule->quantile <= 1, "%s: quantile %g", rule->name, rule->quantile);
  fuzz_check (rule->limits.patience > 0 && rule->limits.least > 0, "%s: patience", rule->name);
  fuzz_check (rule->window != LOOM_CUSTOM_RULE_WINDOW_TIME || rule->window_ns > 0, "%s: window", rule->name);
  fuzz_check (rule->window != LOOM_CUSTOM_RULE_WINDOW_SAMPLES || rule->window_samples > 0, "%s: window", rule->name);
}

static void
check_rules (const GPtrArray *rules)
{
  g_autoptr (LoomDataFrame) frame = empty_frame ();
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_rule_result_free);
  fuzz_check (rules->len <= LOOM_CUSTOM_RULES_MAX, "too many rules");
  for (guint i = 0; i < rules->len; i++)
    check_rule (rules->pdata[i]);
  loom_custom_rule_evaluate_all (frame, rules, results, NULL);
  fuzz_check (results->len == rules->len, "a rule without a result");
  for (guint i = 0; i < results->len; i++)
    fuzz_check (((const LoomRuleResult *) results->pdata[i])->sentence != NULL, "a result without a sentence");
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  fuzz_leaks_are_known (TRUE); /* json-glib leaks the node of a string with half a surrogate pair, so leaks are ignored
                                * here */
  g_autoptr (GPtrArray) rules = loom_custom_rules_parse ((const char *) data, size, "r.json", &error);
  fuzz_leaks_are_known (FALSE);
  fuzz_check ((rules != NULL) == (error == NULL), "neither read nor refused");
  if (error != NULL)
    fuzz_check (error->domain == LOOM_ERROR && g_utf8_validate (error->message, -1, NULL) &&
                  g_str_has_prefix (error->message, "r.json: "),
                "%s", error->message);
  else
    check_rules (rules);
  return 0;
}
