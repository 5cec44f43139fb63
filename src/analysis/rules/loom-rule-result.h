/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of evaluating a built-in or a custom rule: whether it fired, a sentence, the places on the timeline, and
 * the numbers on which the result is based. Filled by one thread; then any thread may read it.
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

/* States whether LoomRuleResult.lost_ns is the time of a single node, rank or device, or a sum over several of them. */
typedef enum {
  LOOM_RULE_OVER_ONE,
  LOOM_RULE_OVER_NODES,
  LOOM_RULE_OVER_RANKS,
  LOOM_RULE_OVER_DEVICES,
} LoomRuleOver;

/* A mark on the timeline: the time, and the host, device or span to which a finding refers. */
typedef struct {
  gint64 begin_ns, end_ns; /* on the timeline */
  const char *host;        /* "": all hosts; borrowed from the LoomDataFrame */
  /* name of a device, such as "gpu0". If the mark is for a row of the LoomDataFrame, name of the worker that recorded
   * the row, such as "algo-1-901". "": the mark is for the whole host */
  const char *device;
  LoomSpanId span;       /* LOOM_SPAN_ID_NONE: the mark is not a single span */
  guint worker_plus_one; /* 1 + index of the LoomWorker that uses the device; 0: unknown */
} LoomRuleOccurrence;

/* A point of the chart of a result. A custom rule usually adds a point for each time window: the value that was
 * compared with the limit. */
typedef struct {
  gint64 time_ns;
  double value;
  guint group; /* index in LoomRuleResult.groups; each group is a line of the chart */
} LoomRulePoint;

/* A parameter of a rule, with the value that was used. */
typedef struct {
  const char *parameter; /* name of the parameter in parameter files; static */
  /* translated text that states what the value limits, such as "GPU usage (p95) below"; static; NULL: users cannot set
   * this parameter */
  const char *label;
  const char *unit;      /* "%", "ns", a word or ""; translated, static */
  double value, initial; /* `value`: value in this evaluation; `initial`: default value */
  double least, most;    /* range of values that users can set; if is_whole is TRUE, only whole numbers */
  gboolean is_whole;
  /* the value that was compared with the limit, or the worst of several such values; NAN: no value was compared */
  double judged;
} LoomRuleLimit;

#define LOOM_RULE_MAX_LIMITS 6

typedef struct _LoomRuleResult LoomRuleResult;

struct _LoomRuleResult {
  char *name; /* name of the rule, such as "CPUBottleneck" */
  guint rule; /* number of the built-in rule; LOOM_N_RULES for a custom rule */
  LoomRuleStatus status;
  LoomRuleSeverity severity; /* severity of a finding of this rule */
  guint64 n_violations, n_datapoints;
  /* if the status is LOOM_RULE_NOT_ENOUGH: `n_have`: number of available samples or steps; `n_needed`: required
   * number */
  guint64 n_have, n_needed;
  /* estimated time that the job loses; findings are sorted by it; 0: unknown */
  gint64 lost_ns;
  gboolean lost_at_most; /* TRUE if lost_ns is an upper bound; such a finding is never severe */
  /* `lost_over`: kind of elements (devices, ranks or nodes) over which lost_ns is a sum; `n_lost_over`: their number.
   * Their lost times may overlap on the timeline. */
  LoomRuleOver lost_over;
  guint n_lost_over;
  /* TRUE if the rule found a rank for which other ranks wait. Findings about the waiting ranks are then effects of this
   * finding. */
  gboolean holds_up;
  /* Set if the finding names a rank for which the others wait, and the reason why this rank is late. (The headline
   * names them; if there is no headline, the sentence does.) `late_rank`: this rank; −1: not set. `late_ranks`: text
   * that lists this rank and the ranks that are late together with it, such as "2 and 3". `n_late_ranks`: number of the
   * listed ranks. See loom_rule_result_take_late_ranks(). */
  gint late_rank;
  char *late_ranks;
  guint n_late_ranks;
  /* upper limit of the time that the job would save if the ranks in `late_ranks` were not late; 0: unknown. It can
   * differ from lost_ns: for some rules, lost_ns is the time that the waiting devices lose, including their
   * communication. */
  gint64 saved_ns;
  /* Upper limit of the time that the job would save without the problem, if the sentence or the headline states such a
   * saving; 0: see `saved_ns`. Not less than lost_ns. */
  gint64 stated_saving_ns;
  /* names of rules whose findings are effects of this finding; NULL: unused element; static or interned */
  const char *explains[5];
  /* time that all ranks lose because of the finding, including ranks on which the rule does not fire; 0: unknown */
  gint64 caused_ns;
  gint64 waits_ns; /* the part of lost_ns in which ranks wait in collectives for other ranks */
  /* TRUE if a part of the lost time is spent in collectives, so that a rank that arrives late may be the cause */
  gboolean is_held_up;
  /* TRUE if lost_ns is time in which devices do too little. If another finding is the cause of this finding, the
   * explained part of this time is at most the lost_ns of the other finding. The caused_ns of the other finding is not
   * used, because caused_ns includes time that other ranks lose. */
  gboolean is_of_idle_time;
  /* `small_loss`: if the rule passed, translated sentences about a loss of time that is below the limit of the rule,
   * but worth mentioning; NULL: there is no such loss. `small_loss_ns`: the lost time, on average per rank or
   * device. */
  char *small_loss;
  gint64 small_loss_ns;
  char *sentence; /* text of the finding, with numbers and without a full stop */
  char *headline; /* short text of the finding, without reasons and details; NULL: the sentence is short enough */
  /* sentence that states the cost of the finding, with "{cost}" instead of the cost; translated; NULL: the usual
   * sentence of the rule is used */
  char *cost_sentence;
  char *advice;     /* advice of a custom rule; NULL: the rule is built in, see loom_builtin_rules_get_advice() */
  char *parameters; /* parameters of the rule, as lines "name:value" */
  LoomRuleLimit limits[LOOM_RULE_MAX_LIMITS];
  guint n_limits;
  GArray *marks;      /* LoomRuleOccurrence, sorted by start; at most LOOM_RULE_MAX_MARKS */
  guint64 n_left_out; /* number of marks that are not stored, because there are more than LOOM_RULE_MAX_MARKS */
  /* from the start of the first mark to the end of the last one, including marks that are not stored; empty: there are
   * no marks */
  LoomRange range;
  /* Used if the finding holds in several steps, and only the worst of these steps is marked. `held`: LoomRange, the
   * ranges of these steps, sorted by start; at most LOOM_RULE_MAX_MARKS ranges: if there are more steps, the last range
   * covers all remaining steps. `n_held`: number of these steps; 0: not used. `n_steps`: number of all steps. */
  GArray *held;
  guint n_held, n_steps;
  JsonObject *details;
  GArray *evidence;  /* LoomRulePoint, sorted by group: points of the chart of the result */
  GPtrArray *groups; /* char *: names of the lines of the chart, one for each group of points */
  double limit;      /* limit that the chart shows as a line; NAN: the chart shows no limit */
  const char *unit;  /* unit of the points and of the limit of the chart; static */
  /* TRUE if lost_ns excludes the time in which ranks wait for data, because another finding reports this time */
  gboolean omits_data;
  /* a copy of this result with omits_data TRUE, whose lost time excludes the time in which ranks wait for data; used by
   * loom_builtin_rules_leave_data(); NULL: the rule makes no such copy; owned */
  LoomRuleResult *without_data;
};

