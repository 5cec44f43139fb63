/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-line.h"

#include <string.h>

#include "loom-merge-frames.h"
#include "loom-number.h"
#include "loom-time.h"

/* Drawn names are cut somewhere beyond this and end in an ellipsis then; their full text stands in the file. */
#define LONG_NAME 60000

gboolean
loom_event_line_is_clean (const LoomEvent *event)
{
  LoomSlice text = event->text;
  return memchr (text.text, '\n', text.length) == NULL && memchr (text.text, '\r', text.length) == NULL &&
         loom_json_is_strict (text.text, text.length);
}

void
loom_event_line_append_value (GString *out, LoomSlice value, gboolean strict)
{
  if (strict)
    g_string_append_len (out, value.text, (gssize) value.length);
  else
    loom_json_append_strict (out, value.text, value.length);
}

void
loom_event_line_append_key (GString *out, const char *key)
{
  char last = out->len > 0 ? out->str[out->len - 1] : '\0';
  if (last != '{')
    g_string_append_c (out, ',');
  g_string_append_c (out, '"');
  g_string_append (out, key);
  g_string_append (out, "\":");
}

void
loom_event_line_append_text (GString *out, const char *key, const char *text)
{
  loom_event_line_append_key (out, key);
  loom_json_append_string (out, text, strlen (text));
}

void
loom_event_line_append_int (GString *out, const char *key, gint64 value)
{
  char digits[24];
  loom_event_line_append_key (out, key);
  g_string_append_len (out, digits, (gssize) loom_time_write_int (value, digits));
}

void
loom_event_line_append_rank (GString *out, gint rank)
{
  if (rank >= 0) {
    loom_event_line_append_int (out, "rank", rank);
    return;
  }
  loom_event_line_append_key (out, "rank");
  g_string_append (out, "null");
}

static void
append_time (GString *out, const char *key, gint64 ns)
{
  char digits[LOOM_TIME_US_MAX];
  loom_event_line_append_key (out, key);
  g_string_append_len (out, digits, (gssize) loom_time_write_us (ns, digits));
}

/* --- texts that are drawn ---------------------------------------------------------------------------------------- */

/* Whether the literal reads as `text`, or `text` is the beginning of it that was kept. */
static gboolean
literal_means (LoomSlice literal, const char *text, gsize length)
{
  if (!loom_slice_is_string (literal))
    return FALSE;
  if (literal.length == length + 2 && memcmp (literal.text + 1, text, length) == 0)
    return TRUE;
  if (literal.length < length)
    return FALSE;
  g_autofree char *decoded = loom_json_dup_decoded (literal);
  if (length > LONG_NAME && g_str_has_suffix (text, "…"))
    return strncmp (decoded, text, length - strlen ("…")) == 0;
  return strcmp (decoded, text) == 0;
}

static void
append_text (GString *out, const char *key, LoomSlice literal, const char *text, gboolean strict)
{
  gboolean keep = text == NULL || literal_means (literal, text, strlen (text));
  if (keep && literal.text == NULL)
    return;
  loom_event_line_append_key (out, key);
  if (keep && loom_slice_is_string (literal)) {
    loom_event_line_append_value (out, literal, strict);
  } else if (keep) {
    g_autofree char *decoded = loom_json_dup_decoded (literal);
    loom_json_append_string (out, decoded, strlen (decoded));
  } else {
    loom_json_append_string (out, text, strlen (text));
  }
}

/* --- ids ---------------------------------------------------------------------------------------------------------- */

/* A string id keeps its bytes behind the prefix, a number its literal. */
static void
append_prefixed (GString *out, LoomSlice id, const char *prefix, gboolean strict)
{
  if (prefix == NULL || loom_slice_is_object (id) || (id.length > 0 && id.text[0] == '[')) {
    loom_event_line_append_value (out, id, strict);
    return;
  }
  g_string_append_c (out, '"');
  g_string_append (out, prefix);
  if (loom_slice_is_string (id) && strict) {
    g_string_append_len (out, id.text + 1, (gssize) id.length - 2);
  } else if (loom_slice_is_string (id)) {
    g_autoptr (GString) repaired = g_string_new (NULL);
    loom_json_append_strict (repaired, id.text, id.length);
    g_string_append_len (out, repaired->str + 1, (gssize) repaired->len - 2);
  } else {
    for (gsize i = 0; i < id.length; i++) /* a bare word: keep it printable */
      g_string_append_c (out, g_ascii_isgraph (id.text[i]) && id.text[i] != '"' && id.text[i] != '\\' ? id.text[i] : '?');
  }
  g_string_append_c (out, '"');
}

