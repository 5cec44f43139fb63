/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the text that sets parameters of rules: any content is accepted or reported; every value is within the limits
 * of its parameter, and parsing the printed settings gives the same settings.
 */
#include "fuzz.h"

#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-rule-parameters.h"

static void
check_values (const LoomRuleParameters *settings)
{
  for (guint rule = 0; rule < LOOM_N_RULES; rule++)
    for (guint i = 0; loom_rule_parameters_rules[rule].parameters[i].name != NULL; i++) {
      double value = loom_rule_parameters_get (settings, rule, i);
      LoomParameterKind kind = loom_rule_parameters_rules[rule].parameters[i].kind;
      fuzz_check (kind != LOOM_PARAMETER_PERCENTILE || (value >= 0 && value <= 100), "%s: %g",
                  loom_rule_parameters_rules[rule].name, value);
      fuzz_check (kind != LOOM_PARAMETER_POSITIVE || value > 0, "%s: %g", loom_rule_parameters_rules[rule].name, value);
    }
}

/* Sets the values of a rule again from their printed lines, except texts that contain a line feed. */
static void
set_again (const LoomRuleParameters *settings, guint rule)
{
  g_autoptr (LoomRuleParameters) again = loom_rule_parameters_new ();
  g_autofree char *lines = loom_rule_parameters_print (settings, rule);
  fuzz_check (g_utf8_validate (lines, -1, NULL), "%s", lines);
  g_auto (GStrv) line = g_strsplit (lines, "\n", -1);
  for (guint i = 0; line[i] != NULL; i++) {
    char *colon = strchr (line[i], ':');
    if (colon == NULL)
      return;
    *colon = '\0';
    if (!loom_rule_parameters_set (again, rule, line[i], colon + 1, NULL))
      return;
  }
  g_autofree char *second = loom_rule_parameters_print (again, rule);
  fuzz_check (rule == LOOM_RULE_STEP_OUTLIER || strcmp (second, lines) == 0, "%s\n%s", lines, second);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (LoomRuleParameters) settings = loom_rule_parameters_new ();
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  if (!loom_json_slice_is_strict ((const char *) data, size) ||
      !json_parser_load_from_data (parser, (const char *) data, (gssize) size, NULL) ||
      json_parser_get_root (parser) == NULL)
    return 0;
  gboolean read = loom_rule_parameters_read (settings, json_parser_get_root (parser), warnings, unknown, &error);
  fuzz_check (read == (error == NULL) && (read || error->domain == LOOM_ERROR), "neither read nor refused");
  for (guint i = 0; i < warnings->len; i++)
    fuzz_check (g_utf8_validate (warnings->pdata[i], -1, NULL), "%s", (const char *) warnings->pdata[i]);
  for (guint i = 0; i < unknown->len; i++)
    fuzz_check (g_utf8_validate (unknown->pdata[i], -1, NULL), "%s", (const char *) unknown->pdata[i]);
  check_values (settings);
  for (guint i = 0; i < LOOM_N_RULES; i++)
    set_again (settings, i);
  return 0;
}
