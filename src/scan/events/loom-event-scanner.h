/* SPDX-License-Identifier: Apache-2.0
 *
 * The event scanner finds the events in the text of a trace in one pass, without building a tree of the document. It
 * accepts an array of events, an object with such an array (traceEvents), and lines of objects. It repairs common
 * mistakes of programs that write traces (loom-json-slice.h), and passes every complete event to a callback, in file
 * order.
 *
 * The caller passes the text in windows, which may end at any byte. Bytes of a window that the scanner has not consumed
 * must be passed again, at the beginning of the next window. Only one thread at a time may use a scanner. Events and
 * slices are valid only during the callback.
 */
#pragma once

#include "loom-event.h"

typedef enum {
  LOOM_SCAN_BROKEN_EVENT,   /* an event cannot be parsed; the scan continued at the next event */
  LOOM_SCAN_NOT_AN_EVENT,   /* an element of the list of events is not an object */
  LOOM_SCAN_UNTERMINATED,   /* the text ends before the bracket that closes the array; every complete event was kept */
  LOOM_SCAN_CUT_EVENT,      /* the text ends inside an event */
  LOOM_SCAN_TEXT_AFTER_END, /* text follows after the bracket that closes the list or the object around it */
  /* like LOOM_SCAN_TEXT_AFTER_END, but the text begins like a second list of events, or like an object that contains
   * such a list */
  LOOM_SCAN_SECOND_LIST,
  LOOM_SCAN_MISSING_COMMA,
  LOOM_SCAN_BAD_MEMBER, /* a member of the top-level object cannot be parsed */
  LOOM_SCAN_TOO_LARGE,  /* an event or member larger than the largest window; the scan continued after its first byte */
  /* a run of zero bytes in the text: the original text is lost, and an event that reaches into the run is broken */
  LOOM_SCAN_ZEROS,
  LOOM_SCAN_DEEP, /* an event is nested deeper than LOOM_LIMIT_DEPTH; it is still passed to the callback */
} LoomScanProblem;

typedef enum {
  LOOM_JSON_FORM_UNKNOWN, /* the text scanned so far contains only white space */
  LOOM_JSON_FORM_ARRAY,
  LOOM_JSON_FORM_OBJECT,
  LOOM_JSON_FORM_LINES, /* JSON lines: objects one after another, without a bracket around them */
  LOOM_JSON_FORM_OTHER, /* the text is not JSON, or is JSON that cannot be a trace */
} LoomJsonForm;

typedef struct {
  /* Called for each event. Returning FALSE stops the scan. */
  gboolean (*event) (const LoomEvent *event, gpointer user_data);
  /* Called for each member of the top-level object except traceEvents; may be NULL. Keys include their quotes. */
  void (*member) (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data);
  void (*problem) (LoomScanProblem problem, guint64 offset, gpointer user_data); /* reports a problem; may be NULL */
} LoomScanHandler;

typedef struct _LoomEventScanner LoomEventScanner;

/* Creates a scanner. `lines`: the format is known to be JSON lines, objects one after another. */
LoomEventScanner *loom_event_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines);
void loom_event_scanner_free (LoomEventScanner *scanner);

/* Creates a scanner for text that starts somewhere inside the list of events; `form` is the form of the whole text. The
 * scan begins at the first object that looks like an event. This object may not be an event, for example if it is
 * inside the args of an event, so the caller should check the result with loom_event_scanner_get_first(). Zero bytes
 * before this object are not reported. */
LoomEventScanner *loom_event_scanner_new_inside (const LoomScanHandler *handler, gpointer user_data, LoomJsonForm form);

/* Returns the offset in the text of the first event that was found; LOOM_SCAN_NOWHERE if none was found. */
#define LOOM_SCAN_NOWHERE G_MAXUINT64
guint64 loom_event_scanner_get_first (const LoomEventScanner *scanner);

/* Makes the scan stop between two events, before the first event that begins at or after `limit`.
 * loom_event_scanner_get_reached() returns the offset at which the scan stopped (LOOM_SCAN_NOWHERE if it has not
 * stopped). When a later limit is set, the scan continues from this offset. */
void loom_event_scanner_set_limit (LoomEventScanner *scanner, guint64 limit);
guint64 loom_event_scanner_get_reached (const LoomEventScanner *scanner);

/* Makes `scanner` continue the scan of `before`, which stopped at its limit: `scanner` begins at the offset at which
 * `before` stopped, with the state of `before` at this offset. */
void loom_event_scanner_follow (LoomEventScanner *scanner, const LoomEventScanner *before);

/* Scans a window of text at `offset`. `final`: TRUE if no text follows after the window. Returns the number of bytes
 * consumed. If this is 0 although the window is neither empty nor final, the window is too small for the next event,
 * and the caller must pass a larger window. */
gsize loom_event_scanner_scan (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                               gboolean final);

/* Does the same as loom_event_scanner_scan(), for callers that enlarge the window until it contains a whole event. If a
 * window of `most` bytes is still too small, the event (or member) at its beginning is reported as too large, and the
 * scan continues after its first byte. */
gsize loom_event_scanner_scan_window (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                                      gboolean final, guint64 most);

/* Returns TRUE if the scan is over: a callback has stopped it, or the text is not a trace. */
gboolean loom_event_scanner_is_done (const LoomEventScanner *scanner);

LoomJsonForm loom_event_scanner_get_form (const LoomEventScanner *scanner);

/* Returns TRUE if the text is an object, and a member traceEvents with an array was found in it. */
gboolean loom_event_scanner_saw_events_array (const LoomEventScanner *scanner);

/* Returns TRUE if the text is an object, and contains another array traceEvents after the first one. */
gboolean loom_event_scanner_saw_more_lists (const LoomEventScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventScanner, loom_event_scanner_free)
