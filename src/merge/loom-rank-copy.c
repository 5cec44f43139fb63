/* SPDX-License-Identifier: Apache-2.0
 *
 * The short way of an event into the merged file: its text is looked at once, and a line is put together of what is
 * copied and what is written anew. Whatever is unusual about it takes the long way.
 */
#include <string.h>

#include "loom-ranks-private.h"
#include "loom-strict-event.h"

/* More than all that is written anew can take: keys, times, digits. */
#define FRESH_BYTES 320

/* --- writing; `to` is where the next byte goes -------------------------------------------------------------------- */

#define PUT_LITERAL(to, literal) (memcpy ((to), (literal), sizeof (literal) - 1), (to) + sizeof (literal) - 1)

static inline char *
put (char *to, const char *bytes, gsize n)
{
  memcpy (to, bytes, n);
  return to + n;
}

static inline char *
put_time (char *to, gint64 ns)
{
  return to + loom_time_write_us (ns, to);
}

/* A value on one line: strict strings hold no line ends, so these stand between tokens and become blanks. */
static char *
put_value (char *to, const LoomStrictEvent *event, guint i)
{
  const LoomStrictMember *member = &event->copied[i];
  memcpy (to, member->value.text, member->value.length);
  for (guint b = member->first_break; b < member[1].first_break; b++)
    to[event->breaks[b] - member->value.text] = ' ';
  return to + member->value.length;
}

/* "7" and 7 both become "3.7". */
static char *
put_prefixed (char *to, LoomSlice id, guint trace)
{
  gboolean quoted = id.text[0] == '"';
  *to++ = '"';
  to += loom_time_write_int (trace, to);
  *to++ = '.';
  to = put (to, id.text + quoted, id.length - 2 * quoted);
  *to++ = '"';
  return to;
}

/* --- whether it may be copied ------------------------------------------------------------------------------------- */

/* The literal's bytes are those of the text that is drawn. */
static inline gboolean
says (LoomSlice literal, const char *text)
{
  gsize n = literal.length - 2;
  return loom_slice_is_string (literal) && strncmp (literal.text + 1, text, n) == 0 && text[n] == '\0';
}

typedef struct {
  const char *name, *category;
  char phase, scope;
} Drawn;

static char
phase_of (const LoomStrictEvent *event)
{
  return event->phase.length >= 3 && event->phase.text[0] == '"' ? event->phase.text[1] : '\0';
}

static void
describe_name (Drawn *drawn, const LoomTrace *trace, guint32 name_id)
{
  const LoomName *name = loom_trace_get_name (trace, name_id);
  drawn->name = name->text;
  drawn->category = name->category;
}

/* What loom_drawn_reader_read() says of the item; FALSE for those that are made of more than one text. */
static gboolean
describe (const LoomRanks *ranks, const LoomSweepItem *item, const LoomStrictEvent *event, Drawn *drawn)
{
  const LoomTrace *trace = ranks->traces[item->trace].trace;
  const LoomSpans *spans = ranks->traces[item->trace].spans;
  const LoomTrack *track;
  drawn->scope = '\0';
  switch (item->kind) {
  case LOOM_SWEEP_SPAN:
    drawn->phase = 'X';
    describe_name (drawn, trace, spans->name_id[item->index]);
    return TRUE;
  case LOOM_SWEEP_INSTANT:
    drawn->phase = LOOM_INSTANT_PHASE (spans->dur_ns[item->index]);
    drawn->scope = LOOM_INSTANT_SCOPE (spans->dur_ns[item->index]);
    describe_name (drawn, trace, spans->name_id[item->index]);
    return g_ascii_isalpha (drawn->phase) && (drawn->scope == '\0' || g_ascii_isalpha (drawn->scope));
  case LOOM_SWEEP_FLOW:
    drawn->phase = phase_of (event);
    describe_name (drawn, trace, ranks->traces[item->trace].points[item->index].name_id);
    return drawn->phase == 's' || drawn->phase == 't' || drawn->phase == 'f';
  case LOOM_SWEEP_COUNTER:
    track = loom_trace_get_track (trace, item->track);
    drawn->phase = 'C';
    drawn->name = track->name;
    drawn->category = track->category;
    return phase_of (event) == 'C';
  default:
    return FALSE;
  }
}

