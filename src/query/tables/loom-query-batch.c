/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-batch.h: examines the program of a query, and finds the loops that can read batches.
 */
#include "loom-query-batch.h"

#include <string.h>

#include "loom-query-aggregates.h"
#include "loom-query-label-order.h"
#include "loom-query-limits.h"
#include "loom-query-span-columns.h"

#define MOST_OPERATIONS 200

/* --- programs ----------------------------------------------------------------------------------------------------- */

typedef struct {
  char code[16], text[LOOM_QUERY_BATCH_PLAN_BYTES];
  int p1, p2, p3, p5;
  gboolean is_shared; /* TRUE if the operation reads a single value for a batch: that of the batch's first span */
} Operation;

/* A loop of SQLite's program: the operations with the indices from `first` to `next` − 1 are executed for each row of a
 * table, and the operation with the index `next` moves to the next row. */
typedef struct {
  guint first, next;
  int cursor;
  gboolean is_batched;
  LoomQueryBatchLoop batch; /* how the loop reads the table; `plan` is set even if the loop cannot read batches */
} Loop;

typedef struct {
  Operation all[MOST_OPERATIONS];
  guint n;
  Loop loops[LOOM_QUERY_MOST_BATCH_LOOPS];
  guint n_loops;
} Program;

static gboolean
is (const Operation *operation, const char *code)
{
  return strcmp (operation->code, code) == 0;
}

/* Reads the operations of the program with which SQLite executes the query; EXPLAIN lists them. Returns FALSE if there
 * are more than MOST_OPERATIONS. */
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
    operation->is_shared = FALSE;
  }
  sqlite3_finalize (statement);
  return code == SQLITE_DONE;
}

/* Returns the index of the operation that moves a loop to its next row; 0 if the program has no such operation.
 * `filter`: index of the operation VFilter, after which the loop begins. */
static guint
find_next (const Program *program, guint filter)
{
  for (guint i = filter + 1; i < program->n; i++)
    if (is (&program->all[i], "VNext") && program->all[i].p1 == program->all[filter].p1)
      return program->all[i].p2 == (int) filter + 1 ? i : 0;
  return 0;
}

/* Finds the loops of a program that read tables. Returns FALSE if there are too many loops, or if the order in which a
 * loop reads its rows is unknown. The operation VFilter takes the number of the order from a register, so the order is
 * known only if the second operation before VFilter is an Integer that loads this register. */
static gboolean
find_loops (Program *program)
{
  program->n_loops = 0;
  for (guint i = 2; i < program->n; i++) {
    const Operation *filter = &program->all[i], *load = filter - 2;
    guint next = is (filter, "VFilter") ? find_next (program, i) : 0;
    if (next == 0)
      continue;
    if (program->n_loops == LOOM_QUERY_MOST_BATCH_LOOPS || !is (load, "Integer") || load->p2 != filter->p3)
      return FALSE;
    Loop *loop = &program->loops[program->n_loops++];
    *loop = (Loop) { .first = i + 1, .next = next, .cursor = filter->p1, .batch.order = (guint) load->p1 };
    g_strlcpy (loop->batch.plan, filter->text, sizeof loop->batch.plan);
  }
  return TRUE;
}

/* Returns the condition (SQLITE_INDEX_CONSTRAINT_…) that an operation checks: the operation jumps to the next row if
 * the condition is not met. 0: the operation checks no condition in this way. */
static guint
get_condition (const Loop *loop, const Operation *operation)
{
  static const struct {
    const char *code;
    guint condition;
  } jumps[] = { { "Ne", SQLITE_INDEX_CONSTRAINT_EQ },          { "Le", SQLITE_INDEX_CONSTRAINT_GT },
                { "Gt", SQLITE_INDEX_CONSTRAINT_LE },          { "Ge", SQLITE_INDEX_CONSTRAINT_LT },
                { "Lt", SQLITE_INDEX_CONSTRAINT_GE },          { "Eq", SQLITE_INDEX_CONSTRAINT_NE },
                { "NotNull", SQLITE_INDEX_CONSTRAINT_ISNULL }, { "IsNull", SQLITE_INDEX_CONSTRAINT_ISNOTNULL } };
  for (guint i = 0; i < G_N_ELEMENTS (jumps); i++)
    if (is (operation, jumps[i].code) && operation->p2 == (int) loop->next)
      return jumps[i].condition | (g_str_has_prefix (operation->text, "NOCASE") ? LOOM_QUERY_PLAN_NOCASE : 0);
  return 0;
}

