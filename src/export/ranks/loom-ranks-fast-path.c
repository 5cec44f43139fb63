/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast way to write an event into the merged file. Parses the text of the event once, or only the part of it that
 * the event's hint (loom-event-ref-hint.h) locates. Joins copied and new members to a line. Events with an unusual form
 * are written by loom_trace_event_writer_append(), the slow path.
 */
#include <string.h>

#include "loom-event-ref-hint.h"
#include "loom-export-event-reader.h"
#include "loom-flow-id.h"
#include "loom-ranks-private.h"
#include "loom-strict-event-parser.h"

/* Number of bytes that a line may need in addition to the copied text. These bytes are for new members (keys, times,
 * digits), and for up to STRIDE − 1 bytes that put() writes beyond the end of a text. */
#define FRESH_BYTES 384
#define STRIDE 32

/* --- writing values; `to` is where the next byte goes ------------------------------------------------------------- */

#define PUT_LITERAL(to, literal) (memcpy ((to), (literal), sizeof (literal) - 1), (to) + sizeof (literal) - 1)

/* Copies `n` bytes in blocks of constant length, which is faster for short texts. Writes up to STRIDE − 1 bytes beyond
 * the end of the copy. Returns the end of the copy. */
static inline char *
put (char *to, const char *bytes, gsize n)
{
  for (gsize i = 0; i < n; i += STRIDE)
    memcpy (to + i, bytes + i, STRIDE);
  return to + n;
}

G_STATIC_ASSERT (LOOM_STRICT_EVENT_PADDING >= STRIDE);
G_STATIC_ASSERT (sizeof ((LoomRankPlace *) NULL)->text % STRIDE == 0);

static inline char *
put_time (char *to, gint64 ns)
{
  return to + loom_time_write_us (ns, to);
}

/* Copies the JSON value event->copied[i], with blanks in place of line ends. The strings of a strict event contain no
 * line ends, so line ends are only between tokens. Returns the end of the copy. */
static char *
put_value (char *to, const LoomStrictEvent *event, guint i)
{
  const LoomStrictMember *member = &event->copied[i];
  char *end = put (to, member->value.text, member->value.length);
  for (guint b = member->first_break; b < member[1].first_break; b++)
    to[event->breaks[b] - member->value.text] = ' ';
  return end;
}

/* Writes the id of a flow as a number; the string "7" and the number 7 give the same id. Returns the end of the
 * text. */
static inline char *
put_flow_id (char *to, const LoomRanks *ranks, LoomJsonSlice id, guint trace)
{
  return to + loom_time_write_int ((gint64) loom_flow_id_of (id, ranks->prefix_ids ? trace : LOOM_FLOW_ID_ALONE), to);
}

/* Writes an id as a text that begins with the number of the trace: in trace 3, both "7" and 7 become "3.7". Returns the
 * end of the text. */
static char *
put_prefixed (char *to, LoomJsonSlice id, guint trace)
{
  gboolean quoted = id.text[0] == '"';
  *to++ = '"';
  to += loom_time_write_int (trace, to);
  *to++ = '.';
  to = put (to, id.text + quoted, id.length - 2 * quoted);
  *to++ = '"';
  return to;
}

/* Returns TRUE if the event has a flag (open, suspect) that its text in the source file does not state. */
static inline gboolean
has_mark (LoomRef ref)
{
  return (loom_source_ref_flags (ref) & ~(guint) LOOM_REF_NEXT) != 0;
}

/* --- conditions for copying the text of an event ------------------------------------------------------------------ */

/* An event as it is shown on the timeline, with the lengths of its name and category. */
typedef struct {
  LoomExportEvent drawn;
  LoomRankLengths lengths;
} Shown;

/* Sets `shown` like loom_export_event_reader_describe(), but from the cached data of the trace. */
static inline void
describe (Shown *shown, const LoomRankTrace *trace, const LoomMergeItem *item)
{
  LoomExportEvent *drawn = &shown->drawn;
  if (item->kind != LOOM_KWAY_MERGE_SPAN && item->kind != LOOM_KWAY_MERGE_FLOW) {
    loom_export_event_reader_describe (drawn, trace->trace, item, '\0');
    shown->lengths = (LoomRankLengths) { (guint32) strlen (drawn->name), (guint32) strlen (drawn->category) };
    return;
  }
  const LoomName *name = &trace->names[item->name_id];
  drawn->name = name->text;
  drawn->category = name->category;
  drawn->scope = '\0';
  drawn->phase = item->kind == LOOM_KWAY_MERGE_SPAN ? 'X' : '\0';
  shown->lengths = trace->lengths[item->name_id];
}