static gboolean
ids_are_plain (const LoomStrictEvent *event)
{
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    gboolean id = member->member == LOOM_MEMBER_ID || member->member == LOOM_MEMBER_BIND_ID;
    if (member->member == LOOM_MEMBER_ID2 || (id && (*member->value.text == '{' || *member->value.text == '[')))
      return FALSE;
  }
  return TRUE;
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

static gsize
bytes_needed (const LoomStrictEvent *event)
{
  return event->length + FRESH_BYTES;
}

static char *
put_copied (char *to, const LoomRanks *ranks, const LoomSweepItem *item, const LoomStrictEvent *event, char scope)
{
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    if (member->member == LOOM_MEMBER_S && scope != '\0')
      continue;
    *to++ = ',';
    to = put (to, member->key.text, member->key.length);
    *to++ = ':';
    if (ranks->prefix_ids && (member->member == LOOM_MEMBER_ID || member->member == LOOM_MEMBER_BIND_ID))
      to = put_prefixed (to, member->value, item->trace);
    else
      to = put_value (to, event, i);
  }
  return to;
}

static char *
put_line (char *to, const LoomRanks *ranks, const LoomSweepItem *item, const LoomStrictEvent *event, const Drawn *drawn)
{
  const LoomRankPlace *place = &ranks->traces[item->trace].places[item->track];
  to = PUT_LITERAL (to, ",\n{\"name\":");
  to = put (to, event->name.text, event->name.length);
  if (event->category.text != NULL) {
    to = PUT_LITERAL (to, ",\"cat\":");
    to = put (to, event->category.text, event->category.length);
  }
  to = PUT_LITERAL (to, ",\"ph\":\"");
  *to++ = drawn->phase;
  to = PUT_LITERAL (to, "\",\"ts\":");
  to = put_time (to, loom_time_sub (item->start_ns, ranks->origin_ns));
  if (item->kind == LOOM_SWEEP_SPAN) {
    to = PUT_LITERAL (to, ",\"dur\":");
    to = put_time (to, loom_time_sub (item->end_ns, item->start_ns));
  }
  to = put (to, place->text, place->length);
  if (drawn->scope != '\0') {
    to = PUT_LITERAL (to, ",\"s\":\"");
    *to++ = drawn->scope;
    *to++ = '"';
  }
  to = put_copied (to, ranks, item, event, drawn->scope);
  *to++ = '}';
  return to;
}

static gboolean
is_plain (const LoomRanks *ranks, const LoomSweepItem *item, const LoomStrictEvent *event, Drawn *drawn)
{
  if (!describe (ranks, item, event, drawn) || !says (event->name, drawn->name))
    return FALSE;
  if (event->category.text != NULL && !loom_slice_is_string (event->category))
    return FALSE;
  if (drawn->category[0] != '\0' && (event->category.text == NULL || !says (event->category, drawn->category)))
    return FALSE;
  return !ranks->prefix_ids || ids_are_plain (event);
}

/* Events of one category say the same of themselves, more or less. */
static guint
family_of (const LoomRanks *ranks, const LoomSweepItem *item)
{
  const LoomRankTrace *trace = &ranks->traces[item->trace];
  if (item->kind == LOOM_SWEEP_COUNTER)
    return item->track;
  guint32 name_id = item->kind == LOOM_SWEEP_FLOW ? trace->points[item->index].name_id : trace->spans->name_id[item->index];
  gsize category = (gsize) loom_trace_get_name (trace->trace, name_id)->category; /* the address tells them apart */
  return (guint) (category >> 2) * 7 + item->kind + item->trace;
}

gboolean
loom_rank_copy (const LoomRanks *ranks, LoomEventPatterns *patterns, const LoomSweepItem *item, const char *text,
                gsize available, LoomRankBatch *batch, gsize *length)
{
  GString *lines = batch->lines;
  LoomStrictEvent event;
  Drawn drawn;
  if (loom_ref_flags (item->ref) != 0 || item->track == G_MAXUINT)
    return FALSE;
  if (!loom_event_patterns_scan (patterns, family_of (ranks, item), text, &event))
    return FALSE;
  *length = event.length;
  if (event.length > available || !is_plain (ranks, item, &event, &drawn))
    return FALSE;
  gsize before = lines->len, needed = bytes_needed (&event);
  if (lines->allocated_len - before <= needed)
    g_string_set_size (lines, before + needed);
  char *end = put_line (lines->str + before, ranks, item, &event, &drawn);
  lines->len = (gsize) (end - lines->str);
  batch->n_repaired += !event.one_line;
  return TRUE;
}
