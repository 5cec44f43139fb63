/* SPDX-License-Identifier: Apache-2.0
 *
 * The preview of a folded group: the few tracks below it that best show how busy it was. Accelerators precede hosts,
 * then the busiest tracks; a node's preview has one track of each of its ranks.
 */
#include <string.h>

#include "loom-row-tree.h"

/* Number of tracks in the preview of a rank or process, and of a node. Each costs a summary per pixel. */
#define MAX_TRACKS 2
#define MAX_NODE_TRACKS 8

/* With more ranks than this, ranks and processes without a rank are folded initially, so that the first picture
 * compares the ranks. */
#define MAX_OPEN_RANKS 1

/* Number of spans sampled to estimate the share of waits. */
#define N_SAMPLES 16

typedef struct {
  LoomTrackId track;
  gboolean device;
  gint64 busy_ns;
} Candidate;

/* Estimates how long a track worked. Waits of a stream for events of other streams do not count as work. */
static gint64
working_ns (const LoomRowTree *tree, LoomTrackId id)
{
  const LoomTrack *track = loom_row_tree_track (tree, id);
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), id.trace);
  if ((track->flags & LOOM_TRACK_DEVICE) == 0 || track->n_rows == 0)
    return track->busy_ns;
  const LoomRow *row = loom_trace_get_row (trace, track->first_row);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  double total_ns = 0, waiting_ns = 0;
  for (guint i = 0; i < MIN (row->n, N_SAMPLES); i++) {
    guint32 span = row->first + (guint32) ((guint64) i * row->n / MIN (row->n, N_SAMPLES));
    const char *category = loom_trace_get_name (trace, spans->name_id[span])->category;
    gboolean waits = strcmp (category, "cuda_sync") == 0 || strcmp (category, "xpu_sync") == 0;
    total_ns += (double) spans->dur_ns[span];
    waiting_ns += waits ? (double) spans->dur_ns[span] : 0;
  }
  return total_ns > 0 ? (gint64) ((double) track->busy_ns * (1 - waiting_ns / total_ns)) : track->busy_ns;
}

static void
add_candidates (const LoomRowTree *tree, const LoomRowTreeItem *item, GArray *candidates)
{
  for (guint i = 0; item->kind == LOOM_ROW_SPANS && i < item->tracks->len; i++) {
    Candidate candidate = { g_array_index (item->tracks, LoomTrackId, i), FALSE, 0 };
    const LoomTrack *track = loom_row_tree_track (tree, candidate.track);
    /* steps are always busy */
    if ((track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0 || g_str_has_prefix (track->process, "Step:"))
      continue;
    candidate.device = (track->flags & LOOM_TRACK_DEVICE) != 0;
    candidate.busy_ns = working_ns (tree, candidate.track);
    g_array_append_val (candidates, candidate);
  }
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;
  if (x->device != y->device)
    return x->device ? -1 : 1;
  if (x->busy_ns != y->busy_ns)
    return x->busy_ns > y->busy_ns ? -1 : 1;
  if (x->track.trace != y->track.trace)
    return x->track.trace < y->track.trace ? -1 : 1;
  return x->track.track < y->track.track ? -1 : x->track.track > y->track.track;
}

/* Chooses the tracks that the preview of a group shows, and adds them to item->tracks. If the children are groups,
 * chooses only among the tracks that these have chosen. */
static void
choose (LoomRowTree *tree, LoomRowTreeItem *item)
{
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    if (child->kind != LOOM_ROW_GROUP) {
      add_candidates (tree, child, candidates);
      continue;
    }
    choose (tree, child);
    guint n = child->level == LOOM_LEVEL_WORKER ? MIN (child->tracks->len, 1) : child->tracks->len;
    for (guint k = 0; k < n; k++) {
      Candidate candidate = { g_array_index (child->tracks, LoomTrackId, k), FALSE, 0 };
      const LoomTrack *track = loom_row_tree_track (tree, candidate.track);
      candidate.device = (track->flags & LOOM_TRACK_DEVICE) != 0;
      candidate.busy_ns = working_ns (tree, candidate.track);
      g_array_append_val (candidates, candidate);
    }
  }
  g_array_sort (candidates, compare_candidates);
  guint most = item->level <= LOOM_LEVEL_NODE ? MAX_NODE_TRACKS : MAX_TRACKS;
  gboolean device = candidates->len > 0 && g_array_index (candidates, Candidate, 0).device;
  for (guint i = 0; i < candidates->len && item->tracks->len < most; i++) {
    const Candidate *candidate = &g_array_index (candidates, Candidate, i);
    if (candidate->device == device)
      g_array_append_val (item->tracks, candidate->track);
  }
}

/* Sets the initial fold state: a process is folded if all of its rows request it, or if it has no rank and there are several
 * ranks; ranks are folded if there are several. */
static void
set_first_folds (LoomRowTree *tree, LoomRowTreeItem *item, gboolean in_rank)
{
  gboolean has_ranks = tree->n_ranks > MAX_OPEN_RANKS;
  gboolean all_folded = item->children->len > 0;
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    set_first_folds (tree, child, in_rank || item->level == LOOM_LEVEL_WORKER);
    all_folded &= child->folded;
  }
  if (item->level == LOOM_LEVEL_PROCESS)
    item->folded = all_folded || (has_ranks && !in_rank);
  if (item->level == LOOM_LEVEL_WORKER)
    item->folded = has_ranks;
}

void
loom_row_tree_choose_pictures (LoomRowTree *tree)
{
  choose (tree, tree->root);
  set_first_folds (tree, tree->root, FALSE);
}
