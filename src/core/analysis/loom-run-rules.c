/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-rules.h: the rule files and the dismissed findings that are stored in a session.
 */
#include "loom-run-rules.h"

#include "loom-input-files.h"

struct _LoomRunRules {
  GObject parent;
  char **files; /* absolute paths of the rule files that the user added to the run; NULL-terminated, never NULL */
  /* LoomInputFiles *: one for each rule file; prevents an export from overwriting the rule file */
  GPtrArray *inputs;
  GHashTable *dismissed; /* key: name of a rule whose findings are dismissed; value: the user's note */
};

G_DEFINE_FINAL_TYPE (LoomRunRules, loom_run_rules, G_TYPE_OBJECT)

enum { PROP_0, PROP_FILES, PROP_DISMISSED, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
finalize (GObject *object)
{
  LoomRunRules *self = LOOM_RUN_RULES (object);
  g_strfreev (self->files);
  g_ptr_array_unref (self->inputs);
  g_hash_table_unref (self->dismissed);
  G_OBJECT_CLASS (loom_run_rules_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomRunRules *self = LOOM_RUN_RULES (object);
  if (id == PROP_FILES)
    g_value_set_boxed (value, self->files);
  else
    g_value_set_boxed (value, self->dismissed);
}

static void
loom_run_rules_class_init (LoomRunRulesClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_FILES] = g_param_spec_boxed ("files", NULL, NULL, G_TYPE_STRV, flags);
  properties[PROP_DISMISSED] = g_param_spec_boxed ("dismissed", NULL, NULL, G_TYPE_HASH_TABLE, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
loom_run_rules_init (LoomRunRules *self)
{
  self->files = g_new0 (char *, 1);
  self->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_input_files_free);
  self->dismissed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

LoomRunRules *
loom_run_rules_new (void)
{
  return g_object_new (LOOM_TYPE_RUN_RULES, NULL);
}

static void
notify (LoomRunRules *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

const char *const *
loom_run_rules_get_files (LoomRunRules *self)
{
  return (const char *const *) self->files;
}

static void
replace_files (LoomRunRules *self, const char *const *paths)
{
  char **copy = g_strdupv ((char **) paths);
  g_strfreev (self->files);
  self->files = copy;
  g_ptr_array_set_size (self->inputs, 0);
  for (guint i = 0; copy[i] != NULL; i++)
    g_ptr_array_add (self->inputs, loom_input_files_new_of_kind (copy[i], LOOM_INPUT_FILES_RULES));
  notify (self, PROP_FILES);
}

void
loom_run_rules_set_files (LoomRunRules *self, const char *const *paths)
{
  static const char *const none[] = { NULL };
  const char *const *wanted = paths != NULL ? paths : none;
  if (!g_strv_equal (wanted, loom_run_rules_get_files (self)))
    replace_files (self, wanted);
}

void
loom_run_rules_add_file (LoomRunRules *self, const char *path)
{
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_return_if_fail (LOOM_IS_RUN_RULES (self) && path != NULL);
  g_strv_builder_addv (all, (const char **) self->files);
  if (!g_strv_contains ((const char *const *) self->files, path))
    g_strv_builder_add (all, path);
  g_auto (GStrv) paths = g_strv_builder_end (all);
  replace_files (self, (const char *const *) paths);
}

void
loom_run_rules_remove_file (LoomRunRules *self, const char *path)
{
  g_autoptr (GStrvBuilder) left = g_strv_builder_new ();
  g_return_if_fail (LOOM_IS_RUN_RULES (self) && path != NULL);
  for (guint i = 0; self->files[i] != NULL; i++)
    if (!g_str_equal (self->files[i], path))
      g_strv_builder_add (left, self->files[i]);
  g_auto (GStrv) paths = g_strv_builder_end (left);
  replace_files (self, (const char *const *) paths);
}

GHashTable *
loom_run_rules_get_dismissed (LoomRunRules *self)
{
  return self->dismissed;
}

void
loom_run_rules_set_dismissed (LoomRunRules *self, GHashTable *dismissed)
{
  GHashTableIter iter;
  gpointer rule, note;
  g_return_if_fail (LOOM_IS_RUN_RULES (self) && dismissed != self->dismissed);
  g_hash_table_remove_all (self->dismissed);
  if (dismissed != NULL) {
    g_hash_table_iter_init (&iter, dismissed);
    while (g_hash_table_iter_next (&iter, &rule, &note))
      g_hash_table_replace (self->dismissed, g_strdup (rule), g_strdup (note));
  }
  notify (self, PROP_DISMISSED);
}

void
loom_run_rules_dismiss (LoomRunRules *self, const char *rule, const char *note)
{
  g_return_if_fail (LOOM_IS_RUN_RULES (self) && rule != NULL && note != NULL);
  g_hash_table_replace (self->dismissed, g_strdup (rule), g_strdup (note));
  notify (self, PROP_DISMISSED);
}

void
loom_run_rules_restore (LoomRunRules *self, const char *rule)
{
  g_return_if_fail (LOOM_IS_RUN_RULES (self) && rule != NULL);
  if (g_hash_table_remove (self->dismissed, rule))
    notify (self, PROP_DISMISSED);
}
