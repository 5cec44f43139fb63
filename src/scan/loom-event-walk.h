/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: one event object to slices, in one pass. Inline: this is the hot loop of loading.
 */
#pragma once

#include "loom-event.h"
#include "loom-json-walk.h"

#include <string.h>

G_BEGIN_DECLS

#define LOOM_KEY_IS(key, literal) (memcmp (key, literal, sizeof (literal) - 1) == 0)

/* The member a key (without quotes) stands for, LOOM_N_MEMBERS for any other. */
static inline LoomMember
loom_event_member_for (const char *key, gsize length)
{
  switch (length) {
  case 1:
    return *key == 's' ? LOOM_MEMBER_S : LOOM_N_MEMBERS;
  case 2:
    if (key[0] == 't' && key[1] == 's') return LOOM_MEMBER_TS;
    if (key[0] == 'p' && key[1] == 'h') return LOOM_MEMBER_PH;
    if (key[0] == 'i' && key[1] == 'd') return LOOM_MEMBER_ID;
    if (key[0] == 'b' && key[1] == 'p') return LOOM_MEMBER_BP;
    return LOOM_N_MEMBERS;
  case 3:
    if (LOOM_KEY_IS (key, "dur")) return LOOM_MEMBER_DUR;
    if (LOOM_KEY_IS (key, "pid")) return LOOM_MEMBER_PID;
    if (LOOM_KEY_IS (key, "tid")) return LOOM_MEMBER_TID;
    if (LOOM_KEY_IS (key, "cat")) return LOOM_MEMBER_CAT;
    if (LOOM_KEY_IS (key, "id2")) return LOOM_MEMBER_ID2;
    return LOOM_N_MEMBERS;
  case 4:
    if (LOOM_KEY_IS (key, "name")) return LOOM_MEMBER_NAME;
    if (LOOM_KEY_IS (key, "args")) return LOOM_MEMBER_ARGS;
    return LOOM_N_MEMBERS;
  case 5:
    if (LOOM_KEY_IS (key, "scope")) return LOOM_MEMBER_SCOPE;
    if (LOOM_KEY_IS (key, "cname")) return LOOM_MEMBER_CNAME;
    return LOOM_N_MEMBERS;
  case 7:
    if (LOOM_KEY_IS (key, "bind_id")) return LOOM_MEMBER_BIND_ID;
    if (LOOM_KEY_IS (key, "flow_in")) return LOOM_MEMBER_FLOW_IN;
    return LOOM_N_MEMBERS;
  case 8:
    return LOOM_KEY_IS (key, "flow_out") ? LOOM_MEMBER_FLOW_OUT : LOOM_N_MEMBERS;
  default:
    return LOOM_N_MEMBERS;
  }
}

/* *p stands on {; moves it behind the object and fills `event` (all but offset). */
static inline LoomWalk
loom_event_walk (const char **p, const char *end, LoomEvent *event)
{
  const char *at = *p;
  if (at >= end || *at != '{')
    return LOOM_WALK_BAD;
  memset (event->member, 0, sizeof event->member);
  event->text.text = at++;
  for (;;) {
    at = loom_walk_blanks_and_commas (at, end);
    if (at >= end)
      return LOOM_WALK_INCOMPLETE;
    if (*at == '}')
      break;
    if (*at != '"')
      return LOOM_WALK_BAD;
    const char *key = at + 1;
    LoomWalk walk = loom_walk_string (&at, end);
    if (walk != LOOM_WALK_OK)
      return walk;
    LoomMember member = loom_event_member_for (key, (gsize) (at - 1 - key));
    at = loom_walk_blanks (at, end);
    if (at >= end)
      return LOOM_WALK_INCOMPLETE;
    if (*at != ':')
      return LOOM_WALK_BAD;
    at = loom_walk_blanks (at + 1, end);
    const char *value = at;
    walk = loom_walk_value (&at, end);
    if (walk != LOOM_WALK_OK)
      return walk;
    if (member != LOOM_N_MEMBERS)
      event->member[member] = (LoomSlice) { value, (gsize) (at - value) };
  }
  *p = at + 1;
  event->text.length = (gsize) (at + 1 - event->text.text);
  return LOOM_WALK_OK;
}

G_END_DECLS
