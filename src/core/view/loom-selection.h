/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: what is selected, spans or a range, and what is drawn of it. The timeline is the caller's, the same for
 * spans that were selected in it; loom_selection_update() after every change. Main thread.
 */
#pragma once

#include "loom-collective-flows.h"
#include "loom-timeline-painter.h"

G_BEGIN_DECLS

typedef struct {
  GArray *spans;      /* LoomSpanId, the last is the lead */
  guint64 n_left_out; /* of those that were meant: too many */
  LoomRange range;    /* empty: none */
  GArray *outlined;   /* the spans, sorted by trace, then span */
  GArray *flows;      /* LoomFlowLine, of the lead */
} LoomSelection;

void loom_selection_init (LoomSelection *selected);
void loom_selection_clear (LoomSelection *selected);

/* Adds the span, or takes it away when it is there. Alone: in place of all others. */
void loom_selection_toggle (LoomSelection *selected, LoomSpanId span, gboolean alone);
/* Takes `spans` over, and at most LOOM_SELECTED_MOST of them, the last among them; so many were meant. */
void loom_selection_take (LoomSelection *selected, GArray *spans, guint64 n_wanted);
void loom_selection_set_range (LoomSelection *selected, LoomRange range);
/* Spans and range of another timeline of the same run, or of none. */
void loom_selection_follow (LoomSelection *selected, LoomTimeline *from, LoomTimeline *to);

void loom_selection_update (LoomSelection *selected, LoomTimeline *timeline, LoomCollectives *collectives);

gboolean loom_selection_is_empty (const LoomSelection *selected);
/* The span that was selected last; LOOM_SPAN_ID_NONE: none. */
LoomSpanId loom_selection_get_lead (const LoomSelection *selected);
/* The selected range, or what the selected spans cover; FALSE when there is neither. */
gboolean loom_selection_get_range (const LoomSelection *selected, LoomTimeline *timeline, LoomRange *range);
/* Borrows; until the next change. */
void loom_selection_fill_options (const LoomSelection *selected, LoomPaintOptions *options);

G_END_DECLS
