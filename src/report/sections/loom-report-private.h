/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a report, the functions that write its sections, and helpers that several sections use. loom-report.c
 * contains the list of all sections. Private to src/report.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-findings.h"
#include "loom-json-util.h"
#include "loom-report.h"
#include "loom-span-analysis.h"
#include "loom-statistics.h"
#include "loom-step-durations.h"

struct _LoomReport {
  LoomTimeline *timeline;
  LoomReportOptions options;
  LoomDataFrame *frame;
  LoomJobPhases phases;
  LoomStepDurations steps;
  LoomBottlenecks bottlenecks; /* times at which a GPU is idle while a CPU core is at its limit */
  /* results that are computed from spans; NULL until the document is built. With the number convention of smdebug, it
   * is always NULL */
  LoomSpanAnalysis *computed;
  /* results of the rules; NULL until loom_report_find() is called. With the number convention of smdebug, it is always
   * NULL */
  LoomFindings *findings;
};

/* What a section reads: only the table of the run (report->frame, ->phases, ->steps, ->bottlenecks); the results that
 * are computed from spans (report->computed); or the findings (report->findings). */
typedef enum { LOOM_REPORT_NEEDS_FRAME, LOOM_REPORT_NEEDS_SPANS, LOOM_REPORT_NEEDS_FINDINGS } LoomReportNeed;

typedef struct {
  const char *name; /* name of the section's member in the JSON document */
  /* the number convention of the reports that contain the section: numbers as Traceloom defines them, or as smdebug
   * computes them */
  LoomNumberConvention numbers;
  /* Adds the value of the section's member; the caller has already written the name of the member. */
  void (*build) (const LoomReport *report, JsonBuilder *builder);
  /* Appends the section to the report as text. NULL: reports as text do not contain the section. */
  void (*write) (const LoomReport *report, GString *out);
  LoomReportNeed need;
} LoomReportSection;

/* --- intended ----------------------------------------------------------------------------------------------------- */

