/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains the error of a query to the user with a translated sentence. This is needed because the messages of SQLite
 * and of loom-query.h are in English and written for programmers. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns a translated sentence about the error of a query. The sentence does not contain the line and column of the
 * error, which loom_query_find_place() returns. Rare messages of SQLite are not translated. Owned by the caller. */
char *loom_query_problem_dup_words (const GError *error);
