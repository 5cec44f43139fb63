/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scanner.h"

#include "loom-event-shapes.h"

typedef enum {
  STATE_START,
  STATE_ELEMENTS,   /* inside the array of events */
  STATE_LINES,      /* objects one after another */
  STATE_MEMBERS,    /* inside the top-level object */
  STATE_RESYNC,     /* behind a broken event: looking for the next that is whole */
  STATE_AFTER,      /* behind the closing bracket */
  STATE_DONE,
} State;

struct _LoomScanner {
  LoomScanHandler handler;
  gpointer user_data;
  State state;
  State resume;          /* where STATE_RESYNC leads back to */
  LoomForm form;
  gboolean expect_comma;
  gboolean saw_events_array;
  gboolean said_after;
  gboolean skip_one;     /* the byte at the front was given up */
  guint64 begin;         /* offset of the first window; LOOM_SCAN_NOWHERE before */
  guint64 hole_end;      /* offset behind the last one told; LOOM_SCAN_NOWHERE before */
  guint64 n_tried;       /* bytes walked while looking for a whole event or member */
  guint64 first;         /* offset of the first event */
  guint64 limit;         /* no event that begins here or later is taken */
  guint64 reached;       /* where the limit stopped the scan */
  char lead;             /* the last byte before the window that is no blank; ',' at the beginning */
  gboolean lead_line;    /* and a line ended behind it */
  LoomShapes *shapes;       /* NULL: by the plain walk alone */
  guint n_cut;           /* objects that reach the end of the text, tried while looking for whole ones */
};

#define LOOK_AHEAD 1024 /* bytes: asked for while the event before them is walked */

#define MOST_PEEK 64 /* bytes behind a bracket, for what it holds */

/* Each try may walk to the end of the text, so their number is bounded. */
#define MAX_CUT_TRIES 256

/* Looking for a whole event, each object is tried so far and, when it does not end there, sixteen times further. All tries
 * together walk a multiple of the text and no more, so that nested rubbish costs its length and not its square; who has
 * used that up looks at fewer objects. The first part of the text allows more, for events may be large. */
#define TRY_BYTES 4096
#define TRY_GROWTH 16
#define TRY_FREE_BYTES (G_GUINT64_CONSTANT (16) << 20)
#define TRY_FIRST_BYTES (G_GUINT64_CONSTANT (32) << 20)
#define TRY_FIRST_FACTOR 16
#define TRY_FACTOR 2

/* So many zero bytes in a row are no text: a page that never reached the disk, a file that was made longer. */
#define HOLE_BYTES 16

/* Looked for in blocks shortly before the walk comes there, so that both find the text in the cache. */
#define HOLE_BLOCK (32 * 1024)
#define HOLE_AHEAD (8 * 1024)

typedef struct {
  const char *p;
  const char *text;      /* the window */
  const char *end;
  guint64 offset;        /* of the window */
  gboolean final;
  const char *checked;   /* as far as holes are known */
  const char *hole;      /* the first one behind where it was last asked about; `checked` without */
} Window;

LoomScanner *
loom_scanner_new (const LoomScanHandler *handler, gpointer user_data, gboolean lines)
{
  LoomScanner *scanner = g_new0 (LoomScanner, 1);
  scanner->handler = *handler;
  scanner->user_data = user_data;
  scanner->state = lines ? STATE_LINES : STATE_START;
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
  scanner->state = STATE_RESYNC;
  scanner->resume = STATE_ELEMENTS;
  scanner->saw_events_array = form == LOOM_FORM_OBJECT;
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
  return scanner->state == STATE_DONE;
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

static guint64
offset_of (const Window *window, const char *p)
{
  return window->offset + (guint64) (p - window->text);
}

static void
report (LoomScanner *scanner, const Window *window, LoomScanProblem problem, const char *p)
{
  if (scanner->handler.problem != NULL)
    scanner->handler.problem (problem, offset_of (window, p), scanner->user_data);
}

static void
start_resync (LoomScanner *scanner, const Window *window, const char *p)
{
  report (scanner, window, LOOM_SCAN_BROKEN_EVENT, p);
  scanner->resume = scanner->state;
  scanner->state = STATE_RESYNC;
}

/* Each step_… returns FALSE when it needs more text (or the scan is over); the window's p stands where it must resume. */

static gboolean
step_start (LoomScanner *scanner, Window *window)
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
  scanner->state = *p == '[' ? STATE_ELEMENTS : *p == '{' ? STATE_MEMBERS : STATE_DONE;
  window->p++;
  return TRUE;
}

