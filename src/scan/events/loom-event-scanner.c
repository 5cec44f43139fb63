/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the events in the text of a trace in one pass, without building a tree of the document. The interface is
 * described in loom-event-scanner.h.
 */
#include "loom-scanner-private.h"

#include <string.h>

#define LOOK_AHEAD 1024 /* distance in bytes between the current event and the text that is prefetched */

#define MOST_PEEK 64 /* maximum number of bytes that are examined after a bracket to find the first element */

LoomEventScanner *
loom_event_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines)
{
  LoomEventScanner *scanner = g_new0 (LoomEventScanner, 1);
  scanner->handler = *handler;
  scanner->user_data = user_data;
  scanner->state = lines ? LOOM_SCAN_STATE_LINES : LOOM_SCAN_STATE_START;
  scanner->form = lines ? LOOM_JSON_FORM_LINES : LOOM_JSON_FORM_UNKNOWN;
  scanner->begin = scanner->hole_end = scanner->first = scanner->limit = scanner->reached = LOOM_SCAN_NOWHERE;
  scanner->lead = ',';
  scanner->shapes = loom_json_skip_nested != loom_json_skip_nested_plain ? g_new0 (LoomEventShapes, 1) : NULL;
  return scanner;
}

LoomEventScanner *
loom_event_scanner_new_inside (const LoomScanHandler *handler, gpointer user_data, LoomJsonForm form)
{
  LoomEventScanner *scanner = loom_event_scanner_new (handler, user_data, FALSE);
  scanner->form = form;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
  scanner->resume = LOOM_SCAN_STATE_ELEMENTS;
  scanner->saw_events_array = form == LOOM_JSON_FORM_OBJECT;
  scanner->is_ahead = TRUE;
  return scanner;
}

void
loom_event_scanner_set_limit (LoomEventScanner *scanner, guint64 limit)
{
  scanner->limit = limit;
  scanner->reached = LOOM_SCAN_NOWHERE;
}

void
loom_event_scanner_follow (LoomEventScanner *scanner, const LoomEventScanner *before)
{
  LoomEventScanner own = *scanner;
  *scanner = *before;
  scanner->handler = own.handler;
  scanner->user_data = own.user_data;
  scanner->shapes = own.shapes;
  scanner->saw_more_lists |= own.saw_more_lists;
  scanner->first = MIN (own.first, before->first);
}

guint64
loom_event_scanner_get_reached (const LoomEventScanner *scanner)
{
  return scanner->reached;
}

guint64
loom_event_scanner_get_first (const LoomEventScanner *scanner)
{
  return scanner->first;
}

void
loom_event_scanner_free (LoomEventScanner *scanner)
{
  if (scanner == NULL)
    return;
  g_free (scanner->shapes);
  g_free (scanner);
}

gboolean
loom_event_scanner_is_done (const LoomEventScanner *scanner)
{
  return scanner->state == LOOM_SCAN_STATE_DONE;
}

LoomJsonForm
loom_event_scanner_get_form (const LoomEventScanner *scanner)
{
  return scanner->form;
}

gboolean
loom_event_scanner_saw_events_array (const LoomEventScanner *scanner)
{
  return scanner->saw_events_array;
}

gboolean
loom_event_scanner_saw_more_lists (const LoomEventScanner *scanner)
{
  return scanner->saw_more_lists;
}

static void
start_resync (LoomEventScanner *scanner, const LoomScannerWindow *window, const char *p)
{
  loom_scanner_report (scanner, window, LOOM_SCAN_BROKEN_EVENT, p);
  scanner->resume = scanner->state;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
}

