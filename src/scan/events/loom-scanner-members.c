/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the event scanner that reads the members of the top-level object, in traces in which the list of events
 * is a member of an object. After a malformed member, the scan continues, because the list may follow.
 */
#include "loom-scanner-private.h"

#include <string.h>

/* Returns TRUE if the closing brace before `behind` does not belong to the top-level object, but to a value inside a
 * malformed member. This is the case if the next byte that is neither a closing bracket nor a blank is a comma. */
static gboolean
is_inner_brace (const char *behind, const char *end)
{
  while (behind < end && (*behind == ']' || *behind == '}' || loom_json_slice_is_blank (*behind)))
    behind++;
  return behind < end && *behind == ',';
}

/* Skips the value of a member. If the value cannot be parsed, adds the number of parsed bytes to scanner->n_tried (see
 * loom_scanner_get_bytes_to_try()). */
static LoomJsonSkip
walk_member (LoomEventScanner *scanner, const LoomScannerWindow *window, const char **p)
{
  for (gsize length = LOOM_SCAN_TRY_BYTES;; length *= LOOM_SCAN_TRY_GROWTH) {
    gsize n = MIN (length, (gsize) (window->end - *p));
    gboolean whole = *p + n == window->end;
    LoomJsonSkip walk = loom_json_skip_value (p, *p + n);
    if (walk == LOOM_JSON_SKIP_BAD || (walk == LOOM_JSON_SKIP_INCOMPLETE && whole && window->final))
      scanner->n_tried += n;
    if (walk != LOOM_JSON_SKIP_INCOMPLETE || whole)
      return walk;
  }
}

gboolean
loom_scanner_step_members (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *p = loom_json_skip_blanks_and_commas (window->p, window->end), *end = window->end;
  window->p = p;
  if (p == end)
    return FALSE;
  if (*p == '}') {
    if (!window->final && loom_scanner_walk_stray_bracket (scanner, p, end) == LOOM_JSON_SKIP_INCOMPLETE)
      return FALSE;
    if (scanner->saw_events_array && loom_scanner_skip_stray_brackets (scanner, window))
      return TRUE;
    window->p++;
    if (scanner->saw_events_array || !is_inner_brace (window->p, end))
      scanner->state = LOOM_SCAN_STATE_AFTER;
    return TRUE;
  }
  const char *key = p;
  LoomJsonSkip walk = *p == '"' ? loom_json_skip_string (&p, end) : LOOM_JSON_SKIP_BAD;
  LoomJsonSlice name = { key, (gsize) (p - key) };
  if (walk == LOOM_JSON_SKIP_OK) {
    p = loom_json_skip_blanks (p, end);
    walk = p == end ? LOOM_JSON_SKIP_INCOMPLETE : *p == ':' ? LOOM_JSON_SKIP_OK : LOOM_JSON_SKIP_BAD;
    p = walk == LOOM_JSON_SKIP_OK ? loom_json_skip_blanks (p + 1, end) : p;
  }
  const char *value = p;
  if (walk == LOOM_JSON_SKIP_OK && p < end && *p == '[' && loom_json_slice_equal (name, "\"traceEvents\"")) {
    scanner->state = LOOM_SCAN_STATE_ELEMENTS;
    scanner->saw_more_lists |= scanner->saw_events_array;
    scanner->saw_events_array = TRUE;
    scanner->expect_comma = FALSE;
    window->p = p + 1;
    return TRUE;
  }
  if (walk == LOOM_JSON_SKIP_OK)
    walk = walk_member (scanner, window, &p);
  /* continue after the next comma, because the list of events may follow the malformed member */
  gboolean seek = walk == LOOM_JSON_SKIP_BAD || (walk == LOOM_JSON_SKIP_INCOMPLETE && window->final);
  const char *comma = seek && !scanner->saw_events_array ? memchr (key, ',', (gsize) (end - key)) : NULL;
  if (!window->final && (walk == LOOM_JSON_SKIP_INCOMPLETE || (seek && !scanner->saw_events_array && comma == NULL)))
    return FALSE;
  if (walk == LOOM_JSON_SKIP_OK) {
    if (scanner->handler.member != NULL)
      scanner->handler.member (name, (LoomJsonSlice) { value, (gsize) (p - value) },
                               loom_scanner_window_offset (window, value), scanner->user_data);
    window->p = p;
    return TRUE;
  }
  loom_scanner_report (scanner, window, walk == LOOM_JSON_SKIP_BAD ? LOOM_SCAN_BAD_MEMBER : LOOM_SCAN_UNTERMINATED,
                       key);
  gboolean try_on = loom_scanner_get_bytes_to_try (scanner, window) > 0 &&
                    (walk == LOOM_JSON_SKIP_BAD || loom_scanner_try_cut (scanner));
  if (try_on && !scanner->saw_events_array) {
    window->p = comma != NULL ? comma + 1 : end;
    return TRUE;
  }
  scanner->state = LOOM_SCAN_STATE_DONE;
  return FALSE;
}
