/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of a line in the list of sources. A line is a node, the files of a rank, or one file. Its texts are
 * immutable. Called on the main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_SOURCE_ITEM (loom_source_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceItem, loom_source_item, LOOM, SOURCE_ITEM, GObject)

/* All members are read-only for other files. */
struct _LoomSourceItem {
  GObject parent;
  gboolean is_node;
  char *label; /* text of the line, for example "algo-1", "rank 0" or "system" */
  /* label for a narrow column, without the parts that neighbouring lines share; NULL if `label` is used */
  char *short_label;
  char *detail;  /* second line of text: the format of the file or the number of files; "" for a node */
  char *tooltip; /* all details of the file: path, clock, counts */
  gboolean has_clock;
  /* state of the clock of the line's file; if the line has several files, the state of their least reliable clock;
   * not used for nodes */
  LoomClockState clock;
  /* TRUE if events of other clocks contradict this clock, or if there is too little evidence for its fit */
  gboolean in_doubt;
  gboolean muted;          /* TRUE if all sources of the line are hidden on the timeline */
  gboolean can_read_trace; /* TRUE for an index file if the trace from which it was made may be on this machine */
  guint n_problems;
  GArray *sources;      /* guint: indices of the line's sources in the run */
  GPtrArray *paths;     /* char *: paths of the line's sources, NULL-terminated */
  GListStore *children; /* lines below this line; NULL if this line is a single file */
};

/* Returns the paths of the line's sources; borrowed. */
const char *const *loom_source_item_get_paths (LoomSourceItem *self);

/* Makes the lines (LoomSourceItem) of the top level of the list: nodes, and files whose node is unknown. `edits`:
 * the user's names of sources, and which sources are hidden. */
GListStore *loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits);
/* Changes the lines of `top` to those of `wanted`, but inserts at most about `most` lines per call. Returns TRUE if
 * `top` now has all lines of `wanted`. Lines that do not change remain the same objects, so that the list view has
 * little to update when sources are added. Sets `first` to the index of the first line that was inserted, or that got
 * new lines below it; G_MAXUINT if no line was inserted. */
gboolean loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most, guint *first);
