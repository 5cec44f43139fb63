/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: what is selected, spans or a range, and what is drawn of it. The timeline is the caller's, the same for
 * spans that were selected in it; loom_selected_update() after every change. Main thread.
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
} LoomSelected;

void loom_selected_init (LoomSelected *selected);
void loom_selected_clear (LoomSelected *selected);

/* Adds the span, or takes it away when it is there. Alone: in place of all others. */
void loom_selected_toggle (LoomSelected *selected, LoomSpanId span, gboolean alone);
/* Takes `spans` over, and at most LOOM_SELECTED_MOST of them, the last among them; so many were meant. */
void loom_selected_take (LoomSelected *selected, GArray *spans, guint64 n_wanted);
void loom_selected_set_range (LoomSelected *selected, LoomRange range);
/* Spans and range of another timeline of the same run, or of none. */
void loom_selected_follow (LoomSelected *selected, LoomTimeline *from, LoomTimeline *to);

void loom_selected_update (LoomSelected *selected, LoomTimeline *timeline, LoomCollectives *collectives);

gboolean loom_selected_is_empty (const LoomSelected *selected);
/* The span that was selected last; LOOM_SPAN_ID_NONE: none. */
LoomSpanId loom_selected_get_lead (const LoomSelected *selected);
/* The selected range, or what the selected spans cover; FALSE when there is neither. */
gboolean loom_selected_get_range (const LoomSelected *selected, LoomTimeline *timeline, LoomRange *range);
/* Borrows; until the next change. */
void loom_selected_fill_options (const LoomSelected *selected, LoomPaintOptions *options);

G_END_DECLS
