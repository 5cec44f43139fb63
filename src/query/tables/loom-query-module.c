/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-module.h: the plans and the callbacks that all virtual tables share.
 */
#include "loom-query-module.h"

#include <string.h>

#include "loom-query-arg.h"
#include "loom-query-intervals.h"
#include "loom-query-limits.h"

/* Estimates for comparing plans; they need not be accurate. EQUAL_SHARE, ORDERED_SHARE: the share of the rows that
 * meets a condition. SKIP_COST: the cost of a row that the table itself skips, if a row that it returns to SQLite costs
 * 1. */
#define EQUAL_SHARE (1.0 / 100)
#define ORDERED_SHARE (1.0 / 4)
#define SKIP_COST (1.0 / 20)

#define MOST_ORDER_COLUMNS 4

/* --- planning ----------------------------------------------------------------------------------------------------- */

typedef struct {
  double rows, cost;
  gboolean is_unique; /* TRUE: at most one row meets the conditions */
  guint n_used;
  guint arguments; /* mask of the table function's arguments that the query passes */
  /* The plan as text: "COLUMN:OPERATION;" for each condition that the table evaluates, where OPERATION may include
   * flags LOOM_QUERY_PLAN_… If the query is an EXPLAIN, the plan has the conditions in words instead, such as "kind = ?
   * AND start >= ?"; the final text has LOOM_QUERY_PLAN_WORDS before them */
  GString *plan;
  const LoomQueryTable *explained; /* if the query is an EXPLAIN: the table whose conditions are explained; else NULL */
} Plan;

/* Appends a condition, in words, to the plan of a query. Must be called only if the query is an EXPLAIN. */
static void
append_words (Plan *plan, guint column, guint operation)
{
  static const struct {
    guint operation;
    const char *words;
  } all[] = {
    { SQLITE_INDEX_CONSTRAINT_GT, "> ?" },         { SQLITE_INDEX_CONSTRAINT_LE, "<= ?" },
    { SQLITE_INDEX_CONSTRAINT_LT, "< ?" },         { SQLITE_INDEX_CONSTRAINT_GE, ">= ?" },
    { SQLITE_INDEX_CONSTRAINT_NE, "<> ?" },        { SQLITE_INDEX_CONSTRAINT_LIKE, "LIKE ?" },
    { SQLITE_INDEX_CONSTRAINT_GLOB, "GLOB ?" },    { SQLITE_INDEX_CONSTRAINT_ISNULL, "IS NULL" },
    { SQLITE_INDEX_CONSTRAINT_IS, "IS ?" },        { SQLITE_INDEX_CONSTRAINT_ISNOTNULL, "IS NOT NULL" },
    { SQLITE_INDEX_CONSTRAINT_ISNOT, "IS NOT ?" },
  };
  const char *words = operation & LOOM_QUERY_PLAN_LIST ? "IN (?)" : "= ?";
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].operation == operation % LOOM_QUERY_PLAN_NOCASE)
      words = all[i].words;
  g_string_append_printf (plan->plan, "%s%s %s%s", plan->plan->len > 0 ? " AND " : "",
                          plan->explained->columns[column].name, words,
                          operation & LOOM_QUERY_PLAN_NOCASE ? " COLLATE NOCASE" : "");
}

static gboolean
is_order (guint operation)
{
  return operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE ||
         operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE;
}

/* Returns TRUE if the table itself evaluates conditions with this operation on a column with these flags. If so,
 * reduces the expected number of rows and the cost of the plan. */
