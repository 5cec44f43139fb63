/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-session-file.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "loom-error.h"
#include "loom-input-files.h"

static void
clear_mark (gpointer data)
{
  g_free (((LoomSessionMarker *) data)->label);
}

static void
clear_query (gpointer data)
{
  g_free (((LoomSessionQuery *) data)->name);
  g_free (((LoomSessionQuery *) data)->query);
}

LoomSession *
loom_session_file_new (void)
{
  LoomSession *session = g_new0 (LoomSession, 1);
  session->paths = g_ptr_array_new_with_free_func (g_free);
  session->clocks = loom_clock_overrides_new ();
  session->sources = loom_source_overrides_new ();
  session->marks = g_array_new (FALSE, FALSE, sizeof (LoomSessionMarker));
  g_array_set_clear_func (session->marks, clear_mark);
  session->queries = g_array_new (FALSE, FALSE, sizeof (LoomSessionQuery));
  g_array_set_clear_func (session->queries, clear_query);
  session->lanes = g_array_new (FALSE, FALSE, sizeof (LoomSessionQuery));
  g_array_set_clear_func (session->lanes, clear_query);
  session->dismissed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  session->rule_files = g_ptr_array_new_with_free_func (g_free);
  return session;
}

void
loom_session_file_free (LoomSession *session)
{
  if (session == NULL)
    return;
  g_ptr_array_unref (session->paths);
  loom_clock_overrides_free (session->clocks);
  loom_source_overrides_free (session->sources);
  g_array_unref (session->marks);
  g_array_unref (session->queries);
  g_array_unref (session->lanes);
  g_hash_table_unref (session->dismissed);
  g_ptr_array_unref (session->rule_files);
  g_free (session->notes);
  g_free (session->query);
  g_free (session->chart.kind);
  g_free (session->chart.x);
  g_free (session->chart.y);
  g_free (session->chart.group);
  g_free (session->rows);
  g_free (session->panel);
  g_free (session->range);
  g_free (session->colors);
  g_free (session);
}

void
loom_session_file_add_path (LoomSession *session, const char *path)
{
  g_ptr_array_add (session->paths, g_strdup (path));
}

void
loom_session_file_add_mark (LoomSession *session, gint64 time_ns, const char *label)
{
  guint at = session->marks->len;
  while (at > 0 && g_array_index (session->marks, LoomSessionMarker, at - 1).time_ns > time_ns)
    at--;
  LoomSessionMarker mark = { time_ns, g_strdup (label != NULL ? label : "") };
  g_array_insert_val (session->marks, at, mark);
}

void
loom_session_file_add_query (LoomSession *session, const char *name, const char *query)
{
  LoomSessionQuery saved = { g_strdup (name), g_strdup (query) };
  g_array_append_val (session->queries, saved);
}

void
loom_session_file_add_lane (LoomSession *session, const char *name, const char *query)
{
  LoomSessionQuery lane = { g_strdup (name), g_strdup (query) };
  g_array_append_val (session->lanes, lane);
}

const char **
loom_session_file_find_locations (const LoomSession *session)
{
  const char **locations = g_new0 (const char *, session->paths->len + 1);
  guint n = 0;
  for (guint i = 0; i < session->paths->len; i++)
    if (loom_session_file_is_location (session->paths->pdata[i]))
      locations[n++] = session->paths->pdata[i];
  return locations;
}

