/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes events from the NVTX ranges and marks of an Nsight Systems export.
 */
#include "loom-nsight-private.h"

enum {
  NVTX_START = 1,
  NVTX_END,
  NVTX_TYPE,
  NVTX_TID,
  NVTX_END_TID,
  NVTX_TEXT,
  NVTX_TEXT_ID,
  NVTX_DOMAIN,
  NVTX_CATEGORY,
  NVTX_COLOR,
  NVTX_JSON,
  NVTX_JSON_ID
};

enum { NVTX_MARK = 34, NVTX_PUSH_POP = 59, NVTX_START_END = 60 };

/* Members that PyTorch's emit_nvtx() appends to the name of an operator: "aten::mm, seq = 46174, op_id = 993406". */
static const char *const name_members[] = { ", seq = ", ", op_id = ", ", sizes = ", ", input_op_ids = " };

/* Returns where in the text the first of the `name_members` begins, and sets `which` to the index of this member; NULL:
 * the text contains none of them. */
static const char *
find_member (const char *text, guint *which)
{
  const char *first = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (name_members); i++) {
    const char *found = strstr (text, name_members[i]);
    if (found != NULL && (first == NULL || found < first)) {
      first = found;
      *which = i;
    }
  }
  return first;
}

static gboolean
is_number (const char *text, gsize length)
{
  return length > 0 && length < 19 && strspn (text, "0123456789") >= length && (text[0] != '0' || length == 1);
}

/* Appends a member to "args" for each of the `name_members` that the name of an operator contains. PyTorch writes each
 * of these at most once. If a text contains more than G_N_ELEMENTS (name_members) of them, the rest is ignored, because
 * thousands of them would take long. `text`: the name of the operator, escaped as in a JSON string, without quotes. */
static void
append_name_members (const char *text, GString *out)
{
  guint which = 0, next = 0, n = 0;
  for (const char *at = find_member (text, &which); at != NULL && n < G_N_ELEMENTS (name_members); which = next, n++) {
    const char *key = name_members[which] + 2, *value = at + strlen (name_members[which]),
               *end = find_member (value, &next);
    gsize length = end != NULL ? (gsize) (end - value) : strlen (value);
    g_autofree char *name = g_strndup (key, strlen (key) - 3);
    loom_made_json_append_key (out, name);
    if (!is_number (value, length))
      g_string_append_c (out, '"');
    loom_made_json_append_len (out, value, length);
    if (!is_number (value, length))
      g_string_append_c (out, '"');
    at = end;
  }
}

/* Returns the text of a range, encoded as JSON without quotes. Owned by the caller. `is_first`: TRUE if the row is read
 * for the first time; problems of the row are counted only then. */
static char *
dup_range_text (LoomNsight *self, sqlite3_stmt *row, gboolean is_first)
{
  GString *text = g_string_new (NULL);
  if (sqlite3_column_type (row, NVTX_TEXT) != SQLITE_NULL) {
    const char *bytes = (const char *) sqlite3_column_text (row, NVTX_TEXT);
    loom_row_names_append_escaped (text, bytes, (gsize) sqlite3_column_bytes (row, NVTX_TEXT));
  } else {
    loom_nsight_append_name_of_id (self, text, row, NVTX_TEXT_ID, is_first);
  }
  return g_string_free (text, FALSE);
}

static void
append_range_args (LoomNsight *self, sqlite3_stmt *row, const char *name, GString *text)
{
  gint64 domain = sqlite3_column_int64 (row, NVTX_DOMAIN),
         key = loom_nsight_pair (loom_nsight_process_of (sqlite3_column_int64 (row, NVTX_TID)), domain);
  const char *known = domain != 0 ? g_hash_table_lookup (self->domains, &key) : NULL;
  loom_made_json_append (text, ",\"args\":{");
  append_name_members (name, text);
  if (domain != 0) {
    loom_made_json_append_key (text, "domain");
    g_string_append_c (text, '"');
    if (known == NULL)
      loom_made_json_append (text, "domain "), loom_made_json_append_int (text, domain);
    else
      loom_made_json_append (text, known);
    g_string_append_c (text, '"');
  }
  loom_row_json_append_column (text, "category", row, NVTX_CATEGORY);
  loom_made_json_append (text, "}},\n");
}

