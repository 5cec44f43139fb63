/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: writes columns of database rows as JSON.
 */
#pragma once

#include "loom-made-json.h"

#include <math.h>
#include <sqlite3.h>

/* Reads the number in a column of any type, also from a text. Returns FALSE if the column does not contain a finite
 * number. */
static inline gboolean
loom_row_json_take_number (sqlite3_stmt *row, int column, double *number)
{
  sqlite3_value *value = sqlite3_column_value (row, column);
  int type = sqlite3_value_numeric_type (value);
  *number = sqlite3_value_double (value);
  return (type == SQLITE_INTEGER || type == SQLITE_FLOAT) && isfinite (*number);
}

/* Appends a member with the integer in a column. Appends nothing if the column is NULL. */
static inline void
loom_row_json_append_column (GString *text, const char *key, sqlite3_stmt *row, int column)
{
  if (sqlite3_column_type (row, column) == SQLITE_NULL)
    return;
  loom_made_json_append_key (text, key);
  loom_made_json_append_int (text, sqlite3_column_int64 (row, column));
}

/* Returns the number of bytes that loom_row_json_append_column() appends after other members. Sets `number` to the
 * integer in the column; 0 if it is NULL. For speed, this calls sqlite3_column_value() once and then only functions of
 * the kind sqlite3_value_…(), which are faster. */
static inline gsize
loom_row_json_measure_number (const char *key, sqlite3_stmt *row, int column, gint64 *number)
{
  sqlite3_value *value = sqlite3_column_value (row, column);
  *number = sqlite3_value_int64 (value);
  return sqlite3_value_type (value) == SQLITE_NULL
           ? 0
           : strlen (",\"\":") + strlen (key) + loom_made_json_measure_int (*number);
}

static inline gsize
loom_row_json_measure_column (const char *key, sqlite3_stmt *row, int column)
{
  gint64 number;
  return loom_row_json_measure_number (key, row, column, &number);
}
