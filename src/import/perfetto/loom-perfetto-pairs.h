/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: what the events of a Perfetto trace become when all of them are known: their times on one
 * clock, spans of begins and ends, arrows of ids, values of counters.
 */
#pragma once

#include "loom-perfetto-trace.h"

/* Each runs once, in this order, after the last packet. */
void loom_perfetto_pairs_convert_times (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_find (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_link (LoomPerfettoTrace *trace);
void loom_perfetto_pairs_add_up_samples (LoomPerfettoTrace *trace);
