/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads session files. Unknown members, and members of a wrong type, are ignored. The size and the depth of the text
 * are checked before json-glib parses it.
 */
#include "loom-session-file.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "loom-error.h"
#include "loom-limits.h"

#define LOOK_BYTES 4096

gboolean
loom_session_file_is_session (const char *path)
{
  char head[LOOK_BYTES];
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return FALSE;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  gsize n = 0;
  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &n, NULL, NULL))
    return FALSE;
  if (n == 0)
    return g_str_has_suffix (path, LOOM_SESSION_SUFFIX);
  return g_strstr_len (head, (gssize) n, "\"" LOOM_SESSION_MEMBER "\"") != NULL;
}

/* Returns FALSE if brackets outside of strings are nested too deeply for json-glib, whose parser is recursive. */
static gboolean
is_shallow (const char *text, gsize length)
{
  guint depth = 0;
  gboolean in_string = FALSE;
  for (gsize i = 0; i < length; i++) {
    char c = text[i];
    if (in_string && c == '\\')
      i++;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '{' || c == '[') && ++depth > LOOM_LIMIT_SESSION_DEPTH)
      return FALSE;
    else if (!in_string && (c == '}' || c == ']') && depth > 0)
      depth--;
  }
  return TRUE;
}

static char *
read_text (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info =
    g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autoptr (GError) problem = NULL;
  char *text;
  if (info != NULL && (guint64) g_file_info_get_size (info) > LOOM_LIMIT_SESSION_BYTES) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("“%s” is too large for a session file"), path);
    return NULL;
  }
  if (!g_file_load_contents (file, NULL, &text, length, NULL, &problem)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot read “%s”: %s"), path, problem->message);
    return NULL;
  }
  if (*length <= LOOM_LIMIT_SESSION_BYTES && is_shallow (text, *length))
    return text;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("“%s” is too large or too deeply nested for a session file"),
               path);
  g_free (text);
  return NULL;
}

static JsonNode *
member (JsonObject *object, const char *name, GType type)
{
  JsonNode *node = json_object_get_member (object, name);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type ? node : NULL;
}

/* Returns a text member of the object; NULL if there is no such member with a text. Owned by the caller. From half a
 * surrogate pair, json-glib makes invalid UTF-8. This is repaired here, because otherwise the session could not be read
 * again after writing it. */
static char *
dup_text_member (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, G_TYPE_STRING);
  return node != NULL ? g_utf8_make_valid (json_node_get_string (node), -1) : NULL;
}

static gboolean
int_member (JsonObject *object, const char *name, gint64 *value)
{
  JsonNode *node = member (object, name, G_TYPE_INT64);
  if (node == NULL)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

/* Returns the objects in the array with this name; empty if there is no such array. The caller owns the array, not the
 * objects. */
static GPtrArray *
objects_in (JsonObject *object, const char *name)
{
  GPtrArray *objects = g_ptr_array_new ();
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++) {
    JsonNode *element = json_array_get_element (array, i);
    if (JSON_NODE_HOLDS_OBJECT (element))
      g_ptr_array_add (objects, json_node_get_object (element));
  }
  return objects;
}

/* Returns a path of the session file as an absolute path, owned by the caller. A path that is not UTF-8 is stored as a
 * URI (file://…). Removes doubled slashes, "." and "..", also in the path of a URI. Returns a location (s3://…)
 * unchanged. */
static char *
absolute (const char *folder, const char *path)
{
  if (loom_session_file_is_location (path))
    return g_strdup (path);
  g_autofree char *from_uri = g_str_has_prefix (path, "file://") ? g_filename_from_uri (path, NULL, NULL) : NULL;
  return g_canonicalize_filename (from_uri != NULL ? from_uri : path, folder);
}

static void
take_paths (GPtrArray *paths, JsonObject *root, const char *name, const char *folder)
{
  g_autoptr (GPtrArray) objects = objects_in (root, name);
  for (guint i = 0; i < objects->len; i++) {
    g_autofree char *path = dup_text_member (objects->pdata[i], "path");
    if (path != NULL)
      g_ptr_array_add (paths, absolute (folder, path));
  }
}

