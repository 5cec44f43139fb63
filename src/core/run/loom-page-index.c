/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-index.h"

#include <glib/gi18n.h>

static const LoomPageIndex pages[] = {
  { "selection", "timeline", N_ ("Details"), NULL },
  { "found", "timeline", N_ ("Search Results"), NULL },
  { "overview", "analysis", N_ ("Summary"), NULL },
  { "path", "analysis", N_ ("Critical Path"), NULL },
  { "utilization", "analysis", N_ ("Utilization"), N_ ("GPUs") },
  { "idle", "analysis", N_ ("Idle Time"), N_ ("GPUs") },
  { "work", "analysis", N_ ("Kernels"), N_ ("GPUs") },
  { "balance", "analysis", N_ ("Load Balance"), N_ ("GPUs") },
  { "memory", "analysis", N_ ("Memory"), N_ ("GPUs") },
  { "operators", "analysis", N_ ("Operators"), N_ ("Operators & Calls") },
  { "calls", "analysis", N_ ("Call Tree"), N_ ("Operators & Calls") },
  { "steps", "analysis", N_ ("Steps"), N_ ("Steps") },
  { "bottlenecks", "analysis", N_ ("Bottlenecks"), N_ ("Steps") },
  { "loading", "analysis", N_ ("Data Loading"), N_ ("Steps") },
  { "stragglers", "analysis", N_ ("Stragglers"), N_ ("Ranks") },
  { "collectives", "analysis", N_ ("Collectives"), N_ ("Ranks") },
  { "parallelism", "analysis", N_ ("Parallelism"), N_ ("Ranks") },
  { "hang", "analysis", N_ ("Hang"), N_ ("Ranks") },
  { "clocks", "analysis", N_ ("Clocks"), N_ ("Ranks") },
  { "health", "analysis", N_ ("Trace Health"), N_ ("Ranks") },
  { "events", "events", N_ ("Events"), NULL },
  { "samples", "events", N_ ("Samples"), NULL },
  { "query", "query", N_ ("Query"), NULL },
  { "python", "python", N_ ("Python"), NULL },
};

const LoomPageIndex *
loom_page_index_get (guint *n)
{
  *n = G_N_ELEMENTS (pages);
  return pages;
}

const LoomPageIndex *
loom_page_index_find (const char *name)
{
  if (g_strcmp0 (name, "findings") == 0)
    name = "overview";
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    if (g_strcmp0 (pages[i].name, name) == 0)
      return &pages[i];
  return NULL;
}

const LoomPageIndex *
loom_page_index_find_of_rule (const char *rule)
{
  static const struct {
    const char *rule, *page;
  } of_rules[] = {
    { "CPUBottleneck", "bottlenecks" },
    { "CommunicationShare", "collectives" },
    { "CopyBound", "idle" },
    { "DataLoadingStalls", "loading" },
    { "Dataloader", "loading" },
    { "ExpertImbalance", "stragglers" },
    { "GPUMemoryIncrease", "memory" },
    { "Hang", "hang" },
    { "HostBound", "idle" },
    { "HostStall", "idle" },
    { "IOBottleneck", "bottlenecks" },
    { "IdleGPU", "idle" },
    { "LaunchBoundSteps", "idle" },
    { "LaunchGaps", "idle" },
    { "LoadBalancing", "balance" },
    { "LowGPUUtilization", "utilization" },
    { "MaxInitializationTime", "steps" },
    { "MemoryGrowth", "memory" },
    { "MemoryLeak", "memory" },
    { "PipelineBubbles", "parallelism" },
    { "SlowLink", "collectives" },
    { "SlowRank", "stragglers" },
    { "StepOutlier", "steps" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (of_rules); i++)
    if (g_strcmp0 (of_rules[i].rule, rule) == 0)
      return loom_page_index_find (of_rules[i].page);
  return NULL;
}
