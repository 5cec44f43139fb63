/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: where the pointer is, or a cursor that is moved by keys or over the ruler, and the instants at which counters
 * say their values because of it. Main thread.
 */
#pragma once

#include "loom-timeline-painter.h"

G_BEGIN_DECLS

typedef struct {
  gint64 time_ns;  /* LOOM_TIME_NONE: elsewhere */
  guint row;       /* G_MAXUINT: none */
  LoomSpanId span; /* under it */
  gboolean is_cursor;
  gboolean timing;   /* in the mode that keeps figures in sight */
  gint64 tags_ns[3]; /* ascending */
  guint n_tags;
} LoomCursor;

#define LOOM_CURSOR_INIT                                                   \
  {                                                                        \
    .time_ns = LOOM_TIME_NONE, .row = G_MAXUINT, .span = LOOM_SPAN_ID_NONE \
  }

/* Over no row any more, wherever it is. */
void loom_cursor_leave_row (LoomCursor *pointer);
/* FALSE when nothing is new. */
gboolean loom_cursor_move (LoomCursor *pointer, gint64 time_ns, guint row, LoomSpanId span);
/* LOOM_TIME_NONE: no cursor. */
void loom_cursor_set_cursor (LoomCursor *pointer, gint64 time_ns);
/* Whether counters say their values. */
gboolean loom_cursor_is_reading (const LoomCursor *pointer);
/* Of the options only the pointer, the tags while the marks, which are there already, are looked at. Borrows until the next call. */
void loom_cursor_fill_options (LoomCursor *pointer, LoomPaintOptions *options);

G_END_DECLS
