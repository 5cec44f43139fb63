/* SPDX-License-Identifier: Apache-2.0
 *
 * The event scanner: one pass over a trace's text, no tree. It accepts the array form, the object form and bare lines
 * of objects, repaired as formats/README §2 says, and hands out every complete event in file order.
 *
 * It is fed windows of text that may end at any byte: what it does not consume must come again, with more behind it.
 * Not locked; events and slices live only during the callback.
 */
#pragma once

#include "loom-event.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SCAN_BROKEN_EVENT,   /* no readable object here; went on at the next */
  LOOM_SCAN_NOT_AN_EVENT,   /* an element that is no object */
  LOOM_SCAN_UNTERMINATED,   /* the array never closed; every complete event was kept */
  LOOM_SCAN_CUT_EVENT,      /* the text ends inside an event */
  LOOM_SCAN_TEXT_AFTER_END, /* something stands behind the closing bracket */
  LOOM_SCAN_SECOND_LIST,    /* the same, and it begins like another list of events, or an object around one */
  LOOM_SCAN_MISSING_COMMA,
  LOOM_SCAN_BAD_MEMBER, /* a top-level member that cannot be read */
  LOOM_SCAN_TOO_LARGE,  /* an event or a member that no window can show whole; went on behind its beginning */
  LOOM_SCAN_ZEROS,      /* a hole of zero bytes; what stood there is lost, and no event reaches over it */
  LOOM_SCAN_DEEP,       /* an event is nested deeper than LOOM_LIMIT_DEPTH; it is handed out all the same */
} LoomScanProblem;

typedef enum {
  LOOM_JSON_FORM_UNKNOWN, /* nothing but blanks so far */
  LOOM_JSON_FORM_ARRAY,
  LOOM_JSON_FORM_OBJECT,
  LOOM_JSON_FORM_LINES, /* objects one after another without a bracket around them */
  LOOM_JSON_FORM_OTHER, /* not JSON that could be a trace */
} LoomJsonForm;

typedef struct {
  /* Return FALSE to stop the scan. */
  gboolean (*event) (const LoomEvent *event, gpointer user_data);
  /* A top-level member of the object form other than traceEvents; may be NULL. Keys keep their quotes. */
  void (*member) (LoomJsonSlice key, LoomJsonSlice value, guint64 offset, gpointer user_data);
  void (*problem) (LoomScanProblem problem, guint64 offset, gpointer user_data); /* may be NULL */
} LoomScanHandler;

typedef struct _LoomEventScanner LoomEventScanner;

/* `lines`: the text is objects one after another (JSON lines), for formats that are known to be. */
LoomEventScanner *loom_event_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines);
void loom_event_scanner_free (LoomEventScanner *scanner);

/* Starts somewhere inside the list of events of a text of this form: the scan begins at the first object that looks like
 * an event, which is a guess that loom_event_scanner_get_first() lets the caller check. Holes before it are not told. */
LoomEventScanner *loom_event_scanner_new_inside (const LoomScanHandler *handler, gpointer user_data, LoomJsonForm form);

/* Offset of the first event, LOOM_SCAN_NOWHERE when there was none. */
#define LOOM_SCAN_NOWHERE G_MAXUINT64
guint64 loom_event_scanner_get_first (const LoomEventScanner *scanner);

/* The scan stops between two events as soon as the next would begin at or behind `limit`. Where that was is returned by
 * get_reached (LOOM_SCAN_NOWHERE before); a later limit lets it go on from there. */
void loom_event_scanner_set_limit (LoomEventScanner *scanner, guint64 limit);
guint64 loom_event_scanner_get_reached (const LoomEventScanner *scanner);

/* Goes on as `before` would, which rests at its limit: what it met inside the text holds here too. */
void loom_event_scanner_follow (LoomEventScanner *scanner, const LoomEventScanner *before);

/* Scans a window that stands at `offset` of the text; `final` when nothing follows it. Returns how many bytes are done
 * with. Returning 0 of a non-empty window that is not final means: show more at once. */
gsize loom_event_scanner_scan (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                               gboolean final);

/* The same, for windows that grow until they show an event whole: of one of `most` bytes that does not, the event (or member)
 * at its front is reported as too large, and the scan looks for the next behind its first byte. */
gsize loom_event_scanner_scan_window (LoomEventScanner *scanner, const char *text, gsize length, guint64 offset,
                                      gboolean final, guint64 most);

/* TRUE once a callback stopped the scan or the text turned out to be no trace. */
gboolean loom_event_scanner_is_done (const LoomEventScanner *scanner);

LoomJsonForm loom_event_scanner_get_form (const LoomEventScanner *scanner);

/* The object form had a traceEvents array. */
gboolean loom_event_scanner_saw_events_array (const LoomEventScanner *scanner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEventScanner, loom_event_scanner_free)

G_END_DECLS