/* If operation `at` begins the computation of a value that is executed only once, returns the number of operations of
 * this computation; else 0. Such a value is a subquery (operation Gosub) or an expression without columns (operation
 * Once, which jumps over the computation when it is reached again). */
static guint
count_once (const Program *program, const Loop *loop, guint at)
{
  const Operation *once = &program->all[at];
  if (is (once, "Gosub"))
    return 1;
  if (!is (once, "Once") || once->p2 <= (int) at || once->p2 > (int) loop->next)
    return 0;
  for (guint i = at + 1; i < (guint) once->p2; i++)
    if (is (&program->all[i], "VColumn") || is (&program->all[i], "VFilter") || is (&program->all[i], "Column"))
      return 0;
  return (guint) once->p2 - at;
}

/* Operation `at` reads a column. If the next operations check a condition on this column, and `plan` says that the
 * table evaluates this condition itself, returns the number of operations of the check. Also removes the condition from
 * `plan`, so that it is not used for another check. Otherwise returns 0. */
static guint
skip_check (const Program *program, const Loop *loop, guint at, char **plan)
{
  const Operation *read = &program->all[at], *check = read + 1;
  guint n_before = count_once (program, loop, at + 1);
  check += n_before;
  guint n = 1, condition = get_condition (loop, check);
  gboolean on_column =
    condition != 0 && (loom_query_module_is_null_test (condition) ? check->p1 : check->p3) == read->p3;
  if (is (check, "Function") && (strcmp (check->text, "like(2)") == 0 || strcmp (check->text, "glob(2)") == 0)) {
    condition = strcmp (check->text, "like(2)") == 0 ? SQLITE_INDEX_CONSTRAINT_LIKE : SQLITE_INDEX_CONSTRAINT_GLOB;
    on_column = check->p2 + 1 == read->p3 && is (check + 1, "IfNot") && check[1].p1 == check->p3 &&
                check[1].p2 == (int) loop->next;
    n = 2;
  }
  g_autofree char *part = g_strdup_printf (";%d:%u;", read->p2, condition);
  char *place = on_column ? strstr (*plan, part) : NULL;
  if (place == NULL)
    return 0;
  /* remove the condition from `plan`, so that a second check of the same condition is not skipped too */
  memmove (place, place + strlen (part) - 1, strlen (place + strlen (part) - 1) + 1);
  return n_before + n;
}

static gboolean
is_aggregate (const Operation *operation)
{
  return is (operation, "AggStep") && loom_query_aggregates_has (operation->text, operation->p5);
}

static gboolean
is_integer (int column)
{
  const LoomQueryTable *table = loom_query_schema_get (LOOM_QUERY_TABLE_SPAN);
  return column >= 0 && (guint) column < table->n_columns && table->columns[column].type == LOOM_QUERY_INTEGER;
}

/* Operation `at` reads a column. If the next operations pass the value to an aggregate function, returns the number of
 * these operations; otherwise 0. */
static guint
skip_step (const Program *program, guint at)
{
  const Operation *read = &program->all[at];
  guint n = is (&read[1], "CollSeq") ? 2 : 1;
  gboolean fits = is_integer (read->p2) && is_aggregate (&read[n]) && read[n].p5 == 1 && read[n].p2 == read->p3;
  return fits ? n : 0;
}

/* Operation `at` reads the start, and the next operation reads the duration. If the operations after these two add both
 * values and pass the sum to an aggregate function, returns the number of operations after `at`; otherwise 0. */
