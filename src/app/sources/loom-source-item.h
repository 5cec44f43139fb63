/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a line in the list of sources: a node, the files of a rank, or one file. Its texts are immutable. Called
 * on the main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_SOURCE_ITEM (loom_source_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceItem, loom_source_item, LOOM, SOURCE_ITEM, GObject)

/* All members are read-only. */
struct _LoomSourceItem {
  GObject parent;
  gboolean is_node;
  char *label; /* text of the line, for example "algo-1", "rank 0" or "system" */
  /* text for a narrow column, without parts that neighbouring lines share; NULL: same as `label` */
  char *short_label;
  char *detail;  /* format and file; "" for a node */
  char *tooltip; /* all details: paths, clock, counts */
  gboolean has_clock;
  /* state of the clock of the line's file; if the line has several files, state of the least reliable of their clocks;
   * not used for a line of a node */
  LoomClockState clock;
  /* TRUE if the events of other clocks contradict the clock, or if the evidence for the clock's fit is weak */
  gboolean in_doubt;
  gboolean muted;          /* TRUE if all sources of the line are muted, that is, hidden on the timeline */
  gboolean can_read_trace; /* TRUE for an index whose trace may be on this machine */
  guint n_problems;
  GArray *sources;      /* guint: indices in the run of the line's sources */
  GPtrArray *paths;     /* char *: paths of the line's sources, NULL-terminated */
  GListStore *children; /* lines below this line; NULL: no lines can be below it */
};

/* Returns the paths of the line's sources; borrowed. */
const char *const *loom_source_item_get_paths (LoomSourceItem *self);

/* Makes the top-level lines of a timeline (LoomSourceItem): nodes, and files whose node is unknown. `edits`: names and
 * muted sources. */
GListStore *loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits);
/* Changes `top` towards `wanted` by inserting at most about `most` lines. Returns TRUE if both have the same lines
 * then. Lines that do not change remain the same objects, so that the list view has little to update when sources are
 * added. Sets `first` to the index of the first line that was inserted, or below which lines were inserted; G_MAXUINT:
 * none. */
gboolean loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most, guint *first);
