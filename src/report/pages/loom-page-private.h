/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions for several pages of the analysis (loom-page.h): they add sentences and charts that occur on several pages,
 * format names and times, and return the reasons why data is missing. Private to src/report.
 */
#pragma once

#include "loom-chart.h"
#include "loom-histogram-chart.h"
#include "loom-page.h"
#include "loom-parallel-axis.h"
#include "loom-recording-advice.h"
#include "loom-slowdown.h"
#include "loom-statistics.h"
#include "loom-stragglers.h"

/* The next two functions return a translated sentence with the reason why a page has no results: loom_page_no_device()
 * if the run has no system metrics of the kind `device`, loom_page_no_loop() if it has no training loop. Static. NULL:
 * the run has this data. */
const char *loom_page_no_device (const LoomPageInput *input, LoomDevice device);
const char *loom_page_no_loop (const LoomPageInput *input);
/* Adds a note with advice on how to record the data that is missing on a page. The advice is for the profiler that
 * wrote the open files. O(files). */
void loom_page_add_advice (LoomPageContent *sheet, const LoomPageInput *input, LoomLack lack);
/* Adds the sentence `missing`, the reason why a page has no results, and below it the sentence `advice`, how to record
 * the missing data. `advice` NULL: adds no advice. */
void loom_page_add_missing (LoomPageContent *sheet, const char *missing, const char *advice);
/* Adds a note which says that the run has no collectives of several ranks, and how to record them. O(tracks). */
void loom_page_add_no_collectives (LoomPageContent *sheet, const LoomPageInput *input);

/* If some nodes have spans and others have not, adds a sentence that names the nodes without spans. If `of_metrics` is
 * TRUE, does the same for system metrics instead of spans. O(rows). */
void loom_page_add_missing_nodes (LoomPageContent *sheet, const LoomPageInput *input, gboolean of_metrics);

/* Returns the name of a device: "algo-1 gpu0", or "gpu0" in runs with one host. Owned by the caller. */
char *loom_page_device_name (const LoomPageInput *input, const char *host, const char *name);
/* Returns the mean of all samples of GPU utilization (from the GPUs' own counters, not computed from kernels), in
 * percent; NaN without samples. O(samples). */
double loom_page_get_counted_usage (const LoomPageInput *input);
/* Adds the main results about memory: how much was allocated at the peak, and which owner (operator or module) held
 * most of it. Adds nothing if no allocations were recorded. Returns FALSE when cancelled. */
gboolean loom_page_add_memory_figures (LoomPageContent *sheet, const LoomPageInput *input, LoomSteps *steps,
                                       GCancellable *cancellable);

/* Returns the name of a worker, which is a rank or process whose spans are analysed, for example "rank 3". If the user
 * gave a name to the worker, it follows: "algo-1 rank 3 · the slow one". If the rank is unknown, returns the name of
 * the host. Owned by the caller. */
char *loom_page_worker_name (const LoomPageInput *input, guint worker);

/* Returns the name of the place where a rule found something: a worker (see loom_page_worker_name()), a device, or a
 * whole host. Owned by the caller. O(workers). */
char *loom_page_place_name (const LoomPageInput *input, const char *host, const char *device);

/* Returns the name of a rank, like loom_page_worker_name(). If the number of the rank is unknown (−1), returns the name
 * of the first of `sources`. Owned by the caller. */
char *loom_page_rank_name (const LoomPageInput *input, const char *node, gint rank, const guint *sources);

/* Adds all rows of a rank to the target of an element of the last block (the place on the timeline that the element
 * shows when activated). If `rank` is −1, adds the rows of the first of `sources` instead. Must be called after the
 * target of the element was set. O(traces) if `rank` is −1. */
void loom_page_set_rank (LoomPageContent *sheet, const LoomPageInput *input, guint element, gint rank,
                         const guint *sources);

/* Returns the names of ranks for a sentence: "ranks 2 and 3". If a name contains more than the number of the rank,
 * returns the full names: "rank 2 · slow and rank 3". Only the first `n_most` ranks are named. `names`: char *, from
 * loom_page_rank_name(); `ranks`: numbers of the ranks, −1: unknown. Owned by the caller. */
char *loom_page_join_ranks (const GPtrArray *names, const gint *ranks, guint n_most);
/* Returns the share of `part_ns` in the time range of the page as text: "12.2 % of the run" or "12.2 % of this range".
 * Owned by the caller. */
char *loom_page_dup_share (const LoomPageInput *input, gint64 part_ns);
/* Returns a phrase that names the files from which the numbers and charts of a page are computed: "trace.json", "8
 * files". `sources`: indices into the sources of the run. Owned by the caller. */
