/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: completes the events of a Perfetto trace after all packets were read: converts times to one
 * clock, pairs begins and ends to spans, turns ids into arrows, and computes the values of counters.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* Each of these functions is called once, in this order, after the last packet was read. */
void loom_perfetto_pairs_convert_times (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_find (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_link (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_add_up_samples (LoomPerfettoTrace *trace);
