/* SPDX-License-Identifier: Apache-2.0
 *
 * Custom rules: the user's own rules, declared in a JSON file (data/rules/README.md). A rule selects spans or samples,
 * divides time into windows, computes a statistic in each window, and compares it with a limit. It fires if enough
 * consecutive windows are beyond the limit. Then its result has a sentence, and marks on the timeline. One thread
 * builds a rule; afterwards any thread can read it.
 */
#pragma once

#include <glib.h>

#include "loom-rule-parameters.h"
#include "loom-rule-result.h"

/* A JSON file whose document has this member is a rule file; the value of the member is the version of the file
 * format. */
#define LOOM_CUSTOM_RULES_MEMBER "traceloom-rules"
#define LOOM_CUSTOM_RULES_VERSION 1

#define LOOM_CUSTOM_RULES_MAX 200

typedef enum {
  LOOM_CUSTOM_RULE_SPANS,
  LOOM_CUSTOM_RULE_SAMPLES,
} LoomCustomRuleSource;

typedef enum {
  LOOM_CUSTOM_RULE_NODE,
  LOOM_CUSTOM_RULE_TYPE, /* category of spans, or type of samples */
  LOOM_CUSTOM_RULE_NAME,
  LOOM_CUSTOM_RULE_DIMENSION, /* dimension of a metric; only in rules about samples */
  LOOM_CUSTOM_RULE_PHASE,     /* only in rules about spans: the phase of training, or the label of the process */
  LOOM_N_CUSTOM_RULE_FIELDS,
} LoomCustomRuleField;

typedef enum {
  LOOM_CUSTOM_RULE_PER_RUN,
  LOOM_CUSTOM_RULE_PER_NODE,
  LOOM_CUSTOM_RULE_PER_RANK,
  LOOM_CUSTOM_RULE_PER_DEVICE, /* only in rules about samples: one group for each series */
} LoomCustomRulePer;

typedef enum {
  LOOM_CUSTOM_RULE_WINDOW_ALL,
  LOOM_CUSTOM_RULE_WINDOW_STEP,
  LOOM_CUSTOM_RULE_WINDOW_TIME,
  LOOM_CUSTOM_RULE_WINDOW_SAMPLES,
} LoomCustomRuleWindow;

typedef enum {
  LOOM_CUSTOM_RULE_MEAN,
  LOOM_CUSTOM_RULE_MIN,
  LOOM_CUSTOM_RULE_MAX,
  LOOM_CUSTOM_RULE_QUANTILE,
  LOOM_CUSTOM_RULE_SHARE_ABOVE, /* percentage of the window's values that are above the threshold */
  LOOM_CUSTOM_RULE_SHARE_BELOW,
  LOOM_CUSTOM_RULE_COUNT,
  LOOM_CUSTOM_RULE_DURATION, /* time, in ns, in which at least one span of the window runs */
  LOOM_CUSTOM_RULE_SHARE,    /* LOOM_CUSTOM_RULE_DURATION in percent of the window */
  LOOM_CUSTOM_RULE_GROWTH,   /* growth, in percent, from the first quarter of the window's values to the last quarter */
} LoomCustomRuleStatistic;

typedef enum {
  LOOM_CUSTOM_RULE_OCCURRENCE_WINDOWS,
  LOOM_CUSTOM_RULE_OCCURRENCE_SPANS,
  LOOM_CUSTOM_RULE_OCCURRENCE_RUN,
} LoomCustomRuleOccurrence;

/* The numbers of a rule that users can set without editing the rule file. */
typedef struct {
  double limit;     /* limit for the statistic of a window, in the unit of the statistic */
  double threshold; /* used by LOOM_CUSTOM_RULE_SHARE_ABOVE and _BELOW; in rules about spans, a time in ns */
  guint patience;   /* the rule fires if at least this number of consecutive windows is beyond the limit */
  guint least;      /* groups with fewer spans or samples than this are not evaluated */
} LoomCustomRuleLimits;