static void
take_offsets (LoomClockOverrides *clocks, JsonObject *root, const char *folder)
{
  g_autoptr (GPtrArray) offsets = objects_in (root, "offsets");
  for (guint i = 0; i < offsets->len; i++) {
    g_autofree char *path = dup_text_member (offsets->pdata[i], "path");
    gint64 offset_ns;
    if (path == NULL || !int_member (offsets->pdata[i], "offset_ns", &offset_ns))
      continue;
    g_autofree char *full = absolute (folder, path);
    loom_clock_overrides_set_offset (clocks, full, offset_ns);
  }
}

static void
take_picks (LoomClockOverrides *clocks, JsonObject *root, const char *folder)
{
  g_autoptr (GPtrArray) picks = objects_in (root, "picks");
  for (guint i = 0; i < picks->len; i++) {
    g_autofree char *kept = dup_text_member (picks->pdata[i], "kept"),
                    *moved = dup_text_member (picks->pdata[i], "moved");
    gint64 kept_ns, moved_ns;
    if (kept == NULL || moved == NULL || !int_member (picks->pdata[i], "kept_ns", &kept_ns) ||
        !int_member (picks->pdata[i], "moved_ns", &moved_ns))
      continue;
    g_autofree char *full_kept = absolute (folder, kept), *full_moved = absolute (folder, moved);
    loom_clock_overrides_add_pick (clocks, full_kept, kept_ns, full_moved, moved_ns);
  }
}

static void
take_clocks (LoomClockOverrides *clocks, JsonObject *root, const char *folder)
{
  g_autofree char *word = dup_text_member (root, "clock");
  if (word != NULL && !loom_alignment_mode_from_string (word, &clocks->mode))
    clocks->mode = LOOM_ALIGN_AUTO;
  take_offsets (clocks, root, folder);
  take_picks (clocks, root, folder);
}

static gboolean
has_flag (JsonObject *object, const char *name)
{
  JsonNode *node = member (object, name, G_TYPE_BOOLEAN);
  return node != NULL && json_node_get_boolean (node);
}

static void
take_source_edit (LoomSourceEdit *edit, JsonObject *object)
{
  gint64 rank;
  g_free (edit->name);
  g_free (edit->node);
  edit->name = dup_text_member (object, "name");
  edit->node = dup_text_member (object, "node");
  edit->has_rank = int_member (object, "rank", &rank) && rank >= 0 && rank < G_MAXINT;
  edit->rank = edit->has_rank ? (gint) rank : 0;
  edit->removed = has_flag (object, "removed");
  edit->muted = has_flag (object, "muted");
  edit->solo = has_flag (object, "solo");
}

/* Reads the user's changes to sources from the array "source-edits", and the pattern that finds nodes and ranks in the
 * paths of sources from "place-pattern". `folder`: folder of the session file, to which paths are relative. Does not
 * check the pattern; an invalid pattern later matches no path. */
static void
take_source_edits (LoomSourceOverrides *edits, JsonObject *root, const char *folder)
{
  g_autoptr (GPtrArray) list = objects_in (root, "source-edits");
  g_autofree char *pattern = dup_text_member (root, "place-pattern");
  loom_source_overrides_set_pattern (edits, pattern);
  for (guint i = 0; i < list->len; i++) {
    g_autofree char *path = dup_text_member (list->pdata[i], "path");
    g_autofree char *full = path != NULL ? absolute (folder, path) : NULL;
    if (full != NULL)
      take_source_edit (loom_source_overrides_change (edits, full), list->pdata[i]);
  }
}

/* Reads the selection, and the number of clocks in the last message about aligned clocks (LoomSession.n_told). Ignores
 * a selection whose end is not after its beginning. */
static void
take_selection (LoomSession *session, JsonObject *root)
{
  JsonNode *selection = json_object_get_member (root, "selection");
  LoomRange range;
  gint64 n;
  if (selection != NULL && JSON_NODE_HOLDS_OBJECT (selection) &&
      int_member (json_node_get_object (selection), "begin_ns", &range.begin_ns) &&
      int_member (json_node_get_object (selection), "end_ns", &range.end_ns) && range.end_ns > range.begin_ns)
    session->selection = range;
  if (int_member (root, "told-clocks", &n) && n > 0 && n < G_MAXINT)
    session->n_told = (guint) n;
}

