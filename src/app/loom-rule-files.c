/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-files.h"

#include <string.h>

#define MAX_FILES 200

char *
loom_rule_files_dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
}

/* A program that runs from its build folder has the rules it was built with. */
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

static void
read_folder (const char *folder, GPtrArray *all, GPtrArray *problems)
{
  g_autoptr (GDir) dir = folder != NULL ? g_dir_open (folder, 0, NULL) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;
  while (dir != NULL && names->len < MAX_FILES && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".json"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    LoomOwnRules *rules = loom_own_rules_read (path, &error);
    if (rules != NULL)
      g_ptr_array_add (all, rules);
    else
      g_ptr_array_add (problems, g_strdup (error->message));
  }
}

GPtrArray *
loom_rule_files_read (GPtrArray *problems)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_own_rules_unref);
  g_autofree char *own = loom_rule_files_dup_folder ();
  read_folder (shipped_folder (), all, problems);
  read_folder (own, all, problems);
  return all;
}
