/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-toasts.h"

#include "loom-ellipsize.h"
#include "loom-sentence.h"

#define NAME_BYTES 64

static AdwToast *
find (GObject *owner, const char *key)
{
  char name[NAME_BYTES];
  g_snprintf (name, sizeof name, "loom-toast-%s", key);
  return g_object_get_data (owner, name);
}

static void
keep (GObject *owner, const char *key, AdwToast *toast)
{
  char name[NAME_BYTES];
  g_snprintf (name, sizeof name, "loom-toast-%s", key);
  g_object_set_data_full (owner, name, toast != NULL ? g_object_ref (toast) : NULL, g_object_unref);
}

/* Called when a toast disappears. Removes the toast from the table, so that loom_toasts_show() makes a new toast when
 * its key is used again. */
static void
dismissed (AdwToast *toast, GObject *owner)
{
  const char *key = g_object_get_data (G_OBJECT (toast), "loom-key");
  if (find (owner, key) == toast)
    keep (owner, key, NULL);
}

static void
set_action (AdwToast *toast, const char *action)
{
  if (action != NULL)
    adw_toast_set_detailed_action_name (toast, action);
  else
    adw_toast_set_action_name (toast, NULL);
}

static AdwToast *
add (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words)
{
  AdwToast *toast = adw_toast_new (words->title);
  adw_toast_set_button_label (toast, words->button);
  set_action (toast, words->action);
  if (words->seconds > 0)
    adw_toast_set_timeout (toast, words->seconds);
  if (key != NULL) {
    g_object_set_data_full (G_OBJECT (toast), "loom-key", g_strdup (key), g_free);
    g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed), owner, 0);
    keep (owner, key, toast);
  }
  adw_toast_overlay_add_toast (overlay, toast);
  return toast;
}

AdwToast *
loom_toasts_show (GObject *owner, const char *key, AdwToastOverlay *overlay, const LoomToast *words, gboolean *fresh)
{
  g_return_val_if_fail (G_IS_OBJECT (owner) && ADW_IS_TOAST_OVERLAY (overlay) && words != NULL, NULL);
  AdwToast *toast = key != NULL ? find (owner, key) : NULL;
  if (fresh != NULL)
    *fresh = toast == NULL;
  if (toast == NULL)
    return add (owner, key, overlay, words);
  adw_toast_set_title (toast, words->title);
  adw_toast_set_button_label (toast, words->button);
  set_action (toast, words->action);
  return toast;
}

void
loom_toasts_show_error (AdwToastOverlay *overlay, const GError *error, const char *advice)
{
  g_autofree char *text = loom_sentence_dup_advised (error->message, advice), *escaped = loom_ellipsize_markup (text);
  loom_toasts_show (G_OBJECT (overlay), NULL, overlay, &(LoomToast) { .title = escaped }, NULL);
}

AdwToast *
loom_toasts_get_shown (GObject *owner, const char *key)
{
  return find (owner, key);
}

void
loom_toasts_take_back (GObject *owner, const char *key, const char *title)
{
  AdwToast *toast = find (owner, key);
  if (toast == NULL)
    return;
  adw_toast_set_title (toast, title);
  adw_toast_set_button_label (toast, NULL);
  adw_toast_set_action_name (toast, NULL);
}
