/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of viewports with a current entry, like the history of a browser (loom-view-history.h).
 */
#include "loom-view-history.h"

struct _LoomViewHistory {
  GArray *places; /* LoomViewport: the entries, the oldest first */
  guint at;       /* index of the current entry */
};

LoomViewHistory *
loom_view_history_new (void)
{
  LoomViewHistory *self = g_new0 (LoomViewHistory, 1);
  self->places = g_array_new (FALSE, FALSE, sizeof (LoomViewport));
  return self;
}

void
loom_view_history_free (LoomViewHistory *self)
{
  g_array_unref (self->places);
  g_free (self);
}

void
loom_view_history_clear (LoomViewHistory *self)
{
  g_array_set_size (self->places, 0);
  self->at = 0;
}

static gboolean
is_same_place (const LoomViewport *a, const LoomViewport *b)
{
  return a->begin_ns == b->begin_ns && a->end_ns == b->end_ns && a->scroll_px == b->scroll_px;
}

/* Stores the view `from` in the current entry before another entry becomes current, because the view may have been
 * scrolled since the entry was made. */
static void
leave (LoomViewHistory *self, const LoomViewport *from)
{
  if (self->places->len == 0)
    g_array_append_val (self->places, *from);
  else
    g_array_index (self->places, LoomViewport, self->at) = *from;
}

void
loom_view_history_jump (LoomViewHistory *self, const LoomViewport *from, const LoomViewport *to)
{
  g_return_if_fail (self != NULL && from != NULL && to != NULL);
  if (is_same_place (from, to))
    return;
  leave (self, from);
  g_array_set_size (self->places, self->at + 1);
  g_array_append_val (self->places, *to);
  if (self->places->len > LOOM_VIEW_HISTORY_MAX)
    g_array_remove_index (self->places, 0);
  self->at = self->places->len - 1;
}

gboolean
loom_view_history_step (LoomViewHistory *self, int step, const LoomViewport *now, LoomViewport *target)
{
  g_return_val_if_fail (self != NULL && now != NULL && target != NULL, FALSE);
  gint64 to = (gint64) self->at + step;
  if (to < 0 || to >= self->places->len)
    return FALSE;
  leave (self, now);
  self->at = (guint) to;
  *target = g_array_index (self->places, LoomViewport, self->at);
  return TRUE;
}
