/* SPDX-License-Identifier: Apache-2.0
 *
 * The stretches of text that a batch of events needs, read in few long reads wherever in the files they stand: events
 * are written by time and stand in their files in nearly that order, in one place or in several. Texts that are held
 * in memory (loom_file_text_hold()) are looked at there.
 *
 * Say what is wanted, read, look; then clear and begin anew. Memory is bounded by what may be wanted. One thread each.
 */
#pragma once

#include "loom-text.h"

G_BEGIN_DECLS

/* So many bytes behind what get() returns may be read; they are zero, or the text that follows. */
#define LOOM_TEXT_WINDOW_PADDING 64

typedef struct _LoomTextWindow LoomTextWindow;

LoomTextWindow *loom_text_window_new (void);
void loom_text_window_free (LoomTextWindow *window);

/* `text` has to live until clear. FALSE when there is no room for more: read and clear first. At least one is taken. */
gboolean loom_text_window_want (LoomTextWindow *window, LoomText *text, guint64 offset, guint length);

/* What cannot be read is not there afterwards; whoever reads it alone learns why. */
void loom_text_window_read (LoomTextWindow *window);

/* The bytes from `offset` on and how many are at hand; NULL when there are none. Valid until clear. */
const char *loom_text_window_get (LoomTextWindow *window, LoomText *text, guint64 offset, gsize *length);

void loom_text_window_clear (LoomTextWindow *window);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTextWindow, loom_text_window_free)

G_END_DECLS