static gboolean
step_start (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *p = window->p;
  if (window->offset == 0 && p == window->text) {
    if (window->end - p < 3 && !window->final)
      return FALSE;
    if (window->end - p >= 3 && memcmp (p, "\xEF\xBB\xBF", 3) == 0)
      p += 3;
  }
  window->p = p = loom_json_skip_blanks (p, window->end);
  if (p == window->end)
    return FALSE;
  scanner->form = *p == '[' ? LOOM_JSON_FORM_ARRAY : *p == '{' ? LOOM_JSON_FORM_OBJECT : LOOM_JSON_FORM_OTHER;
  scanner->state = *p == '[' ? LOOM_SCAN_STATE_ELEMENTS : *p == '{' ? LOOM_SCAN_STATE_MEMBERS : LOOM_SCAN_STATE_DONE;
  window->p++;
  return TRUE;
}

static inline LoomJsonSkip
walk_event (LoomEventScanner *scanner, const char **p, const char *end, LoomEvent *event)
{
  loom_json_skip_was_deep = FALSE;
  return scanner->shapes != NULL ? loom_event_predictor_walk_guided (scanner->shapes, p, end, event)
                                 : loom_event_parser (p, end, event);
}

/* Parses the event at `*p`, but only up to the next hole (a run of zero bytes). If the event extends into the hole,
 * returns LOOM_JSON_SKIP_INCOMPLETE and sets `*in_hole` to TRUE. */
static inline LoomJsonSkip
walk_to_hole (LoomEventScanner *scanner, LoomScannerWindow *window, const char **p, LoomEvent *event, gboolean *in_hole)
{
  const char *stop = loom_scanner_window_stop_ahead (window, *p);
  LoomJsonSkip walk = walk_event (scanner, p, stop, event);
  while (G_UNLIKELY ((walk == LOOM_JSON_SKIP_INCOMPLETE || (walk == LOOM_JSON_SKIP_BAD && stop[-1] == '\0')) &&
                     stop == window->checked && stop < window->end)) {
    loom_scanner_window_check_more (window, MAX ((gsize) (stop - *p) * 4, LOOM_HOLE_BLOCK));
    stop = window->hole;
    walk = walk_event (scanner, p, stop, event);
  }
  if (G_UNLIKELY (walk == LOOM_JSON_SKIP_BAD && stop == window->end &&
                  /* a hole may begin with the zero bytes at the end of the window, so only the text before them is
                   * parsed */
                  stop[-1] == '\0'))
    walk = walk_event (scanner, p, loom_scanner_window_find_open (window, *p), event);
  *in_hole = walk == LOOM_JSON_SKIP_INCOMPLETE && stop < window->checked;
  return walk;
}

/* Skips a hole. An event that extends into the hole is broken, so searches for the next complete event after the
 * hole. */
static gboolean
skip_hole (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  window->p = loom_scanner_tell_hole (scanner, window);
  scanner->resume = scanner->state;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
  return TRUE;
}

static gboolean
step_event (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  LoomEvent event;
  const char *p = window->p;
  /* prefetches as many bytes as an event usually has, because the hardware prefetcher stops at the end of a page of
   * memory */
  for (guint i = 0; i < 4; i++)
    __builtin_prefetch (p + LOOK_AHEAD + 64 * i);
  gboolean in_hole;
  LoomJsonSkip walk = walk_to_hole (scanner, window, &p, &event, &in_hole);
  if (G_UNLIKELY (in_hole))
    return skip_hole (scanner, window);
  switch (walk) {
  case LOOM_JSON_SKIP_OK:
    event.offset = loom_scanner_window_offset (window, window->p);
    window->p = p;
    scanner->expect_comma = TRUE;
    return loom_scanner_emit (scanner, &event);
  case LOOM_JSON_SKIP_BAD:
    start_resync (scanner, window, window->p);
    window->p++;
    return TRUE;
  case LOOM_JSON_SKIP_INCOMPLETE:
  default:
    if (!window->final)
      return FALSE;
    /* The text ends inside the event. Perhaps only a quote or bracket is missing and complete events follow, so search
     * for them. */
    loom_scanner_report (scanner, window, LOOM_SCAN_CUT_EVENT, window->p);
    scanner->resume = scanner->state;
    scanner->state = LOOM_SCAN_STATE_RESYNC;
    window->p++;
    return TRUE;
  }
}

