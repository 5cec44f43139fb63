/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-raw-events.h"

#include <gio/gio.h>
#include <string.h>

#include "loom-error.h"
#include "loom-event-scanner.h"
#include "loom-limits.h"

#define FIRST_WINDOW (512u * 1024)

typedef struct {
  LoomRawEventFunc func;
  gpointer user_data;
} Pass;

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Pass *pass = user_data;
  return pass->func (event, pass->user_data);
}

gboolean
loom_raw_events_has_events (const LoomSource *source)
{
  static const char *const others[] = { "cprofile", "pyinstrument", "profiler-config", "rule-report" };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (source->format, others[i]) == 0)
      return FALSE;
  return source->text != NULL;
}

/* Reads the next bytes of the text into the free room at the end of the buffer `window`. Returns the number of bytes
 * read; 0 at the end of the text; −1 with `error`. */
static gssize
fill (LoomByteSource *text, guint64 offset, char *window, gsize filled, gsize capacity, LoomProgress *progress,
      GError **error)
{
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  if (cancellable != NULL && g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  return loom_byte_source_read (text, offset + filled, window + filled, capacity - filled, error);
}

static gboolean
scan_text (LoomByteSource *text, LoomEventScanner *scanner, LoomProgress *progress, GError **error)
{
  gsize capacity = FIRST_WINDOW, filled = 0;
  guint64 offset = 0, most = loom_limit (LOOM_LIMIT_EVENT_BYTES);
  g_autofree char *window = g_malloc (capacity);
  while (!loom_event_scanner_is_done (scanner)) {
    gssize n = fill (text, offset, window, filled, capacity, progress, error);
    if (n < 0)
      return FALSE;
    filled += (gsize) n;
    gsize used = loom_event_scanner_scan_window (scanner, window, filled, offset, n == 0, most);
    offset += used;
    filled -= used;
    memmove (window, window + used, filled);
    if (n == 0)
      return TRUE;
    if (filled == capacity)
      window = g_realloc (window, capacity = (gsize) MIN (capacity * 2, MAX (most, capacity + 1)));
  }
  return TRUE;
}

gboolean
loom_raw_events_run (const LoomSource *source, LoomProgress *progress, LoomRawEventFunc func, gpointer user_data,
                     GError **error)
{
  static const LoomScanHandler handler = { .event = on_event };
  Pass pass = { func, user_data };
  if (!loom_raw_events_has_events (source))
    return TRUE;
  g_autoptr (LoomEventScanner) scanner =
    loom_event_scanner_new (&handler, &pass, strcmp (source->format, "smdebug-system") == 0);
  if (scan_text (source->text, scanner, progress, error))
    return TRUE;
  g_prefix_error (error, "%s: ", source->path);
  return FALSE;
}