/* Returns TRUE if memcmp() would return 0. Fast for short texts that are nearly always equal. */
static inline gboolean
is_same (const char *a, const char *b, gsize n)
{
  guint64 x, y, differ = 0;
  if (n < sizeof x) {
    while (n > 0 && a[n - 1] == b[n - 1])
      n--;
    return n == 0;
  }
  for (gsize i = 0; i < n; i += sizeof x) {
    gsize at = MIN (i, n - sizeof x);
    memcpy (&x, a + at, sizeof x);
    memcpy (&y, b + at, sizeof y);
    differ |= x ^ y;
  }
  return differ == 0;
}

/* Returns TRUE if the literal is `text` in quotes; FALSE if it is another text, or has escapes. */
static inline gboolean
says (LoomJsonSlice literal, const char *text, gsize n)
{
  return literal.length == n + 2 && literal.text[0] == '"' && is_same (literal.text + 1, text, n);
}

/* Returns TRUE if the phase of the event is one that this kind of item can have. For a flow event, copies the phase
 * to `drawn`, because only the text of the event states it. */
static gboolean
has_phase_of (const LoomMergeItem *item, const LoomStrictEvent *event, LoomExportEvent *drawn)
{
  char phase = loom_event_phase_of (event->phase);
  switch (item->kind) {
  case LOOM_KWAY_MERGE_INSTANT:
    return g_ascii_isalpha (drawn->phase) && (drawn->scope == '\0' || g_ascii_isalpha (drawn->scope));
  case LOOM_KWAY_MERGE_FLOW: drawn->phase = phase; return phase == 's' || phase == 't' || phase == 'f';
  case LOOM_KWAY_MERGE_COUNTER: return phase == 'C';
  default: return TRUE;
  }
}

/* Returns TRUE for the members "id" and "bind_id". */
static inline gboolean
is_id (LoomMember member)
{
  return member == LOOM_MEMBER_ID || member == LOOM_MEMBER_BIND_ID;
}

static inline gboolean
is_flow_id (const LoomMergeItem *item, LoomMember member)
{
  return member == LOOM_MEMBER_BIND_ID || (member == LOOM_MEMBER_ID && item->kind == LOOM_KWAY_MERGE_FLOW);
}

