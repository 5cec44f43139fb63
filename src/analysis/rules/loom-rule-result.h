/* SPDX-License-Identifier: Apache-2.0
 *
 * What a rule found, of SageMaker's rules and of one's own alike: whether it fired, in a sentence, where on the timeline,
 * the figures behind. Filled by one thread, then read by any.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-timeline.h"

G_BEGIN_DECLS

/* "Not enough data" and "not applicable" are not "passed". */
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
  LOOM_N_RULE_SEVERITIES,
} LoomRuleSeverity;

/* Of what times lost are added up. */
typedef enum {
  LOOM_RULE_OVER_ONE,
  LOOM_RULE_OVER_NODES,
  LOOM_RULE_OVER_RANKS,
  LOOM_RULE_OVER_DEVICES,
} LoomRuleOver;

/* Where on the timeline. */
typedef struct {
  gint64 begin_ns, end_ns; /* timeline */
  const char *host;        /* "" all; borrowed from the frame */
  const char *device;      /* "gpu0", or the writer of a row ("algo-1-901"); "" the whole host */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE: no single one */
} LoomRuleOccurrence;

/* What a rule of one's own looked at, window by window. */
typedef struct {
  gint64 time_ns;
  double value;
  guint group; /* number of the line it belongs to */
} LoomRulePoint;

typedef struct {
  char *name; /* "CPUBottleneck" */
  guint rule; /* of SageMaker's rules; LOOM_N_RULES for one's own */
  LoomRuleStatus status;
  LoomRuleSeverity severity; /* of a finding */
  guint64 n_violations, n_datapoints;
  guint64 n_have, n_needed; /* of what there is not enough */
  gint64 lost_ns;           /* an estimate to sort findings by; 0 unknown */
  LoomRuleOver lost_over;   /* lost_ns is a sum over so many of these, at the same time perhaps */
  guint n_lost_over;
  char *sentence;     /* what was found, in plain words with figures; without a full stop */
  char *advice;       /* of one's own rules; NULL: loom_builtin_rules_get_advice() */
  char *parameters;   /* lines "name:value" */
  GArray *marks;      /* LoomRuleOccurrence, by begin; at most LOOM_RULE_MAX_MARKS */
  guint64 n_left_out; /* marks beyond these, which are counted only */
  LoomRange range;    /* from the first mark to the last, those left out included; empty: there are none */
  JsonObject *details;
  GArray *evidence;  /* LoomRulePoint, group by group */
  GPtrArray *groups; /* char *, what the groups of the evidence are called */
  double limit;      /* the evidence is compared with it; NAN none */
  const char *unit;  /* of the evidence; static */
} LoomRuleResult;

#define LOOM_RULE_MAX_MARKS 10000

/* PASSED and empty. */
LoomRuleResult *loom_rule_result_new (const char *name, guint rule);
void loom_rule_result_free (LoomRuleResult *result);

/* Status and sentence; one that was there is replaced. */
void loom_rule_result_set_message (LoomRuleResult *result, LoomRuleStatus status, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* NOT_ENOUGH, with "not enough data (n of m what)". */
void loom_rule_result_set_not_enough (LoomRuleResult *result, guint64 n_have, guint64 n_needed, const char *what);

/* "summed over 4 devices", of lost_ns; NULL: of one. Translated, owned. */
char *loom_rule_result_dup_over (const LoomRuleResult *result);

/* Those beyond LOOM_RULE_MAX_MARKS are counted, and their times widen the range. */
void loom_rule_result_add_occurrence (LoomRuleResult *result, gint64 begin_ns, gint64 end_ns, const char *host,
                                      const char *device);
void loom_rule_result_add_mark (LoomRuleResult *result, const LoomRuleOccurrence *mark);

/* Marks in order, a sentence in any case. */
void loom_rule_result_close (LoomRuleResult *result);

/* "fired", "passed", "not enough data" or "not applicable", as documents have it. */
const char *loom_rule_result_status_to_string (LoomRuleStatus status);

/* The original's report of a rule: {"RuleTriggered","Violations","Datapoints","RuleParameters","Details","Status",
 * "Sentence","Marks":[{"start_ns","end_ns","node","device"}]}, with "MarksLeftOut" where there are too many to list. The caller owns the node. */
JsonNode *loom_rule_result_to_json (const LoomRuleResult *result);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleResult, loom_rule_result_free)

G_END_DECLS
