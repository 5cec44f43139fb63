/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: the walk over one event, guided by the events before it. What stands between two values, such as
 * `, "tid": `, is nearly always what stood behind the same member last time; one comparison then does for the blanks, the
 * comma, the key and the colon. Whatever differs is left to the walk of loom-event-walk.h, which says what is right; both
 * always agree.
 */
#pragma once

#include "loom-event-walk.h"

G_BEGIN_DECLS

#define LOOM_GAP_WORDS 4
#define LOOM_GAP_BYTES (LOOM_GAP_WORDS * 8)
#define LOOM_GAP_WAYS 2

/* Instead of a member: behind the opening brace; and that the closing one is reached. */
#define LOOM_GAP_START (LOOM_N_MEMBERS + 1)
#define LOOM_GAP_END (LOOM_N_MEMBERS + 1)

typedef struct {
  guint64 text[LOOM_GAP_WORDS], mask[LOOM_GAP_WORDS];
  guint16 length; /* 0: free */
  guint16 next;   /* the member whose value follows, LOOM_N_MEMBERS for any other, LOOM_GAP_END */
} LoomGap;

/* Per member before the gap, the last ones seen. Zeroed to begin with. */
typedef struct {
  LoomGap gaps[LOOM_N_MEMBERS + 2][LOOM_GAP_WAYS];
} LoomGaps;

static inline gboolean
loom_gap_matches (const LoomGap *gap, const char *text)
{
  guint64 words[LOOM_GAP_WORDS], differ = 0;
  memcpy (words, text, sizeof words);
  for (guint i = 0; i < LOOM_GAP_WORDS; i++)
    differ |= (words[i] ^ gap->text[i]) & gap->mask[i];
  return differ == 0 && gap->length > 0;
}

/* The gap that stands at `text`, of which LOOM_GAP_BYTES are there; NULL when it is a new one. */
static inline const LoomGap *
loom_gaps_find (const LoomGaps *gaps, guint before, const char *text)
{
  for (guint way = 0; way < LOOM_GAP_WAYS; way++)
    if (loom_gap_matches (&gaps->gaps[before][way], text))
      return &gaps->gaps[before][way];
  return NULL;
}

/* Behind a value only gaps that begin with a comma or the end, so that they also prove where the value ended. */
static inline gboolean
loom_gap_is_plain (guint before, const char *text, const char *end)
{
  text = loom_walk_blanks (text, end);
  return before == LOOM_GAP_START || (text < end && (*text == ',' || *text == '}'));
}

static inline void
loom_gaps_learn (LoomGaps *gaps, guint before, guint next, const char *text, const char *end)
{
  gsize length = (gsize) (end - text);
  if (length == 0 || length > LOOM_GAP_BYTES || !loom_gap_is_plain (before, text, end))
    return;
  memmove (&gaps->gaps[before][1], &gaps->gaps[before][0], (LOOM_GAP_WAYS - 1) * sizeof (LoomGap));
  LoomGap *gap = &gaps->gaps[before][0];
  *gap = (LoomGap) { .length = (guint16) length, .next = (guint16) next };
  memcpy (gap->text, text, length);
  memset (gap->mask, 0xFF, length);
}

/* The end of a string without escapes, or of a number without exponent, if *p begins one: a guess, right when a known gap
 * follows. 16 bytes are there. */
static inline gboolean
loom_gaps_guess_value (const char **p, const char *end)
{
  const char *at = *p;
  if (*at == '"') {
    at = loom_walk_to_quote (at + 1, end);
    *p = at + 1;
    return at < end && *at == '"';
  }
  if (*at != '-' && !g_ascii_isdigit (*at))
    return FALSE;
  *p = loom_walk_digits (at + 1, end);
  return TRUE;
}

/* As loom_event_walk (). */
static inline LoomWalk
loom_event_walk_guided (LoomGaps *gaps, const char **p, const char *end, LoomEvent *event)
{
  const char *at = *p, *value = NULL;
  guint before = LOOM_GAP_START;
  gboolean is_guess = FALSE; /* of the end of `value` */
  if (at >= end || *at != '{')
    return LOOM_WALK_BAD;
  loom_event_clear (event);
  event->text.text = at++;
  for (;;) {
    const LoomGap *gap = end - at > LOOM_GAP_BYTES ? loom_gaps_find (gaps, before, at) : NULL;
    if (G_LIKELY (gap != NULL) && !loom_walk_is_blank (at[gap->length])) {
      if (is_guess && before < LOOM_N_MEMBERS)
        event->member[before] = (LoomSlice) { value, (gsize) (at - value) };
      at += gap->length;
      before = gap->next;
      if (before == LOOM_GAP_END)
        break;
    } else {
      LoomMember member;
      if (is_guess) {
        at = value;
        LoomWalk walk = loom_event_walk_member (&at, end);
        if (walk != LOOM_WALK_OK)
          return walk;
        if (before < LOOM_N_MEMBERS)
          event->member[before] = (LoomSlice) { value, (gsize) (at - value) };
      }
      const char *text = at;
      LoomWalk walk = loom_event_walk_to_value (&at, end, &member);
      if (walk != LOOM_WALK_OK)
        return walk;
      guint next = member == LOOM_EVENT_ENDS ? LOOM_GAP_END : member;
      loom_gaps_learn (gaps, before, next, text, at);
      before = next;
      if (before == LOOM_GAP_END)
        break;
    }
    value = at;
    is_guess = end - at >= 32 && loom_gaps_guess_value (&at, end);
    if (is_guess)
      continue;
    at = value;
    LoomWalk walk = loom_event_walk_member (&at, end);
    if (walk != LOOM_WALK_OK)
      return walk;
    if (before < LOOM_N_MEMBERS)
      event->member[before] = (LoomSlice) { value, (gsize) (at - value) };
  }
  *p = at;
  event->text.length = (gsize) (at - event->text.text);
  return LOOM_WALK_OK;
}

G_END_DECLS
