/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-trace-event-writer.h"

#include <string.h>

#include "loom-export-stack-frames.h"
#include "loom-flow-id.h"
#include "loom-parse-time.h"
#include "loom-time.h"

/* When a trace is loaded, a name that is longer than this may be cut, and end with an ellipsis. The full name is then
 * read from the file of the trace. */
#define LONG_NAME 60000

gboolean
loom_trace_event_writer_is_clean (const LoomEvent *event)
{
  LoomJsonSlice text = event->text;
  return memchr (text.text, '\n', text.length) == NULL && memchr (text.text, '\r', text.length) == NULL &&
         loom_json_slice_is_strict (text.text, text.length);
}

void
loom_trace_event_writer_append_value (GString *out, LoomJsonSlice value, gboolean strict)
{
  if (strict)
    g_string_append_len (out, value.text, (gssize) value.length);
  else
    loom_json_slice_append_strict (out, value.text, value.length);
}

void
loom_trace_event_writer_append_key (GString *out, const char *key)
{
  char last = out->len > 0 ? out->str[out->len - 1] : '\0';
  if (last != '{')
    g_string_append_c (out, ',');
  g_string_append_c (out, '"');
  g_string_append (out, key);
  g_string_append (out, "\":");
}

void
loom_trace_event_writer_append_text (GString *out, const char *key, const char *text)
{
  loom_trace_event_writer_append_key (out, key);
  if (text != NULL)
    loom_json_slice_append_string (out, text, strlen (text));
  else
    g_string_append (out, "null");
}

void
loom_trace_event_writer_append_int (GString *out, const char *key, gint64 value)
{
  char digits[24];
  loom_trace_event_writer_append_key (out, key);
  g_string_append_len (out, digits, (gssize) loom_time_write_int (value, digits));
}

void
loom_trace_event_writer_append_known (GString *out, const char *key, gint64 value)
{
  if (value >= 0)
    loom_trace_event_writer_append_int (out, key, value);
  else
    loom_trace_event_writer_append_text (out, key, NULL);
}

void
loom_trace_event_writer_append_worker (GString *out, gint rank, gboolean is_process)
{
  loom_trace_event_writer_append_known (out, "rank", is_process ? -1 : rank);
  if (is_process)
    loom_trace_event_writer_append_int (out, "process_id", rank);
}

void
loom_trace_event_writer_append_node (GString *out, const char *node)
{
  loom_trace_event_writer_append_text (out, "node", node != NULL && *node != '\0' ? node : NULL);
}

static void
append_time (GString *out, const char *key, gint64 ns)
{
  char digits[LOOM_TIME_US_MAX];
  loom_trace_event_writer_append_key (out, key);
  g_string_append_len (out, digits, (gssize) loom_time_write_us (ns, digits));
}

/* --- texts that are drawn ---------------------------------------------------------------------------------------- */

/* Returns TRUE if `text` is what the timeline shows for the literal: the decoded literal, or its beginning followed by
 * an ellipsis. */
static gboolean
literal_means (LoomJsonSlice literal, const char *text, gsize length)
{
  if (!loom_json_slice_is_string (literal))
    return FALSE;
  if (literal.length == length + 2 && memcmp (literal.text + 1, text, length) == 0)
    return TRUE;
  if (literal.length < length)
    return FALSE;
  g_autofree char *decoded = loom_json_slice_dup_decoded (literal);
  if (length > LONG_NAME && g_str_has_suffix (text, "…"))
    return strncmp (decoded, text, length - strlen ("…")) == 0;
  return strcmp (decoded, text) == 0;
}

static void
append_text (GString *out, const char *key, LoomJsonSlice literal, const char *text, gboolean strict)
{
  gboolean keep = text == NULL || literal_means (literal, text, strlen (text));
  if (keep && literal.text == NULL)
    return;
  loom_trace_event_writer_append_key (out, key);
  if (keep && loom_json_slice_is_string (literal)) {
    loom_trace_event_writer_append_value (out, literal, strict);
  } else if (keep) {
    g_autofree char *decoded = loom_json_slice_dup_decoded (literal);
    loom_json_slice_append_string (out, decoded, strlen (decoded));
  } else {
    loom_json_slice_append_string (out, text, strlen (text));
  }
}