/* TRUE when the next event would begin behind the limit: the scan rests here. */
static inline gboolean
stops_at (LoomScanner *scanner, Window *window, const char *p)
{
  if (offset_of (window, p) < scanner->limit)
    return FALSE;
  scanner->reached = offset_of (window, p);
  window->p = p;
  return TRUE;
}

static void
report_deep (LoomScanner *scanner, guint64 offset)
{
  if (scanner->handler.problem != NULL)
    scanner->handler.problem (LOOM_SCAN_DEEP, offset, scanner->user_data);
}

static inline LoomWalk
walk_event (LoomScanner *scanner, const char **p, const char *end, LoomEvent *event)
{
  loom_walk_was_deep = FALSE;
  return scanner->shapes != NULL ? loom_event_walk_guided (scanner->shapes, p, end, event) : loom_event_walk (p, end, event);
}

/* `end` when there is none. */
static const char *
find_hole (const char *p, const char *end)
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

/* A hole may have begun in what is checked. */
static void
check_more (Window *window, gsize n)
{
  const char *from = window->checked, *end = window->checked + MIN (n, (gsize) (window->end - window->checked));
  for (guint i = 0; i < HOLE_BYTES && from > window->text && from[-1] == '\0'; i++)
    from--;
  if (window->hole == window->checked)
    window->hole = find_hole (from, end);
  window->checked = end;
}

/* Where a walk that begins at p has to end for now. */
static inline const char *
stop_ahead (Window *window, const char *p)
{
  window->checked = MAX (window->checked, p);
  if (G_UNLIKELY (window->hole < p))
    window->hole = find_hole (p, window->checked);
  if (G_UNLIKELY (window->checked - p < HOLE_AHEAD && window->checked < window->end))
    check_more (window, HOLE_BLOCK);
  return window->hole;
}

/* The first hole from p on that begins before `end`, else `end`. */
static const char *
find_hole_before (Window *window, const char *p, const char *end)
{
  const char *stop = stop_ahead (window, p);
  if (stop == window->checked && stop < end) {
    check_more (window, (gsize) (end - stop) + HOLE_BYTES);
    stop = window->hole;
  }
  return MIN (stop, end);
}

/* An event that begins at *p, up to a hole: INCOMPLETE with *in_hole when it reaches into one. */
static inline LoomWalk
walk_to_hole (LoomScanner *scanner, Window *window, const char **p, LoomEvent *event, gboolean *in_hole)
{
  const char *stop = stop_ahead (window, *p);
  LoomWalk walk = walk_event (scanner, p, stop, event);
  while (G_UNLIKELY (walk == LOOM_WALK_INCOMPLETE && stop == window->checked && stop < window->end)) {
    check_more (window, MAX ((gsize) (stop - *p) * 4, HOLE_BLOCK));
    stop = window->hole;
    walk = walk_event (scanner, p, stop, event);
  }
  *in_hole = walk == LOOM_WALK_INCOMPLETE && stop < window->checked;
  return walk;
}

/* Each is told once, also one that lies in what is given up or goes on in the next window. Returns what is behind it. */
static const char *
tell_hole (LoomScanner *scanner, Window *window)
{
  const char *behind = window->hole;
  guint64 offset = offset_of (window, window->hole);
  if (window->hole == window->checked)
    return behind;
  while (behind < window->end && *behind == '\0')
    behind++;
  if (scanner->hole_end == LOOM_SCAN_NOWHERE || offset > scanner->hole_end)
    report (scanner, window, LOOM_SCAN_ZEROS, window->hole);
  scanner->hole_end = offset_of (window, behind);
  return behind;
}

/* What reaches into the hole is broken; the next event is looked for behind it. */
static gboolean
skip_hole (LoomScanner *scanner, Window *window)
{
  window->p = tell_hole (scanner, window);
  scanner->resume = scanner->state;
  scanner->state = STATE_RESYNC;
  return TRUE;
}