static gboolean
ids_are_plain (const LoomRanks *ranks, const LoomStrictEvent *event)
{
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    if ((ranks->prefix_ids && member->member == LOOM_MEMBER_ID2) ||
        (is_id (member->member) && !loom_flow_id_correlates (member->value)))
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if the event refers to stack frames whose ids are changed in the merged file. */
static gboolean
has_frame_ids (const LoomRankTrace *trace, const LoomMergeItem *item, const LoomStrictEvent *event)
{
  if (loom_trace_get_source (trace->trace, loom_source_ref_source (item->ref))->stacks == NULL)
    return FALSE;
  for (guint i = 0; i < event->n_copied; i++)
    if (loom_json_slice_equal (event->copied[i].key, "\"sf\"") ||
        loom_json_slice_equal (event->copied[i].key, "\"esf\""))
      return TRUE;
  return FALSE;
}

/* --- the line of an event ----------------------------------------------------------------------------------------- */

/* Makes room for `n_bytes` more bytes. Returns the place at which the next line begins. */
static inline char *
room_for (GString *lines, gsize n_bytes)
{
  gsize before = lines->len;
  if (lines->allocated_len - before <= n_bytes)
    g_string_set_size (lines, before + n_bytes);
  return lines->str + before;
}

static gboolean
starts_at (const LoomTrace *trace, const LoomRow *row, gint64 time_ns)
{
  guint32 at = loom_trace_row_lower_bound (trace, row, time_ns);
  return at < row->n && loom_trace_get_spans (trace)->start_ns[row->first + at] == time_ns;
}

gboolean
loom_export_binds_inside (const LoomTrace *trace, const LoomMergeItem *item)
{
  if (item->kind != LOOM_KWAY_MERGE_FLOW || item->track == G_MAXUINT ||
      (loom_source_ref_flags (item->ref) & LOOM_REF_NEXT) == 0)
    return FALSE;
  guint32 n_points;
  const LoomTrack *track = loom_trace_get_track (trace, item->track);
  gint64 time_ns = loom_trace_get_flow_points (trace, &n_points)[item->index].time_ns;
  for (guint32 i = 0; i < track->n_rows; i++)
    if (starts_at (trace, loom_trace_get_row (trace, track->first_row + i), time_ns))
      return TRUE;
  return FALSE;
}

static char *
put_copied (char *to, const LoomRanks *ranks, const LoomMergeItem *item, const LoomStrictEvent *event, char scope)
{
  gboolean binds_inside = loom_export_binds_inside (ranks->traces[item->trace].trace, item);
  for (guint i = 0; i < event->n_copied; i++) {
    const LoomStrictMember *member = &event->copied[i];
    if ((member->member == LOOM_MEMBER_S && scope != '\0') || (member->member == LOOM_MEMBER_BP && binds_inside))
      continue;
    *to++ = ',';
    to = put (to, member->key.text, member->key.length);
    *to++ = ':';
    if (is_flow_id (item, member->member))
      to = put_flow_id (to, ranks, member->value, item->trace);
    else if (ranks->prefix_ids && is_id (member->member))
      to = put_prefixed (to, member->value, item->trace);
    else
      to = put_value (to, event, i);
  }
  return binds_inside ? PUT_LITERAL (to, ",\"bp\":\"e\"") : to;
}

static char *
put_line (char *to, const LoomRanks *ranks, const LoomMergeItem *item, const LoomStrictEvent *event,
          const LoomExportEvent *drawn)
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
  if (item->kind == LOOM_KWAY_MERGE_SPAN) {
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

/* --- events whose args or id are found by a hint (loom-event-ref-hint.h) ------------------------------------------ */

/* Writes the beginning of a line, up to pid and tid, and returns its end. There the caller appends the args or the id,
 * and the end of the line. */
static inline char *
put_begin (char *to, const LoomRanks *ranks, const LoomMergeItem *item, const LoomRankHead *head, char phase)
{
  const LoomRankPlace *place = &ranks->traces[item->trace].places[item->track];
  to = put (to, head->text, head->length);
  to[-(int) strlen ("X\",\"ts\":")] = phase;
  to = put_time (to, loom_time_sub (item->start_ns, ranks->origin_ns));
  if (phase == 'X') {
    to = PUT_LITERAL (to, ",\"dur\":");
    to = put_time (to, loom_time_sub (item->end_ns, item->start_ns));
  }
  return put (to, place->text, place->length);
}

/* Returns a hash of the event's category, by which cached templates of args (LoomEventTemplates) are found: the args of
 * one category have a similar structure on all ranks. */
static inline guint
args_family_of (const LoomRankHead *head)
{
  return head->category * 0x9E3779B9u >> 16;
}

/* Copies a span with its args, which begin within LOOM_HINT_ARGS_UNIT bytes from `text`. Returns FALSE if the args are
 * not found or are cut off: the file has changed, or the event needs the slow path. */
static gboolean
copy_args (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item, const LoomRankHead *head,
           const char *text, const char *end, LoomRanksBatch *batch)
{
  GString *lines = batch->lines;
  LoomStrictEvent args;
  for (guint i = 0; i < LOOM_HINT_ARGS_UNIT && *text != '{'; i++)
    text++;
  if (!loom_event_templates_scan (patterns, args_family_of (head), text, &args) || text + args.length > end)
    return FALSE;
  char *to = put_begin (room_for (lines, head->length + args.length + FRESH_BYTES), ranks, item, head, 'X');
  to = PUT_LITERAL (to, ",\"args\":");
  to = put_value (to, &args, 0);
  *to++ = '}';
  lines->len = (gsize) (to - lines->str);
  batch->n_repaired += !args.one_line;
  return TRUE;
}

#define MOST_ID_BYTES 64

/* Copies a flow event with its id. The id in the text must be a number without a decimal point, or a string; the copy
 * has a number. Returns FALSE in the same cases as copy_args(). */
static gboolean
copy_flow (const LoomRanks *ranks, const LoomMergeItem *item, const LoomRankHead *head, const char *text,
           const char *end, LoomRanksBatch *batch)
{
  LoomHintFlow flow = loom_event_ref_hint_get_flow (loom_event_ref_hint_of (item->ref));
  GString *lines = batch->lines;
  text += *text == ':' || loom_json_slice_is_blank (*text);
  LoomJsonSlice id = { text, loom_strict_event_parser_id_length (text) };
  if (id.length == 0 || id.length > MOST_ID_BYTES || id.text + id.length > end)
    return FALSE;
  char *to = put_begin (room_for (lines, head->length + id.length + FRESH_BYTES), ranks, item, head,
                        loom_event_ref_hint_get_phase (loom_event_ref_hint_of (item->ref)));
  to = PUT_LITERAL (to, ",\"id\":");
  to = put_flow_id (to, ranks, id, item->trace);
  if (flow == LOOM_HINT_END_INSIDE || loom_export_binds_inside (ranks->traces[item->trace].trace, item))
    to = PUT_LITERAL (to, ",\"bp\":\"e\"");
  *to++ = '}';
  lines->len = (gsize) (to - lines->str);
  return TRUE;
}

gboolean
loom_rank_copy_hinted (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item,
                       const char *text, gsize available, LoomRanksBatch *batch)
{
  const LoomRankHead *heads = ranks->traces[item->trace].heads;
  guint hint = loom_event_ref_hint_of (item->ref);
  gsize distance =
    item->kind == LOOM_KWAY_MERGE_SPAN ? loom_event_ref_hint_get_args (hint) : loom_event_ref_hint_get_id (hint);
  if (has_mark (item->ref) || item->track == G_MAXUINT || heads == NULL || distance >= available)
    return FALSE;
  const LoomRankHead *head = &heads[item->name_id];
  if (item->kind == LOOM_KWAY_MERGE_SPAN)
    return copy_args (ranks, patterns, item, head, text + distance, text + available, batch);
  return item->kind == LOOM_KWAY_MERGE_FLOW && copy_flow (ranks, item, head, text + distance, text + available, batch);
}

/* --- events whose parts are found without a hint ------------------------------------------------------------------ */

static gboolean
is_plain (const LoomRanks *ranks, const LoomMergeItem *item, const LoomStrictEvent *event, Shown *shown)
{
  if (!has_phase_of (item, event, &shown->drawn) || !says (event->name, shown->drawn.name, shown->lengths.text))
    return FALSE;
  if (event->category.text != NULL && !loom_json_slice_is_string (event->category))
    return FALSE;
  if (shown->lengths.category > 0 &&
      (event->category.text == NULL || !says (event->category, shown->drawn.category, shown->lengths.category)))
    return FALSE;
  if (ranks->rename_frames && has_frame_ids (&ranks->traces[item->trace], item, event))
    return FALSE;
  return ids_are_plain (ranks, event);
}

/* Returns a hash of the event's category, trace, track and kind. Events with equal hashes nearly always have similar
 * members. */
static guint
family_of (const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  /* equal categories have the same address, so that the address can be hashed instead of the text */
  gsize category = item->kind == LOOM_KWAY_MERGE_COUNTER ? 0 : (gsize) drawn->category;
  guint64 mixed = (guint64) category << 8 ^ (guint64) item->trace << 24 ^ item->track << 3 ^ item->kind;
  return (guint) (mixed * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15) >> 40);
}

gboolean
loom_ranks_copy (const LoomRanks *ranks, LoomEventTemplates *patterns, const LoomMergeItem *item, const char *text,
                 gsize available, LoomRanksBatch *batch)
{
  gboolean two_texts = item->kind == LOOM_KWAY_MERGE_ASYNC || item->kind == LOOM_KWAY_MERGE_ASYNC_END;
  GString *lines = batch->lines;
  LoomStrictEvent event;
  Shown shown;
  if (two_texts || has_mark (item->ref) || item->track == G_MAXUINT)
    return FALSE;
  if (item->kind == LOOM_KWAY_MERGE_COUNTER && ranks->traces[item->trace].uneven[item->track])
    return FALSE; /* the counter is written under another name, so that its events cannot be copied */
  describe (&shown, &ranks->traces[item->trace], item);
  if (!loom_event_templates_scan (patterns, family_of (item, &shown.drawn), text, &event))
    return FALSE;
  if (event.length > available || !is_plain (ranks, item, &event, &shown))
    return FALSE;
  char *end = put_line (room_for (lines, event.length + FRESH_BYTES), ranks, item, &event, &shown.drawn);
  lines->len = (gsize) (end - lines->str);
  batch->n_repaired += !event.one_line;
  return TRUE;
}