/* --- ids of async events and flows -------------------------------------------------------------------------------- */

/* Appends the text of an id, without quotes. An id in quotes is copied unchanged if `strict` (it is strict JSON), and
 * is repaired otherwise. In an id without quotes, blanks, control and non-ASCII characters, quotes and backslashes are
 * replaced by "?". */
static void
append_id_text (GString *out, LoomJsonSlice id, gboolean strict)
{
  if (loom_json_slice_is_string (id) && strict) {
    g_string_append_len (out, id.text + 1, (gssize) id.length - 2);
  } else if (loom_json_slice_is_string (id)) {
    g_autoptr (GString) repaired = g_string_new (NULL);
    loom_json_slice_append_strict (repaired, id.text, id.length);
    g_string_append_len (out, repaired->str + 1, (gssize) repaired->len - 2);
  } else {
    for (gsize i = 0; i < id.length; i++)
      g_string_append_c (out,
                         g_ascii_isgraph (id.text[i]) && id.text[i] != '"' && id.text[i] != '\\' ? id.text[i] : '?');
  }
}

/* Appends an id. If a prefix or a suffix is added, the id becomes a text. Values for which loom_flow_id_correlates()
 * returns FALSE are not changed. */
static void
append_id (GString *out, const LoomTraceEventLine *line, LoomJsonSlice id, const char *prefix)
{
  if ((prefix == NULL && line->id_suffix == NULL) || !loom_flow_id_correlates (id)) {
    loom_trace_event_writer_append_value (out, id, line->strict);
    return;
  }
  g_string_append_c (out, '"');
  if (prefix != NULL)
    g_string_append (out, prefix);
  append_id_text (out, id, line->strict);
  if (line->id_suffix != NULL)
    g_string_append (out, line->id_suffix);
  g_string_append_c (out, '"');
}

static void
append_flow_id (GString *out, const LoomTraceEventLine *line, LoomJsonSlice id)
{
  char digits[24];
  if (loom_flow_id_correlates (id))
    g_string_append_len (out, digits,
                         (gssize) loom_time_write_int ((gint64) loom_flow_id_of (id, line->trace), digits));
  else
    loom_trace_event_writer_append_value (out, id, line->strict);
}

/* Appends the member id2. An id {"local":…} gets no prefix, because it has to be unique only within a process. */
static void
append_id2 (GString *out, const LoomTraceEventLine *line, LoomJsonSlice id2)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if ((line->id_prefix == NULL && line->id_suffix == NULL) || !loom_json_slice_is_object (id2) ||
      !loom_json_slice_iter_init (&iter, id2)) {
    loom_trace_event_writer_append_value (out, id2, line->strict);
    return;
  }
  g_string_append_c (out, '{');
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    if (out->str[out->len - 1] != '{')
      g_string_append_c (out, ',');
    loom_trace_event_writer_append_value (out, key, line->strict);
    g_string_append_c (out, ':');
    if (loom_json_slice_equal (key, "\"global\""))
      append_id (out, line, value, line->id_prefix);
    else if (loom_json_slice_equal (key, "\"local\""))
      append_id (out, line, value, NULL);
    else
      loom_trace_event_writer_append_value (out, value, line->strict);
  }
  g_string_append_c (out, '}');
}

/* Appends an id for an event that has no text in a file. The id consists of id_prefix and id_suffix. */
static void
append_made_id (GString *out, const LoomTraceEventLine *line)
{
  g_autofree char *id = g_strconcat (line->id_prefix != NULL ? line->id_prefix : "", line->id_suffix, NULL);
  loom_trace_event_writer_append_text (out, "id", id);
}

/* --- members that are copied from the file ------------------------------------------------------------------------ */

