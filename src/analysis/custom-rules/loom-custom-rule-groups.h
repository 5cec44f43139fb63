/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules: collects the spans or samples that match a custom rule into groups (by rank,
 * node or device), divides the time of each group into windows, and computes the rule's statistic for each window. The
 * time of a group begins with the first and ends with the last of its spans that match the node and the type of the
 * rule; the names of these spans do not matter.
 */
#pragma once

#include "loom-custom-rule-steps.h"
#include "loom-custom-rule.h"
#include "loom-data-frame.h"

typedef struct {
  /* start and end, clipped to the range of the LoomDataFrame unless numbers are computed as smdebug does; for a sample,
   * both are its time */
  gint64 begin_ns, end_ns;
  double value; /* duration of the whole span in ns, or value of the sample */
  LoomSpanId span;
  gboolean is_cut; /* TRUE if the span begins before the range */
} LoomCustomRuleItem;

typedef struct {
  char *label;         /* name of the group, translated, for example "algo-1 rank 0 GPU 0" */
  char *key;           /* like `label`, but untranslated, for JSON output */
  const char *host;    /* name of the node, borrowed from the LoomDataFrame; "": the whole run */
  const char *device;  /* device whose row is marked in the timeline; "": none */
  const char *writer;  /* display name of the worker, if groups are ranks or devices; else "" */
  gint rank;           /* rank or, if is_process is TRUE, process id of the group; −1: the group is not a rank */
  gboolean is_process; /* TRUE if `rank` is a process id */
  /* index of the LoomWorker that has all spans or samples of the group; G_MAXUINT32: the group has several workers */
  guint32 worker;
  /* LoomCustomRuleItem, sorted by start; if starts are equal, spans that begin before the range come first */
  GArray *items;
  /* LoomRange: intervals in which kernels of the group compute, sorted and disjoint; empty unless the rule counts only
   * exposed time (LoomCustomRule.exposed_only) */
  GArray *computing;
  LoomRange known; /* part of the range in which the group has data; empty: the group has no data */
  /* in rules about spans, number of spans that match the rule's node and type, whatever their names are; in rules about
   * samples, number of samples */
  guint n_known;
} LoomCustomRuleGroup;

/* Returns the groups (LoomCustomRuleGroup) in order of first appearance. If matching a regular expression exceeds a
 * limit, sets `too_hard` to the text that was being matched; the groups are then incomplete and must not be used.
 * Otherwise sets `too_hard` to NULL. Result and text are owned by the caller. NULL only when cancelled. */
GPtrArray *loom_custom_rule_groups (LoomDataFrame *frame, const LoomCustomRule *rule, char **too_hard,
                                    GCancellable *cancellable);

typedef struct {
  gint64 begin_ns, end_ns;
  double value; /* the rule's statistic over the items of the window; NAN: the window has too few items */
  /* time in which at least one span runs and which is not in LoomCustomRuleGroup.computing; 0 for samples */
  gint64 busy_ns;
  /* the items that begin in the window: elements [first, first + n) of LoomCustomRuleGroup.items. Unless windows are
   * steps, the first window also contains the spans that begin before the range. */
  guint first, n;
} LoomCustomRuleSlice;

/* Returns the windows (LoomCustomRuleSlice) in order of time, without overlap. Owned by the caller. `steps`: all steps
 * of the LoomDataFrame; may be NULL if the rule's windows are not steps. O(items + windows). */
GArray *loom_custom_rule_groups_list_windows (const LoomCustomRuleSteps *steps, const LoomCustomRule *rule,
                                              const LoomCustomRuleGroup *group);
