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

/* Sets host->text to the args of an event, without blanks between tokens; to "" if the event has none. Returns FALSE with
 * `error` if the file cannot be read. */
static gboolean
read_args (LoomQueryHost *host, LoomSpanId id, GError **error)
{
  LoomMergeItem item = item_of (host, id);
  LoomExportEvent drawn;
  if (host->reader == NULL)
    host->reader = loom_export_event_reader_new (host->run->timeline, FALSE);
  if (host->text == NULL)
    host->text = g_string_new (NULL);
  g_string_truncate (host->text, 0);
  if (!loom_export_event_reader_read_sampled (host->reader, NULL, 0, &item, &drawn, error))
    return FALSE;
  loom_export_event_reader_append_args (&drawn, host->text);
  remove_blanks (host->text);
  return TRUE;
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
  if (!read_args (host, id, &error))
    set_error (context, error);
  else if (host->text->len > 0)
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
    sqlite3_result_text64 (context, value.text, value.length, SQLITE_TRANSIENT, SQLITE_UTF8);
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
  if (!read_args (host, id, &error)) {
    set_error (context, error);
    return;
  }
  set_value (context, loom_json_slice_member ((LoomJsonSlice) { host->text->str, host->text->len }, key));
}

int
loom_query_arg_register (sqlite3 *database, LoomQueryHost *host)
{
  return sqlite3_create_function (database, "arg", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, host, get_arg, NULL, NULL);
}
