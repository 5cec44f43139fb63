/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-expert-load.h"

#include <math.h>
#include <string.h>

#include "loom-transfer-list.h"
#include "loom-work-kind.h"

#define CANCEL_CHECK 1024u /* number of collectives between two checks of the cancellable */

/* The load of one rank in one layer: its computation between the two all-to-alls of the layer. */
typedef struct {
  gint rank;
  gint64 begin_ns, end_ns; /* on the timeline; not empty */
  guint slot;              /* index of the rank in LoomParallelAxes.ranks */
  guint layer;
  gint64 load_ns;
} Part;

typedef struct {
  guint group; /* index of the expert group in LoomParallelAxes.groups */
  /* time range of the layer on the timeline: from the end of the layer's first collective to the last arrival at the
   * layer's second collective */
  LoomRange window;
  guint n; /* number of elements of Reading.parts that belong to this layer, at least 1 */
  gint64 most_ns, total_ns;
} Layer;

typedef struct {
  LoomCollectives *collectives;
  const LoomParallelAxes *axes;
  LoomRange range;      /* on the timeline */
  GArray *layers;       /* Layer: the layers found so far */
  GArray *parts;        /* Part, sorted by rank, then start */
  GHashTable *group_of; /* rank → index of its expert group in LoomParallelAxes.groups, plus 1 */
  /* [group] 1 + index of a collective in LoomCollectives.all: the first collective of the layer that is being read; 0:
   * no layer is being read, so the next collective of the group begins a layer */
  guint *pending;
  /* [Part.slot] time at which the rank with this slot leaves the first collective of the layer; G_MAXINT64: the rank is
   * missing in this collective */
  gint64 *left_ns;
  LoomExpertLoad *result;
} Reading;

/* --- layers of the expert groups ---------------------------------------------------------------------------------- */

static const LoomParallelGroup *
get_group (const Reading *reading, guint number)
{
  return &g_array_index (reading->axes->groups, LoomParallelGroup, number);
}

/* Returns the index of the expert group of a rank, plus 1; 0: the rank is not in an expert group. */
static guint
get_group_of (const Reading *reading, gint rank)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (reading->group_of, GINT_TO_POINTER (rank)));
}

/* Returns 1 + the index of the expert group to which a collective belongs; 0: it belongs to none. If the ranks of the
 * collective are in different expert groups, only the group with the most collectives and messages
 * (LoomParallelGroup.n) is considered. The collective belongs to this group if more than half of the collective's ranks
 * are in the group. So a collective in which some ranks are missing is still assigned to its group. */
static guint
find_group (const Reading *reading, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (reading->collectives, collective);
  guint found = 0, n_inside = 0;
  for (guint i = 0; i < collective->n; i++) {
    guint own = get_group_of (reading, members[i].rank);
    if (own == 0 || own == found)
      continue;
    guint n = get_group (reading, own - 1)->n, most = found > 0 ? get_group (reading, found - 1)->n : 0;
    if (found == 0 || n > most || (n == most && own < found))
      found = own;
  }
  for (guint i = 0; found > 0 && i < collective->n; i++)
    n_inside += get_group_of (reading, members[i].rank) == found;
  return 2 * n_inside > collective->n ? found : 0;
}

/* Searches the ranks of an expert group for `rank`, and returns its index in LoomParallelAxes.ranks; G_MAXUINT: the
 * rank is not in the group. Binary search, because the ranks of a group ascend. */
static guint
find_slot (const Reading *reading, guint group, gint rank)
{
  const LoomParallelGroup *own = get_group (reading, group);
  guint low = own->first_rank, end = low + own->n_ranks, high = end;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (reading->axes->ranks, gint, middle) < rank)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && g_array_index (reading->axes->ranks, gint, low) == rank ? low : G_MAXUINT;
}

/* Begins a layer of an expert group: sets reading->left_ns of each rank in the group to the time at which the rank
 * leaves `first`, the first collective of the layer. Sets G_MAXINT64 for ranks that are missing in this collective. */
static void
begin_layer (Reading *reading, guint group, const LoomCollective *first)
{
  const LoomParallelGroup *own = get_group (reading, group);
  const LoomCollectiveMember *members = loom_collectives_get_members (reading->collectives, first);
  for (guint i = 0; i < own->n_ranks; i++)
    reading->left_ns[own->first_rank + i] = G_MAXINT64;
  for (guint i = 0; i < first->n; i++) {
    guint slot = find_slot (reading, group, members[i].rank);
    if (slot != G_MAXUINT)
      reading->left_ns[slot] = members[i].end_ns;
  }
}

