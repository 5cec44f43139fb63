/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom_query_module_narrow() of loom-query-module.h: the integers that meet a comparison.
 */
#include "loom-query-module.h"

#include <math.h>

/* Narrows the limits to the integers that meet a comparison with the real number `value`. */
static void
narrow_by_real (LoomQueryLimits *limits, guint operation, double value)
{
  gboolean below = operation == SQLITE_INDEX_CONSTRAINT_LT || operation == SQLITE_INDEX_CONSTRAINT_LE,
           above = operation == SQLITE_INDEX_CONSTRAINT_GT || operation == SQLITE_INDEX_CONSTRAINT_GE;
  gboolean is_high = value >= 0x1p63, is_low = value < -0x1p63; /* the value is beyond the range of 64-bit integers */
  gint64 whole = is_high || is_low ? 0 : (gint64) floor (value);
  gboolean is_whole = !is_high && !is_low && (double) whole == value;
  gboolean is_none = (is_high && !below) || (is_low && !above) || (!below && !above && !is_whole);
  if (operation == SQLITE_INDEX_CONSTRAINT_LT && is_whole) {
    is_none |= whole == G_MININT64;
    whole -= whole > G_MININT64;
  } else if (above && (!is_whole || operation == SQLITE_INDEX_CONSTRAINT_GT))
    whole++; /* this addition cannot overflow, because real numbers near 2^63 are 1024 apart */
  if (is_none)
    *limits = (LoomQueryLimits) { 1, 0 };
  if (is_high || is_low)
    return;
  limits->least = below ? limits->least : MAX (limits->least, whole);
  limits->most = above ? limits->most : MIN (limits->most, whole);
}

/* Narrows the limits to the integers that meet a comparison with the integer `value`. */
static void
narrow_by_int (LoomQueryLimits *limits, guint operation, gint64 value)
{
  gboolean below = operation == SQLITE_INDEX_CONSTRAINT_LT, above = operation == SQLITE_INDEX_CONSTRAINT_GT;
  if ((below && value == G_MININT64) || (above && value == G_MAXINT64)) {
    *limits = (LoomQueryLimits) { 1, 0 };
    return;
  }
  if (!below && operation != SQLITE_INDEX_CONSTRAINT_LE)
    limits->least = MAX (limits->least, value + above);
  if (!above && operation != SQLITE_INDEX_CONSTRAINT_GE)
    limits->most = MIN (limits->most, value - below);
}

void
loom_query_module_narrow (LoomQueryLimits *limits, const LoomQueryCondition *condition)
{
  if (sqlite3_value_type (condition->value) == SQLITE_INTEGER) {
    narrow_by_int (limits, condition->operation, sqlite3_value_int64 (condition->value));
    return;
  }
  /* a text that looks like a number is compared as a number, because the column has integers */
  int type = sqlite3_value_numeric_type (condition->value);
  gboolean is_below =
    condition->operation == SQLITE_INDEX_CONSTRAINT_LT || condition->operation == SQLITE_INDEX_CONSTRAINT_LE;
  /* in SQL, texts that do not look like numbers, and blobs, come after all numbers */
  if (type == SQLITE_NULL || ((type == SQLITE_TEXT || type == SQLITE_BLOB) && !is_below))
    *limits = (LoomQueryLimits) { 1, 0 };
  if (type == SQLITE_FLOAT)
    narrow_by_real (limits, condition->operation, sqlite3_value_double (condition->value));
  if (type == SQLITE_INTEGER)
    narrow_by_int (limits, condition->operation, sqlite3_value_int64 (condition->value));
}
