/* SPDX-License-Identifier: Apache-2.0
 *
 * A key for tables with one entry for each rank. The number of a rank is not enough: if two jobs are opened together,
 * both have a rank 0, on different nodes. Ranks whose number is unknown are distinguished by their trace.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  const char *node; /* borrowed from the run; NULL if unknown */
  gint rank;        /* −1 if unknown */
  guint32 trace;    /* if the rank is unknown: index of the trace in the run; otherwise G_MAXUINT32 */
} LoomRankKey;

LoomRankKey loom_rank_key (const char *node, gint rank, guint32 trace);

/* Returns the key of the rank `rank`, which recorded a sync event. `trace`: index of the trace in the run. `meeting`:
 * index of the sync event in this trace. O(1). */
LoomRankKey loom_rank_key_of_event (LoomTimeline *timeline, gint rank, guint32 trace, guint32 meeting);

/* Hash function and equality function for GHashTable. The arguments are pointers to LoomRankKey. */
guint loom_rank_key_hash (gconstpointer key);
gboolean loom_rank_key_equal (gconstpointer a, gconstpointer b);