static gboolean
emit_event (LoomScanner *scanner, LoomEvent *event)
{
  if (G_UNLIKELY (loom_walk_was_deep))
    report_deep (scanner, event->offset);
  if (scanner->first == LOOM_SCAN_NOWHERE)
    scanner->first = event->offset;
  if (scanner->handler.event (event, scanner->user_data))
    return TRUE;
  scanner->state = STATE_DONE;
  return FALSE;
}

static gboolean
step_event (LoomScanner *scanner, Window *window)
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
    event.offset = offset_of (window, window->p);
    window->p = p;
    scanner->expect_comma = TRUE;
    return emit_event (scanner, &event);
  case LOOM_WALK_BAD:
    start_resync (scanner, window, window->p);
    window->p++;
    return TRUE;
  case LOOM_WALK_INCOMPLETE:
  default:
    if (!window->final)
      return FALSE;
    /* The text ends inside it; but if it only lost a quote or a bracket, whole events may stand inside. */
    report (scanner, window, LOOM_SCAN_CUT_EVENT, window->p);
    scanner->resume = scanner->state;
    scanner->state = STATE_RESYNC;
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
step_odd_element (LoomScanner *scanner, Window *window)
{
  const char *p = window->p;
  LoomWalk walk = loom_walk_value (&p, window->end);
  if (walk == LOOM_WALK_OK && *window->p == '[' && !list_goes_on (p, window->end))
    walk = window->final ? LOOM_WALK_BAD : LOOM_WALK_INCOMPLETE;
  if (walk == LOOM_WALK_INCOMPLETE && !window->final)
    return FALSE;
  report (scanner, window, LOOM_SCAN_NOT_AN_EVENT, window->p);
  window->p = walk == LOOM_WALK_OK ? p : walk == LOOM_WALK_BAD ? window->p + 1 : window->end;
  scanner->expect_comma = walk == LOOM_WALK_OK;
  return TRUE;
}

/* Whether the bracket at p, which would end the list of events (or the object around it), closes nothing: events go on
 * behind it, so something before it lost its opening bracket. INCOMPLETE when the text at hand does not tell. In the
 * object form one bracket alone cannot be the end, even with no comma behind it. */
static LoomWalk
walk_stray_bracket (const LoomScanner *scanner, const char *p, const char *end)
{
  const char *second = loom_walk_blanks (p + 1, end);
  if (scanner->state == STATE_ELEMENTS && scanner->form == LOOM_FORM_OBJECT && second < end && *second == '{')
    return LOOM_WALK_OK;
  while (p < end && (*p == ']' || *p == '}' || loom_walk_is_blank (*p)))
    p++;
  if (p < end && *p != ',')
    return LOOM_WALK_BAD;
  p = loom_walk_blanks_and_commas (p, end);
  return p == end ? LOOM_WALK_INCOMPLETE : *p == '{' ? LOOM_WALK_OK : LOOM_WALK_BAD;
}

/* Skips brackets that close nothing. FALSE when there are none here. */
static gboolean
skip_stray_brackets (LoomScanner *scanner, Window *window)
{
  if (walk_stray_bracket (scanner, window->p, window->end) != LOOM_WALK_OK)
    return FALSE;
  report (scanner, window, LOOM_SCAN_BROKEN_EVENT, window->p);
  while (*window->p != ',' && *window->p != '{')
    window->p++;
  scanner->state = STATE_ELEMENTS;
  return TRUE;
}

