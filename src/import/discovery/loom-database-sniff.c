/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the SQLite databases of profilers by the tables that they contain. The interface is described in
 * loom-database-sniff.h.
 */
#define _GNU_SOURCE /* makes <string.h> declare memmem() */
#include "loom-database-sniff.h"

#include "loom-database.h"
#include "loom-unsupported-formats.h"

#include <glib/gi18n.h>
#include <string.h>

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

/* Returns TRUE if the database has the tables that rocmProfileData (RPD) or rocprofv3 and rocprof-sys (rocpd) write. */
static gboolean
is_rocm (const LoomDatabase *database)
{
  gboolean found = loom_database_has_table (database, "rocpd_op") && loom_database_has_table (database, "rocpd_api");
  for (guint i = 0; i < loom_database_get_n_tables (database); i++)
    found |= g_str_has_prefix (loom_database_get_table (database, i), "rocpd_kernel_dispatch");
  return found;
}

/* Recognises a database by the text of its schema, most of which is on its first pages. */
static LoomFileFormat
recognise_text (const char *bytes, gsize n_bytes)
{
  if (memmem (bytes, n_bytes, "StringIds", strlen ("StringIds")) != NULL)
    return LOOM_FILE_FORMAT_NSIGHT;
  return memmem (bytes, n_bytes, "rocpd_", strlen ("rocpd_")) != NULL ? LOOM_FILE_FORMAT_ROCM : LOOM_FILE_FORMAT_NONE;
}

static void
recognise_tables (const char *path, LoomSniff *sniff)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomDatabase) database = loom_database_open (path, &error);
  if (database == NULL)
    sniff->reason = g_strdup (error->message);
  else if (is_nsight (database))
    sniff->kind = LOOM_FILE_FORMAT_NSIGHT;
  else if (is_rocm (database))
    sniff->kind = LOOM_FILE_FORMAT_ROCM;
  else
    sniff->reason = loom_unsupported_formats_by_tables (database);
}

void
loom_database_sniff (const char *path, const char *bytes, gsize n_bytes, LoomSniff *sniff)
{
  sniff->precious = TRUE;
  if (path != NULL)
    recognise_tables (path, sniff);
  else if ((sniff->kind = recognise_text (bytes, n_bytes)) == LOOM_FILE_FORMAT_NONE)
    sniff->reason = g_strdup (_ ("an SQLite database that is not a known profile"));
  sniff->elsewhere = sniff->kind == LOOM_FILE_FORMAT_NONE;
}
