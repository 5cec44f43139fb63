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

G_BEGIN_DECLS

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
  LoomRunPage *run_view; /* NULL until it is needed; autosave too */

  LoomDocument *document;
  LoomRunState *run;
  LoomBackgroundTask *unseen;   /* NULL while nothing is read */
  guint n_announced, n_refused; /* clocks that were told of, of what is open */
  gboolean told_apart;          /* that these are different runs */
  gboolean noted_fit;           /* that it was fitted can be taken back */
  LoomSessionAutosave *autosave;
  char *session_path;            /* of the session that is open; NULL */
  LoomInputFiles *session_input; /* at that path, which no export replaces */
  char *session_text;            /* what stands there, but for the view; NULL: not known yet */
  GCancellable *finding;         /* what was kept of the run that is open; NULL: it is not looked for */
  GCancellable *reading;         /* of a session; NULL: none is read */
  gboolean opening;              /* what is read says what to open */
  GPtrArray *waiting;            /* char **: additions that wait for it; NULL: none */
  struct {
    LoomSession *session;                     /* comes back when the timeline is there; NULL */
    gboolean is_own;                          /* the user opened it; else it was kept by itself */
    gboolean is_applied, is_placed, is_paged; /* rows and marks; view; page below the timeline */
    guint n_moves;                            /* of the view, when it was placed last */
    const char *page;                         /* interned: that shows while that of the session is not there; NULL */
  } pending;
};

/* loom-tab-session.c: the session that is open; NULL: none is. */
void loom_tab_set_session_path (LoomTab *tab, const char *path);
/* A session that is being read, or waits for an answer, is not opened any more. */
void loom_tab_drop_reading (LoomTab *tab);
/* The same, and also drops what is kept of sessions. */
void loom_tab_drop_session (LoomTab *tab);
/* Brings back what was kept, as far as the timeline has it by now. */
void loom_tab_follow_session (LoomTab *tab);
/* What is to be kept of it by itself; NULL while nothing is seen of it or what was kept of it is looked for. For LoomSessionAutosave. */
LoomSession *loom_tab_collect_kept (gpointer tab);
/* loom-tab.c */
void loom_tab_tell_changed (LoomTab *tab);
/* What was fitted without being asked for: said once, and a step that can be taken back, once per opening. */
void loom_tab_announce_fit (LoomTab *tab);

G_END_DECLS