/* {"local":…} is per process and stays, {"global":…} is made unique. */
static void
append_id2 (GString *out, LoomSlice id2, const char *prefix, gboolean strict)
{
  LoomJsonIter iter;
  LoomSlice key, value;
  if (prefix == NULL || !loom_slice_is_object (id2) || !loom_json_iter_init (&iter, id2)) {
    loom_event_line_append_value (out, id2, strict);
    return;
  }
  g_string_append_c (out, '{');
  while (loom_json_iter_next (&iter, &key, &value)) {
    if (out->str[out->len - 1] != '{')
      g_string_append_c (out, ',');
    loom_event_line_append_value (out, key, strict);
    g_string_append_c (out, ':');
    if (loom_slice_equal (key, "\"global\""))
      append_prefixed (out, value, prefix, strict);
    else
      loom_event_line_append_value (out, value, strict);
  }
  g_string_append_c (out, '}');
}

/* --- everything else ---------------------------------------------------------------------------------------------- */

static const char *const member_keys[LOOM_N_MEMBERS] = {
  [LOOM_MEMBER_PH] = "\"ph\"", [LOOM_MEMBER_NAME] = "\"name\"", [LOOM_MEMBER_CAT] = "\"cat\"",
  [LOOM_MEMBER_PID] = "\"pid\"", [LOOM_MEMBER_TID] = "\"tid\"", [LOOM_MEMBER_TS] = "\"ts\"",
  [LOOM_MEMBER_DUR] = "\"dur\"", [LOOM_MEMBER_ARGS] = "\"args\"", [LOOM_MEMBER_ID] = "\"id\"",
  [LOOM_MEMBER_ID2] = "\"id2\"", [LOOM_MEMBER_SCOPE] = "\"scope\"", [LOOM_MEMBER_S] = "\"s\"",
  [LOOM_MEMBER_BP] = "\"bp\"", [LOOM_MEMBER_BIND_ID] = "\"bind_id\"", [LOOM_MEMBER_FLOW_IN] = "\"flow_in\"",
  [LOOM_MEMBER_FLOW_OUT] = "\"flow_out\"", [LOOM_MEMBER_CNAME] = "\"cname\"",
};

static LoomMember
member_for (const LoomEvent *event, LoomSlice key, LoomSlice value)
{
  for (int m = 0; m < LOOM_N_MEMBERS; m++)
    if (event->member[m].text == value.text)
      return (LoomMember) m;
  for (int m = 0; m < LOOM_N_MEMBERS; m++)
    if (loom_slice_equal (key, member_keys[m]))
      return LOOM_MEMBER_PH; /* an earlier twin of a member that is said again: the last one counts */
  return LOOM_N_MEMBERS;
}

static gboolean
is_own_member (const LoomEventLine *line, LoomMember member)
{
  switch (member) {
  case LOOM_MEMBER_PH:
  case LOOM_MEMBER_NAME:
  case LOOM_MEMBER_CAT:
  case LOOM_MEMBER_PID:
  case LOOM_MEMBER_TID:
  case LOOM_MEMBER_TS:
  case LOOM_MEMBER_DUR: return TRUE;
  case LOOM_MEMBER_S: return line->scope != '\0';
  case LOOM_MEMBER_ARGS: return line->args != NULL || line->no_args;
  default: return FALSE;
  }
}

static gboolean
has_end_stack (const LoomEventLine *line)
{
  return line->end.frame[LOOM_EVENT_STACK_BEGIN].text != NULL || line->end.list[LOOM_EVENT_STACK_BEGIN].text != NULL;
}

/* A stack of the text's that the end of the pair says instead. */
static gboolean
is_replaced_stack (const LoomEventLine *line, LoomSlice key)
{
  if (line->is_end && (loom_slice_equal (key, "\"sf\"") || loom_slice_equal (key, "\"stack\"")))
    return TRUE;
  return (line->is_end || has_end_stack (line)) && (loom_slice_equal (key, "\"esf\"") || loom_slice_equal (key, "\"estack\""));
}

static void
append_end_stack (GString *out, const LoomEventLine *line)
{
  LoomSlice frame = line->end.frame[LOOM_EVENT_STACK_BEGIN], list = line->end.list[LOOM_EVENT_STACK_BEGIN];
  if (frame.text != NULL) {
    loom_event_line_append_key (out, line->is_end ? "sf" : "esf");
    if (line->stacks != NULL)
      loom_merge_append_frame_id (out, line->event, frame, line->stacks, line->source);
    else
      loom_event_line_append_value (out, frame, FALSE);
  }
  if (list.text != NULL) {
    loom_event_line_append_key (out, line->is_end ? "stack" : "estack");
    loom_event_line_append_value (out, list, FALSE);
  }
}