void loom_report_build_about (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_about (const LoomReport *report, GString *out);
/* Appends the first chapter of the report: the main numbers and sentences from the top of each page. Its numbers always
 * follow Traceloom's definitions, even if the other numbers of the report follow smdebug's. Returns FALSE when
 * cancelled. Takes as long as computing all pages. */
gboolean loom_report_write_answers (const LoomReport *report, GString *out, GCancellable *cancellable);
void loom_report_build_findings (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_findings (const LoomReport *report, GString *out);
void loom_report_build_phases (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_phases (const LoomReport *report, GString *out);
void loom_report_build_utilization (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_utilization (const LoomReport *report, GString *out);
void loom_report_build_bottlenecks (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_bottlenecks (const LoomReport *report, GString *out);
void loom_report_build_usage (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_usage (const LoomReport *report, GString *out);
void loom_report_build_balance (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_balance (const LoomReport *report, GString *out);
void loom_report_build_steps (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_steps (const LoomReport *report, GString *out);
void loom_report_build_root_cause (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_root_cause (const LoomReport *report, GString *out);
void loom_report_build_step_usage (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_step_statistics (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_step_statistics (const LoomReport *report, GString *out);
void loom_report_build_utilization_statistics (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_utilization_statistics (const LoomReport *report, GString *out);
void loom_report_build_device_usage (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_phase_intervals (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_data_loading (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_data_loading (const LoomReport *report, GString *out);

/* Sets `input` to the data from which the pages of the report are computed. Returns FALSE if no event has a time. */
gboolean loom_report_get_input (const LoomReport *report, LoomPageInput *input);
/* Evaluates the rules on the first call; later calls do nothing. Also does nothing with LOOM_NUMBER_CONVENTION_SMDEBUG.
 * Returns FALSE only when cancelled. */
gboolean loom_report_find (LoomReport *report, GCancellable *cancellable);

/* The next two functions return a sentence with the reason why an analysis has no result: loom_report_no_device() for
 * analyses of devices of the kind `device`, loom_report_no_loop() for analyses of training steps. NULL: the run has the
 * data for the analysis. */
const char *loom_report_no_device (const LoomReport *report, LoomDevice device);
const char *loom_report_no_loop (const LoomReport *report);
/* If the run has index files, returns a sentence which says that numbers about hosts are missing, because index files
 * contain only sums of most spans of hosts; otherwise NULL. */
const char *loom_report_no_hosts (const LoomReport *report);
/* Returns TRUE if the run has system metrics. Without them, the report as text omits the sections that need them. */
gboolean loom_report_has_samples (const LoomReport *report);

/* Returns the plural ending of an English noun for a count: "" if `n` is 1, otherwise "s". */
const char *loom_report_plural (guint64 n);

/* The next two functions are about the rank of a source. In some files, the number of a rank is in fact the id of a
 * process. */
/* loom_report_is_process() returns TRUE if the rank is the id of a process; O(tracks of the source's trace).
 * loom_report_dup_who() returns the name of the rank for the text: "rank 3", "process 88359", or the name of the file
 * if the rank is unknown. Owned by the caller. */
gboolean loom_report_is_process (const LoomRun *run, gint rank, guint source);
char *loom_report_dup_who (const LoomRun *run, gint rank, gboolean is_process, guint source);
/* Adds the member "rank". If the number is the id of a process, "rank" is null and "process_id" is the number. */
void loom_report_add_rank (JsonBuilder *builder, gint rank, gboolean is_process);

/* Returns the name of a worker (a rank or process) of the report's data frame, in English; "all" if there is no worker
 * with the index `worker`. Owned by the caller. */
char *loom_report_dup_worker (const LoomReport *report, guint worker);

/* Returns an instant as text: the time since time 0 of the timeline's ruler and, if the date of the run is known, the
 * date. For example: "+12.4 s (2025-06-17T10:00:00.123456789Z)". Owned by the caller. */
char *loom_report_dup_instant (const LoomReport *report, gint64 time_ns);

/* Adds the member "missing" with the sentence, unless the sentence is NULL. */
void loom_report_add_missing (JsonBuilder *builder, const char *why);
/* Writes the sentence `missing` and, on a second line, `advice`, which explains how to record the missing data.
 * `advice` may be NULL. */
void loom_report_write_missing (GString *out, const char *missing, const char *advice);
/* Adds the member "advice": how to record missing data. Adds nothing if the text is NULL. */
void loom_report_add_advice (JsonBuilder *builder, const char *advice);
/* Adds the histogram as a member {"min","max","counts"}; the member is null if nothing was counted. */
void loom_report_add_histogram (JsonBuilder *builder, const char *name, const LoomHistogram *histogram);

/* Adds the member "warnings": sentences in English which say that results over all files together have little meaning,
 * for example because the files are from different runs, and what to do about it. Adds nothing if there is no reason
 * for a warning. */
void loom_report_add_warnings (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_warnings (const LoomReport *report, GString *out);
/* Returns the warning that results over all files together have little meaning (see loom_report_add_warnings()), in the
 * user's language, for pages. NULL if there is no reason for it. Owned by the caller. */
char *loom_report_dup_warning (const LoomTimeline *timeline);

/* Adds the member "incomplete", which lists input that the numbers do not include; adds nothing if there is no such
 * input. */
void loom_report_add_losses (const LoomReport *report, JsonBuilder *builder);
void loom_report_write_losses (const LoomReport *report, GString *out);

/* --- sections with the results and names of smdebug --------------------------------------------------------------- */

/* Adds the member "analysis", computed from all series whose names begin with "gpu" or "cpu". */
void loom_report_build_smdebug_prefix (const LoomReport *report, JsonBuilder *builder);
/* Adds the member "analysis_utilization", computed from the series of utilization only. */
void loom_report_build_smdebug_utilization (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_smdebug_frames (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_smdebug_statistics (const LoomReport *report, JsonBuilder *builder);
void loom_report_build_smdebug_dataloader (const LoomReport *report, JsonBuilder *builder);

/* Converts a time to µs since the instant from which smdebug's tables count time. */
gint64 loom_report_us (const LoomReport *report, gint64 time_ns);
/* Formats a time in UTC as smdebug does: "2020-07-01T02:31:58:500107". Owned by the caller. */
char *loom_report_dup_time (gint64 time_ns);
