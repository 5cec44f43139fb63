/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: the selected spans or range, and the marks that show the selection: outlines of spans, and the
 * arrows of the span selected last. `timeline` arguments must be the timeline in which the spans were selected.
 * loom_selection_update() must be called after every change. Called on the main thread.
 */
#pragma once

#include "loom-collective-flows.h"
#include "loom-timeline-painter.h"

typedef struct {
  GArray *spans;      /* LoomSpanId in order of selection; the last is the lead: its arrows and details are shown */
  guint64 n_left_out; /* number of further spans that were not selected because there were too many */
  LoomRange range;    /* the selected range; empty: no range is selected */
  GArray *outlined;   /* copy of `spans`, sorted by trace, then span */
  GArray *flows;      /* LoomFlowLine: the arrows of the last element of `spans` */
} LoomSelection;

void loom_selection_init (LoomSelection *self);
void loom_selection_clear (LoomSelection *self);

/* Adds the span to the selection or, if the span is selected already, removes it. If `alone` is TRUE, selects only this
 * span instead. */
void loom_selection_toggle (LoomSelection *self, LoomSpanId span, gboolean alone);
/* Selects the spans in `spans`, and takes ownership of the array. If there are more than `most` spans, selects only the
 * first `most` − 1 spans and the last span. `n_wanted`: number of spans that would be selected without limits. */
void loom_selection_take (LoomSelection *self, GArray *spans, guint most, guint64 n_wanted);
void loom_selection_set_range (LoomSelection *self, LoomRange range);
/* Converts the selected spans and range from one timeline to another of the same run. If `to` is NULL, nothing is
 * selected afterwards. */
void loom_selection_follow (LoomSelection *self, LoomTimeline *from, LoomTimeline *to);

void loom_selection_update (LoomSelection *self, LoomTimeline *timeline, LoomCollectives *collectives);

/* Returns TRUE if the span was selected at the last loom_selection_update(). O(log spans). */
gboolean loom_selection_has (const LoomSelection *self, LoomSpanId span);
gboolean loom_selection_is_empty (const LoomSelection *self);
/* Returns the span selected last; LOOM_SPAN_ID_NONE if no span is selected. */
LoomSpanId loom_selection_get_lead (const LoomSelection *self);
/* Sets `range` to the selected range, or to the range that the selected spans cover. Returns FALSE if nothing is
 * selected. */
gboolean loom_selection_get_range (const LoomSelection *self, LoomTimeline *timeline, LoomRange *range);
/* Sets the members of `options` that show the selection. Their arrays are borrowed until the selection changes. */
void loom_selection_fill_options (const LoomSelection *self, LoomPaintOptions *options);
