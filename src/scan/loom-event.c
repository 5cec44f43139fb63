/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event.h"

#include "loom-error.h"
#include "loom-event-walk.h"

#include <glib/gi18n.h>
#include <inttypes.h>

gboolean
loom_event_parse (const char *text, gsize length, LoomEvent *event)
{
  const char *p = text, *end = text + length;
  return length > 0 && loom_event_walk (&p, end, event) == LOOM_WALK_OK;
}

#define FIRST_READ 4096u

char *
loom_event_read (LoomText *text, guint64 offset, gsize *length, GError **error)
{
  gsize capacity = FIRST_READ, filled = 0;
  g_autofree char *bytes = NULL;
  for (;;) {
    bytes = g_realloc (bytes, capacity + 1);
    gboolean ended = FALSE;
    while (filled < capacity && !ended) {
      gssize n = loom_text_read (text, offset + filled, bytes + filled, capacity - filled, error);
      if (n < 0)
        return NULL;
      ended = n == 0;
      filled += (gsize) n;
    }
    const char *p = bytes;
    LoomWalk walk = filled > 0 && *p == '{' ? loom_walk_nested (&p, bytes + filled) : LOOM_WALK_BAD;
    if (walk == LOOM_WALK_OK) {
      *length = (gsize) (p - bytes);
      bytes[*length] = '\0';
      return g_steal_pointer (&bytes);
    }
    if (walk == LOOM_WALK_BAD || ended || capacity >= LOOM_LIMIT_EVENT_BYTES)
      break;
    capacity *= 4;
  }
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("No complete event at byte %" PRIu64), offset);
  return NULL;
}