#define LOOM_RULE_MAX_MARKS 10000

/* Makes a result with the status PASSED and without numbers. */
LoomRuleResult *loom_rule_result_new (const char *name, guint rule);
void loom_rule_result_free (LoomRuleResult *result);

/* Stores `value`, a value of the run that was compared with the limit `limit` (an index). If the function is called
 * several times for a limit, keeps the worst value: the smallest if `wants_least` is TRUE, else the largest. */
void loom_rule_result_note_value (LoomRuleResult *result, guint limit, double value, gboolean wants_least);

/* Returns the text of `value` with the unit of `limit`, for example "71.8 %". Owned by the caller. */
char *loom_rule_result_dup_value (const LoomRuleLimit *limit, double value);

/* Sets the status and the sentence of a result. Replaces an earlier status and an earlier sentence. */
void loom_rule_result_set_message (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* Sets LoomRuleResult.cost_sentence and takes ownership of it. */
void loom_rule_result_take_cost_sentence (LoomRuleResult *result, char *sentence);
/* Sets the headline. Replaces an earlier one. */
void loom_rule_result_set_headline (LoomRuleResult *result, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Sets the ranks for which the other ranks wait. `n`: number of these ranks; `rank`: one of them; `ranks`: text that
 * lists all of them, to be used in a sentence, such as "2 and 3". Takes ownership of `ranks`. */
void loom_rule_result_take_late_ranks (LoomRuleResult *result, gint rank, guint n, char *ranks);
/* Sets LoomRuleResult.small_loss, the sentences about a loss that is below the limit, and small_loss_ns. Replaces
 * earlier sentences. Takes ownership of `sentences`. */
void loom_rule_result_take_small_loss (LoomRuleResult *result, char *sentences, gint64 lost_ns);
/* Sets the status LOOM_RULE_NOT_ENOUGH and the sentence "not enough data (`n_have` of `n_needed` `what`)". */
void loom_rule_result_set_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what);

/* Returns the lost time divided by the number of nodes, ranks or devices over which lost_ns is summed. With this mean,
 * findings about different numbers of devices can be compared. */
gint64 loom_rule_result_get_average_ns (const LoomRuleResult *result);

/* Returns the severity of a finding. A warning becomes severe if the mean lost time exceeds a fifth of `range`. The
 * mean lost time is (lost_ns − explained_ns) ÷ the number of nodes, ranks or devices over which lost_ns is summed.
 * `explained_ns`: the part of lost_ns that other findings explain. */
LoomRuleSeverity loom_rule_result_weigh (const LoomRuleResult *result, gint64 explained_ns, LoomRange range);

/* Returns a text that states over what lost_ns is summed, for example "summed over 4 devices". NULL: lost_ns is the
 * time of a single device, rank or node. Translated, owned by the caller. */
char *loom_rule_result_dup_over (const LoomRuleResult *result);

/* Adds a mark. If the result already has LOOM_RULE_MAX_MARKS marks, the mark is counted and extends result->range, but
 * is not stored. */
void loom_rule_result_add_occurrence (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host,
                                      const char *device);
void loom_rule_result_add_mark (LoomRuleResult *result, const LoomRuleOccurrence *mark);

/* Finishes a result: sorts the marks, and sets a default sentence if the result has none. */
void loom_rule_result_close (LoomRuleResult *result);

/* Returns the untranslated status for reports and JSON output: "fired", "passed", "not enough data" or "not
 * applicable". Static. */
const char *loom_rule_result_status_to_string (LoomRuleStatus status);

/* Returns the result in the format of SageMaker's rule reports:
 * {"RuleTriggered","Violations","Datapoints","RuleParameters",
 * "Details","Status","Sentence","Marks":[{"start_ns","end_ns","node","device"}]}. If not all marks are stored, the
 * object also has the member "MarksLeftOut". Owned by the caller. */
JsonNode *loom_rule_result_to_json (const LoomRuleResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleResult, loom_rule_result_free)
