/* SPDX-License-Identifier: Apache-2.0
 *
 * The tab's struct, for the files that implement it.
 */
#pragma once

#include "loom-background-task.h"
#include "loom-input-files.h"
#include "loom-progress-bar.h"
#include "loom-session-autosave.h"
#include "loom-tab.h"

struct _LoomTab {
  GtkWidget parent;
  AdwToastOverlay *toasts;
  LoomProgressBar *load_bar;
  GtkInfoBar *trouble_bar;
  GtkLabel *trouble_label;
  GtkWidget *trouble_details;
  GtkWidget *trouble_close;
  GtkStack *pages;
  GtkSpinner *spinner;
  AdwStatusPage *nothing;
  GtkWidget *nothing_details;
  LoomRunPage *run_view; /* NULL until first needed, like `autosave` */

  LoomDocument *document;
  LoomRunState *run;
  LoomBackgroundTask *unseen;   /* keeps the machine awake while files load; NULL while none do */
  guint n_announced, n_refused; /* fitted and refused clocks of the open run that a toast has reported */
  gboolean told_apart;          /* a toast has reported that the files are of different runs */
  gboolean noted_fit;           /* the clock fit is on the undo history */
  LoomSessionAutosave *autosave;
  char *session_path;            /* of the session file that is open; NULL: none */
  LoomInputFiles *session_input; /* the file at session_path, which no export may replace */
  char *session_text;            /* contents of the session file without the view; NULL: not known yet */
  GCancellable *finding;         /* search for the saved state of the open run; NULL: not running */
  GCancellable *reading;         /* reading of a session file; NULL: not running */
  gboolean opening;              /* the session being read names the files to open */
  GPtrArray *waiting;            /* char **: files to add once the session is read; NULL: none */
  struct {
    LoomSession *session;                     /* restored when the timeline is there; NULL: nothing to restore */
    gboolean is_own;                          /* TRUE: the user opened the session; FALSE: it was saved automatically */
    gboolean is_applied, is_placed, is_paged; /* restored: rows and marks; view; panel page below the timeline */
    guint n_moves;                            /* number of moves of the view when the view was last restored */
    /* interned: the page shown until the session's page is there; NULL: not set */
    const char *page;
  } pending;
};

/* loom-tab-session.c: sets the path of the open session file; NULL: none is open. */
void loom_tab_set_session_path (LoomTab *tab, const char *path);
/* Cancels opening a session that is being read or waits for the person's answer. */
void loom_tab_drop_reading (LoomTab *tab);
/* Cancels opening a session like loom_tab_drop_reading(), and frees the session state of the tab. */
void loom_tab_drop_session (LoomTab *tab);
/* Restores what the timeline has by now of the saved session. */
void loom_tab_follow_session (LoomTab *tab);
/* The session to save automatically; NULL while the tab has no timeline or its saved session is still looked for. A
 * callback for LoomSessionAutosave. */
LoomSession *loom_tab_collect_kept (gpointer tab);
/* loom-tab.c */
void loom_tab_tell_changed (LoomTab *tab);
/* Reports clocks that were fitted automatically in a toast, once per opening, and adds the fit to the undo history. */
void loom_tab_announce_fit (LoomTab *tab);
