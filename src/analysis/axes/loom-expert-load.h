/* SPDX-License-Identifier: Apache-2.0
 *
 * How unequally the ranks of an expert group work. In expert parallelism each rank has some of the experts of a
 * model, so a rank whose experts get more tokens computes longer.
 *
 *   layer     one pass through the experts: from an all-to-all collective of the group, which sends the tokens to the
 *             experts, to the next all-to-all, which returns the results. The all-to-alls of a group are paired in
 *             order, from the start of the file. A layer counts if the last rank arrives at the layer's first
 *             all-to-all inside the range of the collectives.
 *   load      computation of a rank in a layer: kernels that begin after the end of the rank's first all-to-all and
 *             before the start of its second one, on all streams
 *   imbalance (sum over the layers of the greatest load of a rank) ÷ (sum over the layers of the mean load of the
 *             ranks)
 *   cost      sum, over the layers, of the difference (greatest load of a rank − mean load of the ranks)
 *
 * The backward pass through the same experts counts as another layer. Immutable when made, freed by its owner; any
 * thread.
 */
#pragma once

#include "loom-parallel-axes.h"

typedef struct {
  gint rank;
  gint64 load_ns;
  /* number of layers in which the rank has the greatest load, alone or together with ranks of equal load */
  guint n_busiest;
} LoomExpertRank;

typedef struct {
  /* the group's ranks, ascending: elements [first_rank, first_rank + n_ranks) of LoomExpertLoad.ranks */
  guint first_rank, n_ranks;
  guint n_layers;
  gint64 cost_ns;
  /* (sum over the layers of the greatest load of a rank) ÷ (sum over the layers of the mean load of the ranks); ≥ 1;
   * NAN: no rank of the group computes anything */
  double imbalance;
  /* greatest cost of a single layer: the greatest load of a rank in this layer minus the mean load of the ranks */
  gint64 worst_ns;
  LoomRange worst; /* time range, on the timeline, of the layer whose cost is worst_ns */
} LoomExpertGroup;

typedef struct {
  GArray *groups; /* LoomExpertGroup; groups without layers are omitted */
  GArray *ranks;  /* LoomExpertRank: the ranks of all groups */
  guint n_layers;
  /* LoomExpertGroup.cost_ns, averaged over all ranks: how long a rank waits on average for the busiest rank of its
   * group */
  gint64 cost_ns;
  /* like LoomExpertGroup.imbalance, but computed from the layers of all groups together; NAN: there are no expert
   * groups, or none of their ranks computes anything */
  double imbalance;
} LoomExpertLoad;

/* Computes the load of the layers in the range of the collectives. `axes`: the parallel axes of these collectives. If
 * the range is shorter than the run, the collectives of the whole run are matched again, because the range may begin
 * between the two all-to-alls of a layer. O(collectives · ranks + device spans · log collectives). NULL only when
 * cancelled. */
LoomExpertLoad *loom_expert_load_new (LoomCollectives *collectives, const LoomParallelAxes *axes,
                                      GCancellable *cancellable);
void loom_expert_load_free (LoomExpertLoad *load);

/* Returns the rank with the greatest load in a group. */
const LoomExpertRank *loom_expert_load_get_busiest (const LoomExpertLoad *load, const LoomExpertGroup *group);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExpertLoad, loom_expert_load_free)
