/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-library.h: reads, lists and writes the files of named queries.
 */
#include "loom-query-library.h"

#include <string.h>

#include "loom-error.h"
#include "loom-installed.h"
#include "loom-output-file.h"

/* Maximum number of files that are read from a folder. */
#define MOST_FILES 500

void
loom_query_library_free_query (LoomNamedQuery *query)
{
  if (query == NULL)
    return;
  g_free (query->name);
  g_free (query->title);
  g_free (query->description);
  g_free (query->sql);
  g_strfreev (query->defaults);
  g_free (query);
}

/* --- reading one query file --------------------------------------------------------------------------------------- */

/* If `line` is a comment that begins with `key`, returns the text after `key`, without blanks around it; otherwise
 * returns NULL. */
static char *
dup_member (const char *line, const char *key)
{
  if (!g_str_has_prefix (line, "--"))
    return NULL;
  line += 2;
  while (*line == ' ')
    line++;
  return g_str_has_prefix (line, key) ? g_strstrip (g_strdup (line + strlen (key))) : NULL;
}

static void
read_default (GPtrArray *defaults, const char *line)
{
  g_autofree char *text = dup_member (line, ":");
  char *sign = text != NULL ? strchr (text, '=') : NULL;
  if (sign == NULL)
    return;
  *sign = '\0';
  g_ptr_array_add (defaults, g_strstrip (g_strdup (text)));
  g_ptr_array_add (defaults, g_strstrip (g_strdup (sign + 1)));
}

char **
loom_query_library_dup_defaults (const char *sql)
{
  g_auto (GStrv) lines = g_strsplit (sql, "\n", -1);
  GPtrArray *defaults = g_ptr_array_new ();
  for (guint i = 0; lines[i] != NULL && g_str_has_prefix (lines[i], "--"); i++)
    read_default (defaults, lines[i]);
  g_ptr_array_add (defaults, NULL);
  return (char **) g_ptr_array_free (defaults, FALSE);
}

static void
read_comments (LoomNamedQuery *named)
{
  g_auto (GStrv) lines = g_strsplit (named->sql, "\n", -1);
  for (guint i = 0; lines[i] != NULL && g_str_has_prefix (lines[i], "--"); i++) {
    char *description = dup_member (lines[i], "description:");
    if (description != NULL && named->description == NULL)
      named->description = g_steal_pointer (&description);
    g_free (description);
  }
  named->title = loom_query_library_dup_title (named->sql);
  named->defaults = loom_query_library_dup_defaults (named->sql);
}

char *
loom_query_library_dup_title (const char *sql)
{
  g_auto (GStrv) lines = g_strsplit (sql, "\n", -1);
  for (guint i = 0; lines[i] != NULL && g_str_has_prefix (lines[i], "--"); i++) {
    char *title = dup_member (lines[i], "title:");
    if (title != NULL && title[0] != '\0')
      return title;
    g_free (title);
  }
  return NULL;
}

gboolean
loom_query_library_write (const char *path, const char *title, const char *sql, GError **error)
{
  g_autofree char *stated = loom_query_library_dup_title (sql);
  g_autofree char *line = g_strdelimit (g_strdup (title), "\r\n", ' ');
  gboolean is_added = stated == NULL && line[0] != '\0';
  gboolean is_ended = sql[0] == '\0' || g_str_has_suffix (sql, "\n");
  char *text = g_strconcat (is_added ? "-- title: " : "", is_added ? line : "", is_added ? "\n" : "", sql,
                            is_ended ? "" : "\n", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_take (text, strlen (text));
  return loom_output_file_write (path, bytes, error);
}

LoomNamedQuery *
loom_query_library_read (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree char *bytes = g_malloc (LOOM_QUERY_TEXT_BYTES + 2);
  gsize n = 0;
  if (stream == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), bytes, LOOM_QUERY_TEXT_BYTES + 1, &n, NULL, error))
    return NULL;
  if (n > LOOM_QUERY_TEXT_BYTES || !g_utf8_validate (bytes, (gssize) n, NULL)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "%s: a query is text in UTF-8 of at most %u KiB", path,
                 (guint) LOOM_QUERY_TEXT_BYTES / 1024);
    return NULL;
  }
  LoomNamedQuery *named = g_new0 (LoomNamedQuery, 1);
  g_autofree char *base = g_path_get_basename (path);
  named->name = g_str_has_suffix (base, ".sql") ? g_strndup (base, strlen (base) - 4) : g_strdup (base);
  named->sql = g_strndup (bytes, n);
  read_comments (named);
  if (named->title == NULL)
    named->title = g_strdup (named->name);
  if (named->description == NULL)
    named->description = g_strdup ("");
  return named;
}