/* Called at the end `p` of an array that was found among the events. Returns TRUE if the list of events continues or
 * ends after this array. Returns FALSE if the opening bracket of the array is superfluous, so that the bracket before
 * `p` is the end of the list. */
static gboolean
list_goes_on (const char *p, const char *end)
{
  p = loom_json_skip_blanks (p, end);
  if (p < end && *p == ']')
    return TRUE;
  const char *next = loom_json_skip_blanks_and_commas (p, end);
  return next > p && next < end && *next != '"';
}

static gboolean
step_odd_element (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *p = window->p;
  LoomJsonSkip walk = loom_json_skip_value (&p, window->end);
  if (walk == LOOM_JSON_SKIP_OK && *window->p == '[' && !list_goes_on (p, window->end))
    walk = window->final ? LOOM_JSON_SKIP_BAD : LOOM_JSON_SKIP_INCOMPLETE;
  if (walk == LOOM_JSON_SKIP_INCOMPLETE && !window->final)
    return FALSE;
  loom_scanner_report (scanner, window, LOOM_SCAN_NOT_AN_EVENT, window->p);
  window->p = walk == LOOM_JSON_SKIP_OK ? p : walk == LOOM_JSON_SKIP_BAD ? window->p + 1 : window->end;
  scanner->expect_comma = walk == LOOM_JSON_SKIP_OK;
  return TRUE;
}

LoomJsonSkip
loom_scanner_walk_stray_bracket (const LoomEventScanner *scanner, const char *p, const char *end)
{
  const char *second = loom_json_skip_blanks (p + 1, end);
  if (scanner->state == LOOM_SCAN_STATE_ELEMENTS && scanner->form == LOOM_JSON_FORM_OBJECT && second < end &&
      *second == '{')
    return LOOM_JSON_SKIP_OK;
  while (p < end && (*p == ']' || *p == '}' || loom_json_slice_is_blank (*p)))
    p++;
  if (p < end && *p != ',')
    return LOOM_JSON_SKIP_BAD;
  p = loom_json_skip_blanks_and_commas (p, end);
  return p == end ? LOOM_JSON_SKIP_INCOMPLETE : *p == '{' ? LOOM_JSON_SKIP_OK : LOOM_JSON_SKIP_BAD;
}

gboolean
loom_scanner_skip_stray_brackets (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  if (loom_scanner_walk_stray_bracket (scanner, window->p, window->end) != LOOM_JSON_SKIP_OK)
    return FALSE;
  loom_scanner_report (scanner, window, LOOM_SCAN_BROKEN_EVENT, window->p);
  while (*window->p != ',' && *window->p != '{')
    window->p++;
  scanner->state = LOOM_SCAN_STATE_ELEMENTS;
  return TRUE;
}

static gboolean
step_elements (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *p = window->p, *end = window->end;
  while (p < end && (*p == ',' || loom_json_slice_is_blank (*p)))
    scanner->expect_comma &= *p++ != ',';
  window->p = p;
  if (p == end)
    return FALSE;
  if (scanner->expect_comma && *p != ']' && (*p != '}' || scanner->form != LOOM_JSON_FORM_OBJECT)) {
    loom_scanner_report (scanner, window, LOOM_SCAN_MISSING_COMMA, p);
    scanner->expect_comma = FALSE;
  }
  if (loom_scanner_stops_at (scanner, window, p))
    return FALSE;
  if (G_UNLIKELY (*p == '\0' && loom_scanner_window_find_hole_before (window, p, p + 1) == p))
    return skip_hole (scanner, window);
  if (G_UNLIKELY (*p == '\0' && loom_scanner_window_find_open (window, p) == p))
    return FALSE;
  if (*p == ']' || (*p == '}' && scanner->form == LOOM_JSON_FORM_OBJECT)) {
    if (!window->final && loom_scanner_walk_stray_bracket (scanner, p, end) == LOOM_JSON_SKIP_INCOMPLETE)
      return FALSE;
    if (loom_scanner_skip_stray_brackets (scanner, window))
      return TRUE;
    scanner->state = scanner->form == LOOM_JSON_FORM_OBJECT ? LOOM_SCAN_STATE_MEMBERS : LOOM_SCAN_STATE_AFTER;
    if (*p == '}')
      loom_scanner_report (scanner, window, LOOM_SCAN_UNTERMINATED, p);
    else
      window->p++;
    scanner->expect_comma = FALSE;
    return TRUE;
  }
  return *p == '{' ? step_event (scanner, window) : step_odd_element (scanner, window);
}

