/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: what the parts of the scanner share. Each step returns FALSE when it needs more text (or the scan is
 * over); the window's p stands where it must resume.
 */
#pragma once

#include "loom-event-predictor.h"
#include "loom-event-scanner.h"
#include "loom-scanner-window.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SCAN_STATE_START,
  LOOM_SCAN_STATE_ELEMENTS, /* inside the array of events */
  LOOM_SCAN_STATE_LINES,    /* objects one after another */
  LOOM_SCAN_STATE_MEMBERS,  /* inside the top-level object */
  LOOM_SCAN_STATE_RESYNC,   /* behind a broken event: looking for the next that is whole */
  LOOM_SCAN_STATE_AFTER,    /* behind the closing bracket */
  LOOM_SCAN_STATE_DONE,
} LoomScanState;

struct _LoomEventScanner {
  LoomScanHandler handler;
  gpointer user_data;
  LoomScanState state;
  LoomScanState resume; /* where LOOM_SCAN_STATE_RESYNC leads back to */
  LoomJsonForm form;
  gboolean expect_comma;
  gboolean saw_events_array;
  gboolean said_after;
  gboolean skip_one;       /* the byte at the front was given up */
  gboolean is_ahead;       /* begun inside the list and no event yet: whoever comes there tells what stands before it */
  guint64 begin;           /* offset of the first window; LOOM_SCAN_NOWHERE before */
  guint64 hole_end;        /* offset behind the last one told; LOOM_SCAN_NOWHERE before */
  guint64 n_tried;         /* bytes walked while looking for a whole event or member */
  guint64 first;           /* offset of the first event */
  guint64 limit;           /* no event that begins here or later is taken */
  guint64 reached;         /* where the limit stopped the scan */
  char lead;               /* the last byte before the window that is no blank; ',' at the beginning */
  gboolean lead_line;      /* and a line ended behind it */
  LoomEventShapes *shapes; /* NULL: by the plain walk alone */
  guint n_cut;             /* objects that reach the end of the text, tried while looking for whole ones */
};

static inline void
loom_scanner_report (LoomEventScanner *scanner, const LoomScannerWindow *window, LoomScanProblem problem, const char *p)
{
  if (scanner->handler.problem != NULL)
    scanner->handler.problem (problem, loom_scanner_window_offset (window, p), scanner->user_data);
}

/* TRUE when the next event would begin behind the limit: the scan rests here. */
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

/* How many bytes may still be walked in vain: all tries together walk a multiple of the text and no more. */
guint64 loom_scanner_get_bytes_to_try (const LoomEventScanner *scanner, const LoomScannerWindow *window);
/* An event or member that reaches the end of the text may be tried. Counts. */
gboolean loom_scanner_try_cut (LoomEventScanner *scanner);
/* First tries are so long, each that does not tell is followed by one so much longer. */
#define LOOM_SCAN_TRY_BYTES 4096
#define LOOM_SCAN_TRY_GROWTH 16

/* Tells of the hole that is known. Each is told once, also one that lies in what is given up or goes on in the next window;
 * none that stands before the first event of a scanner begun inside.
 * Returns what is behind it. */
const char *loom_scanner_tell_hole (LoomEventScanner *scanner, LoomScannerWindow *window);

/* Behind a broken event: the next { that starts an object, stands where an element may stand, and has a ph. */
gboolean loom_scanner_step_resync (LoomEventScanner *scanner, LoomScannerWindow *window);
/* Inside the top-level object. */
gboolean loom_scanner_step_members (LoomEventScanner *scanner, LoomScannerWindow *window);

/* Whether the bracket at p, which would end the list of events (or the object around it), closes nothing: events go on
 * behind it, so something before it lost its opening bracket. INCOMPLETE when the text at hand does not tell. In the
 * object form one bracket alone cannot be the end, even with no comma behind it. */
LoomJsonSkip loom_scanner_walk_stray_bracket (const LoomEventScanner *scanner, const char *p, const char *end);
/* Skips brackets that close nothing. FALSE when there are none here. */
gboolean loom_scanner_skip_stray_brackets (LoomEventScanner *scanner, LoomScannerWindow *window);

G_END_DECLS