/* Adds a layer of an expert group. The layer lies between the two all-to-alls `first` and `second`. It is added only if
 * the last rank arrives at `first` inside reading->range. Skips two kinds of ranks, because they would lower the mean
 * load: ranks that are missing in one of the two collectives, and ranks whose part of `first` ends after their part of
 * `second` starts. */
static void
add_layer (Reading *reading, guint group, const LoomCollective *first, const LoomCollective *second)
{
  Layer layer = { .group = group, .window = { first->end_ns, MAX (second->arrival_ns, first->end_ns + 1) } };
  const LoomCollectiveMember *members = loom_collectives_get_members (reading->collectives, second);
  if (first->arrival_ns < reading->range.begin_ns || first->arrival_ns >= reading->range.end_ns)
    return;
  for (guint i = 0; i < second->n; i++) {
    guint slot = find_slot (reading, group, members[i].rank);
    if (slot == G_MAXUINT || reading->left_ns[slot] >= members[i].arrival_ns)
      continue;
    const Part part = { members[i].rank, reading->left_ns[slot], members[i].arrival_ns, slot, reading->layers->len, 0 };
    g_array_append_val (reading->parts, part);
    layer.n++;
  }
  if (layer.n > 0)
    g_array_append_val (reading->layers, layer);
}

/* Finds the layers of all expert groups. Returns FALSE when cancelled. */
static gboolean
find_layers (Reading *reading, GCancellable *cancellable)
{
  for (guint i = 0; i < reading->collectives->n; i++) {
    const LoomCollective *collective = &reading->collectives->all[i];
    if (i % CANCEL_CHECK == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (reading->axes->axis_of[i] != LOOM_PARALLEL_AXIS_EXPERT || !loom_transfer_list_is_all_to_all (collective->name))
      continue;
    guint group = find_group (reading, collective);
    if (group == 0)
      continue;
    guint *pending = &reading->pending[group - 1];
    if (*pending > 0)
      add_layer (reading, group - 1, &reading->collectives->all[*pending - 1], collective);
    else
      begin_layer (reading, group - 1, collective);
    *pending = *pending > 0 ? 0 : i + 1;
  }
  return TRUE;
}

/* --- computation time of each rank and layer ---------------------------------------------------------------------- */

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Returns the Part of the rank `rank` whose time range contains `time_ns`; NULL: there is no such Part. O(log
 * parts). */
static Part *
find_part (const Reading *reading, gint rank, gint64 time_ns)
{
  const Part wanted = { .rank = rank, .begin_ns = time_ns };
  guint low = 0, high = reading->parts->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (compare_parts (&g_array_index (reading->parts, Part, middle), &wanted) <= 0)
      low = middle + 1;
    else
      high = middle;
  }
  Part *part = low > 0 ? &g_array_index (reading->parts, Part, low - 1) : NULL;
  return part != NULL && part->rank == rank && time_ns < part->end_ns ? part : NULL;
}

static void
add_track (Reading *reading, guint number, const LoomTrack *track, const guint8 *works)
{
  LoomTimeline *timeline = reading->collectives->timeline;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    for (guint32 span = row->first; span < row->first + row->n; span++) {
      LoomRange own;
      if (works[spans->name_id[span]] != LOOM_WORK_KIND_COMPUTE)
        continue;
      loom_timeline_get_span (timeline, (LoomSpanId) { number, span }, &own.begin_ns, &own.end_ns);
      Part *part = find_part (reading, track->rank, own.begin_ns);
      if (part != NULL)
        part->load_ns = loom_time_add (part->load_ns, loom_time_sub (own.end_ns, own.begin_ns));
    }
  }
}

static gboolean
has_computation (const LoomTrace *trace, const guint8 *works)
{
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (works[i] == LOOM_WORK_KIND_COMPUTE)
      return TRUE;
  return FALSE;
}

/* Adds the kernels of the trace with index `number` to the load_ns of the Parts in which they begin. If no track of
 * the file is marked as a device, kernels are recognised by their category. Returns FALSE when cancelled. */
