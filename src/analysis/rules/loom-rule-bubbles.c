/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule PipelineBubbles: fires if stages of a pipeline are idle for longer than the schedule of the pipeline
 * requires. Also fires if the schedule itself makes the stages idle for long, because it has too few microbatches. Uses
 * the measured bubbles (loom-pipeline-bubbles.h). If the bubbles are unknown, for example in an index file, uses the
 * time that ranks wait for messages.
 */
#include <glib/gi18n.h>
#include <math.h>

#include "loom-critical-path.h"
#include "loom-pipeline-bubbles.h"
#include "loom-rule-private.h"

/* If hosts take at least this share of the time of the critical path, they are reported as the cause of bubbles: if the
 * host of a stage is late, the next stages wait for messages. */
#define LEAST_HOST 0.5

enum { WAITS, EXCESS, SCHEDULE };

/* The bubbles (idle times of the stages) of a pipeline, over all its steps. */
typedef struct {
  double fraction, ideal; /* means of LoomBubble.fraction and LoomBubble.ideal over the steps */
  gint64 bubble_ns;       /* sum of the bubbles of all stages in all steps */
  gint64 excess_ns;       /* the part of bubble_ns that an ideal schedule would not have */
  guint first, n;         /* the steps of the pipeline: elements [first, first + n) of LoomBubbles.all */
  guint n_stages, n_messages;
} Pipeline;

static guint
get_n_stages (const LoomParallelAxes *axes, const LoomBubble *bubble)
{
  return g_array_index (axes->groups, LoomParallelGroup, bubble->group).n_ranks;
}

static Pipeline
sum_up (const LoomBubbles *bubbles, const LoomParallelAxes *axes, guint first)
{
  const LoomBubble *all = &g_array_index (bubbles->all, LoomBubble, first);
  Pipeline pipeline = { .first = first, .n_stages = get_n_stages (axes, all), .n_messages = all->n_messages };
  for (; first + pipeline.n < bubbles->all->len && all[pipeline.n].group == all->group; pipeline.n++) {
    const LoomBubble *bubble = &all[pipeline.n];
    double whole_ns = (double) loom_time_sub (bubble->window.end_ns, bubble->window.begin_ns) * pipeline.n_stages;
    pipeline.fraction += bubble->fraction;
    pipeline.ideal += bubble->ideal;
    pipeline.bubble_ns = loom_time_add (pipeline.bubble_ns, (gint64) (bubble->fraction * whole_ns));
    if (bubble->fraction > bubble->ideal)
      pipeline.excess_ns = loom_time_add (pipeline.excess_ns, (gint64) ((bubble->fraction - bubble->ideal) * whole_ns));
  }
  pipeline.fraction /= pipeline.n;
  pipeline.ideal /= pipeline.n;
  return pipeline;
}

static double
get_excess_percent (const Pipeline *pipeline)
{
  return 100 * (pipeline->fraction - pipeline->ideal);
}

static void
add_violation (LoomRuleResult *result, const LoomBubbles *bubbles, const Pipeline *pipeline, gint64 lost_ns)
{
  result->n_violations++;
  result->lost_ns = loom_time_add (result->lost_ns, lost_ns);
  result->n_lost_over += pipeline->n_stages;
  for (guint i = 0; i < pipeline->n; i++) {
    const LoomBubble *bubble = &g_array_index (bubbles->all, LoomBubble, pipeline->first + i);
    loom_rule_result_add_occurrence (result, bubble->window.begin_ns, bubble->window.end_ns, "", "");
  }
}

static void
judge_pipeline (const LoomRuleContext *context, LoomRuleResult *result, const LoomBubbles *bubbles,
                const Pipeline *pipeline)
{
  gboolean has_excess = get_excess_percent (pipeline) > loom_rule_value (context, result, EXCESS),
           has_few = 100 * pipeline->ideal > loom_rule_value (context, result, SCHEDULE);
  result->n_datapoints++;
  loom_rule_result_note_value (result, EXCESS, get_excess_percent (pipeline), FALSE);
  loom_rule_result_note_value (result, SCHEDULE, 100 * pipeline->ideal, FALSE);
  if (has_excess || has_few)
    add_violation (result, bubbles, pipeline, has_few ? pipeline->bubble_ns : pipeline->excess_ns);
}

