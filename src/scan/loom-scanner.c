/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scanner-private.h"

#include <string.h>

#define LOOK_AHEAD 1024 /* bytes: asked for while the event before them is walked */

#define MOST_PEEK 64 /* bytes behind a bracket, for what it holds */

LoomScanner *
loom_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines)
{
  LoomScanner *scanner = g_new0 (LoomScanner, 1);
  scanner->handler = *handler;
  scanner->user_data = user_data;
  scanner->state = lines ? LOOM_SCAN_STATE_LINES : LOOM_SCAN_STATE_START;
  scanner->form = lines ? LOOM_FORM_LINES : LOOM_FORM_UNKNOWN;
  scanner->begin = scanner->hole_end = scanner->first = scanner->limit = scanner->reached = LOOM_SCAN_NOWHERE;
  scanner->lead = ',';
  scanner->shapes = loom_walk_nested != loom_walk_nested_plain ? g_new0 (LoomShapes, 1) : NULL;
  return scanner;
}

LoomScanner *
loom_scanner_new_inside (const LoomScanHandler *handler, gpointer user_data, LoomForm form)
{
  LoomScanner *scanner = loom_scanner_new (handler, user_data, FALSE);
  scanner->form = form;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
  scanner->resume = LOOM_SCAN_STATE_ELEMENTS;
  scanner->saw_events_array = form == LOOM_FORM_OBJECT;
  scanner->is_ahead = TRUE;
  return scanner;
}

void
loom_scanner_set_limit (LoomScanner *scanner, guint64 limit)
{
  scanner->limit = limit;
  scanner->reached = LOOM_SCAN_NOWHERE;
}

void
loom_scanner_follow (LoomScanner *scanner, const LoomScanner *before)
{
  LoomScanner own = *scanner;
  *scanner = *before;
  scanner->handler = own.handler;
  scanner->user_data = own.user_data;
  scanner->shapes = own.shapes;
  scanner->first = MIN (own.first, before->first);
}

guint64
loom_scanner_get_reached (const LoomScanner *scanner)
{
  return scanner->reached;
}

guint64
loom_scanner_get_first (const LoomScanner *scanner)
{
  return scanner->first;
}

void
loom_scanner_free (LoomScanner *scanner)
{
  if (scanner == NULL)
    return;
  g_free (scanner->shapes);
  g_free (scanner);
}

gboolean
loom_scanner_is_done (const LoomScanner *scanner)
{
  return scanner->state == LOOM_SCAN_STATE_DONE;
}

LoomForm
loom_scanner_get_form (const LoomScanner *scanner)
{
  return scanner->form;
}

gboolean
loom_scanner_saw_events_array (const LoomScanner *scanner)
{
  return scanner->saw_events_array;
}

static void
start_resync (LoomScanner *scanner, const LoomScanWindow *window, const char *p)
{
  loom_scanner_report (scanner, window, LOOM_SCAN_BROKEN_EVENT, p);
  scanner->resume = scanner->state;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
}

static gboolean
step_start (LoomScanner *scanner, LoomScanWindow *window)
{
  const char *p = window->p;
  if (window->offset == 0 && p == window->text) {
    if (window->end - p < 3 && !window->final)
      return FALSE;
    if (window->end - p >= 3 && memcmp (p, "\xEF\xBB\xBF", 3) == 0)
      p += 3;
  }
  window->p = p = loom_walk_blanks (p, window->end);
  if (p == window->end)
    return FALSE;
  scanner->form = *p == '[' ? LOOM_FORM_ARRAY : *p == '{' ? LOOM_FORM_OBJECT : LOOM_FORM_OTHER;
  scanner->state = *p == '[' ? LOOM_SCAN_STATE_ELEMENTS : *p == '{' ? LOOM_SCAN_STATE_MEMBERS : LOOM_SCAN_STATE_DONE;
  window->p++;
  return TRUE;
}

static inline LoomWalk
walk_event (LoomScanner *scanner, const char **p, const char *end, LoomEvent *event)
{
  loom_walk_was_deep = FALSE;
  return scanner->shapes != NULL ? loom_event_walk_guided (scanner->shapes, p, end, event) : loom_event_walk (p, end, event);
}

