/* SPDX-License-Identifier: Apache-2.0
 *
 * A place on the timeline to which an element of a page leads: a range, spans, the row of a device or a node. Any thread.
 */
#pragma once

#include "loom-timeline.h"

#include <glib-object.h>

G_BEGIN_DECLS

typedef struct {
  LoomRange range;         /* timeline ns; empty: none */
  const LoomSpanId *spans; /* NULL: none */
  guint n_spans;
  const LoomRange *parts; /* the stretches of the range that are meant, ascending; NULL: all of it, or the spans */
  guint n_parts;
  const char *node;   /* of the device, or the node itself; NULL: no row is meant, "" not known */
  const char *device; /* "gpu0"; "" the node as a whole */
} LoomNavigationTarget;

/* More spans than this are not highlighted one by one: the range says where they are. */
#define LOOM_NAVIGATION_TARGET_MAX_SPANS 512

#define LOOM_TYPE_NAVIGATION_TARGET (loom_navigation_target_get_type ())
GType loom_navigation_target_get_type (void);

/* A copy owns its spans, parts and texts, and is freed by loom_navigation_target_free(); other targets borrow them. O(spans + parts). */
LoomNavigationTarget *loom_navigation_target_copy (const LoomNavigationTarget *target);
void loom_navigation_target_free (LoomNavigationTarget *copy); /* NULL: nothing */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNavigationTarget, loom_navigation_target_free)

G_END_DECLS
