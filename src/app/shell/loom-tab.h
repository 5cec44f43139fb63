/* SPDX-License-Identifier: Apache-2.0
 *
 * A tab of a window. It shows the open run, or a page that says that no run is open, that files are loading, or that
 * the files contain no data. It reports errors and results in bars and toasts. Main thread only.
 *
 * Signals: "changed" when the names of the tab, its page or the available actions may have changed; "run-view-made"
 * when the tab has made its run view.
 */
#pragma once

#include "loom-document.h"
#include "loom-run-page.h"
#include "loom-run-session.h"
#include "loom-toasts.h"

#include <adwaita.h>

#define LOOM_TYPE_TAB (loom_tab_get_type ())
G_DECLARE_FINAL_TYPE (LoomTab, loom_tab, LOOM, TAB, GtkWidget)

LoomTab *loom_tab_new (void);

/* Opens the paths. If `add` is TRUE, adds their data to the open run; otherwise the new run replaces it. If the only
 * path is a session file, opens the session. */
void loom_tab_open_paths (LoomTab *self, const char *const *paths, gboolean add);
/* The next two functions return borrowed objects. */
LoomRunSession *loom_tab_get_session (LoomTab *self);
LoomDocument *loom_tab_get_document (LoomTab *self);
/* Returns the state of the tab's run, which exists as long as the tab, even if no run is open. Borrowed. */
LoomRunState *loom_tab_get_run_state (LoomTab *self);
/* Returns the run view; makes it if it does not exist. The tab also makes it when a run is opened, or some time
 * after the tab was shown. When it has been made, "run-view-made" is emitted. Borrowed. */
LoomRunPage *loom_tab_get_run_view (LoomTab *self);
gboolean loom_tab_has_run_view (LoomTab *self);

/* Returns the name of the visible page: "empty" (no run is open), "reading" (files are loading), "nothing" (the
 * files contain no data) or "run". */
const char *loom_tab_get_page (LoomTab *self);
/* Returns the text of the error bar, borrowed; NULL while the bar is hidden. */
const char *loom_tab_get_load_error (LoomTab *self);
void loom_tab_hide_load_error (LoomTab *self);
/* Shows an error in the bar. `title`: a sentence. `body`: more text; may be NULL. `has_details`: TRUE to show a
 * button that opens the list of problems. */
void loom_tab_show_load_error (LoomTab *self, GtkMessageType type, const char *title, const char *body,
                               gboolean has_details);
/* Shows a toast that a change was undone or redone. `text`: plain text, not markup. */
void loom_tab_tell_step (LoomTab *self, const char *text);
/* Shows a toast over the tab's page, see loom_toasts_show(). `key` may be NULL. */
void loom_tab_show_toast (LoomTab *self, const char *key, const LoomToast *toast);

/* The next three functions return texts about the open run: its name; its name with the number of ranks; the number
 * of spans and the duration. "" if no run is open. Owned by the caller. */
char *loom_tab_dup_name (LoomTab *self);
char *loom_tab_dup_title (LoomTab *self);
char *loom_tab_dup_subtitle (LoomTab *self);
