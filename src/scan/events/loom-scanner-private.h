/* SPDX-License-Identifier: Apache-2.0
 *
 * The state and the step functions that the source files of the event scanner share. Each step function parses a part
 * of the text. It returns FALSE if the scan is over, or if more text is necessary; in the second case, the scan later
 * continues at window->p. Private to src/scan.
 */
#pragma once

#include "loom-event-predictor.h"
#include "loom-event-scanner.h"
#include "loom-scanner-window.h"

typedef enum {
  LOOM_SCAN_STATE_START,
  LOOM_SCAN_STATE_ELEMENTS, /* the scan is inside the array of events */
  LOOM_SCAN_STATE_LINES,    /* the scan is in JSON lines, which are objects one after another */
  LOOM_SCAN_STATE_MEMBERS,  /* the scan is inside the top-level object, but not in the array of events */
  LOOM_SCAN_STATE_RESYNC,   /* the scan is after a broken event, and searches for the next complete one */
  LOOM_SCAN_STATE_AFTER,    /* the scan is after the bracket that closes the list or the top-level object */
  LOOM_SCAN_STATE_DONE,
} LoomScanState;

struct _LoomEventScanner {
  LoomScanHandler handler;
  gpointer user_data;
  LoomScanState state;
  LoomScanState resume; /* state in which the scan continues when LOOM_SCAN_STATE_RESYNC has found an event */
  LoomJsonForm form;
  gboolean expect_comma;
  gboolean saw_events_array;
  gboolean saw_more_lists; /* TRUE if the text has a second member traceEvents */
  gboolean said_after;
  /* TRUE: the first byte of the next window is skipped, because no event or member can begin there */
  gboolean skip_one;
  /* TRUE: the scan began inside the list of events, and has not found an event yet. Until it finds one, it reports no
   * problems, because the scanner of the preceding text reports them */
  gboolean is_ahead;
  guint64 begin;    /* offset of the first window; LOOM_SCAN_NOWHERE: no window was scanned yet */
  guint64 hole_end; /* offset of the end of the last reported hole; LOOM_SCAN_NOWHERE: no hole was reported yet */
  guint64 n_tried;  /* number of bytes that searches for an event or member have parsed without finding a complete
                     * one */
  guint64 first;    /* offset of the first event; LOOM_SCAN_NOWHERE: none was found yet */
  /* the scan stops at the first event that begins at or after this offset; LOOM_SCAN_NOWHERE: no limit */
  guint64 limit;
  /* offset of the event at which the scan stopped because of `limit`; LOOM_SCAN_NOWHERE: it has not stopped */
  guint64 reached;
  /* last byte before the window that is not blank; ',' before the first window, so that an event may begin there */
  char lead;
  gboolean lead_line; /* TRUE if a line ended after the byte `lead` */
  /* texts between the values of earlier events (LoomEventShape), which predict those of the next events; NULL: events
   * are parsed without prediction */
  LoomEventShapes *shapes;
  /* number of objects that a search has parsed up to the end of the text without finding the end of the object */
  guint n_cut;
};

static inline void
loom_scanner_report (LoomEventScanner *scanner, const LoomScannerWindow *window, LoomScanProblem problem, const char *p)
{
  if (scanner->handler.problem != NULL)
    scanner->handler.problem (problem, loom_scanner_window_offset (window, p), scanner->user_data);
}

/* If the event at `p` begins at or after the limit, stops the scan and returns TRUE. */
static inline gboolean
loom_scanner_stops_at (LoomEventScanner *scanner, LoomScannerWindow *window, const char *p)
{
  if (loom_scanner_window_offset (window, p) < scanner->limit)
    return FALSE;
  scanner->reached = loom_scanner_window_offset (window, p);
  window->p = p;
  return TRUE;
}

static inline void
loom_scanner_report_deep (LoomEventScanner *scanner, guint64 offset)
{
  if (scanner->handler.problem != NULL)
    scanner->handler.problem (LOOM_SCAN_DEEP, offset, scanner->user_data);
}

static inline gboolean
loom_scanner_emit (LoomEventScanner *scanner, LoomEvent *event)
{
  if (G_UNLIKELY (loom_json_skip_was_deep))
    loom_scanner_report_deep (scanner, event->offset);
  if (scanner->first == LOOM_SCAN_NOWHERE)
    scanner->first = event->offset;
  scanner->is_ahead = FALSE;
  if (scanner->handler.event (event, scanner->user_data))
    return TRUE;
  scanner->state = LOOM_SCAN_STATE_DONE;
  return FALSE;
}

/* Returns the number of bytes that searches may still parse. All searches together may parse only a small multiple of
 * the length of the text. */
guint64 loom_scanner_get_bytes_to_try (const LoomEventScanner *scanner, const LoomScannerWindow *window);
/* Called when an attempt to parse an event or member has reached the end of the text; counts these attempts. Returns
 * TRUE if another attempt is allowed; FALSE after too many attempts. */
gboolean loom_scanner_try_cut (LoomEventScanner *scanner);
/* Number of bytes that are parsed to find the end of an object: LOOM_SCAN_TRY_BYTES in the first attempt; in each
 * further attempt, LOOM_SCAN_TRY_GROWTH times as many as in the previous one. */
#define LOOM_SCAN_TRY_BYTES 4096
#define LOOM_SCAN_TRY_GROWTH 16

/* Reports the hole LoomScannerWindow.hole (a run of zero bytes), and returns its end. Each hole is reported once, even
 * if it is inside skipped text or continues in the next window. A scanner that was created inside the list does not
 * report holes before its first event. */
const char *loom_scanner_tell_hole (LoomEventScanner *scanner, LoomScannerWindow *window);

/* Called after a broken event: searches for the next complete object that has a ph and is at a position where an
 * element of the list may begin. */
gboolean loom_scanner_step_resync (LoomEventScanner *scanner, LoomScannerWindow *window);
/* Parses one member of the top-level object, in a trace in which the list of events is a member of an object. */
gboolean loom_scanner_step_members (LoomEventScanner *scanner, LoomScannerWindow *window);

/* Checks whether a closing bracket at `p` ends the list of events, or the object around the list. Returns
 * LOOM_JSON_SKIP_OK if events follow the bracket: the list then continues, and an opening bracket is missing before
 * `p`. Events follow if a comma and an opening brace come after the closing brackets; in a list that is a member of an
 * object, an opening brace directly after the bracket is enough. Returns LOOM_JSON_SKIP_BAD if no events follow.
 * Returns LOOM_JSON_SKIP_INCOMPLETE if the window is too short for a decision. */
LoomJsonSkip loom_scanner_walk_stray_bracket (const LoomEventScanner *scanner, const char *p, const char *end);
/* Skips closing brackets at the current position that have no opening bracket. Returns FALSE if there are none. */
gboolean loom_scanner_skip_stray_brackets (LoomEventScanner *scanner, LoomScannerWindow *window);
