/* SPDX-License-Identifier: Apache-2.0
 *
 * A LoomCursor contains the place under the mouse pointer (time, row and span), or the time of a cursor that the user
 * moves with keys or over the ruler. It also contains the instants at which counters show their values. Each
 * LoomTimelineState owns a LoomCursor, which no other code changes. Called on the main thread.
 */
#pragma once

#include "loom-timeline-painter.h"

typedef struct {
  gint64 time_ns;  /* time under the pointer; LOOM_TIME_NONE: the pointer is outside the timeline */
  guint row;       /* row under the pointer; G_MAXUINT: the pointer is not above a row */
  LoomSpanId span; /* span under the pointer; LOOM_SPAN_ID_NONE: the pointer is not above a span */
  gboolean is_cursor;
  gboolean timing;   /* TRUE in timing mode (measuring durations), in which counters always show their values */
  gint64 tags_ns[3]; /* instants at which counters show their values, ascending */
  guint n_tags;
} LoomCursor;

#define LOOM_CURSOR_INIT                                                   \
  {                                                                        \
    .time_ns = LOOM_TIME_NONE, .row = G_MAXUINT, .span = LOOM_SPAN_ID_NONE \
  }

/* Records that the pointer is not above a row. */
void loom_cursor_leave_row (LoomCursor *self);
/* Sets the time, the row and the span under the mouse pointer, and removes the cursor that the user has moved with
 * keys. Returns FALSE if nothing changed. */
gboolean loom_cursor_move (LoomCursor *self, gint64 time_ns, guint row, LoomSpanId span);
/* Sets the time of the cursor, which the user moves with keys or over the ruler. LOOM_TIME_NONE: removes the cursor. */
void loom_cursor_set_cursor (LoomCursor *self, gint64 time_ns);
/* Returns TRUE if there is a cursor, or if timing mode is on and the pointer is on the timeline. Counters then show
 * their values at the time of the cursor or of the pointer. */
gboolean loom_cursor_is_reading (const LoomCursor *self);
/* Sets the members of `options` that show the pointer and the instants at which counters show their values. `options`
 * must already contain the marks. The array of these instants is borrowed until the next call. */
void loom_cursor_fill_options (LoomCursor *self, LoomPaintOptions *options);
