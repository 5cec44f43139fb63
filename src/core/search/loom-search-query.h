/* SPDX-License-Identifier: Apache-2.0
 *
 * A search query as the user types it. It consists of a part of a span's name, or a regular expression for the name,
 * and of filters on args, category and duration. For example:
 *
 *     all_reduce args.dtype:bf16 args.In msg nelems>=1000000 cat:kernel dur>10ms
 *
 * The tests of filters: “:” means “contains”, “=” means “is equal to”, “!=” means “is not equal to”; “<”, “<=”, “>” and
 * “>=” compare numbers and durations. The unit of a duration is ns, us, ms or s. “args.dtype” alone means that the
 * event has this arg; “args:bf16” means that any arg contains the text. A key may contain blanks if a test follows, and
 * quotes may be used anywhere. A span must pass all filters; case is ignored. Immutable, ref-counted atomically, any
 * thread.
 */
#pragma once

#include "loom-arg-filter.h"

typedef struct _LoomSearchQuery LoomSearchQuery;

/* Parses the text of a search. If `regex` is TRUE, the name and the values of “contains” tests are regular expressions.
 * Returns NULL with LOOM_ERROR_FORMAT and a sentence for the user if the text is invalid: it has a wrong regular
 * expression, quotes that are not closed, or a filter without a value. */
LoomSearchQuery *loom_search_query_new (const char *text, gboolean regex, GError **error);
LoomSearchQuery *loom_search_query_ref (LoomSearchQuery *query);
void loom_search_query_unref (LoomSearchQuery *query);

gboolean loom_search_query_matches_name (const LoomSearchQuery *query, const char *name);
gboolean loom_search_query_matches_category (const LoomSearchQuery *query, const char *category);
/* loom_search_query_has_durations() returns TRUE if the query has filters on durations;
 * loom_search_query_matches_duration() returns TRUE if a duration passes all of them. */
gboolean loom_search_query_has_durations (const LoomSearchQuery *query);
gboolean loom_search_query_matches_duration (const LoomSearchQuery *query, gint64 ns);
/* Returns TRUE if it may take long to test a single name with this query, because the name is matched with a regular
 * expression. */
gboolean loom_search_query_is_slow (const LoomSearchQuery *query);
/* Returns the filters on args (LoomArgFilter); the array is empty if the query has none. Borrowed. */
const GPtrArray *loom_search_query_get_filters (const LoomSearchQuery *query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSearchQuery, loom_search_query_unref)
