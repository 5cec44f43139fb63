/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-page-index.h: the table of pages.
 */
#include "loom-page-index.h"

#include "loom-findings.h"

#include <glib/gi18n.h>

static const LoomPageIndex pages[] = {
  { "selection", "timeline", N_ ("Details"), NULL, NULL, NULL },
  { "found", "timeline", N_ ("Search Results"), NULL, NULL, NULL },
  { "overview", "analysis", N_ ("Summary"), NULL, N_ ("What stands out in this run, and what costs the most time?"),
    NULL },
  { "path", "analysis", N_ ("Critical Path"), NULL,
    N_ ("Which work decides how long the run takes, and how much time would be saved if it were faster?"),
    "stragglers" },
  { "utilization", "analysis", N_ ("Utilization"), N_ ("Devices"),
    N_ ("How busy are devices (GPUs, TPUs) and CPU cores, and when?"), "idle" },
  { "idle", "analysis", N_ ("Idle Time"), N_ ("Devices"), N_ ("Why do devices wait, and for how long?"), "path" },
  { "work", "analysis", N_ ("Kernels"), N_ ("Devices"), N_ ("Which kernels and copies take the most time?"),
    "operators" },
  { "efficiency", "analysis", N_ ("Efficiency"), N_ ("Devices"),
    N_ ("How fast do operators compute, and what do the devices allow?"), "operators" },
  { "balance", "analysis", N_ ("Load Balance"), N_ ("Devices"), N_ ("Do all devices do the same amount of work?"),
    "stragglers" },
  { "memory", "analysis", N_ ("Memory"), N_ ("Devices"),
    N_ ("How much memory is allocated, and who holds it at the peak?"), NULL },
  { "operators", "analysis", N_ ("Operators"), N_ ("Operators & Calls"),
    N_ ("Which operators take the most time on hosts and on devices?"), "calls" },
  { "calls", "analysis", N_ ("Call Tree"), N_ ("Operators & Calls"),
    N_ ("In which calls do the threads spend their time?"), "operators" },
  { "steps", "analysis", N_ ("Steps"), N_ ("Steps"),
    N_ ("How long do steps take, and what is different in steps that take longer?"), "bottlenecks" },
  { "bottlenecks", "analysis", N_ ("Bottlenecks"), N_ ("Steps"),
    N_ ("When are GPUs starved because a CPU core is saturated, and what runs at these times?"), "steps" },
  { "loading", "analysis", N_ ("Data Loading"), N_ ("Steps"), N_ ("How long does the training loop wait for data?"),
    "bottlenecks" },
  { "stragglers", "analysis", N_ ("Stragglers"), N_ ("Ranks"),
    N_ ("Which ranks are late or slow, and how much time would be saved if they were faster?"), "collectives" },
  { "collectives", "analysis", N_ ("Collectives"), N_ ("Ranks"),
    N_ ("How fast are transfers between ranks, and is a link slow?"), "stragglers" },
  { "parallelism", "analysis", N_ ("Parallelism"), N_ ("Ranks"),
    N_ ("How is the job split across ranks, and what does the split cost?"), "stragglers" },
  { "hang", "analysis", N_ ("Hang"), N_ ("Ranks"), N_ ("If a job hangs, for which rank do the others wait?"),
    "collectives" },
  { "clocks", "analysis", N_ ("Clocks"), N_ ("Ranks"), N_ ("Can the order of events on different ranks be trusted?"),
    "health" },
  { "health", "analysis", N_ ("Trace Health"), N_ ("Ranks"), N_ ("Can the numbers of this recording be trusted?"),
    "clocks" },
  { "events", "events", N_ ("Events"), NULL, NULL, NULL },
  { "samples", "events", N_ ("Samples"), NULL, NULL, NULL },
  { "query", "query", N_ ("Query"), NULL, NULL, NULL },
  { "python", "python", N_ ("Python"), NULL, NULL, NULL },
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
  return loom_page_index_find (loom_findings_find_page_of_rule (rule));
}

const LoomPageIndex *
loom_page_index_find_of_result (const LoomRuleResult *result)
{
  return loom_page_index_find (loom_findings_find_page (result));
}
