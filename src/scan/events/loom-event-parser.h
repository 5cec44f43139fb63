/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses the text of one event object in one pass: finds its members as slices of the text, without converting their
 * values. All functions are inline, because loading spends most of its time here. Private to src/scan.
 */
#pragma once

#include "loom-event.h"
#include "loom-json-skip.h"

#include <string.h>

/* Returns the member of LoomEvent whose key, without quotes, is `key`; LOOM_N_MEMBERS for unknown keys. */
static inline LoomMember
loom_event_parser_member_for (const char *key, gsize length)
{
  static const char names[][sizeof "flow_out"] = {
    [LOOM_MEMBER_PH] = "ph",           [LOOM_MEMBER_NAME] = "name",
    [LOOM_MEMBER_CAT] = "cat",         [LOOM_MEMBER_PID] = "pid",
    [LOOM_MEMBER_TID] = "tid",         [LOOM_MEMBER_TS] = "ts",
    [LOOM_MEMBER_DUR] = "dur",         [LOOM_MEMBER_ARGS] = "args",
    [LOOM_MEMBER_ID] = "id",           [LOOM_MEMBER_ID2] = "id2",
    [LOOM_MEMBER_SCOPE] = "scope",     [LOOM_MEMBER_S] = "s",
    [LOOM_MEMBER_BP] = "bp",           [LOOM_MEMBER_BIND_ID] = "bind_id",
    [LOOM_MEMBER_FLOW_IN] = "flow_in", [LOOM_MEMBER_FLOW_OUT] = "flow_out",
    [LOOM_MEMBER_CNAME] = "cname",
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (names) == LOOM_N_MEMBERS);
  for (guint i = 0; i < LOOM_N_MEMBERS && length > 0 && length < sizeof *names; i++)
    if (names[i][length] == '\0' && memcmp (names[i], key, length) == 0)
      return (LoomMember) i;
  return LOOM_N_MEMBERS;
}

#define LOOM_WORD(a, b, c, d) \
  ((guint32) (guchar) (a) | (guint32) (guchar) (b) << 8 | (guint32) (guchar) (c) << 16 | (guint32) (guchar) (d) << 24)

/* Recognises the most common keys by their first four letters, and sets `*value` to the byte after the colon. Returns
 * LOOM_N_MEMBERS for all other keys, for keys with escapes, and for keys with a blank before the colon. `key`: position
 * after the opening quote; at least 16 bytes from there on must be readable. */
static inline LoomMember
loom_event_parser_common_key (const char *key, const char **value)
{
  guint32 word;
  memcpy (&word, key, sizeof word);
  switch (GUINT32_FROM_LE (word)) {
  case LOOM_WORD ('p', 'h', '"', ':'): *value = key + 4; return LOOM_MEMBER_PH;
  case LOOM_WORD ('t', 's', '"', ':'): *value = key + 4; return LOOM_MEMBER_TS;
  case LOOM_WORD ('i', 'd', '"', ':'): *value = key + 4; return LOOM_MEMBER_ID;
  case LOOM_WORD ('p', 'i', 'd', '"'): *value = key + 5; return key[4] == ':' ? LOOM_MEMBER_PID : LOOM_N_MEMBERS;
  case LOOM_WORD ('t', 'i', 'd', '"'): *value = key + 5; return key[4] == ':' ? LOOM_MEMBER_TID : LOOM_N_MEMBERS;
  case LOOM_WORD ('d', 'u', 'r', '"'): *value = key + 5; return key[4] == ':' ? LOOM_MEMBER_DUR : LOOM_N_MEMBERS;
  case LOOM_WORD ('c', 'a', 't', '"'): *value = key + 5; return key[4] == ':' ? LOOM_MEMBER_CAT : LOOM_N_MEMBERS;
  case LOOM_WORD ('n', 'a', 'm', 'e'):
    *value = key + 6;
    return key[4] == '"' && key[5] == ':' ? LOOM_MEMBER_NAME : LOOM_N_MEMBERS;
  case LOOM_WORD ('a', 'r', 'g', 's'):
    *value = key + 6;
    return key[4] == '"' && key[5] == ':' ? LOOM_MEMBER_ARGS : LOOM_N_MEMBERS;
  default: return LOOM_N_MEMBERS;
  }
}

/* Returns TRUE if a key, given without its quotes, contains an unescaped quote and a brace. Such a text is not a key: a
 * member without a colon precedes it, and the text extends into the next event. */
