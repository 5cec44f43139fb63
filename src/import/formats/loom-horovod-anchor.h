/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the real start of a timeline of Horovod that SageMaker Debugger split into files.
 * Horovod 0.20.1 and later counts times from the start of its timeline. SageMaker Debugger assumes that they count from
 * the boot of the host, and adds the time of the boot. Thus all events are hours or days too early.
 */
#pragma once

#include "loom-importer.h"

/* Returns the time, in ns since 1970, at which the first event of the timeline at `path` happened. `first_ns`: the time
 * that the file states for this event. Returns LOOM_TIME_NONE if the stated time is credible: the folder of the job has
 * no system metrics, or the system metrics or the framework begin less than an hour after the stated time. Also returns
 * LOOM_TIME_NONE if `anchors` is NULL or the load was cancelled. If the stated time is not credible, the first event is
 * assumed to coincide with the first event of the framework on `node` (may be NULL) or, without such a timeline, with
 * the first system metric. The first timeline of the framework on a node is read once, when it is needed; calls on
 * other threads for this node wait for it. `progress`: says whether the load was cancelled; may be NULL. O(length of
 * the path), in addition to the time of reading. */
gint64 loom_horovod_anchor_find (LoomHorovodAnchors *anchors, const char *path, const char *node, gint64 first_ns,
                                 LoomProgress *progress);
