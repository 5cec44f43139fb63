/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of the timeline. W A S D are physical positions (they fly on AZERTY too), everything else is the letter
 * that is typed. They work wherever the window's focus is, except in a text entry; keys that the focus has itself work
 * when the pointer was moved over the timeline since.
 */
#pragma once

#include "loom-timeline-view.h"

typedef struct _LoomTimelineKeys LoomTimelineKeys;

/* Adds controllers to `window`. */
LoomTimelineKeys *loom_timeline_keys_new (LoomTimelineView *view, GtkWidget *window);

/* What the key does, once, wherever the focus is; FALSE when it does nothing. W A S D by letter. */
gboolean loom_timeline_keys_press (LoomTimelineKeys *self, guint keyval, GdkModifierType modifiers);

void loom_timeline_keys_free (LoomTimelineKeys *self);
