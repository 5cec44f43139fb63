/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-database-sniff.h"

#include "loom-database.h"
#include "loom-unsupported-formats.h"

#include <glib/gi18n.h>

/* Returns TRUE if the database has the tables of an export of Nsight Systems. */
static gboolean
is_nsight (const LoomDatabase *database)
{
  static const char *const signs[] = { "CUPTI_ACTIVITY_KIND_KERNEL",
                                       "CUPTI_ACTIVITY_KIND_RUNTIME",
                                       "NVTX_EVENTS",
                                       "OSRT_API",
                                       "TARGET_INFO_SESSION_START_TIME",
                                       "GPU_METRICS" };
  gboolean found = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    found |= loom_database_has_table (database, signs[i]);
  return found && loom_database_has_table (database, "StringIds");
}

/* Returns the path of a file that holds exactly the bytes of the location; NULL if there is none, as for a member of an
 * archive. SQLite reads files only. */
static const char *
find_own_file (const char *path, const LoomSourceLocation *origin)
{
  if (origin == NULL)
    return path;
  return !origin->is_member && !origin->is_deflated && origin->offset == 0 ? origin->path : NULL;
}

void
loom_database_sniff (const char *path, const LoomSourceLocation *origin, gboolean is_packed, LoomSniff *sniff)
{
  const char *file = find_own_file (path, origin);
  g_autoptr (GError) error = NULL;
  sniff->precious = TRUE;
  if (file == NULL || is_packed) {
    sniff->lost = TRUE;
    sniff->reason = g_strdup (_ ("a database, which can be read only as a file of its own: unpack it first"));
    return;
  }
  g_autoptr (LoomDatabase) database = loom_database_open (file, &error);
  if (database == NULL)
    sniff->reason = g_strdup (error->message);
  else if (is_nsight (database))
    sniff->kind = LOOM_FILE_FORMAT_NSIGHT;
  else
    sniff->reason = loom_unsupported_formats_by_tables (database);
  sniff->elsewhere = sniff->kind == LOOM_FILE_FORMAT_NONE;
}