static const char *const member_keys[LOOM_N_MEMBERS] = {
  [LOOM_MEMBER_PH] = "\"ph\"",           [LOOM_MEMBER_NAME] = "\"name\"",
  [LOOM_MEMBER_CAT] = "\"cat\"",         [LOOM_MEMBER_PID] = "\"pid\"",
  [LOOM_MEMBER_TID] = "\"tid\"",         [LOOM_MEMBER_TS] = "\"ts\"",
  [LOOM_MEMBER_DUR] = "\"dur\"",         [LOOM_MEMBER_ARGS] = "\"args\"",
  [LOOM_MEMBER_ID] = "\"id\"",           [LOOM_MEMBER_ID2] = "\"id2\"",
  [LOOM_MEMBER_SCOPE] = "\"scope\"",     [LOOM_MEMBER_S] = "\"s\"",
  [LOOM_MEMBER_BP] = "\"bp\"",           [LOOM_MEMBER_BIND_ID] = "\"bind_id\"",
  [LOOM_MEMBER_FLOW_IN] = "\"flow_in\"", [LOOM_MEMBER_FLOW_OUT] = "\"flow_out\"",
  [LOOM_MEMBER_CNAME] = "\"cname\"",
};

static LoomMember
member_for (const LoomEvent *event, LoomJsonSlice key, LoomJsonSlice value)
{
  for (int m = 0; m < LOOM_N_MEMBERS; m++)
    if (event->member[m].text == value.text)
      return (LoomMember) m;
  for (int m = 0; m < LOOM_N_MEMBERS; m++)
    if (loom_json_slice_equal (key, member_keys[m]))
      /* The event has another member with this key after `key`, and only the last one is valid. The result
       * LOOM_MEMBER_PH makes the caller skip `key`, because the caller never copies LOOM_MEMBER_PH */
      return LOOM_MEMBER_PH;
  return LOOM_N_MEMBERS;
}

static gboolean
is_own_member (const LoomTraceEventLine *line, LoomMember member)
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
  case LOOM_MEMBER_BP: return line->binds_inside;
  case LOOM_MEMBER_ARGS: return line->args != NULL || line->no_args;
  default: return FALSE;
  }
}

static gboolean
has_end_stack (const LoomTraceEventLine *line)
{
  return line->end.frame[LOOM_EVENT_STACK_BEGIN].text != NULL || line->end.list[LOOM_EVENT_STACK_BEGIN].text != NULL;
}

/* Returns TRUE if a member of the event's text is a call stack that is not copied, because the stack of the E event
 * (line->end) is written instead. On the line of an end event, this is true for both stacks of the text. On other
 * lines, it is true for the end stack (esf, estack) if line->end has a stack. */
static gboolean
is_replaced_stack (const LoomTraceEventLine *line, LoomJsonSlice key)
{
  if (line->is_end && (loom_json_slice_equal (key, "\"sf\"") || loom_json_slice_equal (key, "\"stack\"")))
    return TRUE;
  return (line->is_end || has_end_stack (line)) &&
         (loom_json_slice_equal (key, "\"esf\"") || loom_json_slice_equal (key, "\"estack\""));
}

static void
append_end_stack (GString *out, const LoomTraceEventLine *line)
{
  LoomJsonSlice frame = line->end.frame[LOOM_EVENT_STACK_BEGIN], list = line->end.list[LOOM_EVENT_STACK_BEGIN];
  if (frame.text != NULL) {
    loom_trace_event_writer_append_key (out, line->is_end ? "sf" : "esf");
    if (line->stacks != NULL)
      loom_export_stack_frames_append_id (out, line->event, frame, line->stacks, line->source);
    else
      loom_trace_event_writer_append_value (out, frame, FALSE);
  }
  if (list.text != NULL) {
    loom_trace_event_writer_append_key (out, line->is_end ? "stack" : "estack");
    loom_trace_event_writer_append_value (out, list, FALSE);
  }
}

/* Returns TRUE for members that are not copied from the text of the event, because the merge drops them or writes them
 * anew at the end of the object. */
static gboolean
is_left_out (const LoomTraceEventLine *line, LoomJsonSlice key, LoomMember member)
{
  if (is_own_member (line, member) || (line->bare && member != LOOM_MEMBER_ARGS))
    return TRUE;
  return loom_json_slice_equal (key, "\"traceloom\"") ||
         loom_json_slice_equal (key, "\"" LOOM_MEMBER_FIRST_NAME "\"") || is_replaced_stack (line, key);
}

