/* SPDX-License-Identifier: Apache-2.0
 *
 * What is searched for, as people type it: a part of the name of a span, or a regular expression for it, and filters of its args, its
 * category and its duration,
 *
 *     all_reduce args.dtype:bf16 args.In msg nelems>=1000000 cat:kernel dur>10ms
 *
 * with : contains, = is, != is not, < <= > >= of numbers and durations, whose unit is ns, us, ms or s; args.dtype alone: has one;
 * args:bf16 in any of them. A key may have blanks where a test follows, and quotes anywhere. All of them have to hold, letter case counts
 * nowhere. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-arg-filter.h"

G_BEGIN_DECLS

typedef struct _LoomSearchQuery LoomSearchQuery;

/* NULL with LOOM_ERROR_FORMAT, a sentence for people, where the text cannot be understood: no regular expression, a quote that does not
 * end, a filter without a value. With `regex` the name and what a value contains are expressions. */
LoomSearchQuery *loom_search_query_new (const char *text, gboolean regex, GError **error);
LoomSearchQuery *loom_search_query_ref (LoomSearchQuery *query);
void loom_search_query_unref (LoomSearchQuery *query);

gboolean loom_search_query_matches_name (const LoomSearchQuery *query, const char *name);
gboolean loom_search_query_matches_category (const LoomSearchQuery *query, const char *category);
/* Whether a span's own duration counts, and whether it is one that is wanted. */
gboolean loom_search_query_has_durations (const LoomSearchQuery *query);
gboolean loom_search_query_matches_duration (const LoomSearchQuery *query, gint64 ns);
/* Trying one name may take long. */
gboolean loom_search_query_is_slow (const LoomSearchQuery *query);
/* LoomArgFilter; empty: names alone count. Borrowed. */
const GPtrArray *loom_search_query_get_filters (const LoomSearchQuery *query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSearchQuery, loom_search_query_unref)

G_END_DECLS
