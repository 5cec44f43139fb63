/* SPDX-License-Identifier: Apache-2.0
 *
 * The short way through an event's text. Nearly all events are strict JSON; one pass over such a text tells that it is,
 * and where the parts stand that a merged line copies. What this does not recognise is no fault of the text: the long
 * way (loom_event_parse(), loom_trace_event_writer_append()) takes it, and gives the same line for what is recognised here.
 */
#pragma once

#include "loom-event.h"

G_BEGIN_DECLS

/* So many bytes have to be readable behind the text, and the first of them is zero. */
#define LOOM_STRICT_EVENT_PADDING 64

#define LOOM_STRICT_EVENT_MAX_COPIED 12
#define LOOM_STRICT_EVENT_MAX_BREAKS 32

/* A member that is not written anew. The key has its quotes. */
typedef struct {
  LoomMember member; /* LOOM_N_MEMBERS: none of the known ones */
  LoomJsonSlice key, value;
  guint first_break; /* those in the value are breaks[first_break] … up to that of the next */
} LoomStrictMember;

typedef struct {
  gsize length;                        /* of the whole text */
  LoomJsonSlice name, category, phase; /* literals; absent where the event has none */
  gboolean one_line;                   /* no line ends inside */
  guint n_copied;
  LoomStrictMember copied[LOOM_STRICT_EVENT_MAX_COPIED + 1]; /* in the order of the text; one more ends the breaks */
  const char *breaks[LOOM_STRICT_EVENT_MAX_BREAKS];          /* line feeds and carriage returns inside copied values */
} LoomStrictEvent;

/* `text` is where the event begins. TRUE when it is a strict JSON object that ends before the padding, whose keys have
 * no escapes, whose known members stand there once, and that fits the arrays. */
gboolean loom_strict_event_parser_scan (const char *text, LoomStrictEvent *event);

/* Of any strict object: `event` is as if it were the one copied member, without a key. */
gboolean loom_strict_event_parser_object_scan (const char *text, LoomStrictEvent *event);

/* Of a value that is an id as most are, a number without sign, point and exponent, or a string: how long it is, and 0 of any
 * other. Behind it, and blanks, stands a comma or a brace. `text` as above. */
gsize loom_strict_event_parser_id_length (const char *text);

G_END_DECLS