/* Parses one line. An event never extends beyond its line, so that a truncated event does not include the next line. */
static gboolean
step_lines (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  const char *p = window->p = loom_json_skip_blanks_and_commas (window->p, window->end);
  if (p == window->end)
    return FALSE;
  const char *line_end = memchr (p, '\n', (gsize) (window->end - p));
  if (line_end == NULL && !window->final)
    return FALSE;
  LoomEvent event;
  const char *q = p, *end = line_end != NULL ? line_end : window->end;
  if (G_UNLIKELY (loom_scanner_window_find_hole_before (window, p, end) < end)) {
    loom_scanner_tell_hole (scanner, window);
    window->p = line_end != NULL ? line_end + 1 : window->end;
    return TRUE;
  }
  LoomJsonSkip walk = *p == '{' ? walk_event (scanner, &q, end, &event) : LOOM_JSON_SKIP_BAD;
  if (walk == LOOM_JSON_SKIP_OK) {
    event.offset = loom_scanner_window_offset (window, p);
    window->p = q;
    return loom_scanner_emit (scanner, &event);
  }
  loom_scanner_report (scanner, window,
                       *p != '{'          ? LOOM_SCAN_NOT_AN_EVENT
                       : line_end == NULL ? LOOM_SCAN_CUT_EVENT
                                          : LOOM_SCAN_BROKEN_EVENT,
                       p);
  window->p = line_end != NULL ? line_end + 1 : window->end;
  return TRUE;
}

/* Called at text after the end of the list, to recognise a second list of events. Such a list begins with "[{", or with
 * "{" and a key. Returns LOOM_JSON_SKIP_OK if a list begins at the current position, LOOM_JSON_SKIP_BAD if none begins
 * there, and LOOM_JSON_SKIP_INCOMPLETE if the window is too short for a decision. */
static LoomJsonSkip
walk_second_list (const LoomScannerWindow *window)
{
  const char *p = window->p, *end = window->end;
  if (*p != '[' && *p != '{')
    return LOOM_JSON_SKIP_BAD;
  const char *inner = loom_json_skip_blanks (p + 1, end);
  if (inner == end)
    return window->final || end - p > MOST_PEEK ? LOOM_JSON_SKIP_BAD : LOOM_JSON_SKIP_INCOMPLETE;
  return *inner == (*p == '[' ? '{' : '"') ? LOOM_JSON_SKIP_OK : LOOM_JSON_SKIP_BAD;
}

static gboolean
step_after (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  window->p = loom_json_skip_blanks (window->p, window->end);
  if (window->p < window->end && !scanner->said_after) {
    LoomJsonSkip walk = walk_second_list (window);
    if (walk == LOOM_JSON_SKIP_INCOMPLETE)
      return FALSE;
    loom_scanner_report (scanner, window, walk == LOOM_JSON_SKIP_OK ? LOOM_SCAN_SECOND_LIST : LOOM_SCAN_TEXT_AFTER_END,
                         window->p);
    scanner->said_after = TRUE;
  }
  window->p = window->end;
  return FALSE;
}