static inline gboolean
loom_event_parser_key_runs_on (const char *key, gsize length)
{
  if (G_LIKELY (memchr (key, '{', length) == NULL))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (key[i] == '\\')
      i++;
    else if (key[i] == '"')
      return TRUE;
  return FALSE;
}

/* Parses a key and the colon after it. `*p` must be at the opening quote of the key; moves it to the value. */
static inline LoomJsonSkip
loom_event_parser_key (const char **p, const char *end, LoomMember *member)
{
  const char *at = *p, *key = at + 1;
  if (end - key >= 16) {
    const char *value;
    *member = loom_event_parser_common_key (key, &value);
    if (*member != LOOM_N_MEMBERS) {
      *p = loom_json_slice_is_blank (*value) ? loom_json_skip_blanks (value, end) : value;
      return LOOM_JSON_SKIP_OK;
    }
  }
  LoomJsonSkip walk = loom_json_skip_string (&at, end);
  if (walk != LOOM_JSON_SKIP_OK)
    return walk;
  gsize length = (gsize) (at - 1 - key);
  if (loom_event_parser_key_runs_on (key, length))
    return LOOM_JSON_SKIP_BAD;
  *member = loom_event_parser_member_for (key, length);
  at = loom_json_skip_blanks (at, end);
  if (at >= end)
    return LOOM_JSON_SKIP_INCOMPLETE;
  if (*at != ':')
    return LOOM_JSON_SKIP_BAD;
  *p = loom_json_skip_blanks (at + 1, end);
  return LOOM_JSON_SKIP_OK;
}

/* Skips a value. Short strings are skipped without a function call, because every event has some, such as the phase
 * "X". */
static inline LoomJsonSkip
loom_event_parser_member (const char **p, const char *end)
{
  const char *at = *p;
  if (end - at >= 4 && at[0] == '"' && at[1] != '\\' && at[1] != '"' && at[2] == '"' &&
      (at[3] == ',' || at[3] == '}')) {
    *p = at + 3;
    return LOOM_JSON_SKIP_OK;
  }
  return loom_json_skip_value (p, end);
}

/* Resets all members of the event. Does this one by one, because calling memset() would be slower. */
static inline void
loom_event_parser_clear (LoomEvent *event)
{
#pragma GCC unroll 32
  for (guint i = 0; i < LOOM_N_MEMBERS; i++)
    event->member[i] = (LoomJsonSlice) { NULL, 0 };
}

/* Result of loom_event_parser_to_value() at the closing brace of an event. */
#define LOOM_EVENT_ENDS ((LoomMember) (LOOM_N_MEMBERS + 1))

/* Moves `*p` from the opening brace, or from the end of a value, to the next value. Sets `member` to the member with
 * the key of this value. At the closing brace, moves `*p` to the byte after it, and sets `member` to
 * LOOM_EVENT_ENDS. */
static inline LoomJsonSkip
loom_event_parser_to_value (const char **p, const char *end, LoomMember *member)
{
  *p = loom_json_skip_blanks_and_commas (*p, end);
  if (*p >= end)
    return LOOM_JSON_SKIP_INCOMPLETE;
  if (**p == '}') {
    *member = LOOM_EVENT_ENDS;
    (*p)++;
    return LOOM_JSON_SKIP_OK;
  }
  return **p == '"' ? loom_event_parser_key (p, end, member) : LOOM_JSON_SKIP_BAD;
}

/* Splits an event into its members. Moves `*p` from the opening brace to the end of the object. Sets all members of
 * `event` except `offset`. */
static inline LoomJsonSkip
loom_event_parser (const char **p, const char *end, LoomEvent *event)
{
  const char *at = *p;
  if (at >= end || *at != '{')
    return LOOM_JSON_SKIP_BAD;
  loom_event_parser_clear (event);
  event->text.text = at++;
  event->n_members = 0;
  for (;;) {
    LoomMember member;
    LoomJsonSkip walk = loom_event_parser_to_value (&at, end, &member);
    if (walk != LOOM_JSON_SKIP_OK)
      return walk;
    if (member == LOOM_EVENT_ENDS)
      break;
    const char *value = at;
    walk = loom_event_parser_member (&at, end);
    if (walk != LOOM_JSON_SKIP_OK)
      return walk;
    if (member != LOOM_N_MEMBERS)
      event->member[member] = (LoomJsonSlice) { value, (gsize) (at - value) };
    event->n_members += event->n_members < LOOM_EVENT_MOST_MEMBERS;
  }
  *p = at;
  event->text.length = (gsize) (at - event->text.text);
  return LOOM_JSON_SKIP_OK;
}
