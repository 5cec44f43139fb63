/* SPDX-License-Identifier: Apache-2.0
 *
 * The result of a rule, of SageMaker or of the user: whether it fired, a sentence, the places on the timeline, and the
 * figures on which it is based. Filled by one thread, then read by any.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-timeline.h"

/* "Not enough data" and "not applicable" are different from "passed". */
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

/* Over which things lost_ns was summed. */
typedef enum {
  LOOM_RULE_OVER_ONE,
  LOOM_RULE_OVER_NODES,
  LOOM_RULE_OVER_RANKS,
  LOOM_RULE_OVER_DEVICES,
} LoomRuleOver;

/* A mark: the time and the host, device or span in which a rule found its condition. */
typedef struct {
  gint64 begin_ns, end_ns; /* timeline */
  const char *host;        /* "": all hosts; borrowed from the frame */
  const char *device;      /* "gpu0", or the writer of a row ("algo-1-901"); "": the whole host */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE: the mark is not a single span */
  guint worker_plus_one;   /* 1 + number of the frame's worker that uses the device; 0: unknown */
} LoomRuleOccurrence;

/* The value of one window that a user's rule compared with its limit; a point of the chart. */
typedef struct {
  gint64 time_ns;
  double value;
  guint group; /* index in `groups`; each group is a line of the chart */
} LoomRulePoint;

/* A parameter of a rule as it was evaluated. */
typedef struct {
  const char *parameter; /* name of the parameter in parameter files; static */
  /* the quantity that it limits, for example "GPU usage (p95) below"; NULL: users cannot set it; translated, static */
  const char *label;
  const char *unit;      /* "%", "ns", a word or ""; translated, static */
  double value, initial; /* the value used in this evaluation, and the default */
  double least, most;    /* the range of values that users can set; only whole numbers if is_whole */
  gboolean is_whole;
  double judged; /* the value of the run that was compared with the limit; if there are several, the worst; NAN: none */
} LoomRuleLimit;

#define LOOM_RULE_MAX_LIMITS 6

typedef struct _LoomRuleResult LoomRuleResult;

struct _LoomRuleResult {
  char *name; /* "CPUBottleneck" */
  guint rule; /* number of the built-in rule; LOOM_N_RULES for a user's rule */
  LoomRuleStatus status;
  LoomRuleSeverity severity; /* severity if the rule fires */
  guint64 n_violations, n_datapoints;
  guint64 n_have, n_needed; /* for NOT_ENOUGH: available and required amounts */
  gint64 lost_ns;           /* an estimate for sorting findings; 0: unknown */
  gboolean lost_at_most;    /* TRUE if lost_ns is an upper bound; such a finding is never severe */
  /* lost_ns is a sum over n_lost_over nodes, ranks or devices, which may have lost the same time simultaneously */
  LoomRuleOver lost_over;
  guint n_lost_over;
  /* the rule found a rank for which other ranks wait; the findings about these ranks are its consequences */
  gboolean holds_up;
  const char *explains[5]; /* rules whose findings are effects of this one; NULL: none; static or
                            * interned */
  gint64 caused_ns;        /* the time that other ranks lose because of the finding, summed over them; 0: unknown */
  gboolean is_held_up; /* some of the time passes in collectives, so that it may be the consequence of a late rank */
  char *sentence;      /* the finding in words, with figures and without a full stop */
  char *advice;        /* advice of a user's rule; NULL: use loom_builtin_rules_get_advice() */
  char *parameters;    /* lines "name:value" */
  LoomRuleLimit limits[LOOM_RULE_MAX_LIMITS];
  guint n_limits;
  GArray *marks;      /* LoomRuleOccurrence, sorted by start; at most LOOM_RULE_MAX_MARKS */
  guint64 n_left_out; /* number of further marks, which are not stored */
  LoomRange range;    /* from the first mark to the last, including marks not stored; empty: no marks */
  JsonObject *details;
  GArray *evidence;             /* LoomRulePoint, sorted by group */
  GPtrArray *groups;            /* char *, names of the groups in `evidence` */
  double limit;                 /* the limit for the evidence; NAN: none */
  const char *unit;             /* unit of the evidence; static */
  gboolean omits_data;          /* time in which ranks wait for data is excluded, because another finding reports it */
  LoomRuleResult *without_data; /* for loom_builtin_rules_leave_data(): result with omits_data; NULL: none; owned */
};

#define LOOM_RULE_MAX_MARKS 10000

/* Makes a result with status PASSED and no figures. */
LoomRuleResult *loom_rule_result_new (const char *name, guint rule);
void loom_rule_result_free (LoomRuleResult *result);

/* Stores the value of the run that was compared with the limit of index `limit`. If it is called several times, the
 * worst value is kept: the largest, or with `wants_least` the smallest. */
void loom_rule_result_note_value (LoomRuleResult *result, guint limit, double value, gboolean wants_least);

/* Returns a value with the unit of the limit, for example "71.8 %". Owned by the caller. */
char *loom_rule_result_dup_value (const LoomRuleLimit *limit, double value);

/* Sets status and sentence, replacing earlier ones. */
void loom_rule_result_set_message (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* Sets NOT_ENOUGH, with the sentence "not enough data (n of m what)". */
void loom_rule_result_set_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what);

/* Returns the severity of a finding: a warning is severe if, on average over the nodes, ranks or devices, more than
 * a fifth of `range` is lost. */
LoomRuleSeverity loom_rule_result_weigh (const LoomRuleResult *result, LoomRange range);

/* Returns how lost_ns was summed, "summed over 4 devices"; NULL if it is the time of a single device, rank or node.
 * Translated, owned by the caller. */
char *loom_rule_result_dup_over (const LoomRuleResult *result);

/* Adds a mark. Marks beyond LOOM_RULE_MAX_MARKS are counted and widen the range, but are not stored. */
void loom_rule_result_add_occurrence (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host,
                                      const char *device);
void loom_rule_result_add_mark (LoomRuleResult *result, const LoomRuleOccurrence *mark);

/* Finishes a result: sorts the marks and makes sure that there is a sentence. */
void loom_rule_result_close (LoomRuleResult *result);

/* Returns the status as written in documents: "fired", "passed", "not enough data" or "not applicable". Static. */
const char *loom_rule_result_status_to_string (LoomRuleStatus status);

/* Returns the result in the format of SageMaker's rule reports:
 * {"RuleTriggered","Violations","Datapoints","RuleParameters",
 * "Details","Status","Sentence","Marks":[{"start_ns","end_ns","node","device"}]}, with "MarksLeftOut" if there are
 * more marks than stored. The caller owns the node. */
JsonNode *loom_rule_result_to_json (const LoomRuleResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleResult, loom_rule_result_free)
