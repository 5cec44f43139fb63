/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/draw: the stays of the critical path, and the links that lead from stay to stay at any zoom. A stay is
 * a time during which the path does not leave a track, or a rank. Filled by one thread; then immutable, and read by any
 * thread. Times are timeline ns. Memory: at most 56 bytes for each stay.
 */
#pragma once

#include "loom-path-overlay.h"

/* A stay: a time during which the critical path stays on one track, or in one rank. */
typedef struct {
  gint64 begin_ns, end_ns;
  LoomSpanId first, last;
  guint32 track; /* index of the track, counted over all traces */
  gint rank;
} LoomPathStay;

typedef struct {
  GArray *all; /* LoomPathStay, in order of time */
  /* private: lists (levels) of indices of stays. Each list contains the stays that have at least a certain length; this
   * length differs from list to list. So short stays need not be read if the view is long */
  GArray *levels;
} LoomPathStays;

void loom_path_stays_init (LoomPathStays *stays);
void loom_path_stays_clear (LoomPathStays *stays);

/* Returns the last stay; NULL: there is none. Borrowed until a stay is added. */
const LoomPathStay *loom_path_stays_get_last (const LoomPathStays *stays);
/* Adds a stay. `same` TRUE: the stay is on the same track (or in the same rank) as the last stay, and extends it.
 * FALSE: the stay is appended. */
void loom_path_stays_add (LoomPathStays *stays, const LoomPathStay *stay, gboolean same);

/* Prepares the stays for loom_path_stays_add_links(), after the last stay was added. O(stays). */
void loom_path_stays_add_levels (LoomPathStays *stays);

/* Appends the links (LoomPathLink) that touch the view. `in_rank` TRUE: appends only links within ranks; FALSE: only
 * links between ranks. O(stays in the view that are at least LOOM_PATH_OVERLAY_STAY_PX px long). */
void loom_path_stays_add_links (const LoomPathStays *stays, const LoomViewport *viewport, gboolean in_rank,
                                GArray *links);