static guint
skip_end (const Program *program, const Loop *loop, guint at)
{
  const Operation *first = &program->all[at], *second = first + 1, *add = first + 2;
  gboolean reads_both = is (second, "VColumn") && second->p1 == loop->cursor &&
                        MIN (first->p2, second->p2) == LOOM_QUERY_SPAN_START &&
                        MAX (first->p2, second->p2) == LOOM_QUERY_SPAN_DURATION;
  gboolean adds_both = is (add, "Add") && MIN (add->p1, add->p2) == MIN (first->p3, second->p3) &&
                       MAX (add->p1, add->p2) == MAX (first->p3, second->p3) && first->p3 != second->p3;
  guint n = is (&add[1], "CollSeq") ? 2 : 1;
  gboolean fits = reads_both && adds_both && is_aggregate (&add[n]) && add[n].p5 == 1 && add[n].p2 == add->p3;
  return fits ? n + 2 : 0;
}

gboolean
loom_query_batch_is_by_name (guint order)
{
  const guint flags = LOOM_QUERY_ORDER_DESCENDING | LOOM_QUERY_ORDER_THEN_ID;
  return (order & LOOM_QUERY_ORDER_LABELS) != 0 || (order & ~flags) == LOOM_QUERY_ORDER_NAME;
}

/* Returns the index of the first operation of the loop with the name `code`; 0 if the loop has no such operation.
 * `code` is "Compare" or "Found". Compare compares the grouping columns of a row with those of the previous row. Found
 * skips a row that a query with DISTINCT has already returned. */
static guint
find_operation (const Program *program, const Loop *loop, const char *code)
{
  for (guint i = loop->first; i < loop->next; i++)
    if (is (&program->all[i], code))
      return i;
  return 0;
}

/* Returns TRUE if the order sorts by labels (LOOM_QUERY_ORDER_LABELS: some of the columns name, category and kind), and
 * `column` is one of the columns to sort by. */
static gboolean
has_label (guint order, guint column)
{
  gboolean has = FALSE;
  if ((order & LOOM_QUERY_ORDER_LABELS) == 0)
    return FALSE;
  for (guint by = order % LOOM_QUERY_ORDER_ROWS; by != 0; by >>= LOOM_QUERY_LABEL_ORDER_KEY_BITS)
    has |= by % LOOM_QUERY_LABEL_ORDER_DESCENDING == column;
  return has;
}

/* Returns TRUE if all spans of a batch have the same value in a column. */
static gboolean
is_same_in_batch (const Loop *loop, int column)
{
  guint order = loop->batch.order;
  switch (column) {
  case LOOM_QUERY_SPAN_DEPTH:
  case LOOM_QUERY_SPAN_TRACK:
  case LOOM_QUERY_SPAN_PROCESS:
  case LOOM_QUERY_SPAN_RANK: return order == LOOM_QUERY_ORDER_SCAN || (order & LOOM_QUERY_ORDER_ROWS) != 0;
  case LOOM_QUERY_SPAN_NAME: return loom_query_batch_is_by_name (order);
  case LOOM_QUERY_SPAN_CATEGORY: return (order & LOOM_QUERY_ORDER_LABELS) != 0;
  case LOOM_QUERY_SPAN_KIND: return has_label (order, LOOM_QUERY_SPAN_KIND);
  default: return FALSE;
  }
}

/* Returns TRUE if operation `at` reads a column in which all spans of a group have the same value. Such a column is
 * read before operation `compare`, for the comparison of groups, or read again after it. */
static gboolean
is_group_read (const Program *program, const Loop *loop, guint at, guint compare)
{
  int column = program->all[at].p2;
  if (compare == 0 || !is_same_in_batch (loop, column))
    return FALSE;
  gboolean is_key = at < compare;
  for (guint i = loop->first; i < compare; i++)
    is_key |= is (&program->all[i], "VColumn") && program->all[i].is_shared && program->all[i].p2 == column;
  return is_key;
}

