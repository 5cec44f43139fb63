/* SPDX-License-Identifier: Apache-2.0
 *
 * The palette index of every name of every trace, found out when first asked for and then remembered: classifying
 * texts costs too much to do per mark. One thread at a time.
 */
#pragma once

#include "loom-theme.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

typedef struct _LoomNameColors LoomNameColors;

LoomNameColors *loom_name_colors_new (void);
void loom_name_colors_free (LoomNameColors *colors);

/* Forgets everything unless `timeline` has the same traces at the same numbers as before; those are kept. */
void loom_name_colors_set_timeline (LoomNameColors *colors, LoomTimeline *timeline);

/* Index into LoomTheme.span: the reserved colour that the name came with, else by its text. `device`: the span stands on an accelerator's track. O(1) but for the first time. */
guint loom_name_colors_get (LoomNameColors *colors, guint trace, guint32 name_id, gboolean device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomNameColors, loom_name_colors_free)

G_END_DECLS
