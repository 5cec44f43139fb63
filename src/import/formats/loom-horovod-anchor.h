/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds the real start of a timeline of Horovod that SageMaker Debugger split into files.
 * Horovod 0.20.1 and later counts times from the start of its timeline. SageMaker Debugger assumes that they count from
 * the boot of the host, and adds the time of the boot. Thus all events are hours or days too early.
 */
#pragma once

#include "loom-importer.h"

/* Returns the real time of the first event of the Horovod timeline at `path`, in ns since 1970; LOOM_TIME_NONE if the
 * time that the file states for this event, `first_ns`, can be used. The stated time is compared with two times of the
 * job: the first system metric, and the first event of the framework's timeline on `node` (may be NULL). The stated
 * time can be used if the job has no system metrics, or if the stated time is not more than an hour before one of these
 * two times. Otherwise, the real time is assumed to be the first time of the framework's timeline or, if the node has
 * no such timeline, of the system metrics. Also returns LOOM_TIME_NONE if `anchors` is NULL or the load was cancelled.
 * The timeline of the framework on a node is read once, when it is needed; calls on other threads for this node wait
 * for it. `progress`: says whether the load was cancelled; may be NULL. O(length of the path), in addition to the time
 * of reading. */
gint64 loom_horovod_anchor_find (LoomHorovodAnchors *anchors, const char *path, const char *node, gint64 first_ns,
                                 LoomProgress *progress);