gboolean
loom_session_file_is_location (const char *path)
{
  const char *scheme = g_uri_peek_scheme (path);
  return scheme != NULL && strcmp (scheme, "file") != 0 && g_str_has_prefix (path + strlen (scheme), "://");
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Returns the path in the form in which the session file stores it. If the path is inside `folder`, the folder of the
 * session file, it is relative to `folder`; otherwise, it is absolute. Locations (s3://…) are not changed. Owned by the
 * caller. */
static char *
stored_path (const char *folder, const char *path)
{
  if (loom_session_file_is_location (path) && g_utf8_validate (path, -1, NULL))
    return g_strdup (path);
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  gsize n = strlen (folder);
  if (!g_utf8_validate (full, -1, NULL))
    return g_filename_to_uri (full, NULL, NULL);
  if (strcmp (full, folder) == 0)
    return g_strdup (".");
  if (strncmp (full, folder, n) == 0 && (full[n] == G_DIR_SEPARATOR || folder[n - 1] == G_DIR_SEPARATOR))
    return g_strdup (full + n + (full[n] == G_DIR_SEPARATOR));
  return g_steal_pointer (&full);
}

/* Adds a text member to the object; does nothing if `value` is NULL. */
static void
add_text (JsonBuilder *builder, const char *name, const char *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_paths (JsonBuilder *builder, const char *name, const GPtrArray *paths, const char *folder)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < paths->len; i++) {
    g_autofree char *stored = stored_path (folder, paths->pdata[i]);
    json_builder_begin_object (builder);
    add_text (builder, "path", stored);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_offsets (JsonBuilder *builder, const LoomClockOverrides *clocks, const char *folder)
{
  json_builder_set_member_name (builder, "offsets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < clocks->offsets->len; i++) {
    const LoomClockOffset *offset = &g_array_index (clocks->offsets, LoomClockOffset, i);
    g_autofree char *stored = stored_path (folder, offset->path);
    json_builder_begin_object (builder);
    add_text (builder, "path", stored);
    add_int (builder, "offset_ns", offset->offset_ns);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

/* Writes the findings that the user dismissed, sorted by name, so that equal sessions have equal files. */
static void
add_dismissed (JsonBuilder *builder, const LoomSession *session)
{
  g_autoptr (GList) rules = g_list_sort (g_hash_table_get_keys (session->dismissed), (GCompareFunc) strcmp);
  json_builder_set_member_name (builder, "dismissed");
  json_builder_begin_array (builder);
  for (GList *rule = rules; rule != NULL; rule = rule->next) {
    json_builder_begin_object (builder);
    add_text (builder, "rule", rule->data);
    add_text (builder, "note", g_hash_table_lookup (session->dismissed, rule->data));
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_picks (JsonBuilder *builder, const LoomClockOverrides *clocks, const char *folder)
{
  json_builder_set_member_name (builder, "picks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < clocks->picks->len; i++) {
    const LoomClockPick *pick = &g_array_index (clocks->picks, LoomClockPick, i);
    g_autofree char *kept = stored_path (folder, pick->kept), *moved = stored_path (folder, pick->moved);
    json_builder_begin_object (builder);
    add_text (builder, "kept", kept);
    add_int (builder, "kept_ns", pick->kept_ns);
    add_text (builder, "moved", moved);
    add_int (builder, "moved_ns", pick->moved_ns);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_clocks (JsonBuilder *builder, const LoomClockOverrides *clocks, const char *folder)
{
  static const char *const modes[] = { "auto", "declared", "none" };
  add_text (builder, "clock", modes[CLAMP (clocks->mode, LOOM_ALIGN_AUTO, LOOM_ALIGN_NONE)]);
  add_offsets (builder, clocks, folder);
  if (clocks->picks->len > 0)
    add_picks (builder, clocks, folder);
}

static void
add_flag (JsonBuilder *builder, const char *name, gboolean set)
{
  if (!set)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, TRUE);
}

static void
add_source_edit (JsonBuilder *builder, const LoomSourceEdit *edit, const char *folder)
{
  g_autofree char *stored = stored_path (folder, edit->path);
  json_builder_begin_object (builder);
  add_text (builder, "path", stored);
  add_text (builder, "name", edit->name);
  add_text (builder, "node", edit->node);
  if (edit->has_rank)
    add_int (builder, "rank", edit->rank);
  add_flag (builder, "removed", edit->removed);
  add_flag (builder, "muted", edit->muted);
  add_flag (builder, "solo", edit->solo);
  json_builder_end_object (builder);
}

static void
add_source_edits (JsonBuilder *builder, const LoomSourceOverrides *edits, const char *folder)
{
  g_autoptr (GPtrArray) list = loom_source_overrides_list (edits);
  add_text (builder, "place-pattern", loom_source_overrides_get_pattern (edits));
  if (list->len == 0)
    return;
  json_builder_set_member_name (builder, "source-edits");
  json_builder_begin_array (builder);
  for (guint i = 0; i < list->len; i++)
    add_source_edit (builder, list->pdata[i], folder);
  json_builder_end_array (builder);
}

static void
add_queries (JsonBuilder *builder, const char *name, const GArray *queries)
{
  if (queries->len == 0)
    return;
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < queries->len; i++) {
    const LoomSessionQuery *query = &g_array_index (queries, LoomSessionQuery, i);
    json_builder_begin_object (builder);
    add_text (builder, "name", query->name);
    add_text (builder, "query", query->query);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_chart (JsonBuilder *builder, const LoomSessionChart *chart)
{
  json_builder_set_member_name (builder, "chart");
  json_builder_begin_object (builder);
  add_text (builder, "kind", chart->kind);
  add_text (builder, "x", chart->x);
  add_text (builder, "y", chart->y);
  add_text (builder, "group", chart->group);
  json_builder_end_object (builder);
}

static void
begin_range (JsonBuilder *builder, const char *member, LoomRange range)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
  add_int (builder, "begin_ns", range.begin_ns);
  add_int (builder, "end_ns", range.end_ns);
}

static void
add_ranges (JsonBuilder *builder, const LoomSession *session)
{
  if (session->has_view) {
    begin_range (builder, "view", session->view);
    add_int (builder, "scroll_px", session->scroll_px);
    json_builder_end_object (builder);
  }
  if (session->selection.end_ns > session->selection.begin_ns) {
    begin_range (builder, "selection", session->selection);
    json_builder_end_object (builder);
  }
}

static void
add_marks (JsonBuilder *builder, const LoomSession *session)
{
  json_builder_set_member_name (builder, "marks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < session->marks->len; i++) {
    const LoomSessionMarker *mark = &g_array_index (session->marks, LoomSessionMarker, i);
    json_builder_begin_object (builder);
    add_int (builder, "time_ns", mark->time_ns);
    add_text (builder, "label", mark->label);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_view (JsonBuilder *builder, const LoomSession *session)
{
  add_ranges (builder, session);
  if (session->n_told > 0)
    add_int (builder, "told-clocks", session->n_told);
  add_marks (builder, session);
  add_text (builder, "notes", session->notes);
  add_text (builder, "rows", session->rows);
  add_text (builder, "panel", session->panel);
  add_text (builder, "range", session->range);
  add_text (builder, "colors", session->colors);
  add_flag (builder, "arrows", session->arrows);
  add_flag (builder, "critical_path", session->path);
  add_text (builder, "query", session->query);
  if (session->chart.kind != NULL)
    add_chart (builder, &session->chart);
  add_queries (builder, "queries", session->queries);
  add_queries (builder, "lanes", session->lanes);
}

char *
loom_session_file_to_text (const LoomSession *session, const char *folder, gsize *length)
{
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_builder_begin_object (builder);
  add_int (builder, LOOM_SESSION_MEMBER, LOOM_SESSION_VERSION);
  add_paths (builder, "sources", session->paths, folder);
  add_clocks (builder, session->clocks, folder);
  add_source_edits (builder, session->sources, folder);
  add_view (builder, session);
  add_dismissed (builder, session);
  add_paths (builder, "rules", session->rule_files, folder);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  return json_generator_to_data (generator, length);
}

gboolean
loom_session_file_write (const LoomSession *session, const char *path, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autoptr (GError) problem = NULL;
  gsize length;
  if (!loom_input_files_check_target_of_kind (full, LOOM_INPUT_FILES_SESSION, error))
    return FALSE;
  g_autofree char *text = loom_session_file_to_text (session, folder, &length);
  if (g_file_set_contents_full (full, text, (gssize) length,
                                G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644, &problem))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("Cannot write “%s”: %s"), path, problem->message);
  return FALSE;
}
