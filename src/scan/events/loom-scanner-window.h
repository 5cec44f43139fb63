/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: the bytes a scanner sees at a time, and the holes in them. A hole is a run of zero bytes, which are
 * not text. The search for holes runs shortly ahead of the parser, block by block, so that both find the text in the cache.
 */
#pragma once

#include <glib.h>

#define LOOM_HOLE_BLOCK (32 * 1024)
#define LOOM_HOLE_AHEAD (8 * 1024)

typedef struct {
  const char *p;
  const char *text; /* beginning of the window */
  const char *end;
  guint64 offset; /* offset of the window */
  gboolean final;
  const char *checked; /* end of the bytes that were searched for holes */
  /* beginning of the first hole at or after the position that was asked for last; equal to `checked` if there is
   * none */
  const char *hole;
} LoomScannerWindow;

/* Returns the offset of `p` in the text. */
static inline guint64
loom_scanner_window_offset (const LoomScannerWindow *window, const char *p)
{
  return window->offset + (guint64) (p - window->text);
}

/* Returns the first hole in these bytes, `end` if there is none. */
const char *loom_scanner_window_find_hole (const char *p, const char *end);
/* Searches the next `n` bytes for holes. */
void loom_scanner_window_check_more (LoomScannerWindow *window, gsize n);
/* Returns the first hole at or after `p` that begins before `end`, else `end`. */
const char *loom_scanner_window_find_hole_before (LoomScannerWindow *window, const char *p, const char *end);

/* Returns the beginning of the zero bytes at the end of the window, which may form a hole together with the bytes of
 * the next window. Returns the end of the window if there are none. */
const char *loom_scanner_window_find_open (const LoomScannerWindow *window, const char *p);

/* Returns the limit for a parser that starts at `p`: the next hole, or the end of the searched bytes. */
static inline const char *
loom_scanner_window_stop_ahead (LoomScannerWindow *window, const char *p)
{
  window->checked = MAX (window->checked, p);
  if (G_UNLIKELY (window->hole < p))
    window->hole = loom_scanner_window_find_hole (p, window->end);
  if (G_UNLIKELY (window->checked - p < LOOM_HOLE_AHEAD && window->checked < window->end))
    loom_scanner_window_check_more (window, LOOM_HOLE_BLOCK);
  return window->hole;
}
