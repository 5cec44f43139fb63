/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares a text with the value of a condition as SQLite would (loom-query-text.h).
 */
#include "loom-query-text.h"

#include <string.h>

#include "loom-query-limits.h"

/* Returns TRUE for a pattern that is longer than SQLite permits. Checked here because sqlite3_strlike() and
 * sqlite3_strglob() do not check the length. */
static gboolean
is_pattern_too_long (const LoomQueryCondition *condition)
{
  return loom_query_module_is_pattern (condition->operation) &&
         sqlite3_value_bytes (condition->value) > LOOM_QUERY_PATTERN_BYTES;
}

/* Compares a text with the text of a value, as the collations BINARY and NOCASE do. */
static int
compare_text (const char *text, sqlite3_value *value, gboolean ignores_case)
{
  const char *other = (const char *) sqlite3_value_text (value);
  gsize length = strlen (text), other_length = (gsize) sqlite3_value_bytes (value), both = MIN (length, other_length);
  int order = 0;
  if (other != NULL)
    order = ignores_case ? sqlite3_strnicmp (text, other, (int) both) : memcmp (text, other, both);
  return order != 0 ? order : (length > other_length) - (length < other_length);
}

/* Returns TRUE if the condition is met. `order`: result of comparing the text with the value of the condition; less
 * than 0: the text comes before the value. */
static gboolean
is_order_met (const LoomQueryCondition *condition, int order)
{
  switch (condition->operation) {
  case SQLITE_INDEX_CONSTRAINT_EQ: return order == 0;
  case SQLITE_INDEX_CONSTRAINT_ISNOT:
  case SQLITE_INDEX_CONSTRAINT_NE: return order != 0;
  case SQLITE_INDEX_CONSTRAINT_LT: return order < 0;
  case SQLITE_INDEX_CONSTRAINT_LE: return order <= 0;
  case SQLITE_INDEX_CONSTRAINT_GT: return order > 0;
  case SQLITE_INDEX_CONSTRAINT_GE: return order >= 0;
  default: return TRUE;
  }
}

static gboolean
is_pattern_met (const LoomQueryCondition *condition, const char *text)
{
  const char *pattern = (const char *) sqlite3_value_text (condition->value);
  if (pattern == NULL || sqlite3_value_type (condition->value) == SQLITE_BLOB || is_pattern_too_long (condition))
    return TRUE;
  return condition->operation == SQLITE_INDEX_CONSTRAINT_LIKE ? sqlite3_strlike (pattern, text, 0) == 0
                                                              : sqlite3_strglob (pattern, text) == 0;
}

gboolean
loom_query_text_is_met (const LoomQueryCondition *condition, const char *text)
{
  if (loom_query_module_is_null_test (condition->operation))
    return (text == NULL) == (condition->operation == SQLITE_INDEX_CONSTRAINT_ISNULL);
  int type = sqlite3_value_type (condition->value);
  if (text == NULL || type == SQLITE_NULL)
    return condition->operation == SQLITE_INDEX_CONSTRAINT_ISNOT;
  if (loom_query_module_is_pattern (condition->operation))
    return is_pattern_met (condition, text);
  if (type == SQLITE_BLOB)
    return is_order_met (condition, -1);
  if (type != SQLITE_TEXT && !condition->is_final)
    return TRUE;
  return is_order_met (condition, compare_text (text, condition->value, condition->ignores_case));
}
