/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Tests whether a text meets a condition of a query, with the same result as in SQLite.
 */
#pragma once

#include "loom-query-module.h"

/* Returns TRUE if `text` meets the condition; NULL for `text` means SQL's NULL. Also returns TRUE if SQLite must
 * evaluate the condition itself, which is necessary in two cases: the pattern of the condition is a blob or too long;
 * or the value of the condition is a number that is not written in the query. A number that is written in the query is
 * compared as text, because the column contains texts. A blob is greater than all texts. */
gboolean loom_query_text_is_met (const LoomQueryCondition *condition, const char *text);