/* Appends the beginning of an event, up to its time. A range of PyTorch's emit_nvtx() is an operator, so it gets the
 * category that PyTorch's profiler gives operators. */
static void
append_range_head (GString *text, const char *head, const char *name, gint64 time_ns)
{
  guint which;
  loom_made_json_append (text, head);
  loom_made_json_append (text, find_member (name, &which) != NULL ? ",\"cat\":\"cpu_op\"" : ",\"cat\":\"nvtx\"");
  loom_made_json_append (text, ",\"ts\":");
  loom_made_json_append_us (text, time_ns);
}

static void
append_range_name (GString *text, const char *name)
{
  guint which;
  const char *end = find_member (name, &which);
  loom_made_json_append (text, ",\"name\":\"");
  g_string_append_len (text, name, end != NULL ? end - name : (gssize) strlen (name));
  g_string_append_c (text, '"');
}

/* Appends an NVTX start-end range as an async span of the process, because the range may begin on one thread and end on
 * another. A range without an end is written as an event of phase S, which lasts until the end of the trace. An event
 * of phase b would end at the last event with its id, that is, at its own start. */
static void
append_start_end (LoomNsight *self, sqlite3_stmt *row, const char *name, gint64 start_ns, gint64 end_ns, GString *text)
{
  gboolean has_end = sqlite3_column_type (row, NVTX_END) != SQLITE_NULL;
  for (int i = 0; i < 1 + has_end; i++) {
    const char *begin = has_end ? "{\"ph\":\"b\"" : "{\"ph\":\"S\"";
    append_range_head (text, i == 0 ? begin : "{\"ph\":\"e\"", name, i == 0 ? start_ns : end_ns);
    append_range_name (text, name);
    loom_nsight_append_thread (self, text, sqlite3_column_int64 (row, NVTX_TID), NULL);
    loom_made_json_append (text, ",\"id\":\"nvtx ");
    loom_made_json_append_int (text, sqlite3_column_int64 (row, 0));
    g_string_append_c (text, '"');
    append_range_args (self, row, name, text);
  }
}

/* Counts a row that is not shown, but only if `is_first`, that is, when the row is read for the first time. Rows that
 * name categories, threads, domains and resources (types 33, 39, 75, 76, 97 to 99) are not events, so they are not
 * counted. */
static void
count_hidden (LoomNsight *self, gint64 type, gboolean is_first)
{
  gboolean is_name = type == 33 || type == 39 || type == 75 || type == 76 || (type >= 97 && type <= 99);
  self->hidden_ranges[CLAMP (type, 0, LOOM_NSIGHT_MOST_TYPES - 1)] += is_first && !is_name;
}

static void
format_range (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first, GString *text,
              gpointer user_data)
{
  LoomNsight *self = user_data;
  gint64 type = sqlite3_column_int64 (row, NVTX_TYPE), start_ns, end_ns;
  if (type != NVTX_MARK && type != NVTX_PUSH_POP && type != NVTX_START_END) {
    count_hidden (self, type, is_first);
    return;
  }
  if (!loom_nsight_take_times (self, row, is_first, TRUE, &start_ns, &end_ns))
    return;
  g_autofree char *name = dup_range_text (self, row, is_first);
  if (type == NVTX_START_END) {
    append_start_end (self, row, name, start_ns, end_ns, text);
    return;
  }
  append_range_head (text, type == NVTX_MARK ? "{\"ph\":\"i\",\"s\":\"t\"" : "{\"ph\":\"X\"", name, start_ns);
  if (type == NVTX_PUSH_POP && sqlite3_column_type (row, NVTX_END) != SQLITE_NULL) {
    loom_made_json_append (text, ",\"dur\":");
    loom_made_json_append_us (text, end_ns - start_ns);
  }
  append_range_name (text, name);
  loom_nsight_append_thread (self, text, sqlite3_column_int64 (row, NVTX_TID), NULL);
  append_range_args (self, row, name, text);
}

static const char *const range_columns[] = { "start",    "end",        "eventType", "globalTid", "endGlobalTid",
                                             "text",     "textId",     "domainId",  "category",  "color",
                                             "jsonText", "jsonTextId", NULL };

const LoomRowTable loom_nsight_range_table = { "NVTX_EVENTS", range_columns, format_range, NULL };