/* Returns TRUE if the loop reads columns of its cursor from operation `at` on. */
static gboolean
reads_after (const Program *program, const Loop *loop, int at)
{
  for (guint i = (guint) MAX (at, 0); i < loop->next; i++)
    if (is (&program->all[i], "VColumn") && program->all[i].p1 == loop->cursor)
      return TRUE;
  return FALSE;
}

/* Returns TRUE if an operation has the same effect for a row that is a batch as for a row that is a single span.
 * `compare`: index of the operation that compares groups; 0: the query has no groups. SQLite implements FILTER with an
 * operation If, which skips reads of columns in some rows. The table counts the reads of a row to identify them, so an
 * If is harmless only if no columns are read after the operations that it skips. */
static gboolean
is_harmless (const Program *program, const Loop *loop, const Operation *operation, guint compare)
{
  static const char *const of_groups[] = { "Compare", "Jump", "Move", "Gosub", "IfPos", "If", "Integer" };
  if (is (operation, "If") && reads_after (program, loop, operation->p2))
    return FALSE;
  for (guint i = 0; compare > 0 && i < G_N_ELEMENTS (of_groups); i++)
    if (is (operation, of_groups[i]))
      return TRUE;
  /* an operation Column with another cursor reads a value from the list of a condition IN; the next operation compares
   * it */
  return is (operation, "Column") && operation->p1 != loop->cursor;
}

/* Returns TRUE if the loop only returns the different values of some columns (DISTINCT), and all spans of a batch have
 * the same values in these columns. A batch can then be treated as a single row. */
static gboolean
is_distinct_only (Program *program, Loop *loop)
{
  static const char *const allowed[] = { "Found", "MakeRecord", "IdxInsert", "ResultRow", "IfPos", "DecrJumpZero" };
  guint found = find_operation (program, loop, "Found");
  for (guint i = loop->first; found > 0 && i < loop->next; i++) {
    Operation *operation = &program->all[i];
    operation->is_shared =
      is (operation, "VColumn") && operation->p1 == loop->cursor && i < found && is_same_in_batch (loop, operation->p2);
    gboolean is_allowed = operation->is_shared;
    for (guint k = 0; k < G_N_ELEMENTS (allowed); k++)
      is_allowed |= is (operation, allowed[k]);
    if (!is_allowed || (i == found && operation->p2 != (int) loop->next))
      return FALSE;
    loop->batch.n_reads += operation->is_shared;
  }
  return found > 0;
}

/* Returns TRUE if an aggregate min() or max() sets the register `flag` when it has found a new minimum or maximum, so
 * that other columns are read from the same row. Only SQLite's own min() and max() can set this register. */
static gboolean
is_flag_of_extreme (const Program *program, int flag)
{
  for (guint i = 0; i < program->n; i++)
    if (is (&program->all[i], "CollSeq") && program->all[i].p1 != 0 && program->all[i].p1 == flag)
      return TRUE;
  return FALSE;
}

/* Operation `at` is an If. Returns the number of operations over which it jumps, and sets `is_shared` of these
 * operations, if they all read columns of the first row of a group, and no columns are read after them. Otherwise
 * returns 0. */
static guint
mark_first_reads (Program *program, Loop *loop, guint at)
{
  const Operation *jump = &program->all[at];
  guint end = (guint) MAX (jump->p2, 0);
  if (end <= at + 1 || end > loop->next || reads_after (program, loop, jump->p2) ||
      is_flag_of_extreme (program, jump->p1))
    return 0;
  for (guint i = at + 1; i < end; i++)
    if (!is (&program->all[i], "VColumn") || program->all[i].p1 != loop->cursor)
      return 0;
  for (guint i = at + 1; i < end; i++)
    program->all[i].is_shared = TRUE;
  loop->batch.n_reads += end - at - 1;
  return end - at - 1;
}

