/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: the selected spans or range, and what is drawn for them. Callers pass the timeline, which must
 * be the one in which the spans were selected; loom_selection_update() must be called after every change. Called on the
 * main thread.
 */
#pragma once

#include "loom-collective-flows.h"
#include "loom-timeline-painter.h"

typedef struct {
  GArray *spans;      /* LoomSpanId; the last one is the lead: its arrows and details are shown */
  guint64 n_left_out; /* number of spans that exceeded the limit and are not selected */
  LoomRange range;    /* empty: no range */
  GArray *outlined;   /* the spans sorted by trace, then span */
  GArray *flows;      /* LoomFlowLine: arrows of the lead (the last element of `spans`) */
} LoomSelection;

void loom_selection_init (LoomSelection *self);
void loom_selection_clear (LoomSelection *self);

/* Adds the span, or removes it if it is selected. `alone`: replaces the selection. */
void loom_selection_toggle (LoomSelection *self, LoomSpanId span, gboolean alone);
/* Takes ownership of `spans` and selects at most LOOM_SELECTED_MOST of them, including the last. `n_wanted`: number of
 * spans that should be selected. */
void loom_selection_take (LoomSelection *self, GArray *spans, guint64 n_wanted);
void loom_selection_set_range (LoomSelection *self, LoomRange range);
/* Converts spans and range to another timeline of the same run; NULL: removes them. */
void loom_selection_follow (LoomSelection *self, LoomTimeline *from, LoomTimeline *to);

void loom_selection_update (LoomSelection *self, LoomTimeline *timeline, LoomCollectives *collectives);

/* Returns TRUE if the span is selected; of the last update. O(log spans). */
gboolean loom_selection_has (const LoomSelection *self, LoomSpanId span);
gboolean loom_selection_is_empty (const LoomSelection *self);
/* The span selected last; LOOM_SPAN_ID_NONE: none. */
LoomSpanId loom_selection_get_lead (const LoomSelection *self);
/* The selected range, or the range covered by the selected spans; FALSE if neither is selected. */
gboolean loom_selection_get_range (const LoomSelection *self, LoomTimeline *timeline, LoomRange *range);
/* Sets the selection's part of the options; borrowed until the next change. */
void loom_selection_fill_options (const LoomSelection *self, LoomPaintOptions *options);
