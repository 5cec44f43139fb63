/* SPDX-License-Identifier: Apache-2.0
 *
 * What laying out and what people do share. Private to the outline.
 */
#pragma once

#include "loom-outline-state.h"
#include "loom-outline-tree.h"

G_BEGIN_DECLS

struct _LoomOutline {
  LoomOutlineTree *tree; /* NULL at first */
  LoomOutlineState state;
  char *filter;        /* folded case, NULL for none */
  GHashTable *sources; /* paths shown, NULL for all */
  GHashTable *only;    /* items shown, NULL for all */
  GArray *rows;        /* LoomOutlineRow */
  guint n_pinned;
  double pinned_height, height;
  guint serial;
};

/* Makes the rows anew. */
void loom_outline_lay_out (LoomOutline *outline);

/* NULL when there is none of that key. */
LoomOutlineItem *loom_outline_find_item (const LoomOutline *outline, const char *key);

/* A row that may stand on its own, folding aside: not hidden, not filtered away, of a source that is shown. */
gboolean loom_outline_is_wanted (const LoomOutline *outline, const LoomOutlineItem *item);

/* Children in the order a person gave them; those never moved keep theirs, in front. A reference; borrowed items. */
GPtrArray *loom_outline_dup_children (const LoomOutline *outline, const LoomOutlineItem *item);

G_END_DECLS
