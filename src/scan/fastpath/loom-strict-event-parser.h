/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast way to copy events into a merged file, for events that are strict JSON, as nearly all are. In one pass,
 * checks that the text is strict JSON, and finds the parts that are copied to the line of the event in the merged file.
 * Text that is rejected here may still be a valid event: the full parser (loom_event_parse(),
 * loom_trace_event_writer_append()) handles it. For text that is accepted here, the full parser would lead to the same
 * line.
 */
#pragma once

#include "loom-event.h"

/* Bytes that must be readable after the text; the first of them must be zero. */
#define LOOM_STRICT_EVENT_PADDING 64

#define LOOM_STRICT_EVENT_MAX_COPIED 12
#define LOOM_STRICT_EVENT_MAX_BREAKS 32

/* A member of an event that is copied unchanged to the merged file. The key includes its quotes. */
typedef struct {
  LoomMember member; /* the member of LoomEvent that this is; LOOM_N_MEMBERS: an unknown member */
  LoomJsonSlice key, value;
  /* The line ends in this member's value are the elements of LoomStrictEvent.breaks from this index on, up to but not
   * including `first_break` of the next member. */
  guint first_break;
} LoomStrictMember;

typedef struct {
  gsize length;                        /* length of the event's text in bytes */
  LoomJsonSlice name, category, phase; /* values as JSON literals; `text` is NULL for a member that the event does not
                                        * have */
  gboolean one_line;                   /* TRUE if the event contains no line end */
  guint n_copied;
  /* members in the order of the text. In the element after the last member, only first_break is set, to the number of
   * elements of `breaks`. */
  LoomStrictMember copied[LOOM_STRICT_EVENT_MAX_COPIED + 1];
  const char *breaks[LOOM_STRICT_EVENT_MAX_BREAKS]; /* positions of line feeds and carriage returns in copied values */
} LoomStrictEvent;

/* Parses the event that begins at `text`. Returns TRUE if all of the following is true: the event is a strict JSON
 * object that ends before the padding; none of its keys has an escape; no known member occurs twice; all members and
 * line ends fit into the arrays of `event`. */
gboolean loom_strict_event_parser_scan (const char *text, LoomStrictEvent *event);

/* Parses any object of strict JSON, which need not be an event. Afterwards `event->copied` has a single element: the
 * whole object, without a key. */
gboolean loom_strict_event_parser_object_scan (const char *text, LoomStrictEvent *event);

/* Returns the length of the id that begins at `text`: a string, or a number without sign, point and exponent. Returns 0
 * for any other value, and for an id that is not followed by a comma or brace (after optional blanks). The text needs
 * padding as for loom_strict_event_parser_scan(). */
gsize loom_strict_event_parser_id_length (const char *text);
