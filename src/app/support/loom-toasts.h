/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the toasts of the program. The program never dismisses a toast, because libadwaita 1.2 crashes if one is
 * dismissed while another disappears. Instead it replaces the text of an outdated toast and removes its button. Called
 * on the main thread.
 */
#pragma once

#include <adwaita.h>

typedef struct {
  const char *title;  /* Pango markup, in which names must be escaped */
  const char *button; /* label of the button, with a mnemonic; NULL: the toast has no button */
  /* detailed action of the button ("win.show-page::steps"); NULL: the caller connects to the toast's signal
   * "button-clicked" */
  const char *action;
  guint seconds; /* how long the toast is shown, in seconds; 0: libadwaita's default */
} LoomToast;

/* Shows a toast. If a toast is shown or queued under `key`, replaces its text; otherwise, or if `key` is NULL, adds a
 * new toast to `overlay`. The toasts are stored as object data of `owner`. Returns a borrowed toast, valid until it is
 * dismissed; sets `fresh` (may be NULL) to TRUE for a new one. */
AdwToast *loom_toasts_show (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words,
                            gboolean *fresh);
/* Shows a toast with the message of an error, followed by the sentence `advice`. */
void loom_toasts_show_error (AdwToastOverlay *overlay, const GError *error, const char *advice);
/* Returns the toast that is shown or queued under the key, borrowed; NULL: no toast has this key. */
AdwToast *loom_toasts_get_shown (GObject *owner, const char *key);
/* Removes the button of the toast with this key, because its action is no longer possible, and sets its text to
 * `title`. Does nothing if there is no such toast. */
void loom_toasts_take_back (GObject *owner, const char *key, const char *title);