typedef struct {
  char *name, *about, *sentence;
  char *headline; /* short form of the sentence; NULL: the rule has none */
  /* what the value of the rule is, for example "share of a step that a rank waits for data"; NULL: the rule does not
   * say it */
  char *measures;
  /* name of a rule whose findings are effects of this rule's findings (interned); NULL: there is no such rule */
  const char *explains;
  LoomCustomRuleSource source;
  GRegex *where[LOOM_N_CUSTOM_RULE_FIELDS]; /* regular expression for each field; NULL: matches everything */
  gboolean no_messages;                     /* TRUE: the rule excludes sends and receives between two ranks */
  /* TRUE: the rule excludes threads for which the training loop does not wait, see loom-loop-threads.h */
  gboolean loop_threads_only;
  /* TRUE: waits for data count as a problem only if devices are idle because of them. If the devices are idle for lack
   * of data during less than a tenth of the time of these waits, because they have queued work, the rule passes. */
  gboolean felt_by_devices_only;
  /* TRUE: the time of a span counts only while no kernel of the span's group (see `per`) computes */
  gboolean exposed_only;
  LoomCustomRulePer per;
  LoomCustomRuleWindow window;
  gint64 window_ns;
  guint window_samples;
  LoomCustomRuleStatistic statistic;
  double quantile; /* for LOOM_CUSTOM_RULE_QUANTILE, from 0 to 1 */
  /* TRUE: the rule fires if values are above the limit; FALSE: if they are below it */
  gboolean above;
  gboolean relative; /* TRUE: values are percents of the median over all groups */
  /* `limits`: the numbers with which the rule is evaluated; `initial`: the numbers of the rule file */
  LoomCustomRuleLimits limits, initial;
  LoomRuleSeverity severity;
  LoomCustomRuleOccurrence mark;
} LoomCustomRule;

/* Parses the text of a rule file. Returns an array of LoomCustomRule. A LoomCustomRule never changes after parsing, so
 * any thread may keep a reference to it. `name`: name of the file, with which error messages begin: "rules.json: line
 * 7: …". Returns NULL with LOOM_ERROR_FORMAT, or with LOOM_ERROR_LIMIT (size, depth, number of rules). Unknown members
 * are errors, so that a typo cannot disable a rule. */
GPtrArray *loom_custom_rules_parse (const char *text, gsize length, const char *name, GError **error);
/* Like loom_custom_rules_parse(), but the error message contains neither file nor line. On error, sets `line` to the
 * line of the error (0: unknown). */
GPtrArray *loom_custom_rules_check (const char *text, gsize length, guint *line, GError **error);
/* Reads a rule file. Errors are those of loom_custom_rules_parse(), and LOOM_ERROR_READ. */
GPtrArray *loom_custom_rules_read (const char *path, GError **error);

/* Replaces the numbers of each rule by the numbers that a parameter file states for a rule of this name. The members
 * "above" or "below", "threshold", "patience" and "least" have the same form as in rule files. If a value is unusable,
 * keeps the number of the rule file and adds a text to `warnings` (owned texts; may be NULL). Must be called before the
 * rules are shared between threads. Returns FALSE if the parameters contain none of the rules. */
gboolean loom_custom_rules_set_parameters (GPtrArray *rules, const LoomRuleParameters *parameters, GPtrArray *warnings);

/* Indices in LoomRuleResult.limits of the numbers of a custom rule. */
enum {
  LOOM_CUSTOM_RULE_LIMIT,
  LOOM_CUSTOM_RULE_PATIENCE,
  LOOM_CUSTOM_RULE_LEAST,
  LOOM_CUSTOM_RULE_THRESHOLD, /* only for rules with a threshold */
};

/* Adds the numbers of the rule to result->limits, in the order of the enum above. */
void loom_custom_rule_list_limits (const LoomCustomRule *rule, LoomRuleResult *result);

/* Returns the unit of the rule's values: "ns", "%" or "" (none). Static. */
const char *loom_custom_rule_get_unit (const LoomCustomRule *rule);
