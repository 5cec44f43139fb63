/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: the data of a template. loom-event-template.c learns it, loom-event-template-match.c compares
 * it.
 */
#pragma once

#include "loom-event-template.h"
#include "loom-strict-json-skip.h"

#define LOOM_PATTERN_MAX_HOLES 48

typedef enum {
  LOOM_TEMPLATE_OFFSET_KEY,
  LOOM_TEMPLATE_OFFSET_BEGIN,
  LOOM_TEMPLATE_OFFSET_END,
  LOOM_TEMPLATE_OFFSET_BREAK,
} LoomTemplateOffsetKind;

/* A mark. Its slice is `slice` bytes into the LoomStrictEvent. `copied` is the index of the copied member whose key or
 * value it marks, LOOM_STRICT_EVENT_MAX_COPIED for name, category and phase. */
typedef struct {
  guint16 at, slice;
  guint8 kind, copied;
} LoomTemplateOffset;

/* A sentinel that is never reached follows the last mark and the last hole. */
#define LOOM_PATTERN_MAX_MARKS (3 * LOOM_STRICT_EVENT_MAX_COPIED + 6 + LOOM_STRICT_EVENT_MAX_BREAKS + 1)
#define LOOM_PATTERN_NEVER G_MAXUINT16

/* Text of an array or object that was parsed in a hole, without line ends. No other value begins with these bytes. */
#define LOOM_PATTERN_MAX_SEEN_VALUE 64
#define LOOM_PATTERN_N_SEEN_VALUES 16
typedef struct {
  guint length; /* 0: empty */
  char text[LOOM_PATTERN_MAX_SEEN_VALUE];
} LoomTemplateSeenValue;

typedef struct {
  guint16 begin, end;
  gboolean scalar;             /* value of the event itself, not nested; only scalars are parsed there */
  guint n_changes;             /* number of times the value differed; live from LOOM_TEMPLATE_LIVE_CHANGES on */
  LoomTemplateSeenValue *seen; /* NULL: none yet */
} LoomTemplateSlot;

#define LOOM_TEMPLATE_LIVE_CHANGES 2

/* A live hole that ends at `end`, and the `n` bytes at `from` that are compared before it. */
typedef struct {
  guint16 from, n, end;
  guint8 hole;
} LoomTemplateLive;

/* Beginning and end of a slice of the event, each with the number of live holes before it. */
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
  gboolean broken; /* there are line ends outside of copied members */
  /* For events in which only live holes differ: */
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
  char text[]; /* followed by 16 zero bytes */
} LoomEventTemplate;

/* Computes parts and breaks. Call again whenever a hole becomes live. */
void loom_event_template_find_parts (LoomEventTemplate *pattern);

/* Parses like loom_strict_event_parser_scan() a text that is like the template's; returns FALSE for other texts. */
gboolean loom_event_template_fits (LoomEventTemplate *pattern, const char *text, LoomStrictEvent *event);
