/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-files.h"

#include <string.h>

#include "loom-installed.h"

#define MAX_FILES 200

char *
loom_rule_files_dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
}

/* A program that runs from its build folder uses the rules of its source tree. */
static const char *
shipped_folder (void)
{
  static const char *const folders[] = {
#ifdef LOOM_SOURCE_RULES_DIR
    LOOM_SOURCE_RULES_DIR,
#endif
    LOOM_DATA_DIR "/rules",
  };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return folders[i];
  return NULL;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
loom_rule_files_list (const char *folder)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  GPtrArray *paths = g_ptr_array_new ();
  const char *name;
  while (dir != NULL && paths->len < MAX_FILES && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (paths, compare_names);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}

/* Reads rule files; a file that is both chosen and in a folder counts once. */
static void
read_files (const char *const *paths, GHashTable *seen, GPtrArray *all, GPtrArray *problems)
{
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (!g_hash_table_add (seen, g_canonicalize_filename (paths[i], NULL)))
      continue;
    GPtrArray *rules = loom_custom_rules_read (paths[i], &error);
    if (rules != NULL)
      g_ptr_array_add (all, rules);
    else
      g_ptr_array_add (problems, g_strdup (error->message));
  }
}

char **
loom_rule_files_list_examples (void)
{
  return loom_rule_files_list (shipped_folder ());
}

GPtrArray *
loom_rule_files_read (const char *const *chosen, GPtrArray *problems)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folder = loom_rule_files_dup_folder ();
  g_auto (GStrv) shipped = loom_rule_files_list_examples (), own = loom_rule_files_list (folder);
  read_files ((const char *const *) shipped, seen, all, problems);
  read_files ((const char *const *) own, seen, all, problems);
  read_files (chosen, seen, all, problems);
  return all;
}
