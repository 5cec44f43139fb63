/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-batch.h"

#include <string.h>

#include "loom-query-limits.h"
#include "loom-query-span-columns.h"

#define POINTER_TYPE "loom-query-batch"
#define MOST_OPERATIONS 200

/* --- aggregates ------------------------------------------------------------------------------------------------------ */

/* SQLite aligns the memory of an aggregate only to 8 bytes. */
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

/* Adds a batch to a sum, without updating minimum and maximum. The upper and the lower 32 bits of the values are added
 * separately, because the compiler can vectorise that, but not sums of 128 bits. The sums of 65,536 such halves fit
 * into 64 bits. */
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

static void
step (sqlite3_context *context, sqlite3_value *value, void (*add) (Total *total, const LoomQueryBatch *batch))
{
  const LoomQueryBatch *batch = sqlite3_value_pointer (value, POINTER_TYPE);
  Total *total = sqlite3_aggregate_context (context, sizeof (Total));
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
    sqlite3_result_error (context, "integer overflow", -1); /* SQLite's words */
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

/* SQLite's aggregate functions that this file replaces. `written`: name of the function in the output of EXPLAIN, which
 * includes the number of arguments. */
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

static int
register_aggregates (sqlite3 *database, LoomQueryHost *host)
{
  int code = SQLITE_OK;
  for (guint i = 0; i < G_N_ELEMENTS (aggregates) && code == SQLITE_OK; i++)
    code = sqlite3_create_function (database, aggregates[i].name, aggregates[i].n_arguments, SQLITE_UTF8, host, NULL,
                                    aggregates[i].step, aggregates[i].finish);
  return code;
}

/* --- programs -------------------------------------------------------------------------------------------------------- */

typedef struct {
  char code[16], text[96];
  int p1, p2, p3, p5;
} Operation;

typedef struct {
  Operation all[MOST_OPERATIONS];
  guint n;
  /* the operations [first, next) are the loop, which is executed for each row; operation `next` moves to the next
   * row */
  guint first, next;
  int cursor;
  const char *plan; /* conditions that the table evaluates, "COLUMN:OPERATION;" each */
} Program;

static gboolean
is (const Operation *operation, const char *code)
{
  return strcmp (operation->code, code) == 0;
}

/* Reads the operations of a query from the output of EXPLAIN. Returns FALSE if there are more than MOST_OPERATIONS. */
static gboolean
read_program (sqlite3 *database, const char *sql, Program *program)
{
  g_autofree char *question = g_strconcat ("EXPLAIN ", sql, NULL);
  sqlite3_stmt *statement = NULL;
  program->n = 0;
  if (sqlite3_prepare_v2 (database, question, -1, &statement, NULL) != SQLITE_OK)
    return FALSE;
  int code = sqlite3_column_count (statement) >= 7 ? sqlite3_step (statement) : SQLITE_ERROR;
  for (; code == SQLITE_ROW && program->n < MOST_OPERATIONS; code = sqlite3_step (statement)) {
    Operation *operation = &program->all[program->n++];
    const char *word = (const char *) sqlite3_column_text (statement, 1),
               *text = (const char *) sqlite3_column_text (statement, 5);
    gboolean is_short =
      word != NULL && g_strlcpy (operation->code, word, sizeof operation->code) < sizeof operation->code;
    if (!is_short ||
        g_strlcpy (operation->text, text != NULL ? text : "", sizeof operation->text) >= sizeof operation->text)
      g_strlcpy (operation->code, "?", sizeof operation->code);
    operation->p1 = sqlite3_column_int (statement, 2);
    operation->p2 = sqlite3_column_int (statement, 3);
    operation->p3 = sqlite3_column_int (statement, 4);
    operation->p5 = sqlite3_column_int (statement, 6);
  }
  sqlite3_finalize (statement);
  return code == SQLITE_DONE;
}

/* Finds the loop of a program. Returns FALSE unless the program has exactly one loop, which is over one table. */
static gboolean
find_loop (Program *program)
{
  guint n_filters = 0, n_nexts = 0, n_opens = 0;
  for (guint i = 0; i < program->n; i++) {
    const Operation *operation = &program->all[i];
    n_opens += is (operation, "VOpen") || g_str_has_prefix (operation->code, "Open") || is (operation, "SorterOpen");
    if (is (operation, "VFilter")) {
      n_filters++;
      program->first = i + 1;
      program->cursor = operation->p1;
      program->plan = operation->text;
    } else if (is (operation, "VNext")) {
      n_nexts++;
      program->next = i;
    }
  }
  return n_filters == 1 && n_nexts == 1 && n_opens == 1 && program->first < program->next &&
         program->all[program->next].p1 == program->cursor && program->all[program->next].p2 == (int) program->first;
}

/* Returns the condition that an operation checks: an operation that jumps to the next row if the condition is not met.
 * 0: it is another operation. */
static guint
get_condition (const Program *program, const Operation *operation)
{
  static const struct {
    const char *code;
    guint condition;
  } jumps[] = { { "Ne", SQLITE_INDEX_CONSTRAINT_EQ },          { "Le", SQLITE_INDEX_CONSTRAINT_GT },
                { "Gt", SQLITE_INDEX_CONSTRAINT_LE },          { "Ge", SQLITE_INDEX_CONSTRAINT_LT },
                { "Lt", SQLITE_INDEX_CONSTRAINT_GE },          { "Eq", SQLITE_INDEX_CONSTRAINT_NE },
                { "NotNull", SQLITE_INDEX_CONSTRAINT_ISNULL }, { "IsNull", SQLITE_INDEX_CONSTRAINT_ISNOTNULL } };
  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++)
    if (is (operation, jumps[i].code) && operation->p2 == (int) program->next)
      return jumps[i].condition;
  return 0;
}