char *loom_page_dup_files (const LoomPageInput *input, const guint *sources, guint n);
/* Returns a description of the steps, for example "64 training steps of 8 ranks (kineto, smdebug)"; NULL without steps.
 * O(rows + steps · log steps). Owned by the caller. */
char *loom_page_dup_steps (const LoomPageInput *input);

/* Returns a point in time as a date, followed by the time since the origin of the timeline: "2025-06-17 10:00:00.5 UTC
 * (+12.4 s)". If the date of the run is unknown, returns only the time. Owned by the caller. */
char *loom_page_dup_instant (LoomTimeline *timeline, gint64 time_ns);
/* Returns a text that describes the zero of the times on the page: "2025-06-17 10:00:00 UTC, the first event". Owned by
 * the caller. */
char *loom_page_dup_zero (LoomTimeline *timeline);

/* Returns the time range of the span in row `row` of input->frame, at least 1 ns long. */
LoomRange loom_page_row_range (const LoomPageInput *input, guint32 row);

/* A span or gap whose duration is counted in a histogram: its time range, and the span that is selected when the user
 * activates the bin. */
typedef struct {
  LoomRange range;
  LoomSpanId span;
} LoomPageStretch;

/* Adds a histogram of the durations in `spans` (LoomPageStretch), with the colour `color` and the median of the
 * durations. Activating a bin shows the longest element in the bin. Returns the chart, which belongs to the page; NULL
 * if there are fewer than two different durations. O(n log n). */
LoomChart *loom_page_add_durations (LoomPageContent *sheet, const char *title, const char *what, guint color,
                                    const GArray *spans);

/* Adds a fact: a name with a number. The number is formatted as in charts. */
void loom_page_add_number (LoomPageContent *sheet, const char *name, double value, const char *unit);

/* Adds a note with the number of rows that the table with this title omits; adds nothing if `n_left` is 0. Must be
 * called after the targets of the table were set. */
void loom_page_add_rows_left_out (LoomPageContent *sheet, const char *title, guint n_left);

/* Adds a note at the top of the page if numbers on the page are computed from traces whose records contradict each
 * other (loom-trace-health.h). */
void loom_page_add_doubts (LoomPageContent *sheet, const LoomPageInput *input, const char *page,
                           GCancellable *cancellable);

/* Returns the name of a worker in `slowdown`: "rank 3". If the slowdown was computed from recorded operations of a
 * pipeline, the name is like "data-parallel rank 0, stage 3". Owned by the caller. */
char *loom_page_dup_slowdown_worker (const LoomPageInput *input, const LoomSlowdown *slowdown,
                                     const LoomSlowdownWorker *worker);
/* Returns the names of the stragglers, the ranks that slow down the job: "rank 3, rank 5". Owned by the caller. */
char *loom_page_dup_straggler_names (const LoomPageInput *input, const LoomSlowdown *slowdown);
/* Returns sentences about the reason why a straggler computes longer; NULL: the reason is unknown. Owned by the
 * caller. */
char *loom_page_dup_straggler_cause (const LoomPageInput *input, const LoomSlowdown *slowdown,
                                     const LoomSlowdownWorker *worker);
/* Adds facts about the kernels that make a straggler slow to the last block; adds none if the reason is unknown. */
void loom_page_add_straggler_cause (LoomPageContent *sheet, const LoomSlowdown *slowdown,
                                    const LoomSlowdownWorker *worker);
/* Adds a table that compares the kernels of the stragglers with those of other ranks; adds nothing if they were not
 * compared. */
void loom_page_add_straggler_kernels (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown);
/* Returns TRUE if transfers that are not equally fast cost a noticeable part of a step. */
gboolean loom_page_has_unequal_transfers (const LoomSlowdown *slowdown);
/* Returns a sentence that states how much shorter steps would be if all links were equally fast, as a time and as a
 * share of a step. NULL if this is unknown, or not noticeable. Owned by the caller. */
char *loom_page_dup_transfer_loss (const LoomSlowdown *slowdown);
/* Returns a sentence that states how much shorter steps would be if all links were equally fast. If one group of ranks
 * is slow, the sentence names the slowest group. `collectives`: collectives of the run; may be NULL. Returns NULL if
 * the loss is unknown, or not noticeable. Owned by the caller. */
char *loom_page_dup_unequal_transfers (const LoomSlowdown *slowdown, LoomCollectives *collectives);
/* Returns for how long, in ns, other ranks wait for `rank` because it is slow itself. Does not include waits for `rank`
 * while `rank` waits for a third rank. If the two kinds of waits cannot be distinguished, returns the time of all waits
 * for `rank`. */
