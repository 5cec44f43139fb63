/* SPDX-License-Identifier: Apache-2.0
 *
 * Lower bound for the time of reading a database that make-database.py has written: reads all rows of the columns that
 * the program reads, without using them. Prints one line of JSON.
 *
 * Usage: ref-sqlite PATH
 */
#include <glib.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/resource.h>

/* Queries for the tables of all supported databases. A query is skipped if the database does not have its table. */
static const char *const queries[] = {
  "SELECT rowid, start, end, globalPid, deviceId, contextId, streamId, correlationId, demangledName, shortName, gridX, gridY,"
  " gridZ, blockX, blockY, blockZ, registersPerThread, staticSharedMemory, dynamicSharedMemory, graphNodeId"
  " FROM CUPTI_ACTIVITY_KIND_KERNEL",
  "SELECT rowid, start, end, globalTid, nameId, eventClass, correlationId, returnValue FROM CUPTI_ACTIVITY_KIND_RUNTIME",
  "SELECT id, pid, tid, start, end, name_id, event_id FROM rocpd_region_made",
  "SELECT id, pid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, end, event_id, workgroup_size_x,"
  " workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z FROM rocpd_kernel_dispatch_made",
  "SELECT id, category_id, stack_id, parent_stack_id FROM rocpd_event_made",
  "SELECT id, pid, tid, start, end, apiName_id, args_id FROM rocpd_api",
  "SELECT id, gpuId, queueId, start, end, description_id, opType_id FROM rocpd_op",
  "SELECT id, api_id, op_id FROM rocpd_api_ops",
  "SELECT api_ptr_id, stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, kernelName_id FROM rocpd_kernelapi",
};

/* Returns the number of rows. Adds their values to `sum`, so that the compiler cannot remove the reads. */
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

/* Returns the processor time of the program in seconds. */
static double
count_seconds (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
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
  printf ("{\"wall\": %.6f, \"cpu\": %.6f, \"rows\": %" G_GUINT64_FORMAT ", \"sum\": %" G_GINT64_FORMAT "}\n",
          (double) (g_get_monotonic_time () - begin_us) / 1e6, count_seconds (), n, sum);
  sqlite3_close (base);
  return 0;
}