static gboolean
weigh (Plan *plan, guint flags, guint operation)
{
  gboolean equal = operation == SQLITE_INDEX_CONSTRAINT_EQ,
           chooses = is_order (operation) || loom_query_module_is_null_test (operation);
  if (equal && flags & LOOM_QUERY_KEY) {
    plan->rows = plan->cost = 1;
    plan->is_unique = TRUE;
  } else if (equal && flags & LOOM_QUERY_LINKED)
    /* The column contains the id of the parent of a span. Each span has at most one parent, so a span has, on average,
     * at most one child. */
    plan->rows = plan->cost = 1;
  else if (equal && flags & (LOOM_QUERY_EQUAL | LOOM_QUERY_PLACED)) {
    plan->rows *= EQUAL_SHARE;
    plan->cost *= EQUAL_SHARE;
  } else if ((equal || is_order (operation)) && flags & LOOM_QUERY_ORDERED) {
    plan->rows *= ORDERED_SHARE;
    plan->cost *= ORDERED_SHARE;
  } else if (chooses && flags & LOOM_QUERY_PLACED) {
    plan->rows *= ORDERED_SHARE;
    plan->cost *= ORDERED_SHARE;
  } else if ((equal || loom_query_module_is_pattern (operation)) && flags & LOOM_QUERY_MATCHED) {
    plan->rows *= EQUAL_SHARE;
    plan->cost *= SKIP_COST;
  } else if (chooses && flags & LOOM_QUERY_MATCHED) {
    plan->rows *= ORDERED_SHARE;
    plan->cost *= ORDERED_SHARE;
  } else if (operation == SQLITE_INDEX_CONSTRAINT_NE && flags & (LOOM_QUERY_MATCHED | LOOM_QUERY_PLACED))
    plan->rows *= ORDERED_SHARE;
  else if (loom_query_module_is_null_test (operation) && flags & LOOM_QUERY_LINKED)
    plan->rows *= ORDERED_SHARE;
  else
    return FALSE;
  return TRUE;
}

/* Makes SQLite pass the value of condition `i` to filter(). `omit`: SQLite may skip its own check of the condition. */
static void
use (Plan *plan, sqlite3_index_info *info, int i, guint column, guint operation, gboolean omit)
{
  info->aConstraintUsage[i].argvIndex = (int) ++plan->n_used;
  info->aConstraintUsage[i].omit = omit;
  if (plan->explained != NULL)
    append_words (plan, column, operation);
  else
    g_string_append_printf (plan->plan, "%u:%u;", column, operation);
}

static gboolean
ignores_case (const LoomQueryColumn *column, sqlite3_index_info *info, int i)
{
  return column->type == LOOM_QUERY_TEXT && !loom_query_module_is_pattern (info->aConstraint[i].op) &&
         g_ascii_strcasecmp (sqlite3_vtab_collation (info, i), "NOCASE") == 0;
}

/* Returns TRUE if the table can compare values as condition `i` requires. Tables that are not exact
 * (LoomQueryModule.is_exact) only compare texts byte by byte, so SQLite itself must evaluate conditions with another
 * collation. */
static gboolean
is_comparable (const LoomQueryModule *module, const LoomQueryColumn *column, sqlite3_index_info *info, int i)
{
  return column->type != LOOM_QUERY_TEXT || loom_query_module_is_pattern (info->aConstraint[i].op) ||
         g_ascii_strcasecmp (sqlite3_vtab_collation (info, i), "BINARY") == 0 ||
         (module->is_exact && ignores_case (column, info, i));
}

/* Returns TRUE if the table evaluates condition `i` with the same result as SQLite. If a condition compares a text with
 * a number, the result depends on the type of the number's expression. SQLite passes this type to the table only if the
 * number is written in the query. */
static gboolean
is_exact (const LoomQueryModule *module, const LoomQueryColumn *column, sqlite3_index_info *info, int i)
{
  guint operation = info->aConstraint[i].op;
  sqlite3_value *value = NULL;
  if (operation == SQLITE_INDEX_CONSTRAINT_ISNOTNULL) /* SQLite evaluates IS NOT NULL again even with `omit` */
    return FALSE;
  if (!module->is_exact || column->type != LOOM_QUERY_TEXT || loom_query_module_is_null_test (operation))
    return module->is_exact;
  if (sqlite3_vtab_rhs_value (info, i, &value) != SQLITE_OK || value == NULL)
    return FALSE;
  return !loom_query_module_is_pattern (operation) ||
         (sqlite3_value_type (value) == SQLITE_TEXT && sqlite3_value_bytes (value) <= LOOM_QUERY_PATTERN_BYTES);
}