gint64 loom_page_get_own_waits (const LoomSlowdown *slowdown, const LoomStraggler *rank);
/* Times for which ranks wait for each other, summed over all ranks, in ns. Exposed times include only waits inside
 * steps, and only while nothing is computed, as on the page "Summary"; −1: unknown, because the run has no steps. */
typedef struct {
  gint64 messages_ns;
  gint64 exposed_collectives_ns, exposed_messages_ns;
} LoomPageStragglerWaits;

/* Returns a sentence about a rank that loses most of its time in one step: how much time a repair of this rank would
 * save. `name`: name of the rank; `step`: number of the step; `saved_ns`: time saved in all steps. Owned by the
 * caller. */
char *loom_page_dup_main_step_saving (const LoomPageInput *input, const char *name, gint64 step, gint64 saved_ns);
/* Returns the names of the ranks that are late because of their hosts: "ranks 2 and 3". Owned by the caller. */
char *loom_page_dup_delayed_ranks (const LoomPageInput *input, const LoomHostDelay *delay);
/* Returns sentences about the ranks that are late because of their hosts: their names, how much time a repair would
 * save, and the work that delays them. Owned by the caller. */
char *loom_page_dup_delay_answer (const LoomPageInput *input, const LoomHostDelay *delay);
/* Adds the sentence at the top of the page of stragglers. `slowdown` must be usable: loom_slowdown_fits() returns TRUE.
 * `stragglers` may be NULL. `delay`: the result of loom_slowdown_find_uncovered(). */
void loom_page_add_straggler_answer (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown,
                                     const LoomStragglers *stragglers, const LoomHostDelay *delay,
                                     const LoomPageStragglerWaits *waits);
/* Adds a sentence for a range with too few steps to find slow ranks. The sentence names the ranks that are slow in the
 * whole run, and states how long other ranks wait for them in this range. `stragglers`: lateness in the range. Returns
 * TRUE if the sentence was added; FALSE if the whole run has no slow rank, if its slow ranks cost hardly any time in
 * this range, or when cancelled. */
gboolean loom_page_add_whole_run_answer (LoomPageContent *sheet, const LoomPageInput *input,
                                         const LoomStragglers *stragglers, GCancellable *cancellable);
/* Adds a sentence for a range with too few steps to find slow ranks, if every rank computes about as long in the range
 * as is typical of the whole run. States how long ranks wait in the range, and whether slow links cost time in the
 * whole run. `whole`, `slowdown`: collectives and slowdown of the whole run; loom_slowdown_fits() returns TRUE.
 * `stragglers`, `waits`: lateness and waits in the range. Returns FALSE and adds nothing if a rank computes longer, or
 * if the range contains no step of the slowdown. O(workers · steps). */
gboolean loom_page_add_typical_answer (LoomPageContent *sheet, const LoomPageInput *input, LoomCollectives *whole,
                                       const LoomSlowdown *slowdown, const LoomStragglers *stragglers,
                                       const LoomPageStragglerWaits *waits);
/* Adds a note with the rank that computes longest in the range, compared with what is typical of the whole run.
 * `slowdown`: see loom_page_add_typical_answer(). Returns FALSE and adds nothing if the range contains no step of the
 * slowdown. O(workers · steps). */
gboolean loom_page_add_slow_step_note (LoomPageContent *sheet, const LoomPageInput *input,
                                       const LoomSlowdown *slowdown);
/* The next two functions add the heat map and the tables that show how much time slow ranks cost. `slowdown` must be
 * usable: loom_slowdown_fits() returns TRUE. */
void loom_page_add_slowdown_heat (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown);
void loom_page_add_slowdown_tables (LoomPageContent *sheet, const LoomPageInput *input, const LoomSlowdown *slowdown);

/* Returns the name of an axis of parallelism for display: "tensor", "all ranks". Translated, static. */
const char *loom_page_get_axis_name (LoomParallelAxis axis);

/* Reports to the progress of `cancellable` that one more part of the page is finished. */
void loom_page_count_part (const LoomPageInput *input, GCancellable *cancellable);

/* Returns `sheet` when the page is finished. When cancelled, releases `sheet` and returns NULL. */
LoomPageContent *loom_page_finish (LoomPageContent *sheet, GCancellable *cancellable);

/* Sets the target of an element (the place on the timeline that it shows when activated) to an instant. The target is a
 * range that extends to both sides of the instant, because the timeline cannot show a range without length. */
void loom_page_set_instant (LoomPageContent *sheet, guint element, gint64 time_ns);
