/* SPDX-License-Identifier: Apache-2.0
 *
 * The event scanner: one pass over a trace's text, without a tree. It accepts the array form, the object form and bare
 * lines of objects, repairs what writers commonly break (loom-json-slice.h), and passes every complete event to a callback in
 * file order.
 *
 * The caller feeds windows of text that may end at any byte. Bytes that the scanner does not consume must be passed
 * again, with more bytes after them. Not locked; events and slices live only during the callback.
 */
#pragma once

#include "loom-event.h"

typedef enum {
  LOOM_SCAN_BROKEN_EVENT,   /* an event cannot be parsed; the scan continued at the next event */
  LOOM_SCAN_NOT_AN_EVENT,   /* an element of the list that is not an object */
  LOOM_SCAN_UNTERMINATED,   /* the array was not closed; every complete event was kept */
  LOOM_SCAN_CUT_EVENT,      /* the text ends inside an event */
  LOOM_SCAN_TEXT_AFTER_END, /* text follows the closing bracket */
  /* like LOOM_SCAN_TEXT_AFTER_END, but the text begins like another list of events or an object around one */
  LOOM_SCAN_SECOND_LIST,
  LOOM_SCAN_MISSING_COMMA,
  LOOM_SCAN_BAD_MEMBER, /* a top-level member that cannot be parsed */
  LOOM_SCAN_TOO_LARGE,  /* an event or member larger than the largest window; the scan continued after its first byte */
  /* a run of zero bytes in the text; what was there is lost, and an event that reaches into it is broken */
  LOOM_SCAN_ZEROS,
  LOOM_SCAN_DEEP, /* an event is nested deeper than LOOM_LIMIT_DEPTH; it is still passed to the callback */
} LoomScanProblem;

typedef enum {
  LOOM_JSON_FORM_UNKNOWN, /* only white space so far */
  LOOM_JSON_FORM_ARRAY,
  LOOM_JSON_FORM_OBJECT,
  LOOM_JSON_FORM_LINES, /* objects one after another, without a bracket around them */
  LOOM_JSON_FORM_OTHER, /* the text is not JSON that could be a trace */
} LoomJsonForm;

typedef struct {
  /* Called for each event. Returns FALSE to stop the scan. */
  gboolean (*event) (const LoomEvent *event, gpointer user_data);
  /* Called for a top-level member of the object form other than traceEvents; may be NULL. Keys keep their quotes. */
  void (*member) (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data);
  void (*problem) (LoomScanProblem problem, guint64 offset, gpointer user_data); /* may be NULL */
} LoomScanHandler;

typedef struct _LoomEventScanner LoomEventScanner;

/* Creates a scanner. `lines`: the format is known to be JSON lines, objects one after another. */
LoomEventScanner *loom_event_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines);
void loom_event_scanner_free (LoomEventScanner *scanner);

/* Creates a scanner for text that starts somewhere inside the list of events; `form` is the form of the whole text. The
 * scan begins at the first object that looks like an event. That is a guess, which the caller can check with
 * loom_event_scanner_get_first(). Zero bytes before that event are not reported. */
LoomEventScanner *loom_event_scanner_new_inside (const LoomScanHandler *handler, gpointer user_data, LoomJsonForm form);

/* Returns the offset of the first event, LOOM_SCAN_NOWHERE if there was none. */
#define LOOM_SCAN_NOWHERE G_MAXUINT64
guint64 loom_event_scanner_get_first (const LoomEventScanner *scanner);

/* Makes the scan stop between two events as soon as the next event would begin at or after `limit`.
 * loom_event_scanner_get_reached() returns the offset at which the scan stopped (LOOM_SCAN_NOWHERE if it has not
 * stopped). When a later limit is set, the scan continues from this offset. */
void loom_event_scanner_set_limit (LoomEventScanner *scanner, guint64 limit);
guint64 loom_event_scanner_get_reached (const LoomEventScanner *scanner);

/* Makes `scanner` continue the scan of `before`, which stopped at its limit: from the offset where it stopped, with the
 * state that it had there. */
void loom_event_scanner_follow (LoomEventScanner *scanner, const LoomEventScanner *before);

/* Scans a window of text at `offset`; `final`: no text follows it. Returns the number of bytes consumed. If it is 0 for
 * a window that is neither empty nor final, the window is too small for the next event: pass a larger one. */
gsize loom_event_scanner_scan (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                               gboolean final);

/* Like loom_event_scanner_scan(), for windows that grow until they contain a whole event. If a window of `most` bytes
 * does not, the event (or member) at its front is reported as too large, and the scan searches for the next one after
 * its first byte. */
gsize loom_event_scanner_scan_window (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                                      gboolean final, guint64 most);

/* Returns TRUE if the scan needs no more text: a callback has stopped it, or the text is not a trace. */
gboolean loom_event_scanner_is_done (const LoomEventScanner *scanner);

LoomJsonForm loom_event_scanner_get_form (const LoomEventScanner *scanner);

/* Returns TRUE if the object form had a traceEvents array. */
gboolean loom_event_scanner_saw_events_array (const LoomEventScanner *scanner);

/* Returns TRUE if the object form had another traceEvents array after the first one. */
gboolean loom_event_scanner_saw_more_lists (const LoomEventScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventScanner, loom_event_scanner_free)
