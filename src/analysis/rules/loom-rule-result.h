/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of evaluating a built-in or a custom rule: whether it fired, a sentence, the places on the timeline, and
 * the figures on which it is based. Filled by one thread, then read by any.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-timeline.h"

/* A rule with the status LOOM_RULE_NOT_ENOUGH or LOOM_RULE_NOT_APPLICABLE was not evaluated, so it neither fired nor
 * passed. */
typedef enum {
  LOOM_RULE_FIRED,
  LOOM_RULE_PASSED,
  LOOM_RULE_NOT_ENOUGH,
  LOOM_RULE_NOT_APPLICABLE,
  LOOM_N_RULE_STATUS,
} LoomRuleStatus;

typedef enum {
  LOOM_RULE_INFO,
  LOOM_RULE_WARNING,
  LOOM_RULE_SEVERE,
} LoomRuleSeverity;

/* Whether LoomRuleResult.lost_ns is the time of one node, rank or device, or a sum over several of them. */
typedef enum {
  LOOM_RULE_OVER_ONE,
  LOOM_RULE_OVER_NODES,
  LOOM_RULE_OVER_RANKS,
  LOOM_RULE_OVER_DEVICES,
} LoomRuleOver;

/* A mark in the timeline: the time and the host, device or span to which the finding of a rule refers. */
typedef struct {
  gint64 begin_ns, end_ns; /* on the timeline */
  const char *host;        /* "": all hosts; borrowed from the LoomDataFrame */
  const char *device;      /* "gpu0", or the writer of a row ("algo-1-901"); "": the whole host */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE: the mark is not a single span */
  guint worker_plus_one;   /* 1 + index of the LoomWorker that uses the device; 0: unknown */
} LoomRuleOccurrence;

/* A point of the chart of a result. A custom rule usually adds a point for each time window: the value of the window
 * that it compared with its limit. */
typedef struct {
  gint64 time_ns;
  double value;
  guint group; /* index in LoomRuleResult.groups; each group is a line of the chart */
} LoomRulePoint;

/* A parameter of a rule, with the value that was used. */
typedef struct {
  const char *parameter; /* name of the parameter in parameter files; static */
  /* what the value limits, for example "GPU usage (p95) below"; NULL: users cannot set this parameter; translated,
   * static */
  const char *label;
  const char *unit;      /* "%", "ns", a word or ""; translated, static */
  double value, initial; /* `value`: value in this evaluation; `initial`: default value */
  double least, most;    /* the range of values that users can set; only whole numbers if is_whole */
  gboolean is_whole;
  /* the value that was compared with the limit, or the worst of several such values; NAN: no value was compared */
  double judged;
} LoomRuleLimit;

#define LOOM_RULE_MAX_LIMITS 6

typedef struct _LoomRuleResult LoomRuleResult;

struct _LoomRuleResult {
  char *name; /* name of the rule, such as "CPUBottleneck" */
  guint rule; /* number of the built-in rule; LOOM_N_RULES for a user's rule */
  LoomRuleStatus status;
  LoomRuleSeverity severity; /* severity of a finding of this rule */
  guint64 n_violations, n_datapoints;
  guint64 n_have, n_needed; /* for LOOM_RULE_NOT_ENOUGH: available and required number of samples, steps … */
  /* estimate of the time that the job loses; findings are sorted by this estimate; 0: unknown */
  gint64 lost_ns;
  gboolean lost_at_most; /* TRUE if lost_ns is an upper bound; such a finding is never severe */
  /* lost_ns is the sum of the times that `n_lost_over` devices, ranks or nodes lose (`lost_over` says which of these);
   * their lost times may overlap on the timeline */
  LoomRuleOver lost_over;
  guint n_lost_over;
  /* TRUE if the rule found a rank for which other ranks wait. Findings about the waiting ranks are consequences of this
   * finding. */
  gboolean holds_up;
  /* the rank for which the others wait, if the headline (or the sentence, without a headline) names it and says why it
   * is late; else −1. `late_ranks`: this rank and those that are late together with it, for a sentence: "2 and 3";
   * `n_late_ranks`: their number; see loom_rule_result_take_late_ranks() */
  gint late_rank;
  char *late_ranks;
  guint n_late_ranks;
  /* time that the job would save if these ranks were not late, for a finding whose lost_ns is not this time but what the
   * waiting devices lose, which includes their communication; an upper limit; 0: unknown */
  gint64 saved_ns;
  /* names of rules whose findings are effects of this finding; NULL: none; static or interned */
  const char *explains[5];
  /* time that all ranks lose because of the finding, including ranks on which the rule does not fire; 0: unknown */
  gint64 caused_ns;
  gint64 waits_ns; /* the part of lost_ns in which ranks wait in collectives for other ranks */
  /* TRUE if a part of the lost time is spent in collectives, so that a rank that arrives late may be the cause */
  gboolean is_held_up;
  /* TRUE if lost_ns is time in which devices do too little. If another finding is the cause, only the lost_ns of that
   * finding explains this time; its caused_ns does not, because it includes time that other ranks lose. */
  gboolean is_of_idle_time;
  /* If the rule passed: sentences about a loss of time that is below the limit of the rule but worth knowing, and the
   * time lost, on average per rank or device. NULL: there is none; translated */
  char *small_loss;
  gint64 small_loss_ns;
  char *sentence; /* text of the finding, with figures and without a full stop */
  char *headline; /* short text of the finding, without reasons and details; NULL: the sentence is short enough */
  /* sentence that states the cost of the finding, with "{cost}" instead of the cost; NULL: a sentence for the rule;
   * translated */
  char *cost_sentence;
  char *advice;     /* advice of a user's rule; NULL: the rule is built in, see loom_builtin_rules_get_advice() */
  char *parameters; /* parameters of the rule, as lines "name:value" */
  LoomRuleLimit limits[LOOM_RULE_MAX_LIMITS];
  guint n_limits;
  GArray *marks;      /* LoomRuleOccurrence, sorted by start; at most LOOM_RULE_MAX_MARKS */
  guint64 n_left_out; /* number of marks beyond LOOM_RULE_MAX_MARKS, which are not stored */
  /* from the start of the first mark to the end of the last one, including marks that are not stored; empty: no
   * marks */
  LoomRange range;
  /* Used if the finding holds in several steps, and only the worst of these steps is marked. `held`: LoomRange, the
   * ranges of these steps, sorted by start; at most LOOM_RULE_MAX_MARKS, the last of which also covers the remaining
   * steps; `n_held`: number of these steps; 0: not used; `n_steps`: number of all steps. */
  GArray *held;
  guint n_held, n_steps;
  JsonObject *details;
  GArray *evidence;  /* points of the chart of the result: LoomRulePoint, sorted by group */
  GPtrArray *groups; /* char *: names of the lines of the chart */
  double limit;      /* limit that the chart shows; NAN: the chart shows no limit */
  const char *unit;  /* unit of the points and of the limit of the chart; static */
  /* TRUE if lost_ns excludes the time in which ranks wait for data, because another finding reports this time */
  gboolean omits_data;
  /* the same result with omits_data TRUE, that is, without the time in which ranks wait for data; used by
   * loom_builtin_rules_leave_data(); NULL: the rule does not make such a result; owned */
  LoomRuleResult *without_data;
};

