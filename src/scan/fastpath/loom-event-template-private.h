/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: what a pattern is. It is learnt in loom-event-template.c and compared in loom-event-template-match.c.
 */
#pragma once

#include "loom-event-template.h"
#include "loom-strict-json-skip.h"

G_BEGIN_DECLS

#define LOOM_PATTERN_MAX_HOLES 48

typedef enum {
  LOOM_TEMPLATE_OFFSET_KEY,
  LOOM_TEMPLATE_OFFSET_BEGIN,
  LOOM_TEMPLATE_OFFSET_END,
  LOOM_TEMPLATE_OFFSET_BREAK,
} LoomTemplateOffsetKind;

/* The slice it belongs to is `slice` bytes into the LoomStrictEvent; `copied` is the number of the copied member whose
 * key or value it is, LOOM_STRICT_EVENT_MAX_COPIED for the name and its like. */
typedef struct {
  guint16 at, slice;
  guint8 kind, copied;
} LoomTemplateOffset;

/* Behind the last mark and the last hole stands one that is never reached. */
#define LOOM_PATTERN_MAX_MARKS (3 * LOOM_STRICT_EVENT_MAX_COPIED + 6 + LOOM_STRICT_EVENT_MAX_BREAKS + 1)
#define LOOM_PATTERN_NEVER G_MAXUINT16

/* An array or object on one line that was read in a hole; no other value begins with the same bytes. */
#define LOOM_PATTERN_MAX_SEEN_VALUE 64
#define LOOM_PATTERN_N_SEEN_VALUES 16
typedef struct {
  guint length; /* 0: none */
  char text[LOOM_PATTERN_MAX_SEEN_VALUE];
} LoomTemplateSeenValue;

typedef struct {
  guint16 begin, end;
  gboolean scalar;             /* of the event itself: what is nested there is looked at as a whole, or not at all */
  guint n_changes;             /* so often the value was another one; live from LOOM_TEMPLATE_LIVE_CHANGES on */
  LoomTemplateSeenValue *seen; /* NULL: none yet */
} LoomTemplateSlot;

#define LOOM_TEMPLATE_LIVE_CHANGES 2

/* What is compared before a live hole: `n` bytes from `from` on, which end where the hole begins. */
typedef struct {
  guint16 from, n, end;
  guint8 hole;
} LoomTemplateLive;

/* A slice of the event, where it begins and ends; and how many live holes are before that. */
typedef struct {
  guint16 begin, end, slice;
  guint8 live_before_begin, live_before_end;
} LoomTemplatePart;

#define LOOM_PATTERN_MAX_PARTS (3 + 2 * LOOM_STRICT_EVENT_MAX_COPIED)

typedef struct {
  guint16 at;
  guint8 live_before;
} LoomTemplateBreak;

typedef struct {
  guint length, n_holes, n_marks, n_copied;
  gboolean broken; /* lines end outside of what is copied */
  /* What becomes of the marks where only live holes change: */
  guint n_live, n_parts, n_breaks;
  guint first_break[LOOM_STRICT_EVENT_MAX_COPIED + 1];
  LoomTemplateLive live[LOOM_PATTERN_MAX_HOLES];
  LoomTemplatePart parts[LOOM_PATTERN_MAX_PARTS];
  LoomTemplateBreak breaks[LOOM_STRICT_EVENT_MAX_BREAKS];
  struct {
    guint8 member;
    guint16 key_length;
  } copied[LOOM_STRICT_EVENT_MAX_COPIED];
  LoomTemplateSlot holes[LOOM_PATTERN_MAX_HOLES + 1];
  LoomTemplateOffset marks[LOOM_PATTERN_MAX_MARKS];
  char text[]; /* and 16 zero bytes */
} LoomEventTemplate;

/* The parts and breaks of a pattern: anew whenever a hole comes to life. */
void loom_event_template_find_parts (LoomEventTemplate *pattern);

/* As loom_strict_event_parser_scan() for a text that is like the pattern's; FALSE, and no answer, for others. */
gboolean loom_event_template_fits (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event);

G_END_DECLS
