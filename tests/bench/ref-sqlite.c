/* SPDX-License-Identifier: Apache-2.0
 *
 * Lower bound for reading an Nsight Systems export: steps through the columns that are shown without using them. Prints
 * one line of JSON.
 *
 * Usage: ref-sqlite PATH
 */
#include <glib.h>
#include <sqlite3.h>
#include <stdio.h>

static const char *const queries[] = {
  "SELECT rowid, start, end, globalPid, deviceId, contextId, streamId, correlationId, demangledName, shortName, gridX, gridY,"
  " gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, graphNodeId"
  " FROM CUPTI_ACTIVITY_KIND_KERNEL",
  "SELECT rowid, start, end, globalTid, nameId, eventClass, correlationId, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME",
};

/* Returns the number of rows. Adds up values, so that the compiler cannot remove the reads. */
static guint64
step_through (sqlite3 *base, const char *query, gint64 *sum)
{
  sqlite3_stmt *row = NULL;
  guint64 n = 0;
  if (sqlite3_prepare_v2 (base, query, -1, &row, NULL) != SQLITE_OK)
    return 0;
  int n_columns = sqlite3_column_count (row);
  for (; sqlite3_step (row) == SQLITE_ROW; n++)
    for (int i = 0; i < n_columns; i++)
      *sum ^= sqlite3_column_int64 (row, i);
  sqlite3_finalize (row);
  return n;
}

int
main (int argc, char **argv)
{
  sqlite3 *base = NULL;
  gint64 begin_us = g_get_monotonic_time (), sum = 0;
  guint64 n = 0;
  if (argc != 2 || sqlite3_open_v2 (argv[1], &base, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) {
    fprintf (stderr, "Usage: ref-sqlite PATH\n");
    return 1;
  }
  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    n += step_through (base, queries[i], &sum);
  printf ("{\"wall\": %.6f, \"rows\": %" G_GUINT64_FORMAT ", \"sum\": %" G_GINT64_FORMAT "}\n",
          (double) (g_get_monotonic_time () - begin_us) / 1e6, n, sum);
  sqlite3_close (base);
  return 0;
}
