/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: replays and slack of the graph of a critical path. A replay computes when the range would
 * end if some edges of the graph were shorter. The slack of a node is the time by which the node could be later without
 * moving the end of the range. Immutable when built; several threads may call the functions at the same time.
 */
#pragma once

#include "loom-critical-path.h"
#include "loom-path-sets.h"

/* A pick selects the work that a replay makes faster: all work of one kind, all work of one kind and name, or all
 * work of one parallel axis or class of modules. */
typedef struct {
  LoomPathKind kind;
  guint32 name; /* id of the name in LoomRunNames; LOOM_PATH_NONE: work with any name */
  /* bit of the parallel axis or class of modules that the pick selects (LoomPathSets); 0: the pick selects work by
   * `kind` and `name` */
  guint32 bits;
} LoomPathPick;

/* The part of a host edge that has the kind and the name of a LoomPathPick. */
typedef struct {
  gint64 part_ns;
  guint32 edge;
  guint32 pick; /* index in LoomPathReplay.picks, or LoomPathReplay.data_pick */
} LoomPathHostPart;

typedef struct {
  const LoomPathGraph *graph;
  const LoomRunNames *names;
  const LoomPathPick *picks;
  guint n_picks;
  guint data_pick;   /* index in `picks` of the pick that selects all data loading; n_picks: there is none */
  guint8 *kinds;     /* [edge] LoomPathKind of the edge */
  guint8 *own_picks; /* [edge] 1 + the index in `picks` of the pick with the edge's kind and name; 0: there is none */
  /* [edge] bits of the axis and of the classes of modules to which the edge belongs (LoomPathSets); NULL: no pick has
   * bits */
  guint32 *bits;
  GArray *parts; /* LoomPathHostPart, sorted by edge */
  const LoomPathSets *sets;
} LoomPathReplay;

/* Prepares replays. `picks`: the work that each replay makes faster; at most 254 elements, borrowed. `sets` is needed
 * only if a pick has bits. Needs 2 bytes for each edge; 6 bytes if a pick has bits. O(edges + spans of the hosts). */
void loom_path_replay_init (LoomPathReplay *replay, const LoomPathGraph *graph, const LoomRunNames *names,
                            const LoomPathPick *picks, guint n_picks, const LoomPathSets *sets);
void loom_path_replay_clear (LoomPathReplay *replay);

/* The time of a node in a replay, for each LoomPathChange. */
typedef struct {
  gint64 ns[LOOM_N_PATH_CHANGES];
} LoomPathTimes;

/* Runs a replay: computes the times that all nodes would have if the work of picks[pick] took less time, for all values
 * of LoomPathChange in one pass. Sets saving_ns[LoomPathChange] to the time by which the path then ends earlier, in ns.
 * `times`: an array with one element per node; its contents are overwritten. O(edges). */
void loom_path_replay_run (const LoomPathReplay *replay, guint pick, LoomPathTimes *times, gint64 *saving_ns);

/* Returns the number of nodes whose time in a replay without changes differs from the measured time. The result is 0
 * unless the graph is wrong. */
guint32 loom_path_replay_count_wrong (const LoomPathGraph *graph);

/* Sets the slack of each node: by how many ns the node could be later without delaying the end of the path.
 * O(edges). */
void loom_path_replay_get_slack (const LoomPathGraph *graph, gint64 *slack_ns);

/* Returns the kind of the segment (LoomPathStretch) that represents an edge on the path: LOOM_PATH_KIND_HOST for all
 * time of the host, even for data loading; LOOM_N_PATH_KINDS for an edge that takes no time. */
LoomPathKind loom_path_replay_get_kind (const LoomPathGraph *graph, guint32 target, guint32 edge_kind);
/* Returns TRUE if the node is the start or end of a kernel or copy. */
static inline gboolean
loom_path_replay_is_work (const LoomPathNode *node)
{
  return node->type == LOOM_PATH_NODE_WORK_BEGIN || node->type == LOOM_PATH_NODE_WORK_END ||
         node->type == LOOM_PATH_NODE_WORK_END_LATE;
}

/* Finds the host tracks on which the time from node `from` to node `to` is spent. Sets `trace` and `track` to those of
 * the call at `to` or, if `to` is not a call, of the call at `from`. Sets `other` to the track of the call at `from` if
 * both nodes are calls of one trace; otherwise to `track`. If neither node is a call, LoomPathMarks at the nodes are
 * used instead. Returns FALSE if neither node is a call or a mark. */
gboolean loom_path_replay_get_tracks (const LoomPathGraph *graph, guint32 from, guint32 to, guint32 *trace,
                                      guint32 *track, guint32 *other);
