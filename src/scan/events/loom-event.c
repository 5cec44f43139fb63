/* SPDX-License-Identifier: Apache-2.0
 *
 * Splits the text of an event into its members. The interface is described in loom-event.h.
 */
#include "loom-event.h"

#include "loom-error.h"
#include "loom-event-parser.h"

#include <glib/gi18n.h>
#include <inttypes.h>

gboolean
loom_event_parse (const char *text, gsize length, LoomEvent *event)
{
  const char *p = text, *end = text + length;
  return length > 0 && loom_event_parser (&p, end, event) == LOOM_JSON_SKIP_OK;
}

#define FIRST_READ 4096u

char *
loom_event_read (LoomByteSource *text, guint64 offset, gsize *length, GError **error)
{
  gsize capacity = FIRST_READ, filled = 0;
  g_autofree char *bytes = NULL;
  for (;;) {
    bytes = g_realloc (bytes, capacity + 1);
    gboolean ended = FALSE;
    while (filled < capacity && !ended) {
      gssize n = loom_byte_source_read (text, offset + filled, bytes + filled, capacity - filled, error);
      if (n < 0)
        return NULL;
      ended = n == 0;
      filled += (gsize) n;
    }
    const char *p = bytes;
    LoomJsonSkip walk = filled > 0 && *p == '{' ? loom_json_skip_nested (&p, bytes + filled) : LOOM_JSON_SKIP_BAD;
    if (walk == LOOM_JSON_SKIP_OK) {
      *length = (gsize) (p - bytes);
      bytes[*length] = '\0';
      return g_steal_pointer (&bytes);
    }
    if (walk == LOOM_JSON_SKIP_BAD || ended || capacity >= LOOM_LIMIT_EVENT_BYTES)
      break;
    capacity *= 4;
  }
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("No complete event at byte %" PRIu64), offset);
  return NULL;
}