static gboolean
add_trace (Reading *reading, guint number, GCancellable *cancellable)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reading->collectives->timeline), number);
  const guint8 *on_host = loom_work_kind_of_names (trace, FALSE), *on_device = loom_work_kind_of_names (trace, TRUE);
  gboolean host_computes = has_computation (trace, on_host);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    gboolean device = loom_trace_track_is_device (track);
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (track->kind == LOOM_TRACK_SPANS && (track->flags & LOOM_TRACK_DERIVED) == 0 && (device || host_computes) &&
        g_hash_table_contains (reading->group_of, GINT_TO_POINTER (track->rank)))
      add_track (reading, number, track, device ? on_device : on_host);
  }
  return TRUE;
}

static gboolean
add_loads (Reading *reading, GCancellable *cancellable)
{
  LoomRun *run = loom_timeline_get_run (reading->collectives->timeline);
  for (guint i = 0; reading->parts->len > 0 && i < loom_run_get_n_traces (run); i++)
    if (!add_trace (reading, i, cancellable))
      return FALSE;
  return !g_cancellable_is_cancelled (cancellable);
}

/* --- sums over the layers of a group ------------------------------------------------------------------------------ */

typedef struct {
  LoomExpertGroup group;
  gint64 most_ns;
  double mean_ns;
} Sum;

static void
add_to_group (Sum *sum, const Layer *layer)
{
  gint64 cost_ns = layer->most_ns - layer->total_ns / layer->n;
  sum->group.n_layers++;
  sum->group.cost_ns = loom_time_add (sum->group.cost_ns, cost_ns);
  sum->most_ns += layer->most_ns;
  sum->mean_ns += (double) layer->total_ns / layer->n;
  if (cost_ns >= sum->group.worst_ns) {
    sum->group.worst_ns = cost_ns;
    sum->group.worst = layer->window;
  }
}

static void
sum_layers (const Reading *reading, Sum *sums)
{
  for (guint i = 0; i < reading->parts->len; i++) {
    const Part *part = &g_array_index (reading->parts, Part, i);
    Layer *layer = &g_array_index (reading->layers, Layer, part->layer);
    layer->most_ns = MAX (layer->most_ns, part->load_ns);
    layer->total_ns = loom_time_add (layer->total_ns, part->load_ns);
  }
  for (guint i = 0; i < reading->layers->len; i++) {
    const Layer *layer = &g_array_index (reading->layers, Layer, i);
    add_to_group (&sums[layer->group], layer);
  }
}

static void
sum_parts (const Reading *reading, LoomExpertRank *ranks)
{
  for (guint i = 0; i < reading->parts->len; i++) {
    const Part *part = &g_array_index (reading->parts, Part, i);
    LoomExpertRank *rank = &ranks[part->slot];
    rank->load_ns = loom_time_add (rank->load_ns, part->load_ns);
    rank->n_busiest +=
      part->load_ns > 0 && part->load_ns == g_array_index (reading->layers, Layer, part->layer).most_ns;
  }
}

static void
add_group (Reading *reading, guint number, Sum *sum, LoomExpertRank *ranks, double *all_ns)
{
  LoomExpertLoad *load = reading->result;
  const LoomParallelGroup *group = get_group (reading, number);
  for (guint i = 0; i < group->n_ranks; i++)
    ranks[group->first_rank + i].rank = g_array_index (reading->axes->ranks, gint, group->first_rank + i);
  sum->group.first_rank = load->ranks->len;
  sum->group.n_ranks = group->n_ranks;
  sum->group.imbalance = sum->mean_ns > 0 ? (double) sum->most_ns / sum->mean_ns : NAN;
  load->n_layers += sum->group.n_layers;
  *all_ns += (double) sum->group.cost_ns * group->n_ranks;
  g_array_append_vals (load->ranks, &ranks[group->first_rank], group->n_ranks);
  g_array_append_val (load->groups, sum->group);
}

/* Computes the sums of each rank and of each expert group. A Part is the load of one rank in one layer. O(parts +
 * layers + groups). */
