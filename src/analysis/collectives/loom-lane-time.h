/* SPDX-License-Identifier: Apache-2.0
 *
 * How one device spends a short range of time: computing, transferring, waiting for other ranks, copying, idle. The
 * window uses these times to describe the place under the mouse pointer. The description must appear fast; therefore
 * only a limited number of spans is read. loom-rank-breakdown.h computes the times of all ranks in a long range, with
 * the same definitions. Any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-track-id.h"

/* A range with more device spans than this is not measured. Reading so many spans takes about a millisecond. */
#define LOOM_LANE_TIME_MAX_SPANS 4096

/* Times in ns. If several kinds of work run at the same time, the time counts only for the first of them in the order
 * of the members, so the sum of the first six members is the length of the range. */
typedef struct {
  gint64 compute_ns;
  gint64 transfer_ns; /* communication after the last rank has arrived */
  gint64 wait_ns;     /* communication before the last rank has arrived */
  gint64 copy_ns;
  gint64 other_ns; /* spans of an MTIA (accelerator of Meta) that enclose other work */
  gint64 idle_ns;
  /* FALSE if it is unknown when the other ranks arrived at some collective or message in the range; transfer_ns then
   * includes waits */
  gboolean knows_waits;
  /* the rank for which the device waits longest; −1: it is unknown, or the device does not wait */
  gint wait_rank;
  gboolean waits_for_one; /* TRUE if all waits in the range are for `wait_rank` */
} LoomLaneTime;

/* Measures a range of the timeline. `tracks`: all tracks of one device. `collectives`: the collectives of the whole
 * run; NULL if they are not known. Returns FALSE if the tracks are not all of one device, if a trace is an index (which
 * lacks spans), or if the range contains more than LOOM_LANE_TIME_MAX_SPANS spans. O(s · log s), where s is the number
 * of spans in the range. */
gboolean loom_lane_time_measure (LoomTimeline *timeline, const LoomTrackId *tracks, guint n_tracks,
                                 const LoomCollectives *collectives, LoomRange range, LoomLaneTime *time);
