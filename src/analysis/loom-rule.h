/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiler rules of SageMaker, evaluated over a frame: formats/profiler-config-and-rules.md, part B. Where the original's
 * code has a quirk the intended rule is evaluated. Pure; any thread; a rule costs at most a few passes over the samples.
 */
#pragma once

#include "loom-frame.h"
#include "loom-rule-settings.h"

G_BEGIN_DECLS

/* "Not enough data" and "not applicable" are not "passed". */
typedef enum {
  LOOM_RULE_FIRED,
  LOOM_RULE_PASSED,
  LOOM_RULE_NOT_ENOUGH,
  LOOM_RULE_NOT_APPLICABLE,
} LoomRuleStatus;

/* Where on the timeline. */
typedef struct {
  gint64 begin_ns, end_ns; /* timeline */
  const char *host;        /* "" all; borrowed from the frame */
  const char *device;      /* "gpu0", or the writer of a row ("algo-1-901"); "" the whole host */
} LoomRuleMark;

typedef struct {
  guint rule;              /* index into the rules */
  LoomRuleStatus status;
  guint64 n_violations, n_datapoints;
  guint64 n_have, n_needed; /* of what there is not enough */
  gint64 lost_ns;          /* an estimate to sort findings by; 0 unknown */
  char *sentence;          /* what was found, in plain words with figures; without a full stop */
  GArray *marks;           /* LoomRuleMark, by begin; at most LOOM_RULE_MAX_MARKS */
  JsonObject *details;
} LoomRuleResult;

#define LOOM_RULE_MAX_MARKS 10000

/* One result per rule, in the order of loom_rules[]; settings may be NULL for the defaults. NULL only when cancelled. */
GPtrArray *loom_rules_evaluate (LoomFrame *frame, const LoomRuleSettings *settings, GCancellable *cancellable);
/* One rule. NULL only when cancelled. */
LoomRuleResult *loom_rule_evaluate (guint rule, LoomFrame *frame, const LoomRuleSettings *settings, GCancellable *cancellable);
void loom_rule_result_free (LoomRuleResult *result);

/* "fired", "passed", "not enough data", "not applicable" */
const char *loom_rule_status_to_string (LoomRuleStatus status);

/* The original's report of a rule: {"RuleTriggered","Violations","Datapoints","RuleParameters","Details","Status",
 * "Sentence","Marks":[{"start_ns","end_ns","node","device"}]}. The caller owns the node. */
JsonNode *loom_rule_result_to_json (const LoomRuleResult *result, const LoomRuleSettings *settings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRuleResult, loom_rule_result_free)

G_END_DECLS
