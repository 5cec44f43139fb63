/* SPDX-License-Identifier: Apache-2.0
 *
 * One tab of a window: a run with everything that is its own, or nothing yet. It shows the state of its document: what is
 * read, what was not understood, the run; keeps its session, and brings back what was kept. Main thread only.
 *
 * Signals: "changed" when what the window says of it may be another: its names, its page, what can be done; "session-saved"
 * (gboolean done) when saving the session ended; "run-view-made" when there is what shows its run.
 */
#pragma once

#include "loom-document.h"
#include "loom-run-page.h"
#include "loom-toasts.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LOOM_TYPE_TAB (loom_tab_get_type ())
G_DECLARE_FINAL_TYPE (LoomTab, loom_tab, LOOM, TAB, GtkWidget)

LoomTab *loom_tab_new (void);

/* Opens instead of what is open, or adds to it; a single session is opened as such. */
void loom_tab_open_paths (LoomTab *tab, const char *const *paths, gboolean add);
/* Nothing is open and nothing loads. */
gboolean loom_tab_is_empty (LoomTab *self);
/* A session is being read: its files come then, or what it says of the run that is read meanwhile. */
gboolean loom_tab_is_opening (LoomTab *tab);

LoomDocument *loom_tab_get_document (LoomTab *self);
/* The state of the run it shows, from the beginning on. Borrowed. */
LoomRunState *loom_tab_get_run_state (LoomTab *self);
/* Made when it is asked for, else some time after the tab was shown, or when something is opened; "run-view-made" tells. */
LoomRunPage *loom_tab_get_run_view (LoomTab *self);
gboolean loom_tab_has_run_view (LoomTab *self);

/* The page that shows: "empty", "reading", "nothing" or "run". */
const char *loom_tab_get_page (LoomTab *self);
/* What the trouble bar says, NULL while it is hidden; what the "nothing" page says. Borrowed. */
const char *loom_tab_get_load_error (LoomTab *self);
const char *loom_tab_get_nothing (LoomTab *self);
void loom_tab_hide_load_error (LoomTab *self);
/* Says it in the bar; `title` is a sentence, `body` may be NULL. */
void loom_tab_show_load_error (LoomTab *self, GtkMessageType type, const char *title, const char *body,
                               gboolean has_details);
/* Says what was undone or done again; plain text. */
void loom_tab_tell_step (LoomTab *self, const char *text);
/* A toast over its page: loom_toasts_show(). `key` may be NULL. */
void loom_tab_show_toast (LoomTab *self, const char *key, const LoomToast *toast);

/* What is open, in a word; with ranks; with spans and duration. Owned; "" for nothing. */
char *loom_tab_dup_name (LoomTab *self);
char *loom_tab_dup_title (LoomTab *self);
char *loom_tab_dup_subtitle (LoomTab *self);

/* The session file that is open; NULL for none. Saving writes without asking. */
const char *loom_tab_get_session_path (LoomTab *tab);
void loom_tab_save_session (LoomTab *tab, const char *path);
/* Whether a session file is open and something but the view was changed since it was opened or saved; that is let go. */
gboolean loom_tab_is_unsaved (LoomTab *tab);
void loom_tab_discard_session (LoomTab *tab);
/* The view as at first. */
void loom_tab_forget_view (LoomTab *tab);

/* Keeps what is shown, lets go of its lock and stops loading: it is closed. */
void loom_tab_close (LoomTab *self);

G_END_DECLS
