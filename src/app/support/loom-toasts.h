/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds all toasts of the program. The program never dismisses a toast, because libadwaita 1.2 crashes when one is dismissed while
 * another one disappears: the text of an outdated toast is replaced and its button removed instead. Main thread.
 */
#pragma once

#include <adwaita.h>

typedef struct {
  const char *title;  /* Pango markup: names in it are escaped */
  const char *button; /* the button's label, with a mnemonic; NULL: no button */
  const char
    *action;     /* detailed action of the button ("win.show-page::steps"); NULL: the caller connects to the button */
  guint seconds; /* 0: libadwaita's default */
} LoomToast;

/* Changes the text of the toast that is shown or queued under `key`; if there is none, adds a new toast to
 * `overlay`. The toasts are remembered on `owner`; `key` NULL: always a new toast. Returns a borrowed toast, valid
 * until it is dismissed; `fresh` (may be NULL) tells whether it is new. */
AdwToast *loom_toasts_show (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words,
                            gboolean *fresh);
/* Adds a toast with the message of an error and the advice what to do. */
void loom_toasts_show_error (AdwToastOverlay *overlay, const GError *error, const char *advice);
/* The toast that is shown or queued under the key; borrowed, NULL: none. */
AdwToast *loom_toasts_get_shown (GObject *owner, const char *key);
/* Removes the button of the key's toast when its action is no longer possible; `title` is the new text. Does nothing
 * without such a toast. */
void loom_toasts_take_back (GObject *owner, const char *key, const char *title);
