/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists what a timeline contains: sources with their clocks and problems, tracks, and skipped files. Writes the list as
 * a JSON document and as text, for the command line, the window and the report. The functions may be called on any
 * thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-source-overrides.h"
#include "loom-timeline.h"

/* A time range that the user requested, and the number of records of each kind that the run has in it. */
typedef struct {
  LoomRange range; /* the requested range in timeline ns; both ends are included */
  guint64 n_spans, n_instants, n_counters, n_flows;
} LoomRunInfoRange;

/* Returns {"sources":[…],"tracks":[…],"ignored":[…],"events":…,"start_ns":…,"end_ns":…}. Times are timeline ns; unknown
 * times are null. `names`: names that the user gave to sources, written as "name"; may be NULL. If `within` is not
 * NULL, also adds "range":{"start_ns","end_ns","spans","instants","counters","flows"}, the contents of this range; all
 * other members are about the whole run. The caller owns the node. */
JsonNode *loom_run_info_to_json (LoomTimeline *timeline, const LoomSourceOverrides *names,
                                 const LoomRunInfoRange *within);

/* Adds one source as a value: {"path","format","node","rank","bytes","events",…,"clock":{…},"problems":[…]}. The "text"
 * of a problem is the input at its position, as loom_excerpt_read() returns it. `with_fit`: TRUE if "clock" also
 * contains how the clock was compared with others: "pairs", "rejected", "residual_median_ns", "residual_p95_ns",
 * "residual_max_ns" (null without pairs), "verdict", "why". */
void loom_run_info_build_source (JsonBuilder *builder, LoomTimeline *timeline, const LoomSourceOverrides *names,
                                 guint number, gboolean with_fit);

/* Returns the contents of loom_run_info_to_json() as text: a summary line, the counts in the range if there is one,
 * then sources and tracks. Owned by the caller. */
char *loom_run_info_to_text (LoomTimeline *timeline, const LoomSourceOverrides *names, const LoomRunInfoRange *within);

/* Returns the number of spans on tracks that sum up other tracks (LOOM_TRACK_DERIVED). These spans are contained in
 * lists of all spans, but are not counted by loom_run_count_spans(). O(tracks). */
guint64 loom_run_info_count_derived (LoomRun *run);

/* Returns a summary such as "3 sources, 12,345 events, 12.4 s". Owned by the caller. */
char *loom_run_info_summarise (LoomTimeline *timeline);

/* Returns a description of a source that contains no times, but only the total time of each function (a profile): "a
 * profile without times: 3 functions, 6.0 ms; open it in the window". NULL for other sources. Owned by the caller. */
char *loom_run_info_describe_profile (const LoomSource *source);

/* Appends the state of a clock, and the offset and drift with which its times are converted, for example "exact
 * (monotonic), moved 1.2 s later ± 3.10 µs, drift 4.2 ppb ± 0.3 ppb". The number after ± is half the width of a 95 %
 * confidence interval. `exact`: TRUE to write the offset with all its digits, and the drift with one decimal. */
void loom_run_info_append_clock (GString *out, const LoomClockFit *fit, gboolean exact);

/* Prints a document as JSON, indented by two spaces, with a line feed at the end. Owned by the caller. */
char *loom_run_info_print_json (JsonNode *root);

/* Returns the number of rows of a track: one for each depth of nesting; 1 for tracks without nesting, such as
 * counters. */
guint loom_run_info_track_depth (const LoomTrace *trace, const LoomTrack *track);
