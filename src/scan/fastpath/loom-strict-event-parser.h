/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast way to copy events into a merged file. It is used for events that are strict JSON; nearly all events are. In
 * one pass, checks that the text is strict JSON, and finds the parts that are copied to the line of the event in the
 * merged file. Text that is rejected here may still be a valid event, which the full parser handles
 * (loom_event_parse(), loom_trace_event_writer_append()). For text that is accepted here, the full parser would produce
 * the same line.
 */
#pragma once

#include "loom-event.h"

/* Number of bytes that must be readable after the text; the first of them must be zero. */
#define LOOM_STRICT_EVENT_PADDING 64

#define LOOM_STRICT_EVENT_MAX_COPIED 12
#define LOOM_STRICT_EVENT_MAX_BREAKS 32

/* A member of an event that is copied unchanged to the merged file. The key includes its quotes. */
typedef struct {
  LoomMember member; /* the member as in LoomEvent; LOOM_N_MEMBERS: a member that is not in LoomEvent */
  LoomJsonSlice key, value;
  /* index, in LoomStrictEvent.breaks, of the first line end in this member's value. The last one is before
   * `first_break` of the next member */
  guint first_break;
} LoomStrictMember;

typedef struct {
  gsize length;                        /* length of the event's text in bytes */
  LoomJsonSlice name, category, phase; /* values as JSON literals; `text` is NULL for a member that the event does not
                                        * have */
  gboolean one_line;                   /* TRUE if the event contains no line end */
  guint n_copied;
  /* members in the order of the text. After the last member follows an element in which only first_break is set: it is
   * the number of elements of `breaks` */
  LoomStrictMember copied[LOOM_STRICT_EVENT_MAX_COPIED + 1];
  /* positions of the line feeds and carriage returns in the values of `copied` */
  const char *breaks[LOOM_STRICT_EVENT_MAX_BREAKS];
} LoomStrictEvent;

/* Parses the event that begins at `text`. Returns TRUE if all of these conditions are met: the event is a strict JSON
 * object that ends before the padding; its keys contain no escapes; it has each known member at most once; its members
 * and line ends fit into the arrays of `event`. */
gboolean loom_strict_event_parser_scan (const char *text, LoomStrictEvent *event);

/* Parses any object of strict JSON, even if it is not an event. Sets `event->copied` to a single element: the whole
 * object, without a key. */
gboolean loom_strict_event_parser_object_scan (const char *text, LoomStrictEvent *event);

/* Returns the length of the id that begins at `text`: a string, or a number without sign, point and exponent. Returns 0
 * if the value is not such an id, or if something else than a comma or a brace follows it; blanks before the comma or
 * brace are allowed. The text needs padding as for loom_strict_event_parser_scan(). */
gsize loom_strict_event_parser_id_length (const char *text);