/* Condition `i` is an IN. If the table can evaluate it with all values of the list at once, makes SQLite pass the whole
 * list, and returns TRUE. Otherwise returns FALSE; SQLite then scans the table once for each value of the list. */
static gboolean
takes_list (const LoomQueryModule *module, const LoomQueryColumn *column, sqlite3_index_info *info, int i)
{
  gboolean takes = module->is_exact && (column->flags & (LOOM_QUERY_KEY | LOOM_QUERY_ORDERED)) == LOOM_QUERY_ORDERED;
  return takes && info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ && sqlite3_vtab_in (info, i, 1) != 0;
}

/* Returns the operation with which weigh() estimates a condition. In an exact table (LoomQueryModule.is_exact), IS
 * counts as = and IS NOT as <>; all other operations are returned unchanged. */
static guint
to_plain (const LoomQueryModule *module, guint operation)
{
  if (operation == SQLITE_INDEX_CONSTRAINT_IS && module->is_exact)
    return SQLITE_INDEX_CONSTRAINT_EQ;
  if (operation == SQLITE_INDEX_CONSTRAINT_ISNOT && module->is_exact)
    return SQLITE_INDEX_CONSTRAINT_NE;
  return operation;
}

/* Returns TRUE if the condition is IS NULL or IS NOT NULL on a column that is never NULL. As no row meets such an IS
 * NULL, also sets the expected number of rows and the cost of the plan to 1, the minimum, if the condition is IS
 * NULL. */
static gboolean
weigh_never_null (Plan *plan, const LoomQueryModule *module, const LoomQueryColumn *column, guint operation)
{
  if (!module->is_exact || column->nullable || !loom_query_module_is_null_test (operation))
    return FALSE;
  if (operation == SQLITE_INDEX_CONSTRAINT_ISNULL)
    plan->rows = plan->cost = 1;
  return TRUE;
}

static void
consider (Plan *plan, const LoomQueryModule *module, const LoomQueryTable *table, sqlite3_index_info *info, int i)
{
  guint column = info->aConstraint[i].iColumn < 0 ? 0 : (guint) info->aConstraint[i].iColumn,
        operation = info->aConstraint[i].op;
  guint flags = table->columns[column].flags;
  if (!info->aConstraint[i].usable || plan->n_used >= LOOM_QUERY_MODULE_MOST_CONDITIONS)
    return;
  if (info->aConstraint[i].iColumn < 0 && !(flags & LOOM_QUERY_KEY))
    return;
  if (flags & LOOM_QUERY_ARGUMENT) {
    guint bit = 1u << (column - table->n_columns);
    if (operation != SQLITE_INDEX_CONSTRAINT_EQ || plan->arguments & bit)
      return;
    plan->arguments |= bit;
    use (plan, info, i, column, operation, TRUE);
    return;
  }
  const LoomQueryColumn *of = &table->columns[column];
  if (!is_comparable (module, of, info, i) ||
      (!weigh_never_null (plan, module, of, operation) && !weigh (plan, flags, to_plain (module, operation))))
    return;
  gboolean final = is_exact (module, of, info, i), list = takes_list (module, of, info, i);
  use (plan, info, i, column,
       operation | (ignores_case (of, info, i) ? LOOM_QUERY_PLAN_NOCASE : 0) | (final ? LOOM_QUERY_PLAN_FINAL : 0) |
         (list ? LOOM_QUERY_PLAN_LIST : 0),
       final);
}

/* The plan for a call of a table function without its arguments: MISSING_PLAN, followed by the number of the table.
 * SQLite also requests such a plan if the call has arguments, for example for each side of an OR. The plan has the cost
 * MISSING_COST, so SQLite uses it only if the call has no arguments. */
