/* SPDX-License-Identifier: Apache-2.0
 *
 * Continues the scan after a malformed event: searches for the next complete event, in time that is linear in the
 * length of the text.
 */
#include "loom-scanner-private.h"

#include <string.h>

/* Maximum number of attempts to parse an object that may fail because the text ends inside the object. A limit is
 * necessary, because each of these attempts parses all bytes up to the end of the text. */
#define MAX_CUT_TRIES 256

/* Limits of the number of bytes that the search for a complete event parses. The first attempt to parse an object
 * parses LOOM_SCAN_TRY_BYTES. If the object does not end within these bytes, each further attempt parses
 * LOOM_SCAN_TRY_GROWTH times as many bytes as the previous one. All attempts together parse at most TRY_FREE_BYTES plus
 * TRY_FACTOR times the length of the text read so far; for the first TRY_FIRST_BYTES of the text, the factor is larger
 * by TRY_FIRST_FACTOR, because a single event may be large. An object that would exceed this limit is not parsed.
 * Without the limit, deeply nested invalid text would take quadratic time. */
#define TRY_FREE_BYTES (G_GUINT64_CONSTANT (16) << 20)
#define TRY_FIRST_BYTES (G_GUINT64_CONSTANT (32) << 20)
#define TRY_FIRST_FACTOR 16
#define TRY_FACTOR 2

const char *
loom_scanner_tell_hole (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *behind = window->hole;
  guint64 offset = loom_scanner_window_offset (window, window->hole);
  if (window->hole == window->checked)
    return behind;
  while (behind < window->end && *behind == '\0')
    behind++;
  if (!scanner->is_ahead && (scanner->hole_end == LOOM_SCAN_NOWHERE || offset > scanner->hole_end))
    loom_scanner_report (scanner, window, LOOM_SCAN_ZEROS, window->hole);
  scanner->hole_end = loom_scanner_window_offset (window, behind);
  return behind;
}

/* Reports the holes between window->p and `end` that were not reported before. Called before the scanner skips the text
 * from window->p to `end`. */
static void
tell_holes_before (LoomEventScanner *scanner, LoomScannerWindow *window, const char *end)
{
  for (const char *from = window->p; loom_scanner_window_find_hole_before (window, from, end) < end;)
    from = loom_scanner_tell_hole (scanner, window);
}

guint64
loom_scanner_get_bytes_to_try (const LoomEventScanner *scanner, const LoomScannerWindow *window)
{
  guint64 seen = window->offset + (guint64) (window->end - window->text) - scanner->begin;
  guint64 allowed = TRY_FREE_BYTES + TRY_FIRST_FACTOR * MIN (seen, TRY_FIRST_BYTES) + TRY_FACTOR * seen;
  return allowed > scanner->n_tried ? allowed - scanner->n_tried : 0;
}

gboolean
loom_scanner_try_cut (LoomEventScanner *scanner)
{
  return ++scanner->n_cut <= MAX_CUT_TRIES;
}

/* Parses an event. Returns LOOM_JSON_SKIP_INCOMPLETE if the event does not end before `end`. Returns LOOM_JSON_SKIP_BAD
 * if it is not an event, or if all searches together would parse too many bytes. */
static LoomJsonSkip
try_event (LoomEventScanner *scanner, const LoomScannerWindow *window, const char **p, const char *end,
           LoomEvent *event)
{
  const char *from = *p;
  for (gsize length = LOOM_SCAN_TRY_BYTES;; length *= LOOM_SCAN_TRY_GROWTH) {
    gsize n = MIN (length, (gsize) (end - from));
    if (loom_scanner_get_bytes_to_try (scanner, window) < n)
      return LOOM_JSON_SKIP_BAD;
    LoomJsonSkip walk = loom_event_parser (p, from + n, event);
    scanner->n_tried += walk == LOOM_JSON_SKIP_OK ? (gsize) (*p - from) : n;
    if (walk != LOOM_JSON_SKIP_INCOMPLETE || from + n == end)
      return walk;
  }
}

gboolean
loom_scanner_step_resync (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *end = window->end;
  if (scanner->skip_one && window->p < end)
    window->p++;
  scanner->skip_one = FALSE;
  for (const char *p = window->p;; p++) {
    p = memchr (p, '{', (gsize) (end - p));
    if (p == NULL) {
      tell_holes_before (scanner, window, end);
      window->p = loom_scanner_window_find_open (window, window->p);
      return FALSE;
    }
    const char *before = p;
    while (before > window->text && loom_json_slice_is_blank (before[-1]))
      before--;
    char lead = before > window->text ? before[-1] : scanner->lead;
    gboolean at_line = (before < p && memchr (before, '\n', (gsize) (p - before)) != NULL) ||
                       (before == window->text && scanner->lead_line);
    if (lead != ',' && lead != '[' && lead != '}' && lead != ']' && lead != '\0' && !at_line)
      continue;
    LoomEvent event;
    const char *q = p;
    loom_json_skip_was_deep = FALSE;
    tell_holes_before (scanner, window, p);
    const char *stop = loom_scanner_window_find_hole_before (window, p, end);
    LoomJsonSkip walk = try_event (scanner, window, &q, stop, &event);
    if (walk == LOOM_JSON_SKIP_INCOMPLETE && stop < end)
      continue; /* the object extends into a hole of zero bytes, so it is broken, too */
    if (walk == LOOM_JSON_SKIP_INCOMPLETE && (!window->final || !loom_scanner_try_cut (scanner))) {
      window->p = window->final ? end : p;
      return FALSE;
    }
    if (walk != LOOM_JSON_SKIP_OK || (scanner->resume != LOOM_SCAN_STATE_LINES && loom_event_phase (&event) == '\0'))
      continue;
    if (loom_scanner_stops_at (scanner, window, p))
      return FALSE;
    event.offset = loom_scanner_window_offset (window, p);
    window->p = q;
    scanner->state = scanner->resume;
    scanner->expect_comma = TRUE;
    return loom_scanner_emit (scanner, &event);
  }
}