static gboolean
step_elements (LoomScanner *scanner, Window *window)
{
  const char *p = window->p, *end = window->end;
  while (p < end && (*p == ',' || loom_walk_is_blank (*p)))
    scanner->expect_comma &= *p++ != ',';
  window->p = p;
  if (p == end)
    return FALSE;
  if (scanner->expect_comma && *p != ']' && (*p != '}' || scanner->form != LOOM_FORM_OBJECT)) {
    report (scanner, window, LOOM_SCAN_MISSING_COMMA, p);
    scanner->expect_comma = FALSE;
  }
  if (stops_at (scanner, window, p))
    return FALSE;
  if (G_UNLIKELY (*p == '\0' && find_hole_before (window, p, p + 1) == p))
    return skip_hole (scanner, window);
  if (*p == ']' || (*p == '}' && scanner->form == LOOM_FORM_OBJECT)) {
    if (!window->final && walk_stray_bracket (scanner, p, end) == LOOM_WALK_INCOMPLETE)
      return FALSE;
    if (skip_stray_brackets (scanner, window))
      return TRUE;
    scanner->state = scanner->form == LOOM_FORM_OBJECT ? STATE_MEMBERS : STATE_AFTER;
    if (*p == '}')
      report (scanner, window, LOOM_SCAN_UNTERMINATED, p);
    else
      window->p++;
    scanner->expect_comma = FALSE;
    return TRUE;
  }
  return *p == '{' ? step_event (scanner, window) : step_odd_element (scanner, window);
}

/* Nothing reaches beyond its line, so that a line cut short does not take the next one with it. */
static gboolean
step_lines (LoomScanner *scanner, Window *window)
{
  const char *p = window->p = loom_walk_blanks_and_commas (window->p, window->end);
  if (p == window->end)
    return FALSE;
  const char *line_end = memchr (p, '\n', (gsize) (window->end - p));
  if (line_end == NULL && !window->final)
    return FALSE;
  LoomEvent event;
  const char *q = p, *end = line_end != NULL ? line_end : window->end;
  if (G_UNLIKELY (find_hole_before (window, p, end) < end)) {
    tell_hole (scanner, window);
    window->p = line_end != NULL ? line_end + 1 : window->end;
    return TRUE;
  }
  LoomWalk walk = *p == '{' ? walk_event (scanner, &q, end, &event) : LOOM_WALK_BAD;
  if (walk == LOOM_WALK_OK) {
    event.offset = offset_of (window, p);
    window->p = q;
    return emit_event (scanner, &event);
  }
  report (scanner, window, *p != '{' ? LOOM_SCAN_NOT_AN_EVENT : line_end == NULL ? LOOM_SCAN_CUT_EVENT : LOOM_SCAN_BROKEN_EVENT, p);
  window->p = line_end != NULL ? line_end + 1 : window->end;
  return TRUE;
}

static guint64
bytes_to_try (const LoomScanner *scanner, const Window *window)
{
  guint64 seen = window->offset + (guint64) (window->end - window->text) - scanner->begin;
  guint64 allowed = TRY_FREE_BYTES + TRY_FIRST_FACTOR * MIN (seen, TRY_FIRST_BYTES) + TRY_FACTOR * seen;
  return allowed > scanner->n_tried ? allowed - scanner->n_tried : 0;
}

/* INCOMPLETE: it reaches `end`. BAD also when there is nothing left to try with. */
static LoomWalk
try_event (LoomScanner *scanner, const Window *window, const char **p, const char *end, LoomEvent *event)
{
  const char *from = *p;
  for (gsize length = TRY_BYTES;; length *= TRY_GROWTH) {
    gsize n = MIN (length, (gsize) (end - from));
    if (bytes_to_try (scanner, window) < n)
      return LOOM_WALK_BAD;
    LoomWalk walk = loom_event_walk (p, from + n, event);
    scanner->n_tried += walk == LOOM_WALK_OK ? (gsize) (*p - from) : n;
    if (walk != LOOM_WALK_INCOMPLETE || from + n == end)
      return walk;
  }
}