/* An event that begins at *p, up to a hole: INCOMPLETE with *in_hole when it reaches into one. */
static inline LoomWalk
walk_to_hole (LoomScanner *scanner, LoomScanWindow *window, const char **p, LoomEvent *event, gboolean *in_hole)
{
  const char *stop = loom_scan_window_stop_ahead (window, *p);
  LoomWalk walk = walk_event (scanner, p, stop, event);
  while (G_UNLIKELY ((walk == LOOM_WALK_INCOMPLETE || (walk == LOOM_WALK_BAD && stop[-1] == '\0')) &&
                     stop == window->checked && stop < window->end)) {
    loom_scan_window_check_more (window, MAX ((gsize) (stop - *p) * 4, LOOM_HOLE_BLOCK));
    stop = window->hole;
    walk = walk_event (scanner, p, stop, event);
  }
  if (G_UNLIKELY (walk == LOOM_WALK_BAD && stop == window->end && stop[-1] == '\0')) /* the hole may have only begun */
    walk = walk_event (scanner, p, loom_scan_window_find_open (window, *p), event);
  *in_hole = walk == LOOM_WALK_INCOMPLETE && stop < window->checked;
  return walk;
}

/* What reaches into the hole is broken; the next event is looked for behind it. */
static gboolean
skip_hole (LoomScanner *scanner, LoomScanWindow *window)
{
  window->p = loom_scanner_tell_hole (scanner, window);
  scanner->resume = scanner->state;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
  return TRUE;
}

static gboolean
step_event (LoomScanner *scanner, LoomScanWindow *window)
{
  LoomEvent event;
  const char *p = window->p;
  for (guint i = 0; i < 4; i++) /* about an event; the processor's own foresight ends with the page */
    __builtin_prefetch (p + LOOK_AHEAD + 64 * i);
  gboolean in_hole;
  LoomWalk walk = walk_to_hole (scanner, window, &p, &event, &in_hole);
  if (G_UNLIKELY (in_hole))
    return skip_hole (scanner, window);
  switch (walk) {
  case LOOM_WALK_OK:
    event.offset = loom_scan_window_offset (window, window->p);
    window->p = p;
    scanner->expect_comma = TRUE;
    return loom_scanner_emit (scanner, &event);
  case LOOM_WALK_BAD:
    start_resync (scanner, window, window->p);
    window->p++;
    return TRUE;
  case LOOM_WALK_INCOMPLETE:
  default:
    if (!window->final)
      return FALSE;
    /* The text ends inside it; but if it only lost a quote or a bracket, whole events may stand inside. */
    loom_scanner_report (scanner, window, LOOM_SCAN_CUT_EVENT, window->p);
    scanner->resume = scanner->state;
    scanner->state = LOOM_SCAN_STATE_RESYNC;
    window->p++;
    return TRUE;
  }
}

/* Whether an array that stands among the events, and ends before p, has the list going on or ending behind it. If not, its
 * opening bracket is too much, and it ended where the list should have. */
static gboolean
list_goes_on (const char *p, const char *end)
{
  p = loom_walk_blanks (p, end);
  if (p < end && *p == ']')
    return TRUE;
  const char *next = loom_walk_blanks_and_commas (p, end);
  return next > p && next < end && *next != '"';
}

static gboolean
step_odd_element (LoomScanner *scanner, LoomScanWindow *window)
{
  const char *p = window->p;
  LoomWalk walk = loom_walk_value (&p, window->end);
  if (walk == LOOM_WALK_OK && *window->p == '[' && !list_goes_on (p, window->end))
    walk = window->final ? LOOM_WALK_BAD : LOOM_WALK_INCOMPLETE;
  if (walk == LOOM_WALK_INCOMPLETE && !window->final)
    return FALSE;
  loom_scanner_report (scanner, window, LOOM_SCAN_NOT_AN_EVENT, window->p);
  window->p = walk == LOOM_WALK_OK ? p : walk == LOOM_WALK_BAD ? window->p + 1 : window->end;
  scanner->expect_comma = walk == LOOM_WALK_OK;
  return TRUE;
}

LoomWalk
loom_scanner_walk_stray_bracket (const LoomScanner *scanner, const char *p, const char *end)
{
  const char *second = loom_walk_blanks (p + 1, end);
  if (scanner->state == LOOM_SCAN_STATE_ELEMENTS && scanner->form == LOOM_FORM_OBJECT && second < end && *second == '{')
    return LOOM_WALK_OK;
  while (p < end && (*p == ']' || *p == '}' || loom_json_is_blank (*p)))
    p++;
  if (p < end && *p != ',')
    return LOOM_WALK_BAD;
  p = loom_walk_blanks_and_commas (p, end);
  return p == end ? LOOM_WALK_INCOMPLETE : *p == '{' ? LOOM_WALK_OK : LOOM_WALK_BAD;
}