/* Operation `at` reads a column. If the operations after it check a condition on this column, and the table evaluates
 * this condition itself according to `plan`, returns the number of operations, and removes the condition from `plan`,
 * because each condition is checked once. Otherwise returns 0. */
static guint
skip_check (const Program *program, guint at, char **plan)
{
  const Operation *read = &program->all[at], *check = read + 1;
  guint n = 1, condition = get_condition (program, check);
  gboolean on_column =
    condition != 0 && (loom_query_module_is_null_test (condition) ? check->p1 : check->p3) == read->p3;
  if (is (check, "Function") && (strcmp (check->text, "like(2)") == 0 || strcmp (check->text, "glob(2)") == 0)) {
    condition = strcmp (check->text, "like(2)") == 0 ? SQLITE_INDEX_CONSTRAINT_LIKE : SQLITE_INDEX_CONSTRAINT_GLOB;
    on_column = check->p2 + 1 == read->p3 && is (check + 1, "IfNot") && check[1].p1 == check->p3 &&
                check[1].p2 == (int) program->next;
    n = 2;
  }
  g_autofree char *part = g_strdup_printf (";%d:%u;", read->p2, condition);
  char *place = on_column ? strstr (*plan, part) : NULL;
  if (place == NULL)
    return 0;
  /* remove the condition from `plan`, so that a second check of the same condition is not skipped too */
  memmove (place, place + strlen (part) - 1, strlen (place + strlen (part) - 1) + 1);
  return n;
}

static gboolean
is_aggregate (const Operation *operation)
{
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (is (operation, "AggStep") && strcmp (operation->text, aggregates[i].written) == 0)
      return operation->p5 == aggregates[i].n_arguments;
  return FALSE;
}

/* Operation `at` reads a column. If the operations after it pass the value to an aggregate function, returns the number
 * of these operations; otherwise 0. */
static guint
skip_step (const Program *program, guint at)
{
  const Operation *read = &program->all[at];
  guint n = is (&read[1], "CollSeq") ? 2 : 1;
  gboolean fits = (read->p2 == LOOM_QUERY_SPAN_START || read->p2 == LOOM_QUERY_SPAN_DURATION) &&
                  is_aggregate (&read[n]) && read[n].p5 == 1 && read[n].p2 == read->p3;
  return fits ? n : 0;
}

/* Looks at the operations of the loop that read columns, in their order. Sets the bit of an operation in `roles` if the
 * value is passed to an aggregate function, so that a batch may be read instead of a single value. Returns FALSE if the
 * loop does anything besides aggregating columns and checking conditions. */
