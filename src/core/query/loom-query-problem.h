/* SPDX-License-Identifier: Apache-2.0
 *
 * Says an error of a query to the user: the messages of SQLite and of loom-query.h are English and for programmers. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns a translated sentence without the line and column, which loom_query_find_place() gives. A rare message of SQLite
 * is kept as it is. Owned by the caller. */
char *loom_query_problem_dup_words (const GError *error);
