/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the tracks from which the lane of a folded group (its preview) is made: the few tracks that best show how
 * busy the group was. Accelerators are preferred to threads of hosts, and busy tracks to less busy ones; the preview of
 * a node has one track of each of its ranks.
 */
#include "loom-row-summary.h"
#include "loom-row-tree.h"
#include "loom-work-kind.h"

/* Maximum number of tracks in the preview of a group: MAX_STREAMS for a rank or process with accelerators, MAX_THREADS
 * for one without, MAX_NODE_TRACKS for a node. The number is limited, because drawing reads one summary per track and
 * pixel. In a training job with three kinds of parallelism, an accelerator has up to five streams with kernels: one for
 * computation, one for the communication of each kind, and one for messages between pipeline stages. If a stream were
 * missing in the preview, the accelerator would seem idle while only this stream runs. */
#define MAX_STREAMS 6
#define MAX_THREADS 3
#define MAX_NODE_TRACKS 8

/* Maximum number of ranks that are unfolded initially. If the run has more ranks, all ranks are folded, so that the
 * first view compares them; processes without a rank are then also folded. */
#define MAX_OPEN_RANKS 1

/* In a run without ranks, a device with many rows is a group. All these groups are unfolded initially if they have at
 * most this many rows together. This many rows fill the area for rows of a window that is 768 px high. */
#define MAX_OPEN_STREAMS 20

/* Limits for estimating for how long an accelerator worked: the maximum number of sampled spans per row, and of
 * examined rows per track. */
#define N_SAMPLES 16 /* a multiple of LOOM_SAMPLE_RUN, the number of neighbouring spans that are sampled together */
#define MOST_DEPTHS 4

typedef struct {
  LoomTrackId track;
  gboolean device;
  /* `busy_ns`: busy time of the track, for an accelerator an estimate; `compute_ns`: estimated time of computation, 0
   * for a thread */
  gint64 busy_ns, compute_ns;
} Candidate;

/* The kinds of work of the sampled spans of a row. They are kept because the same few names repeat, and classifying a
 * name compares its text with many words. With 10,000 ranks, classifying took a tenth of the time to open the run. */
typedef struct {
  guint32 name_ids[N_SAMPLES];
  LoomWorkKind kinds[N_SAMPLES];
  guint n;
} Kinds;

static LoomWorkKind
get_kind (Kinds *kinds, const LoomTrace *trace, guint32 name_id)
{
  for (guint i = 0; i < kinds->n; i++)
    if (kinds->name_ids[i] == name_id)
      return kinds->kinds[i];
  const LoomName *name = loom_trace_get_name (trace, name_id);
  LoomWorkKind kind = loom_work_kind_classify (name->text, name->category, TRUE);
  kinds->name_ids[kinds->n] = name_id;
  kinds->kinds[kinds->n++] = kind;
  return kind;
}

/* Adds the estimated time for which an accelerator worked in one row of a track. The estimate uses a sample of the
 * spans. Annotations, and waits of a stream for events of other streams, don't count as work. */
static void
add_work (const LoomTrace *trace, const LoomRow *row, Candidate *candidate)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n = MIN (row->n, N_SAMPLES);
  Kinds kinds = { .n = 0 };
  for (guint32 i = 0; i < n; i++) {
    guint32 span = row->first + loom_row_summary_sample (row->n, n, i);
    LoomWorkKind kind = get_kind (&kinds, trace, spans->name_id[span]);
    gint64 ns = spans->dur_ns[span] / n * row->n;
    if (kind != LOOM_WORK_KIND_NONE && kind != LOOM_WORK_KIND_ANNOTATION)
      candidate->busy_ns = loom_time_add (candidate->busy_ns, ns);
    if (kind == LOOM_WORK_KIND_COMPUTE)
      candidate->compute_ns = loom_time_add (candidate->compute_ns, ns);
  }
}

static Candidate
new_candidate (const LoomRowTree *tree, LoomTrackId id)
{
  const LoomTrack *track = loom_row_tree_track (tree, id);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), id.trace);
  Candidate candidate = { .track = id, .device = (track->flags & LOOM_TRACK_DEVICE) != 0 };
  if (!candidate.device)
    candidate.busy_ns = track->busy_ns;
  for (guint k = 0; candidate.device && k < MIN (track->n_rows, MOST_DEPTHS); k++)
    add_work (trace, loom_trace_get_row (trace, track->first_row + k), &candidate);
  return candidate;
}