static void
say (const LoomRuleContext *context, LoomRuleResult *result, const Pipeline *worst)
{
  gboolean has_few = 100 * worst->ideal > loom_rule_value (context, result, SCHEDULE);
  guint n = (guint) result->n_violations, all = (guint) result->n_datapoints;
  if (n > 0)
    loom_rule_result_set_headline (result, _ ("Pipeline bubbles take %.1f %% of the pipeline’s time per step"),
                                   100 * worst->fraction);
  if (n == 0 && all > 1)
    loom_rule_result_set_message (
      result, LOOM_RULE_PASSED,
      /* Translators: two percentages; the first one is that of one of several pipelines */
      _ ("bubbles take up to %.1f %% of a pipeline’s time per step; the schedule alone causes %.1f %%"),
      100 * worst->fraction, 100 * worst->ideal);
  else if (n == 0)
    loom_rule_result_set_message (
      result, LOOM_RULE_PASSED,
      _ ("pipeline bubbles take %.1f %% of the pipeline’s time per step; the schedule alone causes %.1f %%"),
      100 * worst->fraction, 100 * worst->ideal);
  else if (has_few)
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      /* Translators: two percentages, two counts, and how many pipelines of how many */
      _ (
        "Pipeline bubbles take %.1f %% of the pipeline’s time per step; the schedule alone causes %.1f %%, because it has only %u microbatches for %u stages; this affects %u of %u pipelines"),
      100 * worst->fraction, 100 * worst->ideal, worst->n_messages, worst->n_stages, n, all);
  else
    loom_rule_result_set_message (
      result, LOOM_RULE_FIRED,
      _ (
        "Pipeline bubbles take %.1f %% of the pipeline’s time per step; the schedule alone causes %.1f %%; this affects %u of %u pipelines"),
      100 * worst->fraction, 100 * worst->ideal, n, all);
}

/* Adds the findings about pipelines to `result`. Returns FALSE if the idle time that the schedule causes is unknown for
 * every pipeline; otherwise TRUE. */
static gboolean
judge (const LoomRuleContext *context, LoomRuleResult *result, const LoomBubbles *bubbles, const LoomParallelAxes *axes)
{
  Pipeline worst = { 0 };
  for (guint i = 0; i < bubbles->all->len;) {
    const Pipeline pipeline = sum_up (bubbles, axes, i);
    i += pipeline.n;
    if (!isfinite (pipeline.ideal))
      continue;
    judge_pipeline (context, result, bubbles, &pipeline);
    if (worst.n == 0 || pipeline.fraction > worst.fraction)
      worst = pipeline;
  }
  if (worst.n > 0)
    say (context, result, &worst);
  return worst.n > 0;
}

static gboolean
has_missing_stage (const LoomParallelAxes *axes)
{
  for (guint i = 0; i < axes->groups->len; i++) {
    const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, i);
    if (group->axis == LOOM_PARALLEL_AXIS_PIPELINE && group->n_missing > 0)
      return TRUE;
  }
  return FALSE;
}

void
loom_rule_bubbles (const LoomRuleContext *context, LoomRuleResult *result)
{
  const LoomCollectives *collectives = loom_rule_get_collectives (context);
  const LoomParallelAxes *axes =
    collectives != NULL ? loom_parallel_axes_get (collectives, context->cancellable) : NULL;
  const LoomBubbles *bubbles = axes != NULL ? loom_pipeline_bubbles_get (collectives, context->cancellable) : NULL;
  if (bubbles == NULL)
    return;
  result->lost_over = LOOM_RULE_OVER_RANKS;
  result->is_held_up = TRUE;
  if (judge (context, result, bubbles, axes))
    return;
  if (has_missing_stage (axes))
    loom_rule_result_set_message (result, LOOM_RULE_NOT_APPLICABLE, _ ("files of some pipeline stages are not open"));
  else
    loom_rule_waits (context, result);
}

/* --- bubbles that hosts cause ------------------------------------------------------------------------------------- */

static double
get_host_share (const LoomCriticalPath *path)
{
  gint64 host_ns = path->kinds_ns[LOOM_PATH_KIND_HOST] + path->kinds_ns[LOOM_PATH_KIND_LAUNCH],
         length_ns = loom_critical_path_get_length (path);
  return length_ns > 0 ? (double) host_ns / (double) length_ns : 0;
}

static void
explain (LoomRuleResult *host, const LoomRuleResult *bubbles, double share)
{
  guint place = 0;
  while (host->explains[place] != NULL)
    place++;
  g_return_if_fail (place + 1 < G_N_ELEMENTS (host->explains));
  host->explains[place] = bubbles->name;
  host->caused_ns = (gint64) (share * (double) bubbles->lost_ns);
}

void
loom_rule_bubbles_explain (const LoomRuleContext *context, const LoomRuleResult *bubbles, LoomRuleResult *host)
{
  const LoomCollectives *collectives = loom_rule_get_collectives (context);
  if (bubbles->status != LOOM_RULE_FIRED || host->status != LOOM_RULE_FIRED || collectives == NULL)
    return;
  g_autoptr (LoomCriticalPath) path =
    loom_critical_path_new_plain (context->frame->timeline, context->frame->range, collectives, context->cancellable);
  double share = path != NULL ? get_host_share (path) : 0;
  if (share < LEAST_HOST)
    return;
  explain (host, bubbles, share);
  if (host->without_data != NULL && host->without_data->status == LOOM_RULE_FIRED)
    explain (host->without_data, bubbles, share);
}