static void
append_member (GString *out, const LoomTraceEventLine *line, LoomMember member, LoomJsonSlice key, LoomJsonSlice value)
{
  gboolean is_flow = line->number_flows && (member == LOOM_MEMBER_BIND_ID ||
                                            (member == LOOM_MEMBER_ID && strchr ("stf", line->phase) != NULL));
  g_string_append_c (out, ',');
  loom_trace_event_writer_append_value (out, key, line->strict);
  g_string_append_c (out, ':');
  if (is_flow)
    append_flow_id (out, line, value);
  else if (member == LOOM_MEMBER_ID || member == LOOM_MEMBER_BIND_ID)
    append_id (out, line, value, line->id_prefix);
  else if (member == LOOM_MEMBER_ID2)
    append_id2 (out, line, value);
  else if (line->stacks != NULL && (loom_json_slice_equal (key, "\"sf\"") || loom_json_slice_equal (key, "\"esf\"")))
    loom_export_stack_frames_append_id (out, line->event, value, line->stacks, line->source);
  else
    loom_trace_event_writer_append_value (out, value, line->strict);
}

/* Appends the pid and tid that the event has in the input, as LOOM_MEMBER_FIRST_PID and LOOM_MEMBER_FIRST_TID. Does
 * nothing if an earlier merge has already written one of them. */
static void
append_first_place (GString *out, const LoomTraceEventLine *line)
{
  static const struct {
    LoomMember member;
    const char *key;
  } parts[] = { { LOOM_MEMBER_PID, LOOM_MEMBER_FIRST_PID }, { LOOM_MEMBER_TID, LOOM_MEMBER_FIRST_TID } };
  if (loom_json_slice_member (line->event->text, LOOM_MEMBER_FIRST_PID).text != NULL ||
      loom_json_slice_member (line->event->text, LOOM_MEMBER_FIRST_TID).text != NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    LoomJsonSlice value = line->event->member[parts[i].member];
    if (value.text == NULL)
      continue;
    loom_trace_event_writer_append_key (out, parts[i].key);
    loom_trace_event_writer_append_value (out, value, line->strict);
  }
}

static void
append_members (GString *out, const LoomTraceEventLine *line)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_iter_init (&iter, line->event->text))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    LoomMember member = member_for (line->event, key, value);
    if (!is_left_out (line, key, member))
      append_member (out, line, member, key, value);
  }
  if (!line->bare)
    append_end_stack (out, line);
  if (line->keep_place)
    append_first_place (out, line);
}

static void
append_char (GString *out, const char *key, char value)
{
  loom_trace_event_writer_append_key (out, key);
  loom_json_slice_append_string (out, &value, 1);
}

/* Appends a member with a time: with `literal` as its value, or with `ns` if `literal` is absent. */
static void
append_time_or (GString *out, const char *key, gint64 ns, LoomJsonSlice literal)
{
  if (literal.text == NULL) {
    append_time (out, key, ns);
    return;
  }
  loom_trace_event_writer_append_key (out, key);
  g_string_append_len (out, literal.text, (gssize) literal.length);
}

void
loom_trace_event_writer_append (GString *out, const LoomTraceEventLine *line)
{
  static const LoomJsonSlice nothing = { NULL, 0 };
  const LoomJsonSlice *member = line->event != NULL ? line->event->member : NULL;
  const char *category = line->category != NULL && line->category[0] != '\0' ? line->category : NULL;
  g_string_append_c (out, '{');
  if (line->other_name != NULL)
    loom_trace_event_writer_append_text (out, "name", line->other_name);
  else
    append_text (out, "name", member != NULL ? member[LOOM_MEMBER_NAME] : nothing, line->name, line->strict);
  append_text (out, "cat", member != NULL ? member[LOOM_MEMBER_CAT] : nothing, category, line->strict);
  append_char (out, "ph", line->phase);
  if (line->has_ts)
    append_time_or (out, "ts", line->ts_ns, line->ts_literal);
  if (line->has_dur)
    append_time_or (out, "dur", line->dur_ns, line->dur_literal);
  if (line->has_pid)
    loom_trace_event_writer_append_int (out, "pid", line->pid);
  if (line->has_tid)
    loom_trace_event_writer_append_int (out, "tid", line->tid);
  if (line->scope != '\0')
    append_char (out, "s", line->scope);
  if (line->event != NULL)
    append_members (out, line);
  else if (line->id_suffix != NULL)
    append_made_id (out, line);
  if (line->binds_inside)
    append_char (out, "bp", 'e');
  if (line->args != NULL && line->args->len > 0 && !line->no_args) {
    loom_trace_event_writer_append_key (out, "args");
    g_string_append_len (out, line->args->str, (gssize) line->args->len);
  }
  if (line->other_name != NULL)
    loom_trace_event_writer_append_text (out, LOOM_MEMBER_FIRST_NAME, line->name);
  if (line->mark != NULL)
    loom_trace_event_writer_append_text (out, "traceloom", line->mark);
  g_string_append_c (out, '}');
}