static gboolean
find_roles (const Program *program, guint32 *roles)
{
  g_autofree char *plan = g_strconcat (";", program->plan, NULL);
  guint n_reads = 0, n_steps = 0;
  *roles = 0;
  for (guint i = program->first; i < program->next; i++) {
    const Operation *operation = &program->all[i];
    if (is_aggregate (operation) && operation->p5 == 0) {
      n_steps++;
      continue;
    }
    if (!is (operation, "VColumn") || operation->p1 != program->cursor || n_reads == 32)
      return FALSE;
    guint n_step = skip_step (program, i), n_check = n_step > 0 ? 0 : skip_check (program, i, &plan);
    if (n_step + n_check == 0)
      return FALSE;
    *roles |= n_step > 0 ? 1u << n_reads : 0;
    n_reads++;
    n_steps += n_step > 0;
    i += n_step + n_check;
  }
  return n_steps > 0;
}

/* Returns FALSE if operations outside the loop read columns, or read the registers in which the loop stores columns. */
static gboolean
is_rest_apart (const Program *program)
{
  for (guint i = 0; i < program->n; i++) {
    const Operation *operation = &program->all[i];
    gboolean inside = i >= program->first && i < program->next;
    if (!inside &&
        (is (operation, "VColumn") || is (operation, "AggStep") || is (operation, "Program") || is (operation, "?")))
      return FALSE;
    for (guint k = program->first; !inside && k < program->next; k++)
      if (is (&program->all[k], "VColumn") && (is (operation, "Copy") || is (operation, "SCopy")) &&
          operation->p1 <= program->all[k].p3 && program->all[k].p3 <= operation->p1 + operation->p3)
        return FALSE;
  }
  return TRUE;
}

static gboolean
find_batches (sqlite3 *database, const char *sql, guint32 *roles)
{
  g_autofree Program *program = g_new (Program, 1);
  return read_program (database, sql, program) && find_loop (program) && is_rest_apart (program) &&
         find_roles (program, roles);
}

/* Returns FALSE if the text contains no name of an aggregate function. So most queries for single rows are prepared
 * only once. */
static gboolean
may_aggregate (const char *sql)
{
  g_autofree char *lower = g_ascii_strdown (sql, -1);
  for (guint i = 0; i < G_N_ELEMENTS (aggregates); i++)
    if (strstr (lower, aggregates[i].name) != NULL)
      return TRUE;
  return FALSE;
}

int
loom_query_batch_prepare (sqlite3 *database, const char *sql, LoomQueryHost *host, sqlite3_stmt **statement)
{
  guint32 roles;
  if (host->planned != 1u << LOOM_QUERY_TABLE_SPAN || !may_aggregate (sql) || !find_batches (database, sql, &roles))
    return SQLITE_OK;
  int code = register_aggregates (database, host);
  if (code != SQLITE_OK)
    return code;
  sqlite3_finalize (g_steal_pointer (statement));
  code = sqlite3_prepare_v2 (database, sql, -1, statement, NULL);
  /* the statement was prepared again, so its program is checked again: if it did not use batches, the replaced
   * aggregate functions would get no values */
  if (code == SQLITE_OK && !find_batches (database, sql, &roles))
    return SQLITE_INTERNAL;
  host->batch.roles = roles;
  host->batch.used = code == SQLITE_OK;
  return code;
}

/* --- conditions and values of the table span in batches -------------------------------------------------------------- */

gboolean
loom_query_batch_is_exact (const LoomQueryCondition *condition)
{
  int type = sqlite3_value_type (condition->value);
  gboolean is_null_test = loom_query_module_is_null_test (condition->operation);
  switch (condition->column) {
  case LOOM_QUERY_SPAN_NAME:
  case LOOM_QUERY_SPAN_CATEGORY:
  case LOOM_QUERY_SPAN_KIND: break;
  case LOOM_QUERY_SPAN_PARENT: return is_null_test;
  default: return type == SQLITE_INTEGER || type == SQLITE_NULL;
  }
  if (type != SQLITE_TEXT)
    return type == SQLITE_NULL;
  const char *text = (const char *) sqlite3_value_text (condition->value);
  gsize length = (gsize) sqlite3_value_bytes (condition->value);
  if (text == NULL || strlen (text) != length)
    return FALSE;
  return !loom_query_module_is_pattern (condition->operation) || length <= LOOM_QUERY_PATTERN_BYTES;
}

void
loom_query_batch_set (sqlite3_context *context, LoomQueryBatch *batch)
{
  sqlite3_result_pointer (context, batch, POINTER_TYPE, NULL);
}
