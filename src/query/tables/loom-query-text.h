/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: conditions on texts, evaluated as SQLite does.
 */
#pragma once

#include "loom-query-module.h"

/* Returns TRUE if `text` (NULL: SQL's NULL) meets the condition, and if SQLite must decide: this is so for a pattern that
 * is a blob or too long, and for a number that is not written in the query. A number written in the query is compared
 * as a text, because the columns have texts. A blob comes after all texts. */
gboolean loom_query_text_is_met (const LoomQueryCondition *condition, const char *text);
