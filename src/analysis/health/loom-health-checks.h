/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the checks of loom-trace-health.h that examine one trace by itself.
 */
#pragma once

#include "loom-health-events.h"
#include "loom-trace-health.h"

/* Performs the checks that need the args of events. `rows`: array with one LoomHealthRow for each check; the results
 * are added to the counts of these rows. */
void loom_health_checks_of_events (const LoomHealthEvents *events, const LoomTrace *trace, LoomHealthRow *rows);
/* Checks the nesting of host threads, overlaps of streams and the overhead of the profiler. Reads only the columns of
 * spans. O(spans · log spans) of the threads whose spans overlap, else O(spans). */
void loom_health_checks_of_spans (const LoomTrace *trace, LoomHealthRow *rows);

/* Counts a span that fails the check of `row`. `over_ns`: by how many ns it fails; 0 if the check does not measure
 * time. The row keeps the span that fails by the most. */
void loom_health_checks_count (LoomHealthRow *row, guint32 span, gint64 over_ns);