/* Behind a broken event: the next { that starts an object, stands where an element may stand, and has a ph. */
static gboolean
step_resync (LoomScanner *scanner, Window *window)
{
  const char *end = window->end;
  if (scanner->skip_one && window->p < end)
    window->p++;
  scanner->skip_one = FALSE;
  for (const char *p = window->p;; p++) {
    p = memchr (p, '{', (gsize) (end - p));
    if (p == NULL) {
      find_hole_before (window, window->p, end);
      tell_hole (scanner, window);
      window->p = end;
      return FALSE;
    }
    const char *before = p;
    while (before > window->text && loom_walk_is_blank (before[-1]))
      before--;
    char lead = before > window->text ? before[-1] : scanner->lead;
    gboolean at_line = (before < p && memchr (before, '\n', (gsize) (p - before)) != NULL) ||
                       (before == window->text && scanner->lead_line);
    if (lead != ',' && lead != '[' && lead != '}' && lead != ']' && lead != '\0' && !at_line)
      continue;
    LoomEvent event;
    const char *q = p;
    loom_walk_was_deep = FALSE;
    if (p > window->hole)
      tell_hole (scanner, window);
    const char *stop = find_hole_before (window, p, end);
    LoomWalk walk = try_event (scanner, window, &q, stop, &event);
    if (walk == LOOM_WALK_INCOMPLETE && stop < end)
      continue; /* it reaches into a hole */
    if (walk == LOOM_WALK_INCOMPLETE && (!window->final || ++scanner->n_cut > MAX_CUT_TRIES)) {
      window->p = window->final ? end : p;
      return FALSE;
    }
    if (walk != LOOM_WALK_OK || (scanner->resume != STATE_LINES && loom_event_phase (&event) == '\0'))
      continue;
    if (stops_at (scanner, window, p))
      return FALSE;
    event.offset = offset_of (window, p);
    window->p = q;
    scanner->state = scanner->resume;
    scanner->expect_comma = TRUE;
    return emit_event (scanner, &event);
  }
}

/* Before the list of events, where a member could not be read: a brace with a comma behind it is not the last. */
static gboolean
is_inner_brace (const char *behind, const char *end)
{
  while (behind < end && (*behind == ']' || *behind == '}' || loom_walk_is_blank (*behind)))
    behind++;
  return behind < end && *behind == ',';
}

/* What is walked in vain is counted as a try. */
static LoomWalk
walk_member (LoomScanner *scanner, const Window *window, const char **p)
{
  for (gsize length = TRY_BYTES;; length *= TRY_GROWTH) {
    gsize n = MIN (length, (gsize) (window->end - *p));
    gboolean whole = *p + n == window->end;
    LoomWalk walk = loom_walk_value (p, *p + n);
    if (walk == LOOM_WALK_BAD || (walk == LOOM_WALK_INCOMPLETE && whole && window->final))
      scanner->n_tried += n;
    if (walk != LOOM_WALK_INCOMPLETE || whole)
      return walk;
  }
}

static gboolean
step_members (LoomScanner *scanner, Window *window)
{
  const char *p = loom_walk_blanks_and_commas (window->p, window->end), *end = window->end;
  window->p = p;
  if (p == end)
    return FALSE;
  if (*p == '}') {
    if (!window->final && walk_stray_bracket (scanner, p, end) == LOOM_WALK_INCOMPLETE)
      return FALSE;
    if (scanner->saw_events_array && skip_stray_brackets (scanner, window))
      return TRUE;
    window->p++;
    if (scanner->saw_events_array || !is_inner_brace (window->p, end))
      scanner->state = STATE_AFTER;
    return TRUE;
  }
  const char *key = p;
  LoomWalk walk = *p == '"' ? loom_walk_string (&p, end) : LOOM_WALK_BAD;
  LoomSlice name = { key, (gsize) (p - key) };
  if (walk == LOOM_WALK_OK) {
    p = loom_walk_blanks (p, end);
    walk = p == end ? LOOM_WALK_INCOMPLETE : *p == ':' ? LOOM_WALK_OK : LOOM_WALK_BAD;
    p = walk == LOOM_WALK_OK ? loom_walk_blanks (p + 1, end) : p;
  }
  const char *value = p;
  if (walk == LOOM_WALK_OK && p < end && *p == '[' && loom_slice_equal (name, "\"traceEvents\"")) {
    scanner->state = STATE_ELEMENTS;
    scanner->saw_events_array = TRUE;
    scanner->expect_comma = FALSE;
    window->p = p + 1;
    return TRUE;
  }
  if (walk == LOOM_WALK_OK)
    walk = walk_member (scanner, window, &p);
  /* The events may still come behind a member that cannot be read: go on behind the next comma. */
  gboolean seek = walk == LOOM_WALK_BAD || (walk == LOOM_WALK_INCOMPLETE && window->final);
  const char *comma = seek && !scanner->saw_events_array ? memchr (key, ',', (gsize) (end - key)) : NULL;
  if (!window->final && (walk == LOOM_WALK_INCOMPLETE || (seek && !scanner->saw_events_array && comma == NULL)))
    return FALSE;
  if (walk == LOOM_WALK_OK) {
    if (scanner->handler.member != NULL)
      scanner->handler.member (name, (LoomSlice) { value, (gsize) (p - value) }, offset_of (window, value),
                               scanner->user_data);
    window->p = p;
    return TRUE;
  }
  report (scanner, window, walk == LOOM_WALK_BAD ? LOOM_SCAN_BAD_MEMBER : LOOM_SCAN_UNTERMINATED, key);
  gboolean try_on = bytes_to_try (scanner, window) > 0 && (walk == LOOM_WALK_BAD || ++scanner->n_cut <= MAX_CUT_TRIES);
  if (try_on && !scanner->saw_events_array) {
    window->p = comma != NULL ? comma + 1 : end;
    return TRUE;
  }
  scanner->state = STATE_DONE;
  return FALSE;
}

