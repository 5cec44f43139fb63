/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of rows, compared as text.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-trace-builder.h"

/* Return the rows of a fake run; with several ranks all are folded, or unfolded by rows_fixture_new_open(). Owned by the
 * caller. */
LoomRowList *rows_fixture_new (guint n_nodes, guint ranks_per_node, gboolean metrics);
LoomRowList *rows_fixture_new_open (guint n_nodes, guint ranks_per_node, gboolean metrics);

/* Returns the rows as text, one per line: indentation by level, > folded, v unfolded, ! pinned. Owned by the caller. */
char *rows_fixture_draw (const LoomRowList *outline);
void rows_fixture_assert (const LoomRowList *outline, const char *expected);

/* Returns the first row with the label; NULL: none. */
const LoomTimelineRow *rows_fixture_find (const LoomRowList *outline, const char *label);
/* Returns the key of that row; fails if there is none. Owned by the caller. */
char *rows_fixture_dup_key (const LoomRowList *outline, const char *label);

guint32 rows_fixture_add_thread (LoomTraceBuilder *builder, guint32 process, const char *key, const char *label);
void rows_fixture_add_span (LoomTraceBuilder *builder, guint32 thread, gint64 begin_ns, gint64 duration_ns);