static gboolean
step (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  switch (scanner->state) {
  case LOOM_SCAN_STATE_START: return step_start (scanner, window);
  case LOOM_SCAN_STATE_ELEMENTS: return step_elements (scanner, window);
  case LOOM_SCAN_STATE_LINES: return step_lines (scanner, window);
  case LOOM_SCAN_STATE_MEMBERS: return loom_scanner_step_members (scanner, window);
  case LOOM_SCAN_STATE_RESYNC: return loom_scanner_step_resync (scanner, window);
  case LOOM_SCAN_STATE_AFTER: return step_after (scanner, window);
  case LOOM_SCAN_STATE_DONE:
  default: return FALSE;
  }
}

/* Stores, for the scan of the next window, the last non-blank byte of the consumed text, and whether a line ended after
 * this byte. */
static void
keep_lead (LoomEventScanner *scanner, const char *text, gsize used)
{
  gboolean line = FALSE;
  while (used > 0 && loom_json_slice_is_blank (text[used - 1]))
    line |= text[--used] == '\n';
  if (used > 0)
    scanner->lead = text[used - 1];
  scanner->lead_line = line || (used == 0 && scanner->lead_line);
}

/* Skips the zero bytes at the beginning of a window if they continue a hole that was already reported. There may be
 * fewer of them than HOLE_BYTES. */
static void
follow_hole (LoomEventScanner *scanner, LoomScannerWindow *window)
{
  if (scanner->hole_end != window->offset || scanner->state != LOOM_SCAN_STATE_RESYNC)
    return;
  while (window->p < window->end && *window->p == '\0')
    window->p++;
  scanner->hole_end = loom_scanner_window_offset (window, window->p);
}

gsize
loom_event_scanner_scan (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset, gboolean final)
{
  LoomScannerWindow window = { text, text, text + length, offset, final, text, text };
  if (scanner->begin == LOOM_SCAN_NOWHERE)
    scanner->begin = offset;
  follow_hole (scanner, &window);
  while (step (scanner, &window))
    continue;
  if (final && scanner->reached == LOOM_SCAN_NOWHERE &&
      (scanner->state == LOOM_SCAN_STATE_ELEMENTS || scanner->state == LOOM_SCAN_STATE_MEMBERS ||
       scanner->state == LOOM_SCAN_STATE_RESYNC)) {
    if (!(scanner->state == LOOM_SCAN_STATE_RESYNC && scanner->resume == LOOM_SCAN_STATE_LINES))
      loom_scanner_report (scanner, &window, LOOM_SCAN_UNTERMINATED, window.end);
    scanner->state = LOOM_SCAN_STATE_DONE;
  }
  keep_lead (scanner, text, (gsize) (window.p - window.text));
  return (gsize) (window.p - window.text);
}

/* Skips an event or member that is larger than the largest window; it is at the beginning of the window. Reports it,
 * and continues the scan after its first byte. */
static void
give_up (LoomEventScanner *scanner, guint64 offset)
{
  const LoomScannerWindow window = { NULL, NULL, NULL, offset, FALSE };
  scanner->skip_one = TRUE;
  /* Nothing is reported, because it is uncertain that an event begins here: the search only tries this position. */
  if (scanner->state == LOOM_SCAN_STATE_RESYNC)
    return;
  loom_scanner_report (scanner, &window, LOOM_SCAN_TOO_LARGE, NULL);
  scanner->resume = scanner->state == LOOM_SCAN_STATE_LINES ? LOOM_SCAN_STATE_LINES : LOOM_SCAN_STATE_ELEMENTS;
  scanner->saw_events_array |= scanner->state == LOOM_SCAN_STATE_MEMBERS;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
}

gsize
loom_event_scanner_scan_window (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                                gboolean final, guint64 most)
{
  gsize used = loom_event_scanner_scan (scanner, text, length, offset, final);
  gboolean rests = loom_event_scanner_is_done (scanner) || scanner->reached != LOOM_SCAN_NOWHERE;
  if (used > 0 || length < most || final || rests)
    return used;
  give_up (scanner, offset);
  return loom_event_scanner_scan (scanner, text, length, offset, final);
}