#define LOOM_RULE_MAX_MARKS 10000

/* Makes a result with status PASSED and no figures. */
LoomRuleResult *loom_rule_result_new (const char *name, guint rule);
void loom_rule_result_free (LoomRuleResult *result);

/* Stores the value that was compared with the limit of index `limit`. If several values are given for a limit, keeps
 * the worst: the smallest if `wants_least`, else the largest. */
void loom_rule_result_note_value (LoomRuleResult *result, guint limit, double value, gboolean wants_least);

/* Returns the text of a value with the unit of `limit`, for example "71.8 %". Owned by the caller. */
char *loom_rule_result_dup_value (const LoomRuleLimit *limit, double value);

/* Sets the status and the sentence of a result. Replaces those that were set before. */
void loom_rule_result_set_message (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* Sets LoomRuleResult.cost_sentence and takes ownership of it. */
void loom_rule_result_take_cost_sentence (LoomRuleResult *result, char *sentence);
/* Sets the headline, and replaces an earlier one. */
void loom_rule_result_set_headline (LoomRuleResult *result, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Sets the ranks for which the others wait. `rank`: one of them; `ranks`: all `n` of them, for a sentence, such as "2 and
 * 3". Takes ownership of `ranks`. */
void loom_rule_result_take_late_ranks (LoomRuleResult *result, gint rank, guint n, char *ranks);
/* Sets the sentences of a loss below the limit, and replaces earlier ones. Takes ownership of `sentences`. */
void loom_rule_result_take_small_loss (LoomRuleResult *result, char *sentences, gint64 lost_ns);
/* Sets the status LOOM_RULE_NOT_ENOUGH and the sentence "not enough data (`n_have` of `n_needed` `what`)". */
void loom_rule_result_set_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what);

/* Returns the lost time on average over the nodes, ranks or devices over which lost_ns is summed, so that findings
 * about different numbers of them can be compared. */
gint64 loom_rule_result_get_average_ns (const LoomRuleResult *result);

/* Returns the severity of a finding. A warning becomes severe if more than a fifth of `range` is lost, on average over
 * the nodes, ranks or devices over which lost_ns is summed, without the part `explained_ns` of lost_ns that other
 * findings explain. */
LoomRuleSeverity loom_rule_result_weigh (const LoomRuleResult *result, gint64 explained_ns, LoomRange range);

/* Returns a text that says over what lost_ns is summed, for example "summed over 4 devices"; NULL if lost_ns is the
 * time of a single device, rank or node. Translated, owned by the caller. */
char *loom_rule_result_dup_over (const LoomRuleResult *result);

/* Adds a mark. Marks beyond LOOM_RULE_MAX_MARKS are counted and extend result->range, but are not stored. */
void loom_rule_result_add_occurrence (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host,
                                      const char *device);
void loom_rule_result_add_mark (LoomRuleResult *result, const LoomRuleOccurrence *mark);

/* Finishes a result: sorts the marks, and sets a sentence if there is none. */
void loom_rule_result_close (LoomRuleResult *result);

/* Returns the untranslated status for reports and JSON output: "fired", "passed", "not enough data" or "not
 * applicable". Static. */
const char *loom_rule_result_status_to_string (LoomRuleStatus status);

/* Returns the result in the format of SageMaker's rule reports:
 * {"RuleTriggered","Violations","Datapoints","RuleParameters",
 * "Details","Status","Sentence","Marks":[{"start_ns","end_ns","node","device"}]}. If not all marks are stored, the
 * member "MarksLeftOut" is added. The caller owns the node. */
JsonNode *loom_rule_result_to_json (const LoomRuleResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleResult, loom_rule_result_free)