/* "[{" or "{" and a key. INCOMPLETE when the text at hand does not tell. */
static LoomWalk
walk_second_list (const Window *window)
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
step_after (LoomScanner *scanner, Window *window)
{
  window->p = loom_walk_blanks (window->p, window->end);
  if (window->p < window->end && !scanner->said_after) {
    LoomWalk walk = walk_second_list (window);
    if (walk == LOOM_WALK_INCOMPLETE)
      return FALSE;
    report (scanner, window, walk == LOOM_WALK_OK ? LOOM_SCAN_SECOND_LIST : LOOM_SCAN_TEXT_AFTER_END, window->p);
    scanner->said_after = TRUE;
  }
  window->p = window->end;
  return FALSE;
}

static gboolean
step (LoomScanner *scanner, Window *window)
{
  switch (scanner->state) {
  case STATE_START:
    return step_start (scanner, window);
  case STATE_ELEMENTS:
    return step_elements (scanner, window);
  case STATE_LINES:
    return step_lines (scanner, window);
  case STATE_MEMBERS:
    return step_members (scanner, window);
  case STATE_RESYNC:
    return step_resync (scanner, window);
  case STATE_AFTER:
    return step_after (scanner, window);
  case STATE_DONE:
  default:
    return FALSE;
  }
}

/* Remembers what stands right before the bytes that come next. */
static void
keep_lead (LoomScanner *scanner, const char *text, gsize used)
{
  gboolean line = FALSE;
  while (used > 0 && loom_walk_is_blank (text[used - 1]))
    line |= text[--used] == '\n';
  if (used > 0)
    scanner->lead = text[used - 1];
  scanner->lead_line = line || (used == 0 && scanner->lead_line);
}

gsize
loom_scanner_scan (LoomScanner *scanner, const char *text, gsize length, guint64 offset, gboolean final)
{
  Window window = { text, text, text + length, offset, final, text, text };
  if (scanner->begin == LOOM_SCAN_NOWHERE)
    scanner->begin = offset;
  while (step (scanner, &window))
    continue;
  if (final && scanner->reached == LOOM_SCAN_NOWHERE && (scanner->state == STATE_ELEMENTS || scanner->state == STATE_MEMBERS || scanner->state == STATE_RESYNC)) {
    if (!(scanner->state == STATE_RESYNC && scanner->resume == STATE_LINES))
      report (scanner, &window, LOOM_SCAN_UNTERMINATED, window.end);
    scanner->state = STATE_DONE;
  }
  keep_lead (scanner, text, (gsize) (window.p - window.text));
  return (gsize) (window.p - window.text);
}

/* Goes on behind the first byte of the window. */
static void
give_up (LoomScanner *scanner, guint64 offset)
{
  const Window window = { NULL, NULL, NULL, offset, FALSE };
  scanner->skip_one = TRUE;
  if (scanner->state == STATE_RESYNC) /* a guess that came to nothing */
    return;
  report (scanner, &window, LOOM_SCAN_TOO_LARGE, NULL);
  scanner->resume = scanner->state == STATE_LINES ? STATE_LINES : STATE_ELEMENTS;
  scanner->saw_events_array |= scanner->state == STATE_MEMBERS;
  scanner->state = STATE_RESYNC;
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
