/* SPDX-License-Identifier: Apache-2.0
 *
 * Generates a training run for tests, pictures and benchmarks: nodes with ranks, Python and GPU tracks, collectives,
 * counters, instants and flows. Runs of the same FakeShape are equal on every machine.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint n_nodes;
  guint ranks_per_node;
  guint n_steps;
  guint n_layers; /* number of layers per step and rank; each has operators on the host and kernels on the device */
  guint ops_per_layer;
  gboolean metrics; /* TRUE: add a trace of system metrics for each node */
} FakeShape;

/* Shape of a run with two nodes, four ranks on each, and three steps. */
extern const FakeShape fake_small;

#define FAKE_STEP_NS G_GINT64_CONSTANT (120000000)
#define FAKE_BEGIN_NS G_GINT64_CONSTANT (1750154400000000000)

/* Builds the run; times on its timeline are UTC. */
LoomTimeline *fake_run_new (const FakeShape *shape);

/* Returns the first span with the name, in trace order. */
LoomSpanId fake_run_find (LoomTimeline *timeline, const char *name);

/* Returns a timeline of one hand-made trace; takes ownership of the trace. */
LoomTimeline *fake_timeline_of (LoomTrace *trace);
