/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-arg.h: reads the args of an event from the file, and converts JSON values to SQL values.
 */
#include "loom-query-arg.h"

#include <errno.h>
#include <string.h>

static LoomMergeItem
item_of (LoomQueryHost *host, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (host->run->run, id.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 track, row;
  loom_trace_locate_span (trace, id.span, &track, &row);
  LoomTrackKind kind = loom_trace_get_track (trace, track)->kind;
  return (LoomMergeItem) { .kind = kind == LOOM_TRACK_INSTANTS ? LOOM_KWAY_MERGE_INSTANT
                                   : kind == LOOM_TRACK_ASYNC  ? LOOM_KWAY_MERGE_ASYNC
                                                               : LOOM_KWAY_MERGE_SPAN,
                           .trace = id.trace,
                           .track = track,
                           .index = id.span,
                           .name_id = spans->name_id[id.span],
                           .ref = spans->ref[id.span] };
}

/* Removes blanks between the tokens of a JSON text. Writers put blanks in different places, so without this, equal args
 * of two files would be different texts, and GROUP BY would not join them. */
static void
remove_blanks (GString *json)
{
  gboolean is_inside = FALSE;
  gsize to = 0;
  for (gsize at = 0; at < json->len; at++) {
    char byte = json->str[at];
    if (is_inside && byte == '\\') /* the next byte is escaped; it may be a quote */
      json->str[to++] = json->str[at++];
    else if (byte == '"')
      is_inside = !is_inside;
    else if (!is_inside && g_ascii_isspace (byte))
      continue;
    json->str[to++] = json->str[at];
  }
  g_string_truncate (json, to);
}

/* Reads an event. The pointers in `drawn` are valid until the next event is read. Returns FALSE with `error` if the
 * file cannot be read. */
static gboolean
read_event (LoomQueryHost *host, LoomSpanId id, LoomExportEvent *drawn, GError **error)
{
  LoomMergeItem item = item_of (host, id);
  if (host->reader == NULL) {
    host->reader = loom_export_event_reader_new (host->run->timeline, FALSE);
    loom_export_event_reader_set_unchecked (host->reader);
  }
  return loom_export_event_reader_read_sampled (host->reader, NULL, 0, &item, drawn, error);
}

/* Sets host->text to the args of an event as strict JSON; to "" if the event has none. */
static void
copy_args (LoomQueryHost *host, LoomExportEvent *drawn)
{
  loom_export_event_reader_check (drawn);
  if (host->text == NULL)
    host->text = g_string_new (NULL);
  g_string_truncate (host->text, 0);
  loom_export_event_reader_append_args (drawn, host->text);
}

/* Returns TRUE if `value` is a number that has at most 18 digits and no leading zero. Such a number is strict JSON. */
static gboolean
is_digits (LoomJsonSlice value)
{
  for (gsize i = 0; i < value.length; i++)
    if (!g_ascii_isdigit (value.text[i]))
      return FALSE;
  return value.length > 0 && value.length <= 18 && (value.text[0] != '0' || value.length == 1);
}

/* Returns the value of one of the args as strict JSON; empty if the event has no such arg. An integer is taken from the
 * text of the file, because it is strict JSON even if the rest of the text is not. Other values are taken from the args
 * after their text was checked and, if necessary, repaired. Valid until the next event is read. */
static LoomJsonSlice
get_value (LoomQueryHost *host, LoomExportEvent *drawn, const char *key)
{
  if (drawn->has_event && drawn->args == NULL && !drawn->no_args &&
      loom_json_slice_is_object (drawn->event.member[LOOM_MEMBER_ARGS])) {
    LoomJsonSlice value = loom_json_slice_member (drawn->event.member[LOOM_MEMBER_ARGS], key);
    if (value.text != NULL && is_digits (value))
      return value;
  }
  copy_args (host, drawn);
  return loom_json_slice_member ((LoomJsonSlice) { host->text->str, host->text->len }, key);
}

static void
set_error (sqlite3_context *context, GError *error)
{
  sqlite3_result_error (context, error->message, -1);
  g_error_free (error);
}

void
loom_query_arg_set_all (LoomQueryHost *host, sqlite3_context *context, LoomSpanId id)
{
  GError *error = NULL;
  LoomExportEvent drawn;
  if (!read_event (host, id, &drawn, &error)) {
    set_error (context, error);
    return;
  }
  copy_args (host, &drawn);
  remove_blanks (host->text);
  if (host->text->len > 0)
    sqlite3_result_text64 (context, host->text->str, host->text->len, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/* --- value of a single argument ----------------------------------------------------------------------------------- */

static void
set_number (sqlite3_context *context, LoomJsonSlice value)
{
  g_autofree char *text = g_strndup (value.text, value.length);
  char *end;
  errno = 0;
  gint64 whole = g_ascii_strtoll (text, &end, 10);
  if (*end == '\0' && errno == 0)
    sqlite3_result_int64 (context, whole);
  else
    sqlite3_result_double (context, g_ascii_strtod (text, NULL));
}

static void
set_string (sqlite3_context *context, LoomJsonSlice value)
{
  GString *text = g_string_new (NULL);
  loom_json_slice_decode (value, text);
  gsize length = text->len;
  sqlite3_result_text64 (context, g_string_free (text, FALSE), length, g_free, SQLITE_UTF8);
}

/* Sets the result of the SQL function to the text of an object or array, without blanks between tokens. */
static void
set_compact (sqlite3_context *context, LoomJsonSlice value)
{
  GString *text = g_string_new_len (value.text, (gssize) value.length);
  remove_blanks (text);
  gsize length = text->len;
  sqlite3_result_text64 (context, g_string_free (text, FALSE), length, g_free, SQLITE_UTF8);
}

static void
set_value (sqlite3_context *context, LoomJsonSlice value)
{
  if (value.text == NULL || value.length == 0 || value.text[0] == 'n')
    return;
  if (value.text[0] == '"')
    set_string (context, value);
  else if (value.text[0] == 't' || value.text[0] == 'f')
    sqlite3_result_int (context, value.text[0] == 't');
  else if (value.text[0] == '{' || value.text[0] == '[')
    set_compact (context, value);
  else
    set_number (context, value);
}

static void
get_arg (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  LoomQueryHost *host = sqlite3_user_data (context);
  const char *key = (const char *) sqlite3_value_text (argv[1]);
  GError *error = NULL;
  LoomSpanId id;
  if (key == NULL || sqlite3_value_type (argv[0]) != SQLITE_INTEGER ||
      !loom_query_run_unpack_id (host->run, sqlite3_value_int64 (argv[0]), &id))
    return;
  LoomExportEvent drawn;
  if (read_event (host, id, &drawn, &error))
    set_value (context, get_value (host, &drawn, key));
  else
    set_error (context, error);
}

int
loom_query_arg_register (sqlite3 *database, LoomQueryHost *host)
{
  return sqlite3_create_function (database, "arg", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, host, get_arg, NULL, NULL);
}
