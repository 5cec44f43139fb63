/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Tests whether a text meets a condition of a query, with the same result as in SQLite.
 */
#pragma once

#include "loom-query-module.h"

/* Returns TRUE if `text` (NULL: SQL's NULL) meets the condition. Also returns TRUE if only SQLite can decide: the value
 * is a pattern that is a blob or too long, or a number that is not written in the query. A number that is written in
 * the query is compared as a text, because the column has texts. A blob comes after all texts. */
gboolean loom_query_text_is_met (const LoomQueryCondition *condition, const char *text);
