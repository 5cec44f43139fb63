/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions of a window that sort the ranks on the timeline, or show only one of several ranks that do the same work.
 */
#include "loom-rank-order.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
order_by_lateness_activated (LoomWindow *self)
{
  LoomTimelineState *state = self->state;
  LoomCollectives *collectives = loom_timeline_state_get_collectives (state);
  if (collectives == NULL)
    return;
  g_autoptr (GArray) ranks = loom_rank_order_by_lateness (collectives);
  loom_row_list_order_ranks (loom_timeline_state_get_row_list (state), (const gint *) (gpointer) ranks->data,
                             ranks->len);
  loom_timeline_state_rows_changed (state);
}

static void
order_by_rank_activated (LoomWindow *self)
{
  LoomTimelineState *state = self->state;
  loom_row_list_order_ranks (loom_timeline_state_get_row_list (state), NULL, 0);
  loom_timeline_state_rows_changed (state);
}

static void
order_by_stage_activated (LoomWindow *self)
{
  loom_rank_arrangement_sort (loom_run_state_get_ranks (self->run), LOOM_PARALLEL_AXIS_PIPELINE);
}

static void
order_by_tensor_activated (LoomWindow *self)
{
  loom_rank_arrangement_sort (loom_run_state_get_ranks (self->run), LOOM_PARALLEL_AXIS_TENSOR);
}

static void
order_by_replica_activated (LoomWindow *self)
{
  loom_rank_arrangement_sort (loom_run_state_get_ranks (self->run), LOOM_PARALLEL_AXIS_DATA);
}

/* Called when the user toggles the action "fold-alike". Does not change the state of the action. The state is changed
 * later, when the ranks have been compared. */
static void
fold_alike_changed (LoomWindow *self, GVariant *folded)
{
  loom_rank_arrangement_set_folded (loom_run_state_get_ranks (self->run), g_variant_get_boolean (folded));
}

static const LoomWindowAction actions[] = {
  { "order-by-lateness", G_CALLBACK (order_by_lateness_activated) },
  { "order-by-rank", G_CALLBACK (order_by_rank_activated) },
  { "order-by-stage", G_CALLBACK (order_by_stage_activated) },
  { "order-by-tensor", G_CALLBACK (order_by_tensor_activated) },
  { "order-by-replica", G_CALLBACK (order_by_replica_activated) },
  { "fold-alike", G_CALLBACK (fold_alike_changed), NULL, "false" },
};

void
loom_window_add_rank_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

/* --- actions that follow the selected tab ------------------------------------------------------------------------- */

static const struct {
  const char *action;
  LoomParallelAxis axis;
} of_axis[] = {
  { "order-by-stage", LOOM_PARALLEL_AXIS_PIPELINE },
  { "order-by-tensor", LOOM_PARALLEL_AXIS_TENSOR },
  { "order-by-replica", LOOM_PARALLEL_AXIS_DATA },
};

static void
axes_changed (LoomWindow *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_axis); i++)
    loom_window_enable_action (self, of_axis[i].action,
                               loom_rank_arrangement_can_sort (loom_run_state_get_ranks (self->run), of_axis[i].axis));
}

static void
folded_changed (LoomWindow *self)
{
  loom_window_set_action_state (
    self, "fold-alike",
    g_variant_new_boolean (loom_rank_arrangement_get_folded (loom_run_state_get_ranks (self->run))));
}

/* Called when the collectives of the run have been computed. If the run has collectives, enables the actions that
 * need them. */
static void
collectives_changed (LoomWindow *self)
{
  LoomCollectives *collectives = loom_timeline_state_get_collectives (self->state);
  gboolean any = collectives != NULL && collectives->n > 0;
  loom_window_enable_action (self, "order-by-lateness", any);
  loom_window_enable_action (self, "fold-alike", any);
}

static void
none_alike (LoomWindow *self)
{
  const LoomToast toast = { .title = _ ("No ranks do similar work") };
  loom_tab_show_toast (self->tab, "none-alike", &toast);
}

void
loom_window_add_rank_tab_actions (LoomWindow *self)
{
  LoomRankArrangement *ranks = loom_run_state_get_ranks (self->run);
  g_signal_connect_swapped (self->state, "facts-changed", G_CALLBACK (collectives_changed), self);
  g_signal_connect_swapped (ranks, "notify::axes", G_CALLBACK (axes_changed), self);
  g_signal_connect_swapped (ranks, "notify::folded", G_CALLBACK (folded_changed), self);
  g_signal_connect_swapped (ranks, "none-alike", G_CALLBACK (none_alike), self);
  collectives_changed (self);
  axes_changed (self);
  folded_changed (self);
}

void
loom_window_drop_rank_tab_actions (LoomWindow *self)
{
  g_signal_handlers_disconnect_by_data (loom_run_state_get_ranks (self->run), self);
}
