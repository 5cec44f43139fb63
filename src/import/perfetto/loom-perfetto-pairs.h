/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: completes the events of a Perfetto trace after all packets have been read. The functions
 * convert the times of events to one clock, join begin and end events to spans, make arrows from ids that connect
 * events, and compute the values of counters.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* The functions below are called once each, in this order, after the last packet has been read. */
void loom_perfetto_pairs_convert_times (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_find (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_link (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_add_up_samples (LoomPerfettoTrace *trace);
