/* SPDX-License-Identifier: Apache-2.0
 *
 * Caches the palette index of every name of every trace. An index is computed when it is first needed; without the
 * cache, the text of the name would have to be classified for every mark that is drawn, which is too slow. Only one
 * thread at a time may use a cache.
 */
#pragma once

#include "loom-theme.h"
#include "loom-timeline.h"

typedef struct _LoomNameColors LoomNameColors;

LoomNameColors *loom_name_colors_new (void);
void loom_name_colors_free (LoomNameColors *colors);

/* Sets the timeline. Keeps the cached colours of traces that are in the new timeline with the same index. */
void loom_name_colors_set_timeline (LoomNameColors *colors, LoomTimeline *timeline);
/* Drops the cached colours of the run's details (events that were read from traces in place of their indexes, see
 * loom-run-details.h). Must be called when details were added or removed. */
void loom_name_colors_forget_details (LoomNameColors *colors);

/* Returns the colour of a name as an index into LoomTheme.span: the colour that the trace file requests for the name;
 * if it requests none, the colour that follows from the text of the name. `device`: the span is on a track of an
 * accelerator. O(1) after the first call for a name. */
guint loom_name_colors_get (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device);
/* Returns the family of work (LoomWorkFamily) whose colour the name has; LOOM_WORK_FAMILY_OTHER if the trace requests a
 * colour for the name. `device`: the span is on a track of an accelerator. O(1) after the first call for the name. */
LoomWorkFamily loom_name_colors_family (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameColors, loom_name_colors_free)
