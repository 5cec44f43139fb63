/* SPDX-License-Identifier: Apache-2.0
 *
 * Caches the palette index of every name of every trace; it is determined at the first query, because classifying texts
 * for every mark would be too slow. One thread at a time.
 */
#pragma once

#include "loom-theme.h"
#include "loom-timeline.h"

typedef struct _LoomNameColors LoomNameColors;

LoomNameColors *loom_name_colors_new (void);
void loom_name_colors_free (LoomNameColors *colors);

/* Sets the timeline. Keeps the cached indices of traces that the new timeline has at the same number, and drops the
 * others. */
void loom_name_colors_set_timeline (LoomNameColors *colors, LoomTimeline *timeline);

/* Index into LoomTheme.span: the reserved colour requested by the trace, else a colour by the name's text. `device`:
 * the span is on an accelerator's track. O(1) after the first query for a name. */
guint loom_name_colors_get (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device);
/* The family that the colour of this name belongs to; OTHER for a colour that a file requests. O(1) after the first
 * query for a name. */
LoomWorkFamily loom_name_colors_family (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameColors, loom_name_colors_free)
