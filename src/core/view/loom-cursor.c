/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the place of the mouse pointer and the time of the cursor, and collects the instants at which counters show
 * their values (loom-cursor.h).
 */
#include "loom-cursor.h"

#include "loom-timing.h"

void
loom_cursor_leave_row (LoomCursor *self)
{
  self->row = G_MAXUINT;
  self->span = LOOM_SPAN_ID_NONE;
}

gboolean
loom_cursor_move (LoomCursor *self, gint64 time_ns, guint row, LoomSpanId span)
{
  if (!self->is_cursor && self->time_ns == time_ns && self->row == row &&
      loom_timeline_span_id_equal (self->span, span))
    return FALSE;
  self->time_ns = time_ns;
  self->row = row;
  self->span = span;
  self->is_cursor = FALSE;
  return TRUE;
}

void
loom_cursor_set_cursor (LoomCursor *self, gint64 time_ns)
{
  loom_cursor_leave_row (self);
  self->time_ns = time_ns;
  self->is_cursor = time_ns != LOOM_TIME_NONE;
}

gboolean
loom_cursor_is_reading (const LoomCursor *self)
{
  return self->time_ns != LOOM_TIME_NONE && (self->timing || self->is_cursor);
}

static void
sort_tags (LoomCursor *self)
{
  /* sorts the instants of the marks and of the pointer, because the pointer may be before, between or after the
   * marks */
  for (guint i = 1; i < self->n_tags; i++)
    for (guint k = i; k > 0 && self->tags_ns[k] < self->tags_ns[k - 1]; k--) {
      gint64 later_ns = self->tags_ns[k - 1];
      self->tags_ns[k - 1] = self->tags_ns[k];
      self->tags_ns[k] = later_ns;
    }
}

void
loom_cursor_fill_options (LoomCursor *self, LoomPaintOptions *options)
{
  LoomRange between;
  gboolean has_range =
    self->timing && loom_timing_between_marks (options->marks, options->n_marks, self->time_ns, &between);
  self->n_tags = 0;
  if (has_range) {
    self->tags_ns[self->n_tags++] = between.begin_ns;
    self->tags_ns[self->n_tags++] = between.end_ns;
  }
  if (loom_cursor_is_reading (self))
    self->tags_ns[self->n_tags++] = self->time_ns;
  sort_tags (self);
  options->hover = self->span;
  options->hover_row = self->row;
  options->cursor_ns = self->time_ns;
  options->tags_ns = self->tags_ns;
  options->n_tags = self->n_tags;
}
