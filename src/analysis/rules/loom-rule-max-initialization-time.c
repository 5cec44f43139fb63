/* SPDX-License-Identifier: Apache-2.0
 *
 * MaxInitializationTime: minutes from the start of the job to its first step; or the whole job, when there is no step.
 */
#include <glib/gi18n.h>

#include "loom-rule-private.h"

enum { THRESHOLD };

void
loom_rule_max_initialization_time (const LoomRuleContext *context, LoomRuleResult *result)
{
  const LoomPhases *phases = &context->phases;
  gint64 begin_ns = phases->job_begin_ns, end_ns = phases->has_loop ? phases->loop_begin_ns : phases->job_end_ns;
  if (!phases->has_samples) {
    loom_rule_say (result, LOOM_RULE_NOT_APPLICABLE, _ ("without system metrics the start of the job is not known"));
    return;
  }
  if (phases->is_loose) {
    loom_rule_say (result, LOOM_RULE_NOT_APPLICABLE, _ ("the clock of the steps cannot be laid over that of the system metrics"));
    return;
  }
  double minutes = (double) (end_ns - begin_ns) / (60.0 * LOOM_NS_PER_S), threshold = loom_rule_value (context, result, THRESHOLD);
  JsonObject *step = loom_rule_details_at (result->details, "step_num");
  json_object_set_double_member (result->details, "job_start", (double) phases->job_begin_ns / LOOM_NS_PER_S);
  json_object_set_double_member (result->details, "job_end", (double) phases->job_end_ns / LOOM_NS_PER_S);
  if (phases->has_loop) {
    json_object_set_int_member (step, "first", phases->loop_begin_ns / LOOM_NS_PER_US);
    json_object_set_int_member (step, "last", phases->loop_end_ns / LOOM_NS_PER_US);
  }
  result->n_datapoints = 1;
  result->n_violations = minutes > threshold;
  result->lost_ns = minutes > threshold ? end_ns - begin_ns : 0;
  if (minutes > threshold)
    loom_rule_mark (result, begin_ns, end_ns, "", "");
  loom_rule_say (result, minutes > threshold ? LOOM_RULE_FIRED : LOOM_RULE_PASSED,
                 phases->has_loop ? _ ("The first step began after %.1f minutes") : _ ("There is no step in the %.1f minutes of the job"), minutes);
}
