/* SPDX-License-Identifier: Apache-2.0
 *
 * The fast way to copy events into a merged file. It is used for events that are strict JSON; nearly all events are.
 * The interface is described in loom-strict-event-parser.h.
 */
#include "loom-strict-json-skip.h"

/* --- members ------------------------------------------------------------------------------------------------------ */

/* Parses a key and the colon after it. `p` must be at the opening quote of the key. Returns the beginning of the
 * value. */
static inline const char *
read_key (const char *p, LoomStrictScan *scan, LoomJsonSlice *key, LoomMember *member)
{
  const char *value;
  *member = loom_event_parser_common_key (p + 1, &value);
  if (*member == LOOM_N_MEMBERS) {
    value = loom_strict_json_skip_string (p + 1);
    if (value == NULL || memchr (p, '\\', (gsize) (value - p)) != NULL)
      return NULL;
    *key = (LoomJsonSlice) { p, (gsize) (value - p) };
    *member = loom_event_parser_member_for (p + 1, key->length - 2);
    value = loom_strict_json_skip_blanks (value, scan);
    if (*value++ != ':')
      return NULL;
  } else {
    *key = (LoomJsonSlice) { p, (gsize) (value - 1 - p) };
  }
  return loom_strict_json_skip_blanks (value, scan);
}

static inline gboolean
is_written_anew (LoomMember member)
{
  /* TRUE for ph, name, cat, pid, tid, ts and dur, which are the first members in the enum. They are written in another
   * form to the merged file, so they are not copied. */
  return member <= LOOM_MEMBER_DUR;
}

static void
note (LoomStrictEvent *event, LoomMember member, LoomJsonSlice value)
{
  if (member == LOOM_MEMBER_NAME)
    event->name = value;
  else if (member == LOOM_MEMBER_CAT)
    event->category = value;
  else if (member == LOOM_MEMBER_PH)
    event->phase = value;
}

/* Parses a member of the event. `p` must be at the opening quote of its key. Returns the end of its value. */
static inline const char *
take_member (const char *p, LoomStrictScan *scan, guint *seen)
{
  LoomStrictEvent *event = scan->event;
  LoomJsonSlice key = { NULL, 0 };
  LoomMember member;
  guint first_break = scan->n_breaks;
  const char *value = read_key (p, scan, &key, &member);
  if (value == NULL || ((*seen & 1u << member) != 0 && member != LOOM_N_MEMBERS))
    return NULL;
  *seen |= 1u << member;
  const char *end = loom_strict_json_skip_value (value, scan);
  if (end == NULL)
    return NULL;
  LoomJsonSlice slice = { value, (gsize) (end - value) };
  if (is_written_anew (member)) {
    scan->broken |= scan->n_breaks > first_break;
    scan->n_breaks = first_break;
    note (event, member, slice);
    return end;
  }
  if (event->n_copied == LOOM_STRICT_EVENT_MAX_COPIED || loom_json_slice_equal (key, "\"traceloom\""))
    return NULL;
  event->copied[event->n_copied++] = (LoomStrictMember) { member, key, slice, first_break };
  return end;
}

G_STATIC_ASSERT (LOOM_N_MEMBERS < 32);
G_STATIC_ASSERT (LOOM_MEMBER_PH == 0 && LOOM_MEMBER_DUR == 6 && LOOM_MEMBER_ARGS == 7);

gboolean
loom_strict_event_parser_scan (const char *text, LoomStrictEvent *event)
{
  LoomStrictScan scan = { event, 0, FALSE };
  guint seen = 0;
  event->name = event->category = event->phase = (LoomJsonSlice) { NULL, 0 };
  event->n_copied = 0;
  if (*text != '{')
    return FALSE;
  const char *p = loom_strict_json_skip_blanks (text + 1, &scan);
  while (*p == '"') {
    p = take_member (p, &scan, &seen);
    if (p == NULL)
      return FALSE;
    p = loom_strict_json_skip_blanks (p, &scan);
    if (*p == '}') {
      event->length = (gsize) (p + 1 - text);
      event->one_line = !scan.broken && scan.n_breaks == 0;
      event->copied[event->n_copied].first_break = scan.n_breaks;
      return scan.n_breaks <= LOOM_STRICT_EVENT_MAX_BREAKS;
    }
    if (*p != ',')
      return FALSE;
    p = loom_strict_json_skip_blanks (p + 1, &scan);
  }
  return FALSE;
}

gboolean
loom_strict_event_parser_object_scan (const char *text, LoomStrictEvent *event)
{
  LoomStrictScan scan = { event, 0, FALSE };
  const char *end = *text == '{' ? loom_strict_json_skip_value (text, &scan) : NULL;
  if (end == NULL || scan.n_breaks > LOOM_STRICT_EVENT_MAX_BREAKS)
    return FALSE;
  event->name = event->category = event->phase = (LoomJsonSlice) { NULL, 0 };
  event->length = (gsize) (end - text);
  event->one_line = scan.n_breaks == 0;
  event->n_copied = 1;
  event->copied[0] = (LoomStrictMember) { LOOM_N_MEMBERS, { text, 0 }, { text, event->length }, 0 };
  event->copied[1].first_break = scan.n_breaks;
  return TRUE;
}

gsize
loom_strict_event_parser_id_length (const char *text)
{
  const char *end = *text == '"'   ? loom_strict_json_skip_string (text + 1)
                    : *text == '0' ? text + 1
                                   : loom_strict_json_skip_digits (text, NULL);
  if (end == NULL)
    return 0;
  const char *next = end;
  while (loom_json_slice_is_blank (*next))
    next++;
  return *next == ',' || *next == '}' ? (gsize) (end - text) : 0;
}
