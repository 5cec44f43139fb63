/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-recent-runs.h"

#include "loom-archive-path.h"
#include "loom-remote-location.h"
#include "loom-session-file.h"

#include <gtk/gtk.h>
#include <string.h>

#define APPLICATION "Traceloom"
#define RULES_TYPE "application/x-traceloom-rules+json"

static void
recent_free (LoomRecentRuns *recent)
{
  g_free (recent->uri);
  g_free (recent->name);
  g_free (recent->place);
  g_free (recent);
}

static const char *
mime_type_of (const char *path, gboolean is_remote)
{
  if (is_remote || g_file_test (path, G_FILE_TEST_IS_DIR))
    return "inode/directory";
  return g_str_has_suffix (path, LOOM_SESSION_SUFFIX) ? "application/x-traceloom-session+json" : "application/json";
}

/* Adds a path to the recent files of the desktop. `mime_type`: MIME type of the file; NULL for the MIME type that
 * this program uses for runs. */
static void
add_one (const char *path, const char *mime_type)
{
  static char *groups[] = { (char *) "traceloom", NULL };
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  gboolean is_remote = loom_remote_location_is_remote (path);
  g_autofree char *uri = is_remote ? g_strdup (path) : g_filename_to_uri (absolute, NULL, NULL);
  if (uri == NULL || (!is_remote && !g_file_test (absolute, G_FILE_TEST_EXISTS)))
    return;
  GtkRecentData data = {
    .mime_type = (char *) (mime_type != NULL ? mime_type : mime_type_of (absolute, is_remote)),
    .app_name = (char *) APPLICATION,
    .app_exec = (char *) "traceloom %u",
    .groups = groups,
  };
  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}

static gboolean
is_wanted (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  gboolean wanted = TRUE;
  if (settings != NULL)
    g_object_get (settings, "gtk-recent-files-enabled", &wanted, NULL);
  return wanted;
}

void
loom_recent_runs_add (const char *const *paths)
{
  if (!is_wanted ())
    return;
  for (guint i = 0; paths[i] != NULL; i++)
    add_one (paths[i], NULL);
}

void
loom_recent_runs_add_rules (const char *path)
{
  if (is_wanted ())
    add_one (path, RULES_TYPE);
}

static LoomRecentRuns *
recent_new (GtkRecentInfo *info)
{
  const char *uri = gtk_recent_info_get_uri (info);
  g_autofree char *path = loom_remote_location_is_remote (uri) ? g_strdup (uri) : g_filename_from_uri (uri, NULL, NULL);
  if (path == NULL)
    return NULL;
  LoomRecentRuns *recent = g_new0 (LoomRecentRuns, 1);
  g_autofree char *base = g_path_get_basename (path);
  recent->uri = g_strdup (uri);
  recent->name = loom_archive_path_dup_printable (base);
  recent->place = loom_archive_path_dup_place (path);
  return recent;
}

static int
compare_infos (gconstpointer a, gconstpointer b)
{
  GDateTime *x = gtk_recent_info_get_modified ((GtkRecentInfo *) a),
            *y = gtk_recent_info_get_modified ((GtkRecentInfo *) b);
  return x != NULL && y != NULL ? -g_date_time_compare (x, y) : 0;
}

static GPtrArray *
list (guint max, gboolean of_rules)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) recent_free);
  GList *infos = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  infos = g_list_sort (infos, compare_infos);
  for (GList *l = infos; l != NULL && all->len < max; l = l->next) {
    gboolean is_of_rules = g_strcmp0 (gtk_recent_info_get_mime_type (l->data), RULES_TYPE) == 0;
    if (is_of_rules != of_rules || !gtk_recent_info_has_application (l->data, APPLICATION) ||
        !gtk_recent_info_exists (l->data))
      continue;
    LoomRecentRuns *recent = recent_new (l->data);
    if (recent != NULL)
      g_ptr_array_add (all, recent);
  }
  g_list_free_full (infos, (GDestroyNotify) gtk_recent_info_unref);
  return all;
}

GPtrArray *
loom_recent_runs_list (guint max)
{
  return list (max, FALSE);
}

GPtrArray *
loom_recent_runs_list_rules (guint max)
{
  return list (max, TRUE);
}