static void
take_queries (LoomSession *session, JsonObject *root, const char *member,
              void (*add) (LoomSession *session, const char *name, const char *query))
{
  g_autoptr (GPtrArray) queries = objects_in (root, member);
  for (guint i = 0; i < queries->len; i++) {
    g_autofree char *name = dup_text_member (queries->pdata[i], "name"),
                    *query = dup_text_member (queries->pdata[i], "query");
    if (name != NULL && query != NULL)
      add (session, name, query);
  }
}

static void
take_chart (LoomSession *session, JsonObject *root)
{
  JsonNode *node = json_object_get_member (root, "chart");
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return;
  JsonObject *chart = json_node_get_object (node);
  session->chart = (LoomSessionChart) { dup_text_member (chart, "kind"), dup_text_member (chart, "x"),
                                        dup_text_member (chart, "y"), dup_text_member (chart, "group") };
}

static void
take_view (LoomSession *session, JsonObject *root)
{
  JsonNode *view = json_object_get_member (root, "view");
  session->notes = dup_text_member (root, "notes");
  session->rows = dup_text_member (root, "rows");
  session->panel = dup_text_member (root, "panel");
  session->range = dup_text_member (root, "range");
  session->colors = dup_text_member (root, "colors");
  session->arrows = has_flag (root, "arrows");
  session->path = has_flag (root, "critical_path");
  session->query = dup_text_member (root, "query");
  if (view != NULL && JSON_NODE_HOLDS_OBJECT (view))
    session->has_view = int_member (json_node_get_object (view), "begin_ns", &session->view.begin_ns) &&
                        int_member (json_node_get_object (view), "end_ns", &session->view.end_ns);
  if (session->has_view)
    int_member (json_node_get_object (view), "scroll_px", &session->scroll_px);
  take_selection (session, root);
  take_chart (session, root);
  take_queries (session, root, "queries", loom_session_file_add_query);
  take_queries (session, root, "lanes", loom_session_file_add_lane);
  g_autoptr (GPtrArray) marks = objects_in (root, "marks");
  for (guint i = 0; i < marks->len; i++) {
    gint64 time_ns;
    g_autofree char *label = dup_text_member (marks->pdata[i], "label");
    if (int_member (marks->pdata[i], "time_ns", &time_ns))
      loom_session_file_add_mark (session, time_ns, label);
  }
}

static void
take_dismissed (LoomSession *session, JsonObject *root)
{
  g_autoptr (GPtrArray) dismissed = objects_in (root, "dismissed");
  for (guint i = 0; i < dismissed->len; i++) {
    g_autofree char *rule = dup_text_member (dismissed->pdata[i], "rule"),
                    *note = dup_text_member (dismissed->pdata[i], "note");
    if (rule != NULL)
      g_hash_table_replace (session->dismissed, g_steal_pointer (&rule),
                            note != NULL ? g_steal_pointer (&note) : g_strdup (""));
  }
}

static LoomSession *
take_root (JsonNode *node, const char *path, GError **error)
{
  JsonObject *root = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  gint64 version;
  if (root == NULL || !int_member (root, LOOM_SESSION_MEMBER, &version)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” is not a Traceloom session"), path);
    return NULL;
  }
  if (version > LOOM_SESSION_VERSION) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
                 _ ("“%s” was written by a later Traceloom (session version %" PRId64 "); update Traceloom to open it"),
                 path, version);
    return NULL;
  }
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  LoomSession *session = loom_session_file_new ();
  take_paths (session->paths, root, "sources", folder);
  take_paths (session->rule_files, root, "rules", folder);
  take_clocks (session->clocks, root, folder);
  take_source_edits (session->sources, root, folder);
  take_view (session, root);
  take_dismissed (session, root);
  return session;
}

LoomSession *
loom_session_file_read (const char *path, GError **error)
{
  gsize length;
  g_autofree char *text = read_text (path, &length, error);
  if (text == NULL)
    return NULL;
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) problem = NULL;
  if (!json_parser_load_from_data (parser, text, (gssize) length, &problem)) {
    /* json-glib may quote the file in its message, and end the quotation in the middle of a character */
    g_autofree char *why = g_utf8_make_valid (problem->message, -1);
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” is not a session file: %s"), path, why);
    return NULL;
  }
  return take_root (json_parser_get_root (parser), path, error);
}
