/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-aggregates.h: aggregate functions whose argument is a single value or a batch of values.
 */
#include "loom-query-aggregates.h"

#include <string.h>

/* A 128-bit integer whose address need not be divisible by 16: SQLite aligns the memory of an aggregate only to 8
 * bytes. */
typedef __int128 Wide __attribute__ ((aligned (8)));

typedef struct {
  Wide sum;
  gint64 least, most;
  guint64 n;
} Total;

static void
add_batch (Total *total, const LoomQueryBatch *batch)
{
  __int128 sum = 0;
  gint64 least = G_MAXINT64, most = G_MININT64;
  for (guint i = 0; i < batch->n; i++) {
    sum += batch->values[i];
    least = MIN (least, batch->values[i]);
    most = MAX (most, batch->values[i]);
  }
  least += batch->offset;
  most += batch->offset;
  total->sum += sum + (__int128) batch->offset * batch->n;
  total->least = total->n == 0 ? least : MIN (total->least, least);
  total->most = total->n == 0 ? most : MAX (total->most, most);
  total->n += batch->n;
}

/* Adds a batch to a sum, without updating minimum and maximum. Adds the upper and the lower 32 bits of the values
 * separately, because compilers vectorise 64-bit sums, but not 128-bit sums. These sums do not overflow, because a
 * batch has at most 65,536 values. */
static void
add_sum (Total *total, const LoomQueryBatch *batch)
{
  gint64 high = 0;
  guint64 low = 0;
  for (guint i = 0; i < batch->n; i++) {
    high += batch->values[i] >> 32;
    low += (guint32) batch->values[i];
  }
  total->sum += ((__int128) high << 32) + low + (__int128) batch->offset * batch->n;
  total->n += batch->n;
}

/* Returns the batch of values that the aggregate function must add; NULL if its argument is a single value. Usually the
 * argument itself is the batch. If the argument is start + duration, SQLite computes NULL, because it cannot add
 * batches. In this case, the batch consists of the ends of the spans, and host->batch.sum contains it. */
static const LoomQueryBatch *
take_batch (sqlite3_context *context, sqlite3_value *value)
{
  LoomQueryHost *host = sqlite3_user_data (context);
  const LoomQueryBatch *batch = sqlite3_value_pointer (value, LOOM_QUERY_AGGREGATES_POINTER);
  return batch != NULL ? batch : g_steal_pointer (&host->batch.sum);
}

static void
step (sqlite3_context *context, sqlite3_value *value, void (*add) (Total *total, const LoomQueryBatch *batch))
{
  const LoomQueryBatch *batch = take_batch (context, value);
  Total *total = sqlite3_aggregate_context (context, sizeof (Total));
  gint64 single = sqlite3_value_int64 (value);
  LoomQueryBatch one = { &single, 1, 0 };
  /* the argument is a single value, because the loop reads no batches */
  if (batch == NULL && sqlite3_value_type (value) == SQLITE_INTEGER)
    batch = &one;
  if (total == NULL)
    sqlite3_result_error_nomem (context);
  else if (batch != NULL && batch->n > 0)
    add (total, batch);
}

static void
step_sum (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  step (context, argv[0], add_sum);
}

static void
step_extremes (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  step (context, argv[0], add_batch);
}

static void
step_count (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  const LoomQueryHost *host = sqlite3_user_data (context);
  Total *total = sqlite3_aggregate_context (context, sizeof (Total));
  if (total != NULL)
    total->n += host->batch.n_rows;
  else
    sqlite3_result_error_nomem (context);
}

static void
finish_sum (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  if (total == NULL || total->n == 0)
    return;
  if (total->sum > G_MAXINT64 || total->sum < G_MININT64)
    sqlite3_result_error (context, "integer overflow", -1); /* SQLite's own sum() has the same message */
  else
    sqlite3_result_int64 (context, (gint64) total->sum);
}

static void
finish_total (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  sqlite3_result_double (context, total != NULL ? (double) total->sum : 0);
}

static void
finish_average (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  if (total != NULL && total->n > 0)
    sqlite3_result_double (context, (double) total->sum / (double) total->n);
}

static void
finish_least (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  if (total != NULL && total->n > 0)
    sqlite3_result_int64 (context, total->least);
}

static void
finish_most (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  if (total != NULL && total->n > 0)
    sqlite3_result_int64 (context, total->most);
}

static void
finish_count (sqlite3_context *context)
{
  const Total *total = sqlite3_aggregate_context (context, 0);
  sqlite3_result_int64 (context, total != NULL ? (gint64) total->n : 0);
}

/* SQLite's aggregate functions that this file replaces. `written`: name of the function in the output of EXPLAIN. This
 * name includes the number of arguments. */
static const struct {
  const char *written, *name;
  int n_arguments;
  void (*step) (sqlite3_context *context, int argc, sqlite3_value **argv);
  void (*finish) (sqlite3_context *context);
} aggregates[] = {
  { "sum(1)", "sum", 1, step_sum, finish_sum },         { "total(1)", "total", 1, step_sum, finish_total },
  { "avg(1)", "avg", 1, step_sum, finish_average },     { "min(1)", "min", 1, step_extremes, finish_least },
  { "max(1)", "max", 1, step_extremes, finish_most },   { "count(1)", "count", 1, step_sum, finish_count },
  { "count(0)", "count", 0, step_count, finish_count },
};

int
loom_query_aggregates_register (sqlite3 *database, LoomQueryHost *host)
{
  int code = SQLITE_OK;
  for (guint i = 0; i < G_N_ELEMENTS (aggregates) && code == SQLITE_OK; i++)
    code = sqlite3_create_function (database, aggregates[i].name, aggregates[i].n_arguments, SQLITE_UTF8, host, NULL,
                                    aggregates[i].step, aggregates[i].finish);
  return code;
}

gboolean
loom_query_aggregates_has (const char *written, int n_arguments)
{
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (strcmp (written, aggregates[i].written) == 0)
      return n_arguments == aggregates[i].n_arguments;
  return FALSE;
}

gboolean
loom_query_aggregates_may_be_in (const char *lower)
{
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (strstr (lower, aggregates[i].name) != NULL)
      return TRUE;
  return FALSE;
}
