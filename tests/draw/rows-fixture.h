/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds row lists for tests, and compares them with an expected text.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-trace-builder.h"

/* These functions return the rows of a fake run. If it has several ranks, all of them are folded;
 * rows_fixture_new_open() unfolds them. Owned by the caller. */
LoomRowList *rows_fixture_new (guint n_nodes, guint ranks_per_node, gboolean metrics);
LoomRowList *rows_fixture_new_open (guint n_nodes, guint ranks_per_node, gboolean metrics);

/* Returns the rows as text, one line for each: its indentation is its level, > means folded, v unfolded, ! pinned.
 * Owned by the caller. */
char *rows_fixture_draw (const LoomRowList *outline);
void rows_fixture_assert (const LoomRowList *outline, const char *expected);

/* Returns the first row with the label; NULL if no row has it. */
const LoomTimelineRow *rows_fixture_find (const LoomRowList *outline, const char *label);
/* Returns the key of the first row with the label; fails if no row has it. Owned by the caller. */
char *rows_fixture_dup_key (const LoomRowList *outline, const char *label);

guint32 rows_fixture_add_thread (LoomTraceBuilder *builder, guint32 process, const char *key, const char *label);
void rows_fixture_add_span (LoomTraceBuilder *builder, guint32 thread, gint64 begin_ns, gint64 duration_ns);