static void
sum_up (Reading *reading)
{
  gint64 most_ns = 0;
  /* `all_ns`: sum, over the ranks of all expert groups, of the cost of the rank's group (LoomExpertGroup.cost_ns). The
   * cost of a group is the time that its ranks wait on average for the busiest one. */
  double mean_ns = 0, all_ns = 0;
  g_autofree Sum *sums = g_new0 (Sum, reading->axes->groups->len + 1);
  g_autofree LoomExpertRank *ranks = g_new0 (LoomExpertRank, reading->axes->ranks->len + 1);
  sum_layers (reading, sums);
  sum_parts (reading, ranks);
  for (guint i = 0; i < reading->axes->groups->len; i++) {
    most_ns += sums[i].most_ns;
    mean_ns += sums[i].mean_ns;
    if (sums[i].group.n_layers > 0)
      add_group (reading, i, &sums[i], ranks, &all_ns);
  }
  reading->result->imbalance = mean_ns > 0 ? (double) most_ns / mean_ns : NAN;
  reading->result->cost_ns = (gint64) (all_ns / MAX (reading->result->ranks->len, 1));
}

/* --- making the result from all traces ---------------------------------------------------------------------------- */

static gboolean
covers_run (const LoomCollectives *collectives)
{
  LoomRange extent;
  return !loom_timeline_get_extent (collectives->timeline, &extent) ||
         (collectives->range.begin_ns <= extent.begin_ns && extent.end_ns <= collectives->range.end_ns);
}

/* Finds the layers, adds the kernels of all traces to their loads, and fills reading->result. Returns FALSE when
 * cancelled. */
static gboolean
read_all (Reading *reading, GCancellable *cancellable)
{
  reading->pending = g_new0 (guint, reading->axes->groups->len + 1);
  reading->left_ns = g_new0 (gint64, reading->axes->ranks->len + 1);
  if (!find_layers (reading, cancellable))
    return FALSE;
  g_array_sort (reading->parts, compare_parts);
  if (!add_loads (reading, cancellable))
    return FALSE;
  sum_up (reading);
  return !g_cancellable_is_cancelled (cancellable);
}

static LoomExpertLoad *
new_load (LoomCollectives *collectives, const LoomParallelAxes *axes, LoomRange range, GCancellable *cancellable)
{
  g_autoptr (LoomExpertLoad) load = g_new0 (LoomExpertLoad, 1);
  load->groups = g_array_new (FALSE, FALSE, sizeof (LoomExpertGroup));
  load->ranks = g_array_new (FALSE, FALSE, sizeof (LoomExpertRank));
  Reading reading = { .collectives = collectives,
                      .axes = axes,
                      .range = range,
                      .layers = g_array_new (FALSE, FALSE, sizeof (Layer)),
                      .parts = g_array_new (FALSE, FALSE, sizeof (Part)),
                      .group_of = loom_parallel_axes_index_groups (axes, LOOM_PARALLEL_AXIS_EXPERT),
                      .result = load };
  gboolean done = read_all (&reading, cancellable);
  g_array_unref (reading.layers);
  g_array_unref (reading.parts);
  g_hash_table_unref (reading.group_of);
  g_free (reading.pending);
  g_free (reading.left_ns);
  return done ? g_steal_pointer (&load) : NULL;
}

LoomExpertLoad *
loom_expert_load_new (LoomCollectives *collectives, const LoomParallelAxes *axes, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL && axes != NULL, NULL);
  if (axes->sizes[LOOM_PARALLEL_AXIS_EXPERT].n_groups == 0 || covers_run (collectives))
    return new_load (collectives, axes, collectives->range, cancellable);
  g_autoptr (LoomCollectives) all = loom_collectives_new (collectives->timeline, NULL, cancellable);
  g_autoptr (LoomParallelAxes) all_axes = all != NULL ? loom_parallel_axes_new (all, cancellable) : NULL;
  return all_axes != NULL ? new_load (all, all_axes, collectives->range, cancellable) : NULL;
}

void
loom_expert_load_free (LoomExpertLoad *load)
{
  if (load == NULL)
    return;
  g_array_unref (load->groups);
  g_array_unref (load->ranks);
  g_free (load);
}

const LoomExpertRank *
loom_expert_load_get_busiest (const LoomExpertLoad *load, const LoomExpertGroup *group)
{
  const LoomExpertRank *ranks = &g_array_index (load->ranks, LoomExpertRank, group->first_rank), *busiest = ranks;
  for (guint i = 1; i < group->n_ranks; i++)
    if (ranks[i].load_ns > busiest->load_ns)
      busiest = &ranks[i];
  return busiest;
}