/* Examines the operations of the loop that read columns, in their order. If the value that an operation reads is passed
 * to an aggregate function, sets the bit of this operation in `roles` of the loop, because the operation may then
 * return a batch. Returns FALSE if the loop does anything besides aggregating columns, checking conditions and
 * comparing groups. */
static gboolean
find_roles (Program *program, Loop *loop)
{
  g_autofree char *plan = g_strconcat (";", loop->batch.plan, NULL);
  guint n_steps = 0, compare = find_operation (program, loop, "Compare");
  if (find_operation (program, loop, "Found") > 0)
    return is_distinct_only (program, loop);
  for (guint i = loop->first; i < loop->next; i++) {
    Operation *operation = &program->all[i];
    if (is_aggregate (operation) && operation->p5 == 0) {
      n_steps++;
      continue;
    }
    guint n_first = is (operation, "If") && compare > 0 ? mark_first_reads (program, loop, i) : 0;
    if (n_first > 0 || is_harmless (program, loop, operation, compare)) {
      i += n_first;
      continue;
    }
    if (!is (operation, "VColumn") || operation->p1 != loop->cursor || loop->batch.n_reads >= 31)
      return FALSE;
    guint n_step = skip_step (program, i), n_end = n_step > 0 ? 0 : skip_end (program, loop, i),
          n_check = n_step + n_end > 0 ? 0 : skip_check (program, loop, i, &plan);
    operation->is_shared = n_step + n_end + n_check == 0 && is_group_read (program, loop, i, compare);
    if (n_step + n_end + n_check == 0 && !operation->is_shared)
      return FALSE;
    loop->batch.n_reads += n_end > 0;
    loop->batch.roles |= n_step + n_end > 0 ? 1u << loop->batch.n_reads : 0;
    loop->batch.ends |= n_end > 0 ? 1u << loop->batch.n_reads : 0;
    loop->batch.n_reads++;
    n_steps += n_step + n_end > 0;
    i += n_step + n_end + n_check;
  }
  return n_steps > 0 || compare > 0;
}

/* Returns TRUE if the operations that return the row of a group may start another loop. That loop would change
 * LoomQueryHost.batch.n_rows, the number of spans in the current batch, which count() adds when the first loop
 * continues. SQLite puts the operations that return a group after the loop over the rows, in the second of three parts
 * that each end with Return. */
static gboolean
is_interrupted (const Program *program, const Loop *loop)
{
  guint n_returns = 0;
  for (guint i = loop->next; find_operation (program, loop, "Compare") > 0 && i < program->n && n_returns < 3; i++) {
    if (is (&program->all[i], "VFilter"))
      return TRUE;
    n_returns += is (&program->all[i], "Return");
  }
  return FALSE;
}

/* Returns TRUE if operation `at` is inside another loop that uses the cursor of this loop. A program contains such
 * loops if the same subquery occurs in the program several times. */
static gboolean
is_in_other_loop (const Program *program, const Loop *loop, guint at)
{
  for (guint i = 0; i < program->n_loops; i++) {
    const Loop *other = &program->loops[i];
    if (other != loop && other->cursor == loop->cursor && at >= other->first && at < other->next)
      return TRUE;
  }
  return FALSE;
}

/* Returns FALSE if operations outside the loop read columns of its cursor, or read the registers in which the loop
 * stores columns. */
