/* SPDX-License-Identifier: Apache-2.0
 *
 * One event of a trace as text: its members are slices of the text, and their values are not converted.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-json-slice.h"

/* The members that importers use. All other members are skipped here; an export reads them from the text of the
 * event. */
typedef enum {
  LOOM_MEMBER_PH,
  LOOM_MEMBER_NAME,
  LOOM_MEMBER_CAT,
  LOOM_MEMBER_PID,
  LOOM_MEMBER_TID,
  LOOM_MEMBER_TS,
  LOOM_MEMBER_DUR,
  LOOM_MEMBER_ARGS,
  LOOM_MEMBER_ID,
  LOOM_MEMBER_ID2,
  LOOM_MEMBER_SCOPE,
  LOOM_MEMBER_S,
  LOOM_MEMBER_BP,
  LOOM_MEMBER_BIND_ID,
  LOOM_MEMBER_FLOW_IN,
  LOOM_MEMBER_FLOW_OUT,
  LOOM_MEMBER_CNAME,
  LOOM_N_MEMBERS
} LoomMember;

/* Key in the args of a span that was merged from a begin event and an end event. Its value contains args of the begin
 * event: those that have another value in the end event. */
#define LOOM_MEMBER_BEGIN_ARGS "traceloom_begin_args"

#define LOOM_EVENT_MOST_MEMBERS 19u

typedef struct {
  guint64 offset;     /* offset of the opening brace of the event in the unpacked text */
  LoomJsonSlice text; /* text of the whole object, from its opening to its closing brace */
  LoomJsonSlice member[LOOM_N_MEMBERS];
  /* number of members, including unknown and repeated ones; at most LOOM_EVENT_MOST_MEMBERS, even if there are more */
  guint n_members;
} LoomEvent;

/* Splits the text of one object into its members. Returns FALSE if it is not a complete object. */
gboolean loom_event_parse (const char *text, gsize length, LoomEvent *event);

/* Returns the phase of an event, which is the first character of its member ph; '\0' if ph is absent or not a
 * string. */
static inline char
loom_event_phase_of (LoomJsonSlice ph)
{
  return ph.length >= 3 && ph.text[0] == '"' ? ph.text[1] : '\0';
}

static inline char
loom_event_phase (const LoomEvent *event)
{
  return loom_event_phase_of (event->member[LOOM_MEMBER_PH]);
}

/* Returns the whole object (or JSON line) that begins at `offset`. Returns NULL with `error` if it cannot be read, is
 * not complete, or is longer than LOOM_LIMIT_EVENT_BYTES. */
char *loom_event_read (LoomByteSource *text, guint64 offset, gsize *length, GError **error);
