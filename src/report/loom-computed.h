/* SPDX-License-Identifier: Apache-2.0
 *
 * What can be computed from spans alone, for runs of PyTorch, Composer, TensorFlow and XLA: how the devices of each rank
 * spent their time, how busy each device was, time by kind of work and by kernel, waits for data. The figures are those
 * of src/analysis; every part says which sources its figures are from, or why it has none. Any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-data-waits.h"
#include "loom-gpu-busy.h"
#include "loom-rank-breakdown.h"
#include "loom-stragglers.h"
#include "loom-work-times.h"

G_BEGIN_DECLS

#define LOOM_COMPUTED_BUCKETS 100

typedef struct _LoomComputed LoomComputed;

/* `range` NULL: all of the run. Cost O(spans in range · log rows). NULL only when cancelled. */
LoomComputed *loom_computed_new (LoomTimeline *timeline, const LoomRange *range, GCancellable *cancellable);
void loom_computed_free (LoomComputed *computed);

/* The results; owned by `computed`. */
LoomTimeline *loom_computed_get_timeline (const LoomComputed *computed);
LoomRange loom_computed_get_range (const LoomComputed *computed);
const LoomRankBreakdown *loom_computed_get_ranks (const LoomComputed *computed);
const LoomGpuBusy *loom_computed_get_busy (const LoomComputed *computed);
const LoomWorkTimes *loom_computed_get_times (const LoomComputed *computed);
const LoomDataWaits *loom_computed_get_waits (const LoomComputed *computed);
const LoomStragglers *loom_computed_get_stragglers (const LoomComputed *computed);

/* {"range":{…},"ranks":{…},"devices":{…},"work":{…},"kernels":{…},"data_loading":{…},"collectives":{…}},
 * added as a value: each part with
 * "missing", a sentence, where there is nothing. Sources are indices into the sources of the run, times timeline ns. */
void loom_computed_build (const LoomComputed *computed, JsonBuilder *builder);
/* The same as a document. The caller owns the node. */
JsonNode *loom_computed_to_json (const LoomComputed *computed);

/* Lines for people, from loom-computed-text.c. */
void loom_computed_write (const LoomComputed *computed, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomComputed, loom_computed_free)

G_END_DECLS
