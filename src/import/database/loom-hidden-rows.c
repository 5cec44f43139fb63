/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the tables of a database whose rows have a time but are not shown, so that nothing is omitted silently. The
 * interface is described in loom-hidden-rows.h.
 */
#include "loom-hidden-rows.h"

#include <inttypes.h>

/* Maximum length in bytes of the list of tables that is logged. “…” represents further tables. */
#define MOST_BYTES 1000

void
loom_hidden_rows_add (GString *list, const char *table, guint64 n_rows)
{
  if (n_rows == 0 || g_str_has_suffix (list->str, "…"))
    return;
  if (list->len > 0)
    g_string_append (list, ", ");
  if (list->len < MOST_BYTES)
    g_string_append_printf (list, "%s (%" PRIu64 ")", table, n_rows);
  else
    g_string_append (list, "…");
}

static gboolean
has_times (const LoomDatabase *database, const char *table)
{
  return loom_database_has_column (database, table, "start") || loom_database_has_column (database, table, "timestamp");
}

static gboolean
is_read (const char *table, const LoomRowTable *tables, guint n_tables, const char *const *known)
{
  for (guint i = 0; i < n_tables; i++)
    if (strcmp (tables[i].name, table) == 0)
      return TRUE;
  for (; *known != NULL; known++)
    if (g_str_has_prefix (table, *known))
      return TRUE;
  return FALSE;
}

void
loom_hidden_rows_add_tables (GString *list, LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                             const char *const *known, const char *const *others)
{
  for (guint i = 0; i < loom_database_get_n_tables (database); i++) {
    const char *table = loom_database_get_table (database, i);
    gboolean is_candidate = has_times (database, table) || g_strv_contains (others, table);
    if (is_candidate && loom_database_can_select (database, table) && !is_read (table, tables, n_tables, known))
      loom_hidden_rows_add (list, table, loom_database_count (database, table));
  }
}

void
loom_hidden_rows_log (const GString *list, LoomSource *source)
{
  if (list->len > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_INFO, "not-shown", LOOM_OFFSET_NONE,
                            "Also in the file, not shown (number of rows): %s", list->str);
}
