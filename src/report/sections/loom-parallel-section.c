/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the axes, groups, experts and bubbles of a job as JSON and as text.
 */
#include "loom-parallel-section.h"

#include <math.h>

#include "loom-report-private.h"

static const gint *
get_ranks (const LoomParallelAxes *axes, const LoomParallelGroup *group)
{
  return &g_array_index (axes->ranks, gint, group->first_rank);
}

static void
build_axes (const LoomParallelAxes *axes, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "axes");
  for (guint i = LOOM_PARALLEL_AXIS_WORLD; i < LOOM_N_PARALLEL_AXES; i++) {
    const LoomParallelAxisSize *own = &axes->sizes[i];
    if (own->n_groups == 0)
      continue;
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "axis", loom_parallel_axis_to_string (i));
    loom_json_util_add_int (builder, "groups", own->n_groups);
    loom_json_util_add_int_if (builder, "size", own->size > 0, own->size);
    loom_json_util_add_int_if (builder, "stride", own->stride > 0, own->stride);
  }
}

static void
build_groups (const LoomParallelAxes *axes, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "groups");
  for (guint i = 0; i < axes->groups->len; i++) {
    const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "axis", loom_parallel_axis_to_string (group->axis));
    loom_json_util_add_bool (builder, "stated", group->stated);
    {
      g_auto (LoomJsonScope) ranks = loom_json_util_open_array (builder, "ranks");
      for (guint k = 0; k < group->n_ranks; k++)
        json_builder_add_int_value (builder, get_ranks (axes, group)[k]);
    }
    loom_json_util_add_int (builder, "transfers", group->n);
    loom_json_util_add_int (builder, "transfer_ns", group->transfer_ns);
  }
}

static void
build_coordinates (const LoomParallelAxes *axes, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < axes->all->len; i++) {
    const LoomParallelRank *own = &g_array_index (axes->all, LoomParallelRank, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "rank", own->rank);
    for (guint axis = LOOM_PARALLEL_AXIS_TENSOR; axis < LOOM_N_PARALLEL_AXES; axis++)
      loom_json_util_add_int_if (builder, loom_parallel_axis_to_string (axis), own->coordinates[axis] >= 0,
                                 own->coordinates[axis]);
  }
}

static void
build_stage (const LoomBubbleStage *stage, gint rank, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "rank", rank);
  loom_json_util_add_int (builder, "bubble_ns", stage->bubble_ns);
  loom_json_util_add_int (builder, "warm_up_ns", stage->warm_up_ns);
  loom_json_util_add_int (builder, "cool_down_ns", stage->cool_down_ns);
}

static void
build_step (const LoomParallelAxes *axes, const LoomBubbles *bubbles, const LoomBubble *bubble, JsonBuilder *builder)
{
  const LoomParallelGroup *group = &g_array_index (axes->groups, LoomParallelGroup, bubble->group);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "step", bubble->step);
  loom_json_util_add_int (builder, "start_ns", bubble->window.begin_ns);
  loom_json_util_add_int (builder, "window_ns", bubble->window.end_ns - bubble->window.begin_ns);
  loom_json_util_add_double (builder, "fraction", bubble->fraction);
  loom_json_util_add_double (builder, "ideal_fraction", bubble->ideal);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "stages");
  for (guint i = 0; i < group->n_ranks; i++)
    build_stage (&g_array_index (bubbles->stages, LoomBubbleStage, bubble->first_stage + i), get_ranks (axes, group)[i],
                 builder);
}

static void
build_expert_group (const LoomExpertLoad *experts, const LoomExpertGroup *group, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "layers", group->n_layers);
  loom_json_util_add_double (builder, "imbalance", group->imbalance);
  loom_json_util_add_int (builder, "cost_ns", group->cost_ns);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "ranks");
  for (guint i = 0; i < group->n_ranks; i++) {
    const LoomExpertRank *rank = &g_array_index (experts->ranks, LoomExpertRank, group->first_rank + i);
    g_auto (LoomJsonScope) own = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "rank", rank->rank);
    loom_json_util_add_int (builder, "load_ns", rank->load_ns);
    loom_json_util_add_int (builder, "busiest_layers", rank->n_busiest);
  }
}

static void
build_experts (const LoomExpertLoad *experts, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "experts");
  for (guint i = 0; i < experts->groups->len; i++)
    build_expert_group (experts, &g_array_index (experts->groups, LoomExpertGroup, i), builder);
}

void
loom_parallel_section_build (const LoomParallelAxes *axes, const LoomBubbles *bubbles, const LoomExpertLoad *experts,
                             JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "parallel");
  loom_json_util_add_bool (builder, "grid", axes->is_grid);
  build_axes (axes, builder);
  build_groups (axes, builder);
  build_coordinates (axes, builder);
  build_experts (experts, builder);
  g_auto (LoomJsonScope) own = loom_json_util_open_object (builder, "bubbles");
  loom_json_util_add_double (builder, "fraction", bubbles->fraction);
  loom_json_util_add_double (builder, "ideal_fraction", bubbles->ideal);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "steps");
  for (guint i = 0; i < bubbles->all->len; i++)
    build_step (axes, bubbles, &g_array_index (bubbles->all, LoomBubble, i), builder);
}

static void
write_axis (const LoomParallelAxes *axes, LoomParallelAxis axis, GString *out)
{
  const LoomParallelAxisSize *own = &axes->sizes[axis];
  const LoomParallelGroup *first = NULL;
  for (guint i = 0; i < axes->groups->len && first == NULL; i++)
    if (g_array_index (axes->groups, LoomParallelGroup, i).axis == axis)
      first = &g_array_index (axes->groups, LoomParallelGroup, i);
  if (first == NULL)
    return;
  g_autofree char *ranks = loom_parallel_axes_dup_ranks (axes, first);
  g_string_append_printf (out, "  %s: %u group%s", loom_parallel_axis_to_string (axis), own->n_groups,
                          loom_report_plural (own->n_groups));
  if (own->size > 0)
    g_string_append_printf (out, " of %u ranks", own->size);
  g_string_append_printf (out, ", the first of ranks %s%s\n", ranks,
                          first->stated ? "" : " (told from what they do, no name says so)");
}

void
loom_parallel_section_write (const LoomParallelAxes *axes, const LoomBubbles *bubbles, const LoomExpertLoad *experts,
                             GString *out)
{
  if (axes->groups->len == 0)
    return;
  g_string_append_printf (out, "\nParallel axes%s\n", axes->is_grid ? "" : ": the groups do not form a grid");
  for (guint axis = LOOM_PARALLEL_AXIS_UNKNOWN; axis < LOOM_N_PARALLEL_AXES; axis++)
    write_axis (axes, axis, out);
  if (isfinite (experts->imbalance)) {
    g_autofree char *cost = loom_time_format_duration (experts->cost_ns);
    g_string_append_printf (
      out,
      "  The busiest expert of a layer works %.2f times as long as the mean; in %u passes through layers each rank waits "
      "%s for it on average\n",
      experts->imbalance, experts->n_layers, cost);
  }
  if (isnan (bubbles->fraction))
    return;
  g_autofree char *total = loom_time_format_duration (bubbles->total_ns);
  g_string_append_printf (out, "  On average, bubbles take %.1f %% of the time of the pipelines, %s over all ranks",
                          100 * bubbles->fraction, total);
  if (isfinite (bubbles->ideal))
    g_string_append_printf (out, "; the schedule alone causes %.1f %%", 100 * bubbles->ideal);
  g_string_append (out, "\n");
}