static void
append_members (GString *out, const LoomEventLine *line)
{
  LoomJsonIter iter;
  LoomSlice key, value;
  if (!loom_json_iter_init (&iter, line->event->text))
    return;
  while (loom_json_iter_next (&iter, &key, &value)) {
    LoomMember member = member_for (line->event, key, value);
    if (is_own_member (line, member) || (line->bare && member != LOOM_MEMBER_ARGS) || loom_slice_equal (key, "\"traceloom\"") ||
        is_replaced_stack (line, key))
      continue;
    g_string_append_c (out, ',');
    loom_event_line_append_value (out, key, line->strict);
    g_string_append_c (out, ':');
    if (member == LOOM_MEMBER_ID || member == LOOM_MEMBER_BIND_ID)
      append_prefixed (out, value, line->id_prefix, line->strict);
    else if (member == LOOM_MEMBER_ID2)
      append_id2 (out, value, line->id_prefix, line->strict);
    else if (line->stacks != NULL && (loom_slice_equal (key, "\"sf\"") || loom_slice_equal (key, "\"esf\"")))
      loom_merge_append_frame_id (out, line->event, value, line->stacks, line->source);
    else
      loom_event_line_append_value (out, value, line->strict);
  }
  if (!line->bare)
    append_end_stack (out, line);
}

static void
append_char (GString *out, const char *key, char value)
{
  loom_event_line_append_key (out, key);
  loom_json_append_string (out, &value, 1);
}

static void
append_duration (GString *out, const LoomEventLine *line)
{
  if (line->dur_literal.text == NULL) {
    append_time (out, "dur", line->dur_ns);
    return;
  }
  loom_event_line_append_key (out, "dur");
  g_string_append_len (out, line->dur_literal.text, (gssize) line->dur_literal.length);
}

void
loom_event_line_append (GString *out, const LoomEventLine *line)
{
  static const LoomSlice nothing = { NULL, 0 };
  const LoomSlice *member = line->event != NULL ? line->event->member : NULL;
  const char *category = line->category != NULL && line->category[0] != '\0' ? line->category : NULL;
  g_string_append_c (out, '{');
  append_text (out, "name", member != NULL ? member[LOOM_MEMBER_NAME] : nothing, line->name, line->strict);
  append_text (out, "cat", member != NULL ? member[LOOM_MEMBER_CAT] : nothing, category, line->strict);
  append_char (out, "ph", line->phase);
  if (line->has_ts)
    append_time (out, "ts", line->ts_ns);
  if (line->has_dur)
    append_duration (out, line);
  if (line->has_pid)
    loom_event_line_append_int (out, "pid", line->pid);
  if (line->has_tid)
    loom_event_line_append_int (out, "tid", line->tid);
  if (line->scope != '\0')
    append_char (out, "s", line->scope);
  if (line->event != NULL)
    append_members (out, line);
  if (line->args != NULL && line->args->len > 0 && !line->no_args) {
    loom_event_line_append_key (out, "args");
    g_string_append_len (out, line->args->str, (gssize) line->args->len);
  }
  if (line->mark != NULL) {
    loom_event_line_append_key (out, "traceloom");
    loom_json_append_string (out, line->mark, strlen (line->mark));
  }
  g_string_append_c (out, '}');
}

/* --- args of pairs ------------------------------------------------------------------------------------------------ */

static void
append_pair (GString *out, LoomSlice key, LoomSlice value)
{
  if (out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  loom_json_append_strict (out, key.text, key.length);
  g_string_append_c (out, ':');
  loom_json_append_strict (out, value.text, value.length);
}

/* The value of a key given with its quotes; absent when there is none. Literals are compared, the last one counts. */
static LoomSlice
find_member (LoomSlice object, LoomSlice wanted)
{
  LoomJsonIter iter;
  LoomSlice key, value, found = { NULL, 0 };
  if (!loom_json_iter_init (&iter, object))
    return found;
  while (loom_json_iter_next (&iter, &key, &value))
    if (key.length == wanted.length && memcmp (key.text, wanted.text, key.length) == 0)
      found = value;
  return found;
}

gboolean
loom_event_line_append_merged_args (GString *out, LoomSlice begin_args, LoomSlice end_args)
{
  gboolean two = loom_slice_is_object (begin_args) && loom_slice_is_object (end_args);
  LoomSlice only = loom_slice_is_object (end_args) || begin_args.text == NULL ? end_args : begin_args;
  if (!two) {
    if (only.text == NULL)
      return TRUE;
    loom_json_append_strict (out, only.text, only.length);
    return loom_json_is_strict (only.text, only.length);
  }
  LoomJsonIter iter;
  LoomSlice key, value;
  g_string_append_c (out, '{');
  if (loom_json_iter_init (&iter, begin_args))
    while (loom_json_iter_next (&iter, &key, &value)) {
      LoomSlice later = find_member (end_args, key);
      append_pair (out, key, later.text != NULL ? later : value);
    }
  if (loom_json_iter_init (&iter, end_args))
    while (loom_json_iter_next (&iter, &key, &value))
      if (find_member (begin_args, key).text == NULL)
        append_pair (out, key, value);
  g_string_append_c (out, '}');
  return loom_json_is_strict (begin_args.text, begin_args.length) && loom_json_is_strict (end_args.text, end_args.length);
}
