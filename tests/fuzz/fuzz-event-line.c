/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the writing of events to a merged file: compares the fast path (for strict events, with templates of earlier
 * events) with the general path, and checks that a line is strict JSON for any event. The input is a sequence of
 * events.
 */
#include "fuzz.h"

#include "loom-event-template.h"
#include "loom-limits.h"
#include "loom-trace-event-writer.h"

#include <string.h>

#define MOST_EVENTS 32

static void
same (LoomJsonSlice a, LoomJsonSlice b, const char *what)
{
  fuzz_check (a.text == b.text && a.length == b.length, "another %s", what);
}

/* The fast path writes values with line breaks on one line, as the general path does. */
static void
check_copied (const LoomStrictEvent *seen, const LoomEvent *event)
{
  for (guint i = 0; i < seen->n_copied; i++) {
    const LoomStrictMember *member = &seen->copied[i];
    g_autoptr (GString) wanted = g_string_new (NULL),
                        line = g_string_new_len (member->value.text, (gssize) member->value.length);
    if (member->member != LOOM_N_MEMBERS)
      same (member->value, event->member[member->member], "member");
    for (guint b = member->first_break; b < member[1].first_break; b++)
      line->str[seen->breaks[b] - member->value.text] = ' ';
    loom_trace_event_writer_append_value (wanted, member->value, FALSE);
    fuzz_check (strcmp (line->str, wanted->str) == 0, "%s instead of %s", line->str, wanted->str);
  }
}

static void
check_seen (const LoomStrictEvent *seen, const char *text, gsize size)
{
  LoomEvent event;
  fuzz_check (seen->length <= size, "beyond the end");
  fuzz_check (fuzz_is_json (text, seen->length, LOOM_LIMIT_DEPTH), "not strict: %.*s", (int) seen->length, text);
  gboolean parsed = loom_event_parse (text, seen->length, &event);
  fuzz_check (parsed && event.text.length == seen->length, "the long way does not end there");
  fuzz_check (seen->one_line == loom_trace_event_writer_is_clean (&event), "lines");
  same (seen->name, event.member[LOOM_MEMBER_NAME], "name");
  same (seen->category, event.member[LOOM_MEMBER_CAT], "category");
  same (seen->phase, event.member[LOOM_MEMBER_PH], "phase");
  check_copied (seen, &event);
}

static void
check_short (LoomEventTemplates *patterns, guint family, const char *text, gsize size)
{
  LoomStrictEvent seen, learnt;
  memset (&learnt, 0xAA, sizeof learnt);
  gboolean known = loom_strict_event_parser_scan (text, &seen),
           again = loom_event_templates_scan (patterns, family, text, &learnt);
  fuzz_check (known == again, "with patterns %d, without %d", again, known);
  if (!known)
    return;
  check_seen (&seen, text, size);
  check_seen (&learnt, text, size);
  fuzz_check (seen.length == learnt.length && seen.n_copied == learnt.n_copied && seen.one_line == learnt.one_line,
              "patterns differ");
  for (guint i = 0; i < seen.n_copied; i++) {
    same (seen.copied[i].key, learnt.copied[i].key, "key");
    same (seen.copied[i].value, learnt.copied[i].value, "value");
    fuzz_check (seen.copied[i].member == learnt.copied[i].member, "member %u", i);
  }
}

static void
check_object (LoomEventTemplates *patterns, guint family, const char *text, gsize size)
{
  LoomStrictEvent seen, learnt;
  memset (&learnt, 0xAA, sizeof learnt);
  gboolean known = loom_strict_event_parser_object_scan (text, &seen),
           again = loom_event_templates_scan (patterns, family, text, &learnt);
  fuzz_check (known == again, "object with patterns %d, without %d", again, known);
  if (!known)
    return;
  fuzz_check (seen.length <= size && fuzz_is_json (text, seen.length, LOOM_LIMIT_DEPTH), "not strict: %.*s",
              (int) seen.length, text);
  fuzz_check (seen.length == learnt.length && seen.one_line == learnt.one_line && learnt.n_copied == 1,
              "patterns of objects differ");
  same (seen.copied[0].value, learnt.copied[0].value, "object");
  for (guint i = 0; i <= 1; i++)
    fuzz_check (seen.copied[i].first_break == learnt.copied[i].first_break, "breaks %u", i);
  for (guint i = 0; i < seen.copied[1].first_break; i++)
    fuzz_check (seen.breaks[i] == learnt.breaks[i], "break %u", i);
}

/* A line of the general path is strict JSON, also with every member that a merge may add. */
static void
check_line (const LoomEvent *event, FuzzDice *dice)
{
  static const char phases[] = "XiCbesSF";
  g_autoptr (GString) out = g_string_new (NULL), args = g_string_new (NULL);
  LoomTraceEventLine line = { .event = event,
                              .strict = loom_trace_event_writer_is_clean (event),
                              .phase = phases[fuzz_below (dice, 8)],
                              .has_ts = TRUE,
                              .ts_ns = fuzz_below (dice, 1000000),
                              .has_dur = fuzz_below (dice, 2) > 0,
                              .has_pid = TRUE,
                              .has_tid = fuzz_below (dice, 2) > 0,
                              .name = fuzz_below (dice, 2) > 0 ? "“x”" : NULL,
                              .category = "",
                              .scope = fuzz_below (dice, 2) > 0 ? 'g' : '\0',
                              .id_prefix = fuzz_below (dice, 2) > 0 ? "3." : NULL,
                              .bare = fuzz_below (dice, 4) == 0,
                              .no_args = fuzz_below (dice, 4) == 0,
                              .mark = fuzz_below (dice, 4) == 0 ? "open" : NULL };
  loom_trace_event_writer_append (out, &line);
  fuzz_check (fuzz_is_json (out->str, out->len, LOOM_LIMIT_DEPTH + 1), "written as %s", out->str);
  fuzz_check (strchr (out->str, '\n') == NULL && strchr (out->str, '\r') == NULL && strlen (out->str) == out->len,
              "written as %s", out->str);
  loom_trace_event_writer_append_merged_args (
    args, event->member[LOOM_MEMBER_ARGS], event->member[fuzz_below (dice, LOOM_N_MEMBERS)], fuzz_below (dice, 2) == 0);
  fuzz_check (args->len == 0 || fuzz_is_json (args->str, args->len, LOOM_LIMIT_DEPTH + 1), "args written as %s",
              args->str);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (LoomEventTemplates) patterns = loom_event_templates_new (LOOM_PATTERNS_OF_EVENTS);
  g_autoptr (LoomEventTemplates) objects = loom_event_templates_new (LOOM_PATTERNS_OF_OBJECTS);
  FuzzDice dice = fuzz_dice (data, size);
  guint n = 0;
  g_autofree char *text = g_malloc0 (size + LOOM_STRICT_EVENT_PADDING);
  if (size > 0)
    memcpy (text, data, size);
  for (const char *at = text; n < MOST_EVENTS && (at = memchr (at, '{', size - (gsize) (at - text))) != NULL; n++) {
    gsize left = size - (gsize) (at - text);
    const char *end = at;
    LoomEvent event;
    guint family = fuzz_below (&dice, 2);
    check_short (patterns, family, at, left);
    check_object (objects, family, at, left);
    gboolean whole = loom_json_slice_skip_value (&end, at + left) && loom_event_parse (at, (gsize) (end - at), &event);
    if (whole)
      check_line (&event, &dice);
    at = whole ? end : at + 1;
    if (at >= text + size)
      break;
  }
  return 0;
}
