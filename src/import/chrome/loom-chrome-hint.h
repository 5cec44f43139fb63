/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: computes the hint of an event. The hint is stored in the event's LoomRef, and gives the
 * approximate place of the args or the id in the event's text (loom-event-ref-hint.h). Only an event whose text has the
 * usual members in the usual order gets a hint. The functions are inline, because they are called for every event.
 */
#pragma once

#include "loom-event-ref-hint.h"
#include "loom-event.h"
#include "loom-name-cache.h"

/* Returns TRUE if only blanks and the closing brace follow `value` in `text`, the text of an event. */
static inline gboolean
loom_chrome_hint_is_last (LoomJsonSlice text, LoomJsonSlice value)
{
  const char *at = value.text + value.length, *last = text.text + text.length - 1;
  while (at < last && loom_json_slice_is_blank (*at))
    at++;
  return at == last;
}

/* Returns TRUE if the event has a pid and a tid. Does not check ph, name and ts, which every event has. */
static inline gboolean
loom_chrome_hint_has_place (const LoomEvent *event)
{
  return event->member[LOOM_MEMBER_PID].text != NULL && event->member[LOOM_MEMBER_TID].text != NULL;
}

/* Returns a hint (loom-event-ref-hint.h) for a complete event whose members are all known and occur once, and whose
 * last member is the args; 0 for other events. */
static inline LoomRef
loom_chrome_hint_args (const LoomEvent *event, LoomNameTraits traits)
{
  LoomJsonSlice args = event->member[LOOM_MEMBER_ARGS];
  guint n_members = 7 + (event->member[LOOM_MEMBER_CAT].text != NULL);
  if ((traits & LOOM_NAME_PLAIN) == 0 || args.text == NULL || event->n_members != n_members ||
      !loom_chrome_hint_has_place (event) || event->member[LOOM_MEMBER_DUR].text == NULL || *args.text != '{' ||
      !loom_chrome_hint_is_last (event->text, args))
    return 0;
  return loom_event_ref_hint_args ((gsize) (args.text - event->text.text));
}

/* Returns a hint (loom-event-ref-hint.h) for a flow event whose members are all known and occur once, and whose member
 * "bp", if present, follows the id. Returns 0 (no hint) for other events. */
static inline LoomRef
loom_chrome_hint_flow (const LoomEvent *event, char phase, LoomNameTraits traits)
{
  LoomJsonSlice id = event->member[LOOM_MEMBER_ID], bp = event->member[LOOM_MEMBER_BP];
  guint n_members = 6 + (event->member[LOOM_MEMBER_CAT].text != NULL) + (bp.text != NULL);
  LoomHintFlow flow = phase == 's' ? LOOM_HINT_START : phase == 't' ? LOOM_HINT_STEP : LOOM_HINT_END;
  if ((traits & LOOM_NAME_PLAIN) == 0 || id.text == NULL || event->n_members != n_members ||
      !loom_chrome_hint_has_place (event))
    return 0;
  if (bp.text != NULL && (phase != 'f' || bp.text < id.text || !loom_json_slice_equal (bp, "\"e\"")))
    return 0;
  return loom_event_ref_hint_flow ((gsize) (id.text - event->text.text), bp.text != NULL ? LOOM_HINT_END_INSIDE : flow);
}
