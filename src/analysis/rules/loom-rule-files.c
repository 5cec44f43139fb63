/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-files.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-installed.h"

#define MAX_FILES 200

char *
loom_rule_files_dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
}

/* Returns the folder of the rules that are delivered with the program. If the program runs from its build folder, this
 * is the folder in the source tree. */
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

/* Reads rule files, and adds the rules of each file to `all`. `seen`: paths of the files read so far, because a file
 * that is both in a rules folder and among the chosen files is read only once. */
static void
read_files (const char *const *paths, const LoomRuleParameters *parameters, GHashTable *seen, GPtrArray *all,
            GPtrArray *problems)
{
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++) {
    g_autoptr (GError) error = NULL;
    if (!g_hash_table_add (seen, g_canonicalize_filename (paths[i], NULL)))
      continue;
    GPtrArray *rules = loom_custom_rules_read (paths[i], &error);
    if (rules != NULL) {
      loom_custom_rules_set_parameters (rules, parameters, problems);
      g_ptr_array_add (all, rules);
    } else
      g_ptr_array_add (problems, g_strdup (error->message));
  }
}

char **
loom_rule_files_list_examples (void)
{
  return loom_rule_files_list (shipped_folder ());
}

GPtrArray *
loom_rule_files_read (const char *const *chosen, const LoomRuleParameters *parameters, GPtrArray *problems)
{
  GPtrArray *all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *folder = loom_rule_files_dup_folder ();
  g_auto (GStrv) shipped = loom_rule_files_list_examples (), own = loom_rule_files_list (folder);
  read_files ((const char *const *) shipped, parameters, seen, all, problems);
  read_files ((const char *const *) own, parameters, seen, all, problems);
  read_files (chosen, parameters, seen, all, problems);
  return all;
}

/* --- files with parameters of rules ------------------------------------------------------------------------------- */

char *
loom_rule_files_dup_parameters_path (void)
{
  return g_build_filename (g_get_user_data_dir (), "traceloom", "rule-parameters.json", NULL);
}

LoomRuleParameters *
loom_rule_files_read_parameters (GPtrArray *problems)
{
  LoomRuleParameters *parameters = loom_rule_parameters_new ();
  g_autofree char *path = loom_rule_files_dup_parameters_path ();
  g_autoptr (GError) error = NULL;
  if (!loom_rule_parameters_read_file (parameters, path, problems, NULL, &error) &&
      !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_ptr_array_add (problems, g_strdup (error->message));
  return parameters;
}

/* Reads the JSON document of the parameter file. If the file does not exist, returns a new, empty document. Returns
 * NULL and sets `error` if the file cannot be read. Owned by the caller. */
static JsonNode *
load_document (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) problem = NULL;
  g_autoptr (JsonObject) empty = json_object_new ();
  if (!json_parser_load_from_file (parser, path, &problem)) {
    if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
      return json_node_init_object (json_node_alloc (), empty);
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  JsonNode *root = json_parser_get_root (parser);
  if (root != NULL && JSON_NODE_HOLDS_OBJECT (root))
    return json_node_ref (root);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               _ ("%s does not contain a JSON object with rules, so no value can be saved in it"), path);
  return NULL;
}

static void
change_member (JsonObject *document, const char *rule, const char *parameter, JsonNode *value)
{
  JsonNode *node = json_object_get_member (document, rule);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    json_object_set_object_member (document, rule, json_object_new ());
  JsonObject *values = json_object_get_object_member (document, rule);
  if (value != NULL)
    json_object_set_member (values, parameter, json_node_copy (value));
  else if (json_object_has_member (values, parameter))
    json_object_remove_member (values, parameter);
  if (json_object_get_size (values) == 0)
    json_object_remove_member (document, rule);
}

gboolean
loom_rule_files_write_parameter (const char *rule, const char *parameter, JsonNode *value, GError **error)
{
  g_autofree char *path = loom_rule_files_dup_parameters_path (), *folder = g_path_get_dirname (path);
  g_autoptr (JsonNode) document = load_document (path, error);
  if (document == NULL)
    return FALSE;
  change_member (json_node_get_object (document), rule, parameter, value);
  g_autofree char *text = json_to_string (document, TRUE), *lines = g_strconcat (text, "\n", NULL);
  if (g_mkdir_with_parents (folder, 0700) != 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, "%s: %s", folder, g_strerror (errno));
    return FALSE;
  }
  return g_file_set_contents (path, lines, -1, error);
}
