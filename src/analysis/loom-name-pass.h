/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The pass behind the table of names: every span of a range once, its name's sums and what its percentiles
 * need, on all processors.
 */
#pragma once

#include <gio/gio.h>

#include "loom-joined-names.h"
#include "loom-name-count.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

typedef struct _LoomNamePass LoomNamePass;

/* As loom_selection_stats_new(). NULL only when cancelled. */
LoomNamePass *loom_name_pass_run (LoomTimeline *timeline, LoomJoinedNames *names, LoomRange range,
                                  const LoomTrackId *tracks, gsize n_tracks, GCancellable *cancellable);
void loom_name_pass_free (LoomNamePass *pass);

/* By joined id. */
const LoomNameSums *loom_name_pass_get (const LoomNamePass *pass);
/* By trace: whether spans of it were counted. */
const gboolean *loom_name_pass_get_traces (const LoomNamePass *pass);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNamePass, loom_name_pass_free)

G_END_DECLS