#define MISSING_PLAN "!"
#define MISSING_COST 1e99

/* Checks the arguments of a table function. Returns SQLITE_CONSTRAINT if they depend on tables that SQLite would read
 * later: SQLite must then read the tables in another order. Returns SQLITE_NOTFOUND if arguments are missing. */
static int
check_arguments (const Plan *plan, const LoomQueryTable *table, const sqlite3_index_info *info)
{
  guint all = (1u << table->n_arguments) - 1, mentioned = 0;
  if (plan->arguments == all)
    return SQLITE_OK;
  for (int i = 0; i < info->nConstraint; i++)
    if (info->aConstraint[i].iColumn >= (int) table->n_columns)
      mentioned |= 1u << ((guint) info->aConstraint[i].iColumn - table->n_columns);
  if (mentioned == all)
    return SQLITE_CONSTRAINT;
  if (mentioned == 0 && table->columns[table->n_columns].flags & LOOM_QUERY_OPTIONAL)
    return SQLITE_OK;
  return SQLITE_NOTFOUND;
}

static int
plan_without_arguments (const LoomQueryVtab *vtab, sqlite3_index_info *info)
{
  for (int i = 0; i < info->nConstraint; i++)
    info->aConstraintUsage[i].argvIndex = info->aConstraintUsage[i].omit = 0;
  vtab->host->missing = TRUE;
  info->estimatedCost = MISSING_COST;
  info->idxStr = sqlite3_mprintf (MISSING_PLAN "%d", (int) vtab->module->table);
  info->needToFreeIdxStr = TRUE;
  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

char *
loom_query_module_dup_missing (sqlite3 *database, const char *sql, const LoomQueryHost *host)
{
  g_autofree char *question = host->missing ? g_strconcat ("EXPLAIN QUERY PLAN ", sql, NULL) : NULL;
  sqlite3_stmt *statement = NULL;
  const LoomQueryTable *table = NULL;
  if (question == NULL || sqlite3_prepare_v2 (database, question, -1, &statement, NULL) != SQLITE_OK)
    return NULL;
  while (table == NULL && sqlite3_step (statement) == SQLITE_ROW) {
    const char *plan = (const char *) sqlite3_column_text (statement, 3),
               *at = plan != NULL ? strstr (plan, " VIRTUAL TABLE INDEX 0:" MISSING_PLAN) : NULL;
    guint64 number = at != NULL ? g_ascii_strtoull (strchr (at, MISSING_PLAN[0]) + 1, NULL, 10) : G_MAXUINT64;
    if (number < LOOM_N_QUERY_TABLES_AND_FUNCTIONS)
      table = loom_query_schema_get ((LoomQueryTableId) number);
  }
  sqlite3_finalize (statement);
  return table != NULL && table->takes != NULL ? g_strdup_printf ("%s() takes %s", table->name, table->takes) : NULL;
}

/* Returns the number by which the module's sort() identifies the order that the query requires; 0: the table cannot
 * return its rows in this order. Texts are compared byte by byte, because no column has another collation. The row id
 * counts as column 0. */
static guint
sort (const LoomQueryVtab *vtab, sqlite3_index_info *info)
{
  LoomQueryOrderBy by[MOST_ORDER_COLUMNS];
  if (vtab->module->sort == NULL || info->nOrderBy < 1 || info->nOrderBy > MOST_ORDER_COLUMNS)
    return 0;
  for (int i = 0; i < info->nOrderBy; i++)
    by[i] = (LoomQueryOrderBy) { (guint) MAX (info->aOrderBy[i].iColumn, 0), info->aOrderBy[i].desc != 0 };
  return vtab->module->sort (vtab->host->run, by, (guint) info->nOrderBy,
                             sqlite3_vtab_distinct (info) >= 2 && !vtab->host->reads_row_id ? info->colUsed : 0);
}

static int
best_index (sqlite3_vtab *base, sqlite3_index_info *info)
{
  LoomQueryVtab *vtab = (LoomQueryVtab *) base;
  const LoomQueryTable *table = loom_query_schema_get (vtab->module->table);
  g_autoptr (GString) text = g_string_new (NULL);
  Plan plan = { .plan = text, .explained = vtab->host->explains ? table : NULL };
  vtab->host->planned |= 1u << vtab->module->table;
  plan.rows = plan.cost = (double) vtab->module->count (vtab->host->run) + 1;
  for (int i = 0; i < info->nConstraint; i++)
    consider (&plan, vtab->module, table, info, i);
  int code = check_arguments (&plan, table, info);
  if (code == SQLITE_NOTFOUND)
    return plan_without_arguments (vtab, info);
  if (code != SQLITE_OK)
    return code;
  if (table->n_arguments > 0)
    plan.rows = plan.cost = MAX (plan.rows * EQUAL_SHARE, 1);
  info->estimatedCost = MAX (plan.cost, 1);
  info->estimatedRows = (sqlite3_int64) MAX (plan.rows, 1);
  info->idxNum = plan.is_unique ? 0 : (int) sort (vtab, info);
  info->orderByConsumed = plan.is_unique || info->idxNum % (1 << LOOM_QUERY_ONCE_SHIFT) != 0;
  info->idxFlags = plan.is_unique ? SQLITE_INDEX_SCAN_UNIQUE : 0;
  info->idxStr = sqlite3_mprintf ("%s%s", plan.explained != NULL ? LOOM_QUERY_PLAN_WORDS : "", text->str);
  info->needToFreeIdxStr = TRUE;
  return info->idxStr != NULL ? SQLITE_OK : SQLITE_NOMEM;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Columns that are never NULL are declared NOT NULL. SQLite's min() then need not skip NULL values, so it can use the
 * order in which the table returns its rows. */
static char *
new_declaration (const LoomQueryTable *table)
{
  GString *sql = g_string_new ("CREATE TABLE x (");
  for (guint i = 0; i < table->n_columns + table->n_arguments; i++)
    g_string_append_printf (sql, "%s\"%s\" %s%s", i > 0 ? ", " : "", table->columns[i].name,
                            loom_query_schema_type_to_string (table->columns[i].type),
                            i >= table->n_columns        ? " HIDDEN"
                            : table->columns[i].nullable ? ""
                                                         : " NOT NULL");
  g_string_append_c (sql, ')');
  return g_string_free (sql, FALSE);
}

typedef struct {
  const LoomQueryModule *module;
  LoomQueryHost *host;
} Registration;

static int
connect_table (sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **made, char **message)
{
  const Registration *registration = data;
  g_autofree char *sql = new_declaration (loom_query_schema_get (registration->module->table));
  registration->host->declaring = TRUE;
  int code = sqlite3_declare_vtab (database, sql);
  registration->host->declaring = FALSE;
  if (code != SQLITE_OK)
    return code;
  LoomQueryVtab *vtab = g_new0 (LoomQueryVtab, 1);
  vtab->module = registration->module;
  vtab->host = registration->host;
  *made = &vtab->base;
  return SQLITE_OK;
}

static void
free_cursor (const LoomQueryModule *module, sqlite3_vtab_cursor *cursor)
{
  if (cursor != NULL && module->clear != NULL)
    module->clear ((LoomQueryCursor *) cursor);
  g_free (cursor);
}

static int
disconnect_table (sqlite3_vtab *base)
{
  LoomQueryVtab *vtab = (LoomQueryVtab *) base;
  free_cursor (vtab->module, vtab->spare);
  g_free (vtab);
  return SQLITE_OK;
}

/* --- cursors ------------------------------------------------------------------------------------------------------ */

static const LoomQueryModule *
module_of (sqlite3_vtab_cursor *cursor)
{
  return ((LoomQueryVtab *) cursor->pVtab)->module;
}

/* Opens a cursor. SQLite opens and closes a cursor of a correlated subquery for each row of the outer query, so a
 * closed cursor is kept and used again. */
static int
open_cursor (sqlite3_vtab *base, sqlite3_vtab_cursor **made)
{
  LoomQueryVtab *vtab = (LoomQueryVtab *) base;
  *made = vtab->spare != NULL ? g_steal_pointer (&vtab->spare) : g_malloc0 (vtab->module->cursor_bytes);
  /* filter() reads a plan only if its address differs from the address in this member. The plan of an earlier query may
   * have had the same address, so the member is set to NULL. */
  ((LoomQueryCursor *) *made)->plan = NULL;
  return SQLITE_OK;
}

static int
close_cursor (sqlite3_vtab_cursor *cursor)
{
  LoomQueryVtab *vtab = (LoomQueryVtab *) cursor->pVtab;
  if (vtab->module->rest == NULL || vtab->spare != NULL) {
    free_cursor (vtab->module, cursor);
    return SQLITE_OK;
  }
  vtab->module->rest ((LoomQueryCursor *) cursor);
  vtab->spare = cursor;
  return SQLITE_OK;
}

/* Replaces IS by = or IS NULL, and IS NOT with the value NULL by SQLITE_INDEX_CONSTRAINT_ISNOTNULL. Does not replace IS
 * NOT with another value by <>, because NULL IS NOT 'a' is true, but NULL <> 'a' is not. */
static void
replace_is (LoomQueryCondition *condition)
{
  if (condition->operation != SQLITE_INDEX_CONSTRAINT_IS && condition->operation != SQLITE_INDEX_CONSTRAINT_ISNOT)
    return;
  gboolean is_null = sqlite3_value_type (condition->value) == SQLITE_NULL;
  if (condition->operation == SQLITE_INDEX_CONSTRAINT_IS)
    condition->operation = is_null ? SQLITE_INDEX_CONSTRAINT_ISNULL : SQLITE_INDEX_CONSTRAINT_EQ;
  else if (condition->operation == SQLITE_INDEX_CONSTRAINT_ISNOT && is_null)
    condition->operation = SQLITE_INDEX_CONSTRAINT_ISNOTNULL;
}

/* Reads a decimal number of a plan, and skips the character after it. */
static guint
read_number (const char **at)
{
  guint number = 0;
  for (; g_ascii_isdigit (**at); (*at)++)
    number = number * 10 + (guint) (**at - '0');
  *at += **at != '\0';
  return number;
}

/* Reads the conditions of a plan, without their values. */
static void
read_plan (LoomQueryCursor *cursor, const char *plan)
{
  cursor->n_conditions = 0;
  for (const char *at = plan; *at != '\0' && cursor->n_conditions < LOOM_QUERY_MODULE_MOST_CONDITIONS;) {
    guint column = read_number (&at), operation = read_number (&at);
    cursor->conditions[cursor->n_conditions++] =
      (LoomQueryCondition) { .column = column,
                             .operation = operation % LOOM_QUERY_PLAN_NOCASE,
                             .ignores_case = (operation & LOOM_QUERY_PLAN_NOCASE) != 0,
                             .is_final = (operation & LOOM_QUERY_PLAN_FINAL) != 0,
                             .is_list = (operation & LOOM_QUERY_PLAN_LIST) != 0 };
  }
  cursor->plan = plan;
}

static int
filter (sqlite3_vtab_cursor *base, int number, const char *plan, int argc, sqlite3_value **argv)
{
  LoomQueryCursor *cursor = (LoomQueryCursor *) base;
  LoomQueryCondition conditions[LOOM_QUERY_MODULE_MOST_CONDITIONS];
  if (plan[0] == MISSING_PLAN[0])
    return loom_query_module_fail (cursor, SQLITE_ERROR, NULL);
  if (cursor->plan != plan)
    read_plan (cursor, plan);
  guint n = MIN ((guint) argc, cursor->n_conditions);
  for (guint i = 0; i < n; i++) {
    conditions[i] = cursor->conditions[i];
    conditions[i].value = argv[i];
    replace_is (&conditions[i]);
  }
  cursor->at_end = FALSE;
  cursor->order = (guint) number;
  return module_of (base)->filter (cursor, conditions, n);
}

static int
next (sqlite3_vtab_cursor *cursor)
{
  return module_of (cursor)->next ((LoomQueryCursor *) cursor);
}

static int
is_at_end (sqlite3_vtab_cursor *cursor)
{
  return ((LoomQueryCursor *) cursor)->at_end;
}

static int
column (sqlite3_vtab_cursor *cursor, sqlite3_context *context, int number)
{
  module_of (cursor)->column ((LoomQueryCursor *) cursor, context, (guint) number);
  return SQLITE_OK;
}

static int
row_id (sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
  *id = module_of (cursor)->row_id ((LoomQueryCursor *) cursor);
  return SQLITE_OK;
}

/* The module has no xCreate, so its table exists only under the name of the module (eponymous virtual table). */
static const sqlite3_module methods = {
  .xConnect = connect_table,
  .xBestIndex = best_index,
  .xDisconnect = disconnect_table,
  .xOpen = open_cursor,
  .xClose = close_cursor,
  .xFilter = filter,
  .xNext = next,
  .xEof = is_at_end,
  .xColumn = column,
  .xRowid = row_id,
};

int
loom_query_module_register (sqlite3 *database, LoomQueryHost *host, const char *prefix)
{
  static const LoomQueryModule *const modules[] = {
    &loom_query_module_span,           &loom_query_module_instant,       &loom_query_module_overlap,
    &loom_query_module_descendants,    &loom_query_module_ancestors,     &loom_query_module_sample,
    &loom_query_module_flow,           &loom_query_module_counter,       &loom_query_module_track,
    &loom_query_module_process,        &loom_query_module_source,        &loom_query_module_clock,
    &loom_query_module_step,           &loom_query_module_collective,    &loom_query_module_finding,
    &loom_query_module_problem,        &loom_query_module_critical_path, &loom_query_module_interval_join,
    &loom_query_module_interval_union,
  };
  int code = loom_query_arg_register (database, host);
  if (code == SQLITE_OK)
    code = loom_query_intervals_register (database, host);
  for (guint i = 0; i < G_N_ELEMENTS (modules) && code == SQLITE_OK; i++) {
    g_autofree char *name = g_strconcat (prefix, loom_query_schema_get (modules[i]->table)->name, NULL);
    Registration *registration = g_new (Registration, 1);
    *registration = (Registration) { modules[i], host };
    code = sqlite3_create_module_v2 (database, name, &methods, registration, g_free);
  }
  return code;
}

void
loom_query_module_clear_host (LoomQueryHost *host)
{
  g_clear_pointer (&host->reader, loom_export_event_reader_free);
  if (host->text != NULL)
    g_string_free (host->text, TRUE);
  host->text = NULL;
  loom_query_intervals_clear (host);
}

/* --- functions that the tables call ------------------------------------------------------------------------------- */

int
loom_query_module_fail (LoomQueryCursor *cursor, int code, const char *message)
{
  sqlite3_free (cursor->base.pVtab->zErrMsg);
  cursor->base.pVtab->zErrMsg = message != NULL ? sqlite3_mprintf ("%s", message) : NULL;
  cursor->at_end = TRUE;
  return code;
}

void
loom_query_module_set_name (sqlite3_context *context, const char *text)
{
  if (text != NULL)
    sqlite3_result_text (context, text, -1, SQLITE_STATIC);
}

void
loom_query_module_set_text (sqlite3_context *context, const char *text)
{
  if (text != NULL && text[0] != '\0')
    sqlite3_result_text (context, text, -1, SQLITE_STATIC);
}

void
loom_query_module_set_rank (sqlite3_context *context, gint rank)
{
  if (rank >= 0)
    sqlite3_result_int (context, rank);
}
