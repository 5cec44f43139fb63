/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the ranks or processes of a comparison: in sentences, as columns of a table, and in JSON. Some formats state
 * the id of a process instead of a rank (LoomRankChange.is_process). Returned texts are translated and owned by the
 * caller. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-result-table.h"
#include "loom-run-comparison.h"

/* Returns the number of a rank or process: "3". Appends the node, "3 (algo-1)", if the compared ranks are on several
 * nodes, and the number is a process id or another rank has the same number. */
char *loom_comparison_ranks_dup_number (const LoomRunComparison *comparison, const LoomRankChange *rank);
/* Returns the numbers of the main ranks, the few ranks that explain the change (LoomRunComparison.n_main > 0). Three or
 * more consecutive numbers are written as a range: "0–7, 12". Numbers that are written with a node are not combined to
 * ranges. */
char *loom_comparison_ranks_dup_main (const LoomRunComparison *comparison);

/* Returns the headline for the case that the main ranks, the few ranks in LoomRunComparison.n_main, explain the change.
 * `ranks`: the numbers of the main ranks. `verdict`: the beginning of the headline, for example "after is 9.3 % slower
 * than before (median step 153 ms instead of 140 ms)". `change`: the time by which the step changed, for example "44
 * ms". */
char *loom_comparison_ranks_dup_cause (const LoomRunComparison *comparison, const char *verdict, const char *ranks,
                                       const char *change);
/* Returns the note that states how the parts of a step (computing, waiting, …) change on the `n` ranks or processes
 * `ranks`. `run`: name of a run; `changes`: for example "computing +8.6 ms, waiting for other ranks −2.8 ms". */
char *loom_comparison_ranks_dup_parts (gboolean is_process, guint n, const char *ranks, const char *run,
                                       const char *changes);
/* Returns the note that explains why transfers cost more time although no link is slower: the other ranks wait for the
 * main ranks (LoomRunComparison.n_main), so computing hides less of the transfers. `length`: time per step that is no
 * longer hidden; `ranks`: numbers of the main ranks. */
char *loom_comparison_ranks_dup_exposed (const LoomRunComparison *comparison, const char *length, const char *ranks);

/* Adds the columns that name a rank: Node if the ranks are on several nodes, Rank if numbers of ranks are known,
 * Process if some numbers are process ids. There is at least one column. */
void loom_comparison_ranks_add_columns (const LoomRunComparison *comparison, LoomResultTable *table);
/* Adds a row, and fills the columns that loom_comparison_ranks_add_columns() added. */
void loom_comparison_ranks_add_row (const LoomRunComparison *comparison, LoomResultTable *table,
                                    const LoomRankChange *rank);

/* Adds the member "rank". If the number is the id of a process, "rank" is null, and the member "process_id" has the
 * number. */
void loom_comparison_ranks_build_rank (JsonBuilder *builder, gint rank, gboolean is_process);
/* Adds the members "slower_run", "slower_rank", "faster_rank", "main_ranks", "main_processes" and "main_ranks_part". */
void loom_comparison_ranks_build_main (const LoomRunComparison *comparison, JsonBuilder *builder);
