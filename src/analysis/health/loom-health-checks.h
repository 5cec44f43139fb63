/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the checks of loom-trace-health.h that examine one trace by itself.
 */
#pragma once

#include "loom-health-events.h"
#include "loom-trace-health.h"

/* Performs the checks that need the args of events, and adds the results to `rows`, an array with one LoomHealthRow for
 * each check. */
void loom_health_checks_of_events (const LoomHealthEvents *events, const LoomTrace *trace, LoomHealthRow *rows);
/* Performs the checks that need only the columns of spans: nesting on host threads, overlaps on streams, and overhead
 * of the profiler. O(spans · log spans) for threads whose spans overlap, else O(spans). */
void loom_health_checks_of_spans (const LoomTrace *trace, LoomHealthRow *rows);

/* Counts a span that fails the check of `row`. `over_ns`: size of the failure in ns; 0 if the check does not measure
 * time. The row stores the span with the largest failure. */
void loom_health_checks_count (LoomHealthRow *row, guint32 span, gint64 over_ns);
