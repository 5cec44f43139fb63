/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule MaxInitializationTime: fires if the initialization of the job takes too many minutes. The initialization
 * lasts from the start of the job to its first training step or, if it has no training steps, to its first step of any
 * mode. If the format of the files always records all steps (records_steps()), but there are no steps in the files, the
 * whole job counts as initialization.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-rule-private.h"

enum { THRESHOLD };

/* Returns TRUE if the files of this format always contain all steps of the job, as smdebug's Python timelines do.
 * Returns FALSE for other formats: their files contain only the steps that the training script marks. */
static gboolean
records_steps (const LoomDataFrame *frame)
{
  const LoomDataFrameRows *rows = &frame->rows;
  for (guint32 i = 0; i < rows->n; i++)
    if ((rows->flags[i] & LOOM_ROW_PYTHON) != 0 && strcmp (frame->workers[rows->worker[i]].format, "smdebug") == 0)
      return TRUE;
  return FALSE;
}

static gboolean
find_first_step (const LoomRuleContext *context, gint64 *begin_ns)
{
  const LoomDataFrameRows *rows = &context->frame->rows;
  gboolean any = context->phases.has_loop && !context->phases.is_loop_outside;
  *begin_ns = context->phases.loop_begin_ns;
  for (guint32 i = 0; i < rows->n && !context->phases.has_loop; i++) {
    if ((rows->flags[i] & LOOM_ROW_STEP) == 0)
      continue;
    *begin_ns = any ? MIN (*begin_ns, rows->start_ns[i]) : rows->start_ns[i];
    any = TRUE;
  }
  return any;
}

/* Returns TRUE if the start of the job is known and can be compared with the times of the steps. Otherwise sets the
 * message of the result and returns FALSE. */
static gboolean
has_start (const LoomJobPhases *phases, LoomRuleResult *result)
{
  if (!phases->has_samples)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("without system metrics the start of the job is not known"));
  else if (phases->is_loose)
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE,
                                  _ ("the clock of the steps cannot be aligned with the clock of the system metrics"));
  return phases->has_samples && !phases->is_loose;
}

static void
add_details (const LoomJobPhases *phases, LoomRuleResult *result)
{
  JsonObject *step = loom_rule_details_at (result->details, "step_num", NULL);
  json_object_set_double_member (result->details, "job_start", (double) phases->job_begin_ns / LOOM_NS_PER_S);
  json_object_set_double_member (result->details, "job_end", (double) phases->job_end_ns / LOOM_NS_PER_S);
  if (phases->has_loop) {
    json_object_set_int_member (step, "first", phases->loop_begin_ns / LOOM_NS_PER_US);
    json_object_set_int_member (step, "last", phases->loop_end_ns / LOOM_NS_PER_US);
  }
}

void
loom_rule_max_initialization_time (const LoomRuleContext *context, LoomRuleResult *result)
{
  const LoomJobPhases *phases = &context->phases;
  gint64 begin_ns = phases->job_begin_ns, end_ns;
  if (!has_start (phases, result))
    return;
  gboolean has_step = find_first_step (context, &end_ns);
  if (!has_step && !records_steps (context->frame)) {
    loom_rule_result_set_not_enough (result, 0, 1, C_ ("rule counts", "steps"));
    return;
  }
  if (!has_step)
    end_ns = phases->job_end_ns;
  double minutes = (double) loom_time_sub (end_ns, begin_ns) / (60.0 * LOOM_NS_PER_S),
         threshold = loom_rule_value (context, result, THRESHOLD);
  add_details (phases, result);
  result->n_datapoints = 1;
  loom_rule_result_note_value (result, THRESHOLD, minutes, FALSE);
  result->n_violations = minutes > threshold;
  result->lost_ns = minutes > threshold ? loom_time_sub (end_ns, begin_ns) : 0;
  if (minutes > threshold)
    loom_rule_result_add_occurrence (result, begin_ns, end_ns, "", "");
  g_autofree char *time = loom_time_format_duration (loom_time_sub (end_ns, begin_ns));
  loom_rule_result_set_message (result, minutes > threshold ? LOOM_RULE_FIRED : LOOM_RULE_PASSED,
                                has_step ? _ ("The first step began %s after the start of the job")
                                         : _ ("No step began during the %s of the job"),
                                time);
}
