/* SPDX-License-Identifier: Apache-2.0
 *
 * A table that shows how the devices of each rank spend a range: computing, transferring, waiting, copying, idle. The
 * figures are those of loom_step_breakdown_new_of_range(). If the run has no known rank, there is one row per device.
 *
 * Signal: "rank-chosen" (guint trace, guint span) when the user activates a row; `span` is a span on the rank's device.
 */
#pragma once

#include "loom-range-table.h"
#include "loom-timeline-state.h"

#define LOOM_TYPE_RANK_TABLE (loom_rank_table_get_type ())
G_DECLARE_FINAL_TYPE (LoomRankTable, loom_rank_table, LOOM, RANK_TABLE, LoomRangeTable)

/* Sets the state of the timeline, from which the table takes the steps and the collectives. Takes a reference. */
void loom_rank_table_set_state (LoomRankTable *self, LoomTimelineState *state);
