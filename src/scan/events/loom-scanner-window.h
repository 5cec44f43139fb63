/* SPDX-License-Identifier: Apache-2.0
 *
 * A window is the part of the text that the scanner parses at a time. These functions find the holes in a window: runs
 * of zero bytes in place of lost text. They search one block after another, just before it is parsed, so that the block
 * is in the processor's cache when it is parsed. Private to src/scan.
 */
#pragma once

#include <glib.h>

#define LOOM_HOLE_BLOCK (32 * 1024)
#define LOOM_HOLE_AHEAD (8 * 1024)

typedef struct {
  const char *p;
  const char *text; /* first byte of the window */
  const char *end;
  guint64 offset; /* offset of the window in the whole text */
  gboolean final;
  const char *checked; /* position up to which the window was searched for holes (runs of zero bytes) */
  /* beginning of the first hole at or after the position of the last call of loom_scanner_window_find_hole_before();
   * equal to `checked` if there is no hole */
  const char *hole;
} LoomScannerWindow;

/* Returns the offset, in the whole text, of the byte `p` of the window. */
static inline guint64
loom_scanner_window_offset (const LoomScannerWindow *window, const char *p)
{
  return window->offset + (guint64) (p - window->text);
}

/* Returns the beginning of the first hole between `p` and `end`; `end` if there is none. */
const char *loom_scanner_window_find_hole (const char *p, const char *end);
/* Extends the search for holes by the next `n` bytes after `checked`. */
void loom_scanner_window_check_more (LoomScannerWindow *window, gsize n);
/* Returns the beginning of the first hole at or after `p` that begins before `end`; `end` if there is no such hole. */
const char *loom_scanner_window_find_hole_before (LoomScannerWindow *window, const char *p, const char *end);

/* Returns the beginning of the zero bytes at the end of the window, because they may form a hole together with the
 * first bytes of the next window. Returns the end of the window if it does not end with zero bytes. */
const char *loom_scanner_window_find_open (const LoomScannerWindow *window, const char *p);

/* Returns the end of the text that a parser may read from `p` on: the next hole, or the end of the bytes that were
 * searched for holes. */
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
