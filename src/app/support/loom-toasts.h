/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the toasts of the program. The program never dismisses a toast, because libadwaita 1.2 crashes if a toast is
 * dismissed while another one disappears. Instead, the text of an outdated toast is replaced, and the button of the
 * toast is removed. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

typedef struct {
  const char *title;  /* Pango markup; names in the text must be escaped */
  const char *button; /* label of the button, with a mnemonic; NULL if the toast has no button */
  /* detailed action of the button, such as "win.show-page::steps"; NULL if the caller connects to the signal
   * "button-clicked" of the toast */
  const char *action;
  guint seconds; /* duration of the toast in seconds; 0 for the default of libadwaita */
} LoomToast;

/* Shows a toast. If a toast with the key `key` is shown or queued, replaces its text. If there is no such toast, or if
 * `key` is NULL, adds a new toast to `overlay`. The toasts are stored as object data of `owner`. Sets `fresh` (may be
 * NULL) to TRUE if the toast is new. Returns the toast, borrowed; it is valid until it is dismissed. */
AdwToast *loom_toasts_show (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words,
                            gboolean *fresh);
/* Shows a toast with the message of an error, followed by the sentence `advice`. */
void loom_toasts_show_error (AdwToastOverlay *overlay, const GError *error, const char *advice);
/* Returns the toast with this key that is shown or queued, borrowed; NULL if there is none. */
AdwToast *loom_toasts_get_shown (GObject *owner, const char *key);
/* Sets the text of the toast with this key to `title`, and removes its button, because the action of the button is
 * no longer possible. Does nothing if there is no such toast. */
void loom_toasts_take_back (GObject *owner, const char *key, const char *title);
