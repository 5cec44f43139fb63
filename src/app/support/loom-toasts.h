/* SPDX-License-Identifier: Apache-2.0
 *
 * The only place that adds toasts. libadwaita 1.2 crashes on a toast that is dismissed while another one leaves, so none ever is: what
 * holds no more changes its words and loses its button, and leaves by itself. Main thread.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef struct {
  const char *title;  /* markup: names in it are escaped */
  const char *button; /* with a mnemonic; NULL: none */
  const char
    *action;     /* of the button, in detail ("win.show-page::steps"); NULL: none, the caller connects to the button */
  guint seconds; /* 0: as long as libadwaita does */
} LoomToast;

/* One that shows or waits under the same `key` takes the new words, else a fresh one is added to `overlay`. `owner` knows it by the
 * key; NULL: always a fresh one. Borrowed, until it is gone; `fresh` may be NULL. */
AdwToast *loom_toasts_show (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words,
                            gboolean *fresh);
/* The one that shows or waits; borrowed, NULL: there is none. */
AdwToast *loom_toasts_get_shown (GObject *owner, const char *key);
/* What it offers cannot be done any more; `title` says what is so now. Nothing happens when there is none of the key. */
void loom_toasts_take_back (GObject *owner, const char *key, const char *title);

G_END_DECLS