gboolean
loom_scanner_skip_stray_brackets (LoomScanner *scanner, LoomScanWindow *window)
{
  if (loom_scanner_walk_stray_bracket (scanner, window->p, window->end) != LOOM_WALK_OK)
    return FALSE;
  loom_scanner_report (scanner, window, LOOM_SCAN_BROKEN_EVENT, window->p);
  while (*window->p != ',' && *window->p != '{')
    window->p++;
  scanner->state = LOOM_SCAN_STATE_ELEMENTS;
  return TRUE;
}

static gboolean
step_elements (LoomScanner *scanner, LoomScanWindow *window)
{
  const char *p = window->p, *end = window->end;
  while (p < end && (*p == ',' || loom_json_is_blank (*p)))
    scanner->expect_comma &= *p++ != ',';
  window->p = p;
  if (p == end)
    return FALSE;
  if (scanner->expect_comma && *p != ']' && (*p != '}' || scanner->form != LOOM_FORM_OBJECT)) {
    loom_scanner_report (scanner, window, LOOM_SCAN_MISSING_COMMA, p);
    scanner->expect_comma = FALSE;
  }
  if (loom_scanner_stops_at (scanner, window, p))
    return FALSE;
  if (G_UNLIKELY (*p == '\0' && loom_scan_window_find_hole_before (window, p, p + 1) == p))
    return skip_hole (scanner, window);
  if (G_UNLIKELY (*p == '\0' && loom_scan_window_find_open (window, p) == p))
    return FALSE;
  if (*p == ']' || (*p == '}' && scanner->form == LOOM_FORM_OBJECT)) {
    if (!window->final && loom_scanner_walk_stray_bracket (scanner, p, end) == LOOM_WALK_INCOMPLETE)
      return FALSE;
    if (loom_scanner_skip_stray_brackets (scanner, window))
      return TRUE;
    scanner->state = scanner->form == LOOM_FORM_OBJECT ? LOOM_SCAN_STATE_MEMBERS : LOOM_SCAN_STATE_AFTER;
    if (*p == '}')
      loom_scanner_report (scanner, window, LOOM_SCAN_UNTERMINATED, p);
    else
      window->p++;
    scanner->expect_comma = FALSE;
    return TRUE;
  }
  return *p == '{' ? step_event (scanner, window) : step_odd_element (scanner, window);
}

/* Nothing reaches beyond its line, so that a line cut short does not take the next one with it. */
static gboolean
step_lines (LoomScanner *scanner, LoomScanWindow *window)
{
  const char *p = window->p = loom_walk_blanks_and_commas (window->p, window->end);
  if (p == window->end)
    return FALSE;
  const char *line_end = memchr (p, '\n', (gsize) (window->end - p));
  if (line_end == NULL && !window->final)
    return FALSE;
  LoomEvent event;
  const char *q = p, *end = line_end != NULL ? line_end : window->end;
  if (G_UNLIKELY (loom_scan_window_find_hole_before (window, p, end) < end)) {
    loom_scanner_tell_hole (scanner, window);
    window->p = line_end != NULL ? line_end + 1 : window->end;
    return TRUE;
  }
  LoomWalk walk = *p == '{' ? walk_event (scanner, &q, end, &event) : LOOM_WALK_BAD;
  if (walk == LOOM_WALK_OK) {
    event.offset = loom_scan_window_offset (window, p);
    window->p = q;
    return loom_scanner_emit (scanner, &event);
  }
  loom_scanner_report (scanner, window, *p != '{' ? LOOM_SCAN_NOT_AN_EVENT : line_end == NULL ? LOOM_SCAN_CUT_EVENT : LOOM_SCAN_BROKEN_EVENT, p);
  window->p = line_end != NULL ? line_end + 1 : window->end;
  return TRUE;
}

/* "[{" or "{" and a key. INCOMPLETE when the text at hand does not tell. */
static LoomWalk
walk_second_list (const LoomScanWindow *window)
{
  const char *p = window->p, *end = window->end;
  if (*p != '[' && *p != '{')
    return LOOM_WALK_BAD;
  const char *inner = loom_walk_blanks (p + 1, end);
  if (inner == end)
    return window->final || end - p > MOST_PEEK ? LOOM_WALK_BAD : LOOM_WALK_INCOMPLETE;
  return *inner == (*p == '[' ? '{' : '"') ? LOOM_WALK_OK : LOOM_WALK_BAD;
}

