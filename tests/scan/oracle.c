/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"

#include "loom-parse-time.h"
#include "loom-stream-reader.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

typedef struct {
  JsonArray *expected; /* events that json-glib finds in the text */
  guint at;
  guint n_compared;
} Comparison;

static void
append_pictured (GString *out, const char *text)
{
  for (; *text != '\0'; text++) {
    if ((guchar) *text < 0x20)
      g_string_append_unichar (out, (guchar) *text + 0x2400);
    else
      g_string_append_c (out, *text);
  }
}

static void
compare_text (JsonObject *object, const char *key, LoomJsonSlice ours)
{
  JsonNode *node = json_object_get_member (object, key);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
    return;
  g_autoptr (GString) theirs = g_string_new (NULL);
  append_pictured (theirs, json_node_get_string (node));
  g_autofree char *decoded = loom_json_slice_dup_decoded (ours);
  g_assert_cmpstr (decoded, ==, theirs->str);
}

static void
compare_time (JsonObject *object, const char *key, LoomJsonSlice ours)
{
  JsonNode *node = json_object_get_member (object, key);
  LoomExactTime time;
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) == G_TYPE_STRING)
    return;
  g_assert_nonnull (ours.text);
  if (!loom_parse_time_parse_us (ours.text, ours.length, &time))
    return;
  if (json_node_get_value_type (node) == G_TYPE_INT64) {
    gint64 value;
    g_assert_true (loom_parse_time_parse_int (ours.text, ours.length, &value));
    g_assert_cmpint (value, ==, json_node_get_int (node));
    g_assert_cmpint (time.ns, ==, value * 1000);
  } else {
    double theirs = json_node_get_double (node), exact = (double) time.ns / 1000.0 + (double) time.atto * 1e-21;
    double step = nextafter (fabs (theirs), INFINITY) - fabs (theirs);
    g_assert_cmpfloat (fabs (exact - theirs), <=, step + 1e-21);
  }
}

static void
compare_args (JsonObject *object, LoomJsonSlice ours)
{
  JsonNode *theirs = json_object_get_member (object, "args");
  g_autoptr (GError) error = NULL;
  g_assert_cmpint (theirs != NULL, ==, ours.text != NULL);
  if (theirs == NULL || ours.text[0] != '{')
    return;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_data (parser, ours.text, (gssize) ours.length, &error));
  g_assert_true (json_node_equal (json_parser_get_root (parser), theirs));
}

static gboolean
on_event (const LoomEvent *event, gpointer user_data)
{
  Comparison *comparison = user_data;
  /* skips elements that are not objects, which are not events */
  while (comparison->at < json_array_get_length (comparison->expected) &&
         !JSON_NODE_HOLDS_OBJECT (json_array_get_element (comparison->expected, comparison->at)))
    comparison->at++;
  g_assert_cmpuint (comparison->at, <, json_array_get_length (comparison->expected));
  JsonObject *object = json_array_get_object_element (comparison->expected, comparison->at++);
  const char *phase = json_object_get_string_member_with_default (object, "ph", "");
  g_assert_cmpint (loom_event_phase (event), ==, phase[0]);
  compare_text (object, "name", event->member[LOOM_MEMBER_NAME]);
  compare_text (object, "cat", event->member[LOOM_MEMBER_CAT]);
  compare_text (object, "pid", event->member[LOOM_MEMBER_PID]);
  compare_text (object, "tid", event->member[LOOM_MEMBER_TID]);
  compare_time (object, "ts", event->member[LOOM_MEMBER_TS]);
  compare_time (object, "dur", event->member[LOOM_MEMBER_DUR]);
  if (comparison->n_compared % 16 == 0)
    compare_args (object, event->member[LOOM_MEMBER_ARGS]);
  comparison->n_compared++;
  return TRUE;
}

static JsonArray *
events_of (JsonNode *root)
{
  if (JSON_NODE_HOLDS_ARRAY (root))
    return json_node_get_array (root);
  if (!JSON_NODE_HOLDS_OBJECT (root) || !json_object_has_member (json_node_get_object (root), "traceEvents"))
    return NULL;
  JsonNode *node = json_object_get_member (json_node_get_object (root), "traceEvents");
  return JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

guint
oracle_compare (const char *text, gsize length, gsize step)
{
  static const LoomScanHandler handler = { on_event, NULL, NULL };
  if (!loom_json_slice_is_strict (text, length) || g_strstr_len (text, (gssize) length, "\\u0000") != NULL)
    return 0;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_assert_true (json_parser_load_from_data (parser, text, (gssize) length, NULL));
  Comparison comparison = { .expected = events_of (json_parser_get_root (parser)) };
  if (comparison.expected == NULL)
    return 0;
  g_autoptr (LoomEventScanner) scanner = loom_event_scanner_new (&handler, &comparison, FALSE);
  for (gsize done = 0, shown = 0; shown < length;) {
    shown = MIN (shown + step, length);
    done += loom_event_scanner_scan (scanner, text + done, shown - done, done, shown == length);
  }
  guint n_objects = 0;
  for (guint i = 0; i < json_array_get_length (comparison.expected); i++)
    n_objects += JSON_NODE_HOLDS_OBJECT (json_array_get_element (comparison.expected, i));
  g_assert_cmpuint (comparison.n_compared, ==, n_objects);
  return comparison.n_compared;
}

char *
oracle_read_text (const char *path, gsize max_bytes, gsize *length)
{
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new (path, NULL, NULL);
  GString *text = g_string_new (NULL);
  char block[65536];
  gssize n;
  while (reader != NULL && text->len <= max_bytes &&
         (n = loom_stream_reader_read (reader, block, sizeof block, NULL)) > 0)
    g_string_append_len (text, block, n);
  while (text->len > 0 && g_ascii_isspace (text->str[text->len - 1]))
    g_string_truncate (text, text->len - 1);
  *length = text->len;
  return g_string_free (text, FALSE);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

void
oracle_each_file (const char *folder, OracleFile file, gpointer user_data)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    if (g_file_test (names->pdata[i], G_FILE_TEST_IS_DIR))
      oracle_each_file (names->pdata[i], file, user_data);
    else
      file (names->pdata[i], user_data);
  }
}

const char *
oracle_corpus (void)
{
  const char *folder = g_getenv ("LOOM_TEST_CORPUS");
  if (folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR))
    return folder;
  g_test_skip ("no corpus beside the project");
  return NULL;
}

gboolean
oracle_is_long (void)
{
  return g_getenv ("LOOM_LONG") != NULL;
}
