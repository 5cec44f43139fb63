/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-help-topic.h: the table of places.
 */
#include "loom-help-topic.h"

#include <glib.h>

static const struct {
  const char *place, *help;
} topics[] = {
  { "start", "opening" },
  { "timeline", "timeline" },
  { "selection", "timeline" },
  { "found", "timeline" },
  { "overview", "panels" },
  { "path", "panels" },
  { "utilization", "panels" },
  { "idle", "panels" },
  { "work", "panels" },
  { "efficiency", "panels" },
  { "balance", "panels" },
  { "memory", "panels" },
  { "operators", "panels" },
  { "calls", "panels" },
  { "steps", "slow-step" },
  { "bottlenecks", "panels" },
  { "loading", "data-loader" },
  { "stragglers", "late-rank" },
  { "collectives", "panels" },
  { "parallelism", "panels" },
  { "hang", "panels" },
  { "clocks", "clocks" },
  { "health", "panels" },
  { "events", "panels" },
  { "samples", "panels" },
  { "query", "ask-sql" },
  { "python", "panels" },
  { "LoomCompareWindow", "compare-runs" },
  { "LoomExportDialog", "exporting" },
  { "LoomLocationDialog", "opening" },
  { "LoomNextProfileDialog", "rules" },
  { "LoomPreferences", "timeline" },
  { "LoomProblemsWindow", "opening" },
  { "LoomProfilerConfigEditor", "rules" },
  { "LoomRuleEditor", "write-rule" },
  { "LoomRuleLimitsDialog", "rules" },
};

const char *
loom_help_topic_find (const char *place)
{
  for (guint i = 0; i < G_N_ELEMENTS (topics); i++)
    if (g_strcmp0 (topics[i].place, place) == 0)
      return topics[i].help;
  return NULL;
}
