/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds when a timeline of Horovod that SageMaker Debugger rotated really began. Horovod 0.20.1
 * and later counts its times from the start of its timeline. SageMaker Debugger takes them for times since the boot of
 * the host, and adds the time of the boot, so that all events are hours or days too early.
 */
#pragma once

#include "loom-importer.h"

/* Returns the time, in ns since 1970, at which the first event of the timeline at `path` happened; `first_ns` is the
 * time that the file states for it. Returns LOOM_TIME_NONE if this time is credible: if the folder of the job has no
 * system metrics, or if they or the framework begin less than an hour after it; also if `anchors` is NULL or the load
 * was cancelled. Otherwise the first event is assumed to coincide with the first event of the framework on the same
 * node (`node`, may be NULL) or, without such a timeline, with the first system metric. The first timeline of the
 * framework of a node is read once, when it is needed; calls on other threads for this node wait for it. `progress`:
 * says whether the load was cancelled; may be NULL. Apart from this, O(length of the path). */
gint64 loom_horovod_anchor_find (LoomHorovodAnchors *anchors, const char *path, const char *node, gint64 first_ns,
                                 LoomProgress *progress);