/* --- folders ------------------------------------------------------------------------------------------------------ */

char *
loom_query_library_dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "traceloom", "queries", NULL);
}

/* Returns the folder of the program's queries. A program that runs from its build folder uses the queries of its source
 * tree. */
static const char *
get_shipped_folder (void)
{
  static const char *const folders[] = { LOOM_SOURCE_QUERIES_DIR, LOOM_DATA_DIR "/queries" };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return folders[i];
  return NULL;
}

char *
loom_query_library_dup_answers (void)
{
  const char *folder = get_shipped_folder ();
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "perfetto.md", NULL) : NULL;
  return path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer (&path) : NULL;
}

static void
read_folder (GPtrArray *all, const char *folder, gboolean shipped, GPtrArray *problems)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  for (guint n = 0; dir != NULL && n < MOST_FILES && (name = g_dir_read_name (dir)) != NULL;) {
    g_autoptr (GError) error = NULL;
    if (!g_str_has_suffix (name, ".sql"))
      continue;
    n++;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) /* opening a named pipe would block */
      continue;
    LoomNamedQuery *named = loom_query_library_read (path, &error);
    if (named != NULL) {
      named->shipped = shipped;
      g_ptr_array_add (all, named);
    } else if (problems != NULL)
      g_ptr_array_add (problems, g_strdup (error->message));
  }
}

static int
compare_queries (gconstpointer a, gconstpointer b)
{
  const LoomNamedQuery *x = *(const LoomNamedQuery *const *) a, *y = *(const LoomNamedQuery *const *) b;
  if (x->shipped != y->shipped)
    return x->shipped ? -1 : 1;
  int order = strcmp (x->title, y->title);
  return order != 0 ? order : strcmp (x->name, y->name);
}

GPtrArray *
loom_query_library_list (GPtrArray *problems)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_query_library_free_query);
  g_autofree char *own = loom_query_library_dup_folder ();
  read_folder (all, get_shipped_folder (), TRUE, problems);
  read_folder (all, own, FALSE, problems);
  g_ptr_array_sort (all, compare_queries);
  return all;
}

static LoomNamedQuery *
find_in_folder (const char *folder, const char *name, gboolean shipped)
{
  g_autofree char *file = g_strconcat (name, ".sql", NULL);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, file, NULL) : NULL;
  if (path == NULL || !g_file_test (path, G_FILE_TEST_IS_REGULAR)) /* opening a named pipe would block */
    return NULL;
  LoomNamedQuery *query = loom_query_library_read (path, NULL);
  if (query != NULL)
    query->shipped = shipped;
  return query;
}

LoomNamedQuery *
loom_query_library_find (const char *name)
{
  /* a name with a separator is a path to another folder, not the name of a query */
  if (strchr (name, G_DIR_SEPARATOR) != NULL)
    return NULL;
  g_autofree char *own = loom_query_library_dup_folder ();
  LoomNamedQuery *query = find_in_folder (get_shipped_folder (), name, TRUE);
  return query != NULL ? query : find_in_folder (own, name, FALSE);
}

gboolean
loom_query_library_bind_defaults (const LoomNamedQuery *named, LoomQuery *query, GError **error)
{
  for (guint i = 0; named->defaults[i] != NULL && named->defaults[i + 1] != NULL; i += 2) {
    g_autoptr (GError) unknown = NULL;
    if (!loom_query_bind (query, named->defaults[i], named->defaults[i + 1], &unknown)) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "%s: %s", named->name, unknown->message);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
loom_query_library_bind (const LoomNamedQuery *named, LoomQuery *query, const char *name, const char *value,
                         GError **error)
{
  for (guint i = 0; named->defaults[i] != NULL && named->defaults[i + 1] != NULL; i += 2)
    if (strcmp (named->defaults[i], name) == 0 && loom_query_is_number (named->defaults[i + 1]) &&
        !loom_query_is_number (value)) {
      g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "the parameter :%s is a number, not “%s”", name, value);
      return FALSE;
    }
  return loom_query_bind (query, name, value, error);
}