static gboolean
step_after (LoomScanner *scanner, LoomScanWindow *window)
{
  window->p = loom_walk_blanks (window->p, window->end);
  if (window->p < window->end && !scanner->said_after) {
    LoomWalk walk = walk_second_list (window);
    if (walk == LOOM_WALK_INCOMPLETE)
      return FALSE;
    loom_scanner_report (scanner, window, walk == LOOM_WALK_OK ? LOOM_SCAN_SECOND_LIST : LOOM_SCAN_TEXT_AFTER_END, window->p);
    scanner->said_after = TRUE;
  }
  window->p = window->end;
  return FALSE;
}

static gboolean
step (LoomScanner *scanner, LoomScanWindow *window)
{
  switch (scanner->state) {
  case LOOM_SCAN_STATE_START:
    return step_start (scanner, window);
  case LOOM_SCAN_STATE_ELEMENTS:
    return step_elements (scanner, window);
  case LOOM_SCAN_STATE_LINES:
    return step_lines (scanner, window);
  case LOOM_SCAN_STATE_MEMBERS:
    return loom_scanner_step_members (scanner, window);
  case LOOM_SCAN_STATE_RESYNC:
    return loom_scanner_step_resync (scanner, window);
  case LOOM_SCAN_STATE_AFTER:
    return step_after (scanner, window);
  case LOOM_SCAN_STATE_DONE:
  default:
    return FALSE;
  }
}

/* Remembers what stands right before the bytes that come next. */
static void
keep_lead (LoomScanner *scanner, const char *text, gsize used)
{
  gboolean line = FALSE;
  while (used > 0 && loom_json_is_blank (text[used - 1]))
    line |= text[--used] == '\n';
  if (used > 0)
    scanner->lead = text[used - 1];
  scanner->lead_line = line || (used == 0 && scanner->lead_line);
}

/* A hole that was told of and goes on, be it by less than makes one. */
static void
follow_hole (LoomScanner *scanner, LoomScanWindow *window)
{
  if (scanner->hole_end != window->offset || scanner->state != LOOM_SCAN_STATE_RESYNC)
    return;
  while (window->p < window->end && *window->p == '\0')
    window->p++;
  scanner->hole_end = loom_scan_window_offset (window, window->p);
}

gsize
loom_scanner_scan (LoomScanner *scanner, const char *text, gsize length, guint64 offset, gboolean final)
{
  LoomScanWindow window = { text, text, text + length, offset, final, text, text };
  if (scanner->begin == LOOM_SCAN_NOWHERE)
    scanner->begin = offset;
  follow_hole (scanner, &window);
  while (step (scanner, &window))
    continue;
  if (final && scanner->reached == LOOM_SCAN_NOWHERE && (scanner->state == LOOM_SCAN_STATE_ELEMENTS || scanner->state == LOOM_SCAN_STATE_MEMBERS || scanner->state == LOOM_SCAN_STATE_RESYNC)) {
    if (!(scanner->state == LOOM_SCAN_STATE_RESYNC && scanner->resume == LOOM_SCAN_STATE_LINES))
      loom_scanner_report (scanner, &window, LOOM_SCAN_UNTERMINATED, window.end);
    scanner->state = LOOM_SCAN_STATE_DONE;
  }
  keep_lead (scanner, text, (gsize) (window.p - window.text));
  return (gsize) (window.p - window.text);
}

/* Goes on behind the first byte of the window. */
static void
give_up (LoomScanner *scanner, guint64 offset)
{
  const LoomScanWindow window = { NULL, NULL, NULL, offset, FALSE };
  scanner->skip_one = TRUE;
  if (scanner->state == LOOM_SCAN_STATE_RESYNC) /* a guess that came to nothing */
    return;
  loom_scanner_report (scanner, &window, LOOM_SCAN_TOO_LARGE, NULL);
  scanner->resume = scanner->state == LOOM_SCAN_STATE_LINES ? LOOM_SCAN_STATE_LINES : LOOM_SCAN_STATE_ELEMENTS;
  scanner->saw_events_array |= scanner->state == LOOM_SCAN_STATE_MEMBERS;
  scanner->state = LOOM_SCAN_STATE_RESYNC;
}

gsize
loom_scanner_scan_window (LoomScanner *scanner, const char *text, gsize length, guint64 offset, gboolean final, guint64 most)
{
  gsize used = loom_scanner_scan (scanner, text, length, offset, final);
  gboolean rests = loom_scanner_is_done (scanner) || scanner->reached != LOOM_SCAN_NOWHERE;
  if (used > 0 || length < most || final || rests)
    return used;
  give_up (scanner, offset);
  return loom_scanner_scan (scanner, text, length, offset, final);
}
