/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-settings.h. g_settings_new() ends the program if the schema is missing. So the schema is looked up
 * first, in the usual places and then in the data folder of the build. If no place has the schema, a table of default
 * values in memory is used.
 */
#include "loom-settings.h"

typedef struct {
  const char *key;
  const char *value; /* default value, as text of a GVariant */
} Default;

static const Default defaults[] = {
  { LOOM_SETTING_WIDTH, "1280" },           { LOOM_SETTING_HEIGHT, "800" },
  { LOOM_SETTING_MAXIMIZED, "false" },      { LOOM_SETTING_SHOW_SOURCES, "true" },
  { LOOM_SETTING_SHOW_PANEL, "true" },      { LOOM_SETTING_PANEL_HEIGHT, "240" },
  { LOOM_SETTING_RULER, "'start'" },        { LOOM_SETTING_MEMORY_BUDGET, "0" },
  { LOOM_SETTING_SHIFT_DRAG, "'zoom'" },    { LOOM_SETTING_STYLE, "'system'" },
  { LOOM_SETTING_NUMBERS, "'intended'" },   { LOOM_SETTING_HIGH_CPU, "90.0" },
  { LOOM_SETTING_LOW_GPU, "10.0" },         { LOOM_SETTING_OUTLIER_FACTOR, "2.0" },
  { LOOM_SETTING_BALANCE_DISTANCE, "0.5" }, { LOOM_SETTING_BOTTLENECK_MARKS, "true" },
  { LOOM_SETTING_RESTORE, "true" },         { LOOM_SETTING_FOLLOW, "true" },
  { LOOM_SETTING_PEAK_TFLOPS, "0.0" },      { LOOM_SETTING_PEAK_BANDWIDTH, "0.0" },
};

static GSettings *settings;
/* the settings, if there is no schema; key: name of a setting (char *); value: GVariant * */
static GHashTable *memory;

static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *usual = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = usual != NULL ? g_settings_schema_source_lookup (usual, LOOM_APP_ID, TRUE) : NULL;
#ifdef LOOM_BUILD_SCHEMA_DIR
  if (schema == NULL) {
    g_autoptr (GSettingsSchemaSource) build =
      g_settings_schema_source_new_from_directory (LOOM_BUILD_SCHEMA_DIR, usual, TRUE, NULL);
    if (build != NULL)
      schema = g_settings_schema_source_lookup (build, LOOM_APP_ID, TRUE);
  }
#endif
  return schema;
}

static void
fill_memory (void)
{
  memory = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_variant_unref);
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++)
    g_hash_table_insert (memory, (gpointer) defaults[i].key,
                         g_variant_parse (NULL, defaults[i].value, NULL, NULL, NULL));
}

static void
ensure (void)
{
  if (memory != NULL)
    return;
  fill_memory ();
  g_autoptr (GSettingsSchema) schema = find_schema ();
  if (schema != NULL)
    settings = g_settings_new_full (schema, NULL, NULL);
  else
    g_info ("no schema %s: settings last as long as the program", LOOM_APP_ID);
}

/* Returns TRUE if the installed schema has the key; the schema of another version of the program may lack it. */
static gboolean
schema_has (const char *key)
{
  if (settings == NULL)
    return FALSE;
  g_autoptr (GSettingsSchema) schema = NULL;
  g_object_get (settings, "settings-schema", &schema, NULL);
  return g_settings_schema_has_key (schema, key);
}

static GVariant *
get (const char *key)
{
  ensure ();
  if (schema_has (key))
    return g_settings_get_value (settings, key);
  GVariant *value = g_hash_table_lookup (memory, key);
  g_assert (value != NULL);
  return g_variant_ref (value);
}

static void
set (const char *key, GVariant *value)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  ensure ();
  gpointer static_key;
  if (schema_has (key))
    g_settings_set_value (settings, key, owned);
  else if (g_hash_table_lookup_extended (memory, key, &static_key, NULL))
    g_hash_table_insert (memory, static_key, g_variant_ref (owned));
}

int
loom_settings_get_int (const char *key)
{
  g_autoptr (GVariant) value = get (key);
  return g_variant_get_int32 (value);
}

void
loom_settings_set_int (const char *key, int value)
{
  set (key, g_variant_new_int32 (value));
}

double
loom_settings_get_double (const char *key)
{
  g_autoptr (GVariant) value = get (key);
  return g_variant_get_double (value);
}

void
loom_settings_set_double (const char *key, double value)
{
  set (key, g_variant_new_double (value));
}

gboolean
loom_settings_get_boolean (const char *key)
{
  g_autoptr (GVariant) value = get (key);
  return g_variant_get_boolean (value);
}

void
loom_settings_set_boolean (const char *key, gboolean value)
{
  set (key, g_variant_new_boolean (value));
}

char *
loom_settings_dup_string (const char *key)
{
  g_autoptr (GVariant) value = get (key);
  return g_variant_dup_string (value, NULL);
}

void
loom_settings_set_string (const char *key, const char *value)
{
  set (key, g_variant_new_string (value));
}