static void
add_candidates (const LoomRowTree *tree, const LoomRowTreeItem *item, GArray *candidates)
{
  for (guint i = 0; item->kind == LOOM_ROW_SPANS && i < item->tracks->len; i++) {
    LoomTrackId id = g_array_index (item->tracks, LoomTrackId, i);
    const LoomTrack *track = loom_row_tree_track (tree, id);
    /* skips the tracks of training steps: they are always busy, so they do not show how busy the group is */
    if ((track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0 || g_str_has_prefix (track->process, "Step:"))
      continue;
    Candidate candidate = new_candidate (tree, id);
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

/* Moves the track with the most computation to the front, so that the lane of the group shows it, even if other streams
 * communicate for longer. */
static void
put_compute_first (GArray *candidates)
{
  guint most = 0;
  for (guint i = 1; i < candidates->len; i++)
    if (g_array_index (candidates, Candidate, i).compute_ns > g_array_index (candidates, Candidate, most).compute_ns)
      most = i;
  if (most == 0)
    return;
  Candidate first = g_array_index (candidates, Candidate, most);
  g_array_remove_index (candidates, most);
  g_array_prepend_val (candidates, first);
}

/* Chooses the tracks for the preview of a group, adds them to item->tracks, and returns them (Candidate, owned by
 * the caller). If a child of the group is itself a group, only the tracks chosen for that child are candidates. */
static GArray *
choose (LoomRowTree *tree, LoomRowTreeItem *item)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    if (child->kind != LOOM_ROW_GROUP) {
      add_candidates (tree, child, candidates);
      continue;
    }
    g_autoptr (GArray) chosen = choose (tree, child);
    guint n = child->level == LOOM_LEVEL_WORKER ? MIN (chosen->len, 1) : chosen->len;
    g_array_append_vals (candidates, chosen->data, n);
  }
  g_array_sort (candidates, compare_candidates);
  gboolean devices = candidates->len > 0 && g_array_index (candidates, Candidate, 0).device;
  guint most = item->level <= LOOM_LEVEL_NODE ? MAX_NODE_TRACKS : devices ? MAX_STREAMS : MAX_THREADS, n = 0;
  if (item->level > LOOM_LEVEL_NODE)
    put_compute_first (candidates);
  while (n < MIN (candidates->len, most) && g_array_index (candidates, Candidate, n).device == devices &&
         (n == 0 || g_array_index (candidates, Candidate, n).busy_ns > 0)) /* an accelerator's stream that only waits
                                                                            * has a busy time of 0, and is not shown */
    g_array_append_val (item->tracks, g_array_index (candidates, Candidate, n++).track);
  g_array_set_size (candidates, n);
  return candidates;
}

/* Some devices among the children of `item` are groups, because they have many rows. Returns how many rows all these
 * devices have together; 0 if there are no such devices. */
static guint
count_device_rows (const LoomRowTreeItem *item)
{
  guint n = 0;
  for (guint i = 0; i < item->children->len; i++) {
    const LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    n += child->is_lane ? child->children->len : 0;
  }
  return n;
}

/* Returns TRUE if a process is folded initially because of the ranks or devices of the run. A device is folded if it
 * belongs to a rank, if the run has several ranks, or if the devices of the run have too many rows together
 * (MAX_OPEN_STREAMS). A host process is folded if it does not belong to a rank, and one of two conditions is met: the
 * run has several ranks, or a device beside the process is a group because it has many rows. */
static gboolean
is_folded_at_first (const LoomRowTreeItem *item, gboolean has_ranks, gboolean in_rank)
{
  guint n = in_rank ? 0 : count_device_rows (item->parent);
  if (item->is_lane)
    return in_rank || has_ranks || n > MAX_OPEN_STREAMS;
  return !in_rank && (has_ranks || n > 0);
}

/* Sets which groups are folded initially. A process is folded if all of its rows are marked as collapsed in the trace,
 * or because of ranks or devices; see is_folded_at_first(). Ranks are folded if there are several. */
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
    item->folded = all_folded || is_folded_at_first (item, has_ranks, in_rank);
  if (item->level == LOOM_LEVEL_WORKER)
    item->folded = has_ranks;
}

void
loom_row_tree_choose_pictures (LoomRowTree *tree)
{
  g_array_unref (choose (tree, tree->root));
  set_first_folds (tree, tree->root, FALSE);
}
