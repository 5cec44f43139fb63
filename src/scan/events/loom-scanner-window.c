/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the holes (runs of zero bytes in place of lost text) in the part of the text that the scanner parses. The
 * interface is described in loom-scanner-window.h.
 */
#include "loom-scanner-window.h"

#include <string.h>

/* A run of at least this many zero bytes is a hole in the text. Holes exist if a page was never written to disk, or if
 * a file was enlarged without writing into it. */
#define HOLE_BYTES 16

const char *
loom_scanner_window_find_hole (const char *p, const char *end)
{
  for (const char *zero = p; (zero = memchr (zero, '\0', (gsize) (end - zero))) != NULL;) {
    const char *behind = zero;
    while (behind < end && *behind == '\0')
      behind++;
    if (behind - zero >= HOLE_BYTES)
      return zero;
    zero = behind;
  }
  return end;
}

const char *
loom_scanner_window_find_open (const LoomScannerWindow *window, const char *p)
{
  const char *zeros = window->end;
  while (zeros > p && zeros[-1] == '\0' && window->end - zeros < HOLE_BYTES)
    zeros--;
  return window->final || window->end - zeros == HOLE_BYTES ? window->end : zeros;
}

/* The search starts at the first of the zero bytes just before `checked`, if there are any, because a hole may begin
 * there. */
void
loom_scanner_window_check_more (LoomScannerWindow *window, gsize n)
{
  const char *from = window->checked, *end = window->checked + MIN (n, (gsize) (window->end - window->checked));
  for (guint i = 0; i < HOLE_BYTES && from > window->text && from[-1] == '\0'; i++)
    from--;
  if (window->hole == window->checked)
    window->hole = loom_scanner_window_find_hole (from, end);
  window->checked = end;
}

const char *
loom_scanner_window_find_hole_before (LoomScannerWindow *window, const char *p, const char *end)
{
  const char *stop = loom_scanner_window_stop_ahead (window, p);
  if (stop == window->checked && stop < end) {
    loom_scanner_window_check_more (window, (gsize) (end - stop) + HOLE_BYTES);
    stop = window->hole;
  }
  return MIN (stop, end);
}
