/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: the bytes a scanner sees at a time, and the holes in them: zero bytes in a row, which are no text.
 * They are looked for in blocks shortly before the walk comes there, so that both find the text in the cache.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_HOLE_BLOCK (32 * 1024)
#define LOOM_HOLE_AHEAD (8 * 1024)

typedef struct {
  const char *p;
  const char *text; /* the window */
  const char *end;
  guint64 offset; /* of the window */
  gboolean final;
  const char *checked; /* as far as holes are known */
  const char *hole;    /* the first one behind where it was last asked about; `checked` without */
} LoomScannerWindow;

/* The offset of p in the text. */
static inline guint64
loom_scanner_window_offset (const LoomScannerWindow *window, const char *p)
{
  return window->offset + (guint64) (p - window->text);
}

/* The first hole in these bytes; `end` when there is none. */
const char *loom_scanner_window_find_hole (const char *p, const char *end);
/* Looks for holes in so many bytes more. */
void loom_scanner_window_check_more (LoomScannerWindow *window, gsize n);
/* The first hole from p on that begins before `end`, else `end`. */
const char *loom_scanner_window_find_hole_before (LoomScannerWindow *window, const char *p, const char *end);

/* Zero bytes at the end, that may be a hole with those that come next: where they begin, else the end. */
const char *loom_scanner_window_find_open (const LoomScannerWindow *window, const char *p);

/* Where a walk that begins at p has to end for now. */
static inline const char *
loom_scanner_window_stop_ahead (LoomScannerWindow *window, const char *p)
{
  window->checked = MAX (window->checked, p);
  if (G_UNLIKELY (window->hole < p))
    window->hole = loom_scanner_window_find_hole (p, window->checked);
  if (G_UNLIKELY (window->checked - p < LOOM_HOLE_AHEAD && window->checked < window->end))
    loom_scanner_window_check_more (window, LOOM_HOLE_BLOCK);
  return window->hole;
}

G_END_DECLS
