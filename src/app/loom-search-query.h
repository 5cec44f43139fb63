/* SPDX-License-Identifier: Apache-2.0
 *
 * What is searched for, as people type it: a part of the name of a span, or a regular expression for it, and filters of its args,
 *
 *     all_reduce args.dtype:bf16 args."In msg nelems">=1000000
 *
 * with : contains, = is, != is not, < <= > >= of numbers; args.dtype alone: has one; args:bf16 in any of them. All of them have to
 * hold, letter case counts nowhere. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-arg-filter.h"

G_BEGIN_DECLS

typedef struct _LoomSearchQuery LoomSearchQuery;

/* NULL where the text is not complete: no regular expression, a quote that does not end, a filter without a value. With `regex` the
 * name and what a value contains are expressions. */
LoomSearchQuery *loom_search_query_new (const char *text, gboolean regex);
LoomSearchQuery *loom_search_query_ref (LoomSearchQuery *query);
void loom_search_query_unref (LoomSearchQuery *query);

gboolean loom_search_query_matches_name (const LoomSearchQuery *query, const char *name);
/* Trying one name may take long. */
gboolean loom_search_query_is_slow (const LoomSearchQuery *query);
/* LoomArgFilter; empty: names alone count. Borrowed. */
const GPtrArray *loom_search_query_get_filters (const LoomSearchQuery *query);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSearchQuery, loom_search_query_unref)

G_END_DECLS