/* --- args of a begin event and its end event ---------------------------------------------------------------------- */

static void
append_pair (GString *out, LoomJsonSlice key, LoomJsonSlice value)
{
  if (out->str[out->len - 1] != '{')
    g_string_append_c (out, ',');
  loom_json_slice_append_strict (out, key.text, key.length);
  g_string_append_c (out, ':');
  loom_json_slice_append_strict (out, value.text, value.length);
}

/* Returns the value of the member of `object` whose key is `wanted`, a literal with quotes; absent if there is no such
 * member. Keys are compared as literals. If several members have this key, the last of them is used. */
static LoomJsonSlice
find_member (LoomJsonSlice object, LoomJsonSlice wanted)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value, found = { NULL, 0 };
  if (!loom_json_slice_iter_init (&iter, object))
    return found;
  while (loom_json_slice_iter_next (&iter, &key, &value))
    if (key.length == wanted.length && memcmp (key.text, wanted.text, key.length) == 0)
      found = value;
  return found;
}

/* Appends the member LOOM_MEMBER_BEGIN_ARGS: those args of the begin event that are replaced, because the end event has
 * another value for the same key. */
static void
append_replaced (GString *out, LoomJsonSlice begin_args, LoomJsonSlice end_args)
{
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  g_autoptr (GString) replaced = g_string_new ("{");
  if (!loom_json_slice_iter_init (&iter, begin_args))
    return;
  while (loom_json_slice_iter_next (&iter, &key, &value)) {
    LoomJsonSlice later = find_member (end_args, key);
    if (later.text != NULL && (later.length != value.length || memcmp (later.text, value.text, value.length) != 0))
      append_pair (replaced, key, value);
  }
  if (replaced->len > 1)
    g_string_append_printf (out, ",\"" LOOM_MEMBER_BEGIN_ARGS "\":%s}", replaced->str);
}

gboolean
loom_trace_event_writer_append_merged_args (GString *out, LoomJsonSlice begin_args, LoomJsonSlice end_args,
                                            gboolean keeps_replaced)
{
  gboolean two = loom_json_slice_is_object (begin_args) && loom_json_slice_is_object (end_args);
  LoomJsonSlice only = loom_json_slice_is_object (end_args) || begin_args.text == NULL ? end_args : begin_args;
  if (!two) {
    if (only.text == NULL)
      return TRUE;
    loom_json_slice_append_strict (out, only.text, only.length);
    return loom_json_slice_is_strict (only.text, only.length);
  }
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  g_string_append_c (out, '{');
  if (loom_json_slice_iter_init (&iter, begin_args))
    while (loom_json_slice_iter_next (&iter, &key, &value)) {
      LoomJsonSlice later = find_member (end_args, key);
      append_pair (out, key, later.text != NULL ? later : value);
    }
  if (loom_json_slice_iter_init (&iter, end_args))
    while (loom_json_slice_iter_next (&iter, &key, &value))
      if (find_member (begin_args, key).text == NULL)
        append_pair (out, key, value);
  if (keeps_replaced)
    append_replaced (out, begin_args, end_args);
  g_string_append_c (out, '}');
  return loom_json_slice_is_strict (begin_args.text, begin_args.length) &&
         loom_json_slice_is_strict (end_args.text, end_args.length);
}