static gboolean
is_rest_apart (const Program *program, const Loop *loop)
{
  for (guint i = 0; i < program->n; i++) {
    const Operation *operation = &program->all[i];
    if (i >= loop->first && i < loop->next)
      continue;
    if (is (operation, "Program") || is (operation, "?") ||
        (is (operation, "VColumn") && operation->p1 == loop->cursor && !is_in_other_loop (program, loop, i)))
      return FALSE;
    for (guint k = loop->first; k < loop->next; k++)
      if (is (&program->all[k], "VColumn") && !program->all[k].is_shared &&
          (is (operation, "Copy") || is (operation, "SCopy")) && operation->p1 <= program->all[k].p3 &&
          program->all[k].p3 <= operation->p1 + operation->p3)
        return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if the aggregate function that operation `at` calls may be replaced by the function of this program,
 * which can also take batches. Used for operations outside of the loops that read batches. The argument must be a
 * single value of an integer column. A min() or max() must not be replaced if it sets a register so that other columns
 * are read from the row with the minimum or maximum, because only SQLite's own functions can set this register. */
static gboolean
is_plain_step (const Program *program, guint at)
{
  const Operation *step = &program->all[at], *read = at > 0 ? step - 1 : NULL;
  if (read != NULL && at > 1 && is (read, "CollSeq"))
    read--;
  gboolean sets_flag = at > 1 && is (step - 1, "CollSeq") && step[-1].p1 != 0;
  if (read == NULL || !is (read, "VColumn") || step->p5 != 1 || read->p3 != step->p2 || sets_flag)
    return FALSE;
  const LoomQueryTable *table = loom_query_schema_get (LOOM_QUERY_TABLE_SPAN);
  return (guint) read->p2 < table->n_columns && table->columns[read->p2].type == LOOM_QUERY_INTEGER;
}

static gboolean
is_in_batched_loop (const Program *program, guint at)
{
  for (guint i = 0; i < program->n_loops; i++)
    if (program->loops[i].is_batched && at >= program->loops[i].first && at < program->loops[i].next)
      return TRUE;
  return FALSE;
}

static gboolean
are_steps_plain (const Program *program)
{
  for (guint i = 0; i < program->n; i++)
    if (g_str_has_prefix (program->all[i].code, "Agg") && !is (&program->all[i], "AggFinal") &&
        !is_in_batched_loop (program, i) && !is_plain_step (program, i))
      return FALSE;
  return TRUE;
}

static gboolean
is_same_plan (const LoomQueryBatchLoop *loop, guint order, const char *plan)
{
  return loop->order == order && strcmp (loop->plan, plan) == 0;
}

static gboolean
has_same_roles (const LoomQueryBatchLoop *first, const LoomQueryBatchLoop *second)
{
  return first->roles == second->roles && first->ends == second->ends;
}

/* Returns FALSE if filter() could mistake another loop of the program for this loop. filter() recognises a loop only by
 * its order and its conditions. This is a problem if another loop has the same order and conditions, but reads either
 * no batches or batches of other columns. */
static gboolean
is_told_apart (const Program *program, const Loop *loop)
{
  for (guint i = 0; i < program->n_loops; i++) {
    const Loop *other = &program->loops[i];
    gboolean is_same = other->is_batched && (has_same_roles (&other->batch, &loop->batch) ||
                                             other->batch.n_reads == 0 || loop->batch.n_reads == 0);
    if (is_same_plan (&other->batch, loop->batch.order, loop->batch.plan) && !is_same)
      return FALSE;
  }
  return TRUE;
}

static void
add_loop (LoomQueryHost *host, const LoomQueryBatchLoop *loop)
{
  for (guint i = 0; i < host->batch.n_loops; i++)
    if (is_same_plan (&host->batch.loops[i], loop->order, loop->plan)) {
      host->batch.loops[i].roles |= loop->roles;
      host->batch.loops[i].ends |= loop->ends;
      return;
    }
  host->batch.loops[host->batch.n_loops++] = *loop;
}

/* Returns TRUE if start + duration never overflows for a span of the run. If the sum overflowed, SQLite would compute a
 * real number. */
static gboolean
has_plain_ends (const LoomQueryHost *host)
{
  LoomRange extent;
  loom_timeline_get_extent (host->run->timeline, &extent);
  return extent.begin_ns > G_MININT64 / 4 && extent.end_ns < G_MAXINT64 / 4;
}

/* Finds the loops of the query's program that can read batches, and stores them in host->batch. Returns FALSE if the
 * query cannot read batches. */
static gboolean
find_batches (sqlite3 *database, const char *sql, LoomQueryHost *host)
{
  g_autofree Program *program = g_new (Program, 1);
  host->batch.n_loops = 0;
  if (!read_program (database, sql, program) || !find_loops (program))
    return FALSE;
  for (guint i = 0; i < program->n_loops; i++)
    program->loops[i].is_batched =
      find_roles (program, &program->loops[i]) && (program->loops[i].batch.ends == 0 || has_plain_ends (host)) &&
      is_rest_apart (program, &program->loops[i]) && !is_interrupted (program, &program->loops[i]);
  for (guint i = 0; i < program->n_loops; i++) {
    if (program->loops[i].is_batched && !is_told_apart (program, &program->loops[i]))
      return FALSE;
    if (program->loops[i].is_batched)
      add_loop (host, &program->loops[i].batch);
  }
  return host->batch.n_loops > 0 && are_steps_plain (program);
}

static gboolean
has_word (const char *text, const char *word)
{
  gsize n = strlen (word);
  for (const char *at = strstr (text, word); at != NULL; at = strstr (at + n, word))
    if ((at == text || !g_ascii_isalnum (at[-1])) && !g_ascii_isalnum (at[n]) && at[n] != '_')
      return TRUE;
  return FALSE;
}

/* Returns FALSE if the query certainly cannot use batches: it contains neither the name of an aggregate function nor
 * GROUP BY or DISTINCT, or it contains OVER. Such a query need not be prepared a second time. */
static gboolean
may_aggregate (const char *sql)
{
  g_autofree char *lower = g_ascii_strdown (sql, -1);
  if (has_word (lower, "over")) /* a window function needs each value separately, so it cannot use batches */
    return FALSE;
  return loom_query_aggregates_may_be_in (lower) || has_word (lower, "group") || has_word (lower, "distinct");
}

int
loom_query_batch_prepare (sqlite3 *database, const char *sql, LoomQueryHost *host, sqlite3_stmt **statement)
{
  if (host->planned != 1u << LOOM_QUERY_TABLE_SPAN || !may_aggregate (sql) || !find_batches (database, sql, host))
    return SQLITE_OK;
  int code = loom_query_aggregates_register (database, host);
  if (code != SQLITE_OK)
    return code;
  sqlite3_finalize (g_steal_pointer (statement));
  code = sqlite3_prepare_v2 (database, sql, -1, statement, NULL);
  /* check the program of the statement that was prepared again: if none of its loops can read batches, the replaced
   * aggregate functions, which take only batches and integers, cannot be used */
  if (code == SQLITE_OK && !find_batches (database, sql, host))
    return SQLITE_INTERNAL;
  host->batch.used = code == SQLITE_OK;
  return code;
}

/* --- conditions and values of the table span in batches ----------------------------------------------------------- */

const LoomQueryBatchLoop *
loom_query_batch_find_loop (const LoomQueryCursor *cursor, const LoomQueryHost *host)
{
  for (guint i = 0; host->batch.used && i < host->batch.n_loops; i++)
    if (is_same_plan (&host->batch.loops[i], cursor->order, cursor->plan))
      return &host->batch.loops[i];
  return NULL;
}

gboolean
loom_query_batch_is_exact (const LoomQueryCondition *condition)
{
  gboolean is_text = condition->column == LOOM_QUERY_SPAN_NAME || condition->column == LOOM_QUERY_SPAN_CATEGORY ||
                     condition->column == LOOM_QUERY_SPAN_KIND;
  if (!is_text || condition->is_final || loom_query_module_is_null_test (condition->operation))
    return TRUE;
  int type = sqlite3_value_type (condition->value);
  if (loom_query_module_is_pattern (condition->operation))
    return type == SQLITE_NULL ||
           (type == SQLITE_TEXT && sqlite3_value_bytes (condition->value) <= LOOM_QUERY_PATTERN_BYTES);
  return type != SQLITE_INTEGER && type != SQLITE_FLOAT;
}

void
loom_query_batch_set (sqlite3_context *context, LoomQueryBatch *batch)
{
  sqlite3_result_pointer (context, batch, LOOM_QUERY_AGGREGATES_POINTER, NULL);
}
