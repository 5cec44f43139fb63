/* SPDX-License-Identifier: Apache-2.0
 *
 * A tab of a window, which shows a run session: the run, or a page if nothing is open, if files are loading, or if the
 * files contain nothing. Reports errors and results in bars and toasts. Main thread only.
 *
 * Signals: "changed" when the tab's names, its page or the possible actions may have changed; "run-view-made" when the
 * run view has been made.
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

/* Opens the paths. The new run replaces the open run or, if `add` is TRUE, is added to it. A single session file is
 * opened as a session. */
void loom_tab_open_paths (LoomTab *self, const char *const *paths, gboolean add);
/* The next two functions return borrowed objects. */
LoomRunSession *loom_tab_get_session (LoomTab *self);
LoomDocument *loom_tab_get_document (LoomTab *self);
/* Returns the state of the tab's run, which exists as long as the tab. Borrowed. */
LoomRunState *loom_tab_get_run_state (LoomTab *self);
/* Returns the run view. It is made when this function is called, when a run is opened, or some time after the tab was
 * shown, whichever comes first; then "run-view-made" is emitted. */
LoomRunPage *loom_tab_get_run_view (LoomTab *self);
gboolean loom_tab_has_run_view (LoomTab *self);

/* Returns the name of the visible page: "empty", "reading", "nothing" or "run". */
const char *loom_tab_get_page (LoomTab *self);
/* Returns the text of the error bar, borrowed; NULL while the bar is hidden. */
const char *loom_tab_get_load_error (LoomTab *self);
void loom_tab_hide_load_error (LoomTab *self);
/* Shows an error in the bar. `title`: a sentence; `body`: further text, may be NULL; `has_details`: TRUE to show the
 * button that opens the list of problems. */
void loom_tab_show_load_error (LoomTab *self, GtkMessageType type, const char *title, const char *body,
                               gboolean has_details);
/* Shows a toast about a step that was undone or redone; plain text, no markup. */
void loom_tab_tell_step (LoomTab *self, const char *text);
/* Shows a toast over the tab's page, see loom_toasts_show(). `key` may be NULL. */
void loom_tab_show_toast (LoomTab *self, const char *key, const LoomToast *toast);

/* The next three functions return texts about the open run: its name; its name with the number of ranks; the number of
 * spans and the duration. Owned; "" without a run. */
char *loom_tab_dup_name (LoomTab *self);
char *loom_tab_dup_title (LoomTab *self);
char *loom_tab_dup_subtitle (LoomTab *self);
