/* SPDX-License-Identifier: Apache-2.0
 *
 * The place on the timeline that is shown when the user activates an element of a page (such as a bar of a chart or a
 * row of a table): a range, spans, or the row of a device or node. The functions may be called on any thread.
 */
#pragma once

#include "loom-timeline.h"

#include <glib-object.h>

typedef struct {
  LoomRange range;         /* range in timeline ns; if it is empty, the target has no range */
  const LoomSpanId *spans; /* spans to select; NULL: the target has no spans */
  guint n_spans;
  /* TRUE: the target also contains all other spans with the name of the first span, on all tracks that are shown */
  gboolean same_name;
  /* parts of `range` to highlight, in ascending order. NULL: the spans are highlighted; if there are no spans, all of
   * `range` is highlighted */
  const LoomRange *parts;
  guint n_parts;
  /* name of the node whose row is selected when the target is activated; if `device` is not "", the row of this device
   * is selected instead. NULL: no row is selected; "": the node without a name */
  const char *node;
  const char *device; /* name of the device on the node, for example "gpu0"; "": the target is the row of the node */
  /* TRUE if the element (of a chart or table) represents a whole rank. While the pointer is over the element, all rows
   * of the rank are highlighted. This member has no effect on activation. */
  gboolean has_rank;
  gint rank;     /* number of the rank; −1: the number is unknown, and the rank is identified by `trace` */
  guint32 trace; /* index of the rank's trace in the run; G_MAXUINT32: unknown */
} LoomNavigationTarget;

/* if a target has more spans than this, only its range is highlighted, not each span */
#define LOOM_NAVIGATION_TARGET_MAX_SPANS 512

#define LOOM_TYPE_NAVIGATION_TARGET (loom_navigation_target_get_type ())
GType loom_navigation_target_get_type (void);

/* Copies a target. The copy owns its spans, parts and texts; free it with loom_navigation_target_free(). Targets that
 * are not copies only borrow their spans, parts and texts. O(spans + parts). */
LoomNavigationTarget *loom_navigation_target_copy (const LoomNavigationTarget *target);
void loom_navigation_target_free (LoomNavigationTarget *copy); /* NULL: does nothing */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNavigationTarget, loom_navigation_target_free)
