/* SPDX-License-Identifier: Apache-2.0
 *
 * The keyboard commands of the timeline. W, A, S and D are recognised by their positions on the keyboard, so that they
 * also work on AZERTY keyboards; all other keys are recognised by their letters. The commands work wherever the
 * keyboard focus of the window is, except in text entries. If the focused widget uses a key itself, the key is a
 * command of the timeline only if the pointer was moved over the timeline after the focus changed.
 */
#pragma once

#include "loom-timeline-view.h"

typedef struct _LoomTimelineKeys LoomTimelineKeys;

/* Adds event controllers for the keys of the view to `window`. */
LoomTimelineKeys *loom_timeline_keys_new (LoomTimelineView *view, GtkWidget *window);

/* Runs the command of a key once, wherever the focus is. Returns FALSE if the key has no command. Here, W, A, S and D
 * are recognised as letters, not by their positions on the keyboard. */
gboolean loom_timeline_keys_press (LoomTimelineKeys *self, guint keyval, GdkModifierType modifiers);

void loom_timeline_keys_free (LoomTimelineKeys *self);
