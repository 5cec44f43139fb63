/* SPDX-License-Identifier: Apache-2.0
 *
 * The built-in rules: their names, their parameters with the defaults of SageMaker's rule package, and the values that
 * the user set. Built by one thread; then any thread may read it.
 */
#pragma once

#include <json-glib/json-glib.h>

#define LOOM_RULE_MAX_PARAMETERS 6

typedef enum {
  LOOM_PARAMETER_PERCENTILE, /* a number from 0 to 100 */
  LOOM_PARAMETER_POSITIVE,
  LOOM_PARAMETER_TEXT, /* a text, or no value */
  LOOM_PARAMETER_BOOLEAN,
} LoomParameterKind;

typedef struct {
  const char *name; /* NULL marks the end of the list of parameters */
  LoomParameterKind kind;
  double initial;
  /* text for the user that states what the value limits, such as "GPU busy (p95) below"; marked for translation; NULL:
   * users cannot set this parameter */
  const char *label;
  const char *unit; /* "%", "", or a word that is marked for translation */
} LoomRuleParameter;

typedef struct {
  const char *name; /* name of the rule, such as "CPUBottleneck" */
  LoomRuleParameter parameters[LOOM_RULE_MAX_PARAMETERS + 1];
} LoomRuleInfo;

typedef enum {
  LOOM_RULE_BATCH_SIZE,
  LOOM_RULE_COPY_BOUND, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_CPU_BOTTLENECK,
  LOOM_RULE_DATALOADER,
  LOOM_RULE_EXPERT_IMBALANCE, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_GPU_MEMORY_INCREASE,
  LOOM_RULE_HANG,       /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_HOST_BOUND, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_HOST_STALL, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_IO_BOTTLENECK,
  LOOM_RULE_LAUNCH_GAPS, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_LOAD_BALANCING,
  LOOM_RULE_LOW_GPU_UTILIZATION,
  LOOM_RULE_MAX_INITIALIZATION_TIME,
  LOOM_RULE_MEMORY_LEAK,      /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_PIPELINE_BUBBLES, /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_SLOW_LINK,        /* a rule of this program; SageMaker has no such rule */
  LOOM_RULE_STEP_OUTLIER,
  LOOM_RULE_OVERALL_SYSTEM_USAGE,
  LOOM_RULE_OVERALL_FRAMEWORK_METRICS,
  LOOM_RULE_PROFILER_REPORT,
  LOOM_N_RULES,
} LoomRule;

extern const LoomRuleInfo loom_rule_parameters_rules[LOOM_N_RULES];

/* Returns the index of the rule with this name, without regard to upper and lower case; −1: there is none. */
int loom_rule_parameters_find (const char *name);

typedef struct _LoomRuleParameters LoomRuleParameters;

LoomRuleParameters *loom_rule_parameters_new (void); /* Returns parameters that all have their default values. */
void loom_rule_parameters_free (LoomRuleParameters *settings);

/* Returns the value of a parameter; its default value if `settings` is NULL. `rule`, `parameter`: indices of the rule
 * and of its parameter. */
double loom_rule_parameters_get (const LoomRuleParameters *settings, guint rule, guint parameter);
/* Returns the value of a text parameter; NULL: not set. Borrowed. */
const char *loom_rule_parameters_get_text (const LoomRuleParameters *settings, guint rule, guint parameter);

/* Sets a parameter from the text of its value. Upper and lower case of the parameter's name are not distinguished. If
 * the text is "", None or null, changes nothing. If the parameter is unknown or the value is unusable, changes nothing,
 * and returns FALSE with LOOM_ERROR_RANGE and the message of SageMaker's SDK. */
gboolean loom_rule_parameters_set (LoomRuleParameters *settings, guint rule, const char *name, const char *text,
                                   GError **error);

/* Applies the parameters in a document of one of these forms: {"CPUBottleneck": {"threshold": "10"}};
 * {"CPUBottleneck_threshold": "10"}; the ProfilerRuleConfigurations of a request, or one of its RuleParameters. Stores
 * the objects of custom rules for loom_rule_parameters_get_custom(). For each unusable value, adds a text to
 * `warnings`; for each unknown rule, adds its name to `unknown`. (Both arrays own their texts, and may be NULL.)
 * Applies all other values. Returns FALSE with LOOM_ERROR_FORMAT if the document is not an object or array. */
gboolean loom_rule_parameters_read (LoomRuleParameters *settings, JsonNode *root, GPtrArray *warnings,
                                    GPtrArray *unknown, GError **error);

/* Like loom_rule_parameters_read(), but reads the document from a file of at most LOOM_LIMIT_CONFIG_BYTES bytes, which
 * must be strict JSON. Errors contain the name of the file. Blocks. */
gboolean loom_rule_parameters_read_file (LoomRuleParameters *settings, const char *path, GPtrArray *warnings,
                                         GPtrArray *unknown, GError **error);

/* Returns the values that the documents read so far contain for a custom rule, such as {"above": "40 %"}; NULL if they
 * contain none. Upper and lower case of the rule's name are not distinguished. loom_custom_rules_set_parameters()
 * interprets the values. Borrowed. */
JsonObject *loom_rule_parameters_get_custom (const LoomRuleParameters *settings, const char *rule);

/* Returns the parameters of a rule as lines "name:value". Owned by the caller. */
char *loom_rule_parameters_print (const LoomRuleParameters *settings, guint rule);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleParameters, loom_rule_parameters_free)
