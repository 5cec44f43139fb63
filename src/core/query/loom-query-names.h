/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the names of spans, categories, tracks, processes and threads that occur in a run. The query editor offers
 * these names as completions while the user types. The list is immutable; any thread.
 */
#pragma once

#include "loom-query.h"

/* Maximum number of names, and maximum length of a name in bytes. The user chooses from a list of these names, so more
 * or longer names are skipped. */
#define LOOM_QUERY_NAMES_MOST 20000
#define LOOM_QUERY_NAMES_LONGEST 200

/* Returns the names of spans, categories, tracks, processes and threads (char *), sorted, each once; owned by the
 * caller. NULL when cancelled. Blocks: O(names of the run). */
GPtrArray *loom_query_names_collect (LoomTimeline *timeline, GCancellable *cancellable);

/* Returns the texts in the first column of a query's rows (char *), sorted, each once; owned by the caller. The array
 * is empty if the query fails. NULL when cancelled. Blocks. */
GPtrArray *loom_query_names_collect_values (LoomQueryRun *run, const char *sql, GCancellable *cancellable);

/* Returns at most `most` names that contain a text, ignoring the case of ASCII letters; names that begin with `text`
 * come first. Borrowed from `names`; the caller owns the array. O(names). */
GPtrArray *loom_query_names_find (const GPtrArray *names, const char *text, guint most);
