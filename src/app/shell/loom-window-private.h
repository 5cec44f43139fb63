/* SPDX-License-Identifier: Apache-2.0
 *
 * The window's struct, for the files that implement it.
 */
#pragma once

#include "loom-background-task.h"
#include "loom-drop-overlay.h"
#include "loom-export-dialog.h"
#include "loom-progress-bar.h"
#include "loom-report.h"
#include "loom-session-autosave.h"
#include "loom-window.h"

G_BEGIN_DECLS

struct _LoomWindow {
  AdwApplicationWindow parent;
  AdwToastOverlay *toasts;
  GtkWidget *header;
  AdwWindowTitle *title;
  AdwSplitButton *open_button;
  GtkWidget *sources_button;
  GtkWidget *add_button;
  GtkMenuButton *menu_button;
  GtkWidget *search_button;
  GtkWidget *export_button;
  GtkWidget *panel_button;
  LoomProgressBar *save_bar;
  AdwTabView *tab_view;
  AdwTabBar *tab_bar;
  LoomDropOverlay *drop_hint;
  GMenuModel *open_menu;
  GMenuModel *add_menu;
  GMenuModel *primary_menu;
  GMenuItem *folded_items; /* what the main menu says first while buttons are folded into it */
  gboolean folds;          /* whether they are */

  LoomTab *tab; /* the selected one; NULL while there is none; borrowed, and so are what is its own: */
  LoomDocument *document;
  LoomRunState *run;
  LoomTimelineState *state; /* of the run's view */
  LoomRunPage *run_view;    /* NULL also until the tab has one; loom_window_get_run_view() makes it */
  LoomRunPage *left_view;   /* of the tab before; weak */
  GBinding *search_binding;
  GMenu *recent_menu;
  LoomProgress *saving; /* NULL when nothing is written */
  GCancellable *saving_cancellable;
  GtkWindow *rule_editor;            /* NULL: none open; borrowed */
  LoomRunPage *rule_view;            /* the run that it is about: that of the tab it was asked for in; weak */
  LoomBackgroundTask *unseen_saving; /* NULL while nothing is written */
  struct {
    GtkWindow *question;         /* weak; NULL: nothing is asked */
    LoomTab *tab;                /* whose session it is about; weak */
    gboolean only_tab, quits;    /* what goes on then: not the window closes, but that tab, or the program */
    gboolean stops, closes_runs; /* what was answered already */
    gboolean asks_to_stop;       /* the question is whether to stop writing */
  } closing;
};

/* loom-window.c: a window whose tabs come from elsewhere; what it shows is about this tab, or about none. */
LoomWindow *loom_window_new_without_tab (LoomApplication *application);
void loom_window_take_tab (LoomWindow *window, LoomTab *tab);
/* The selected tab has a view of its run now. */
void loom_window_take_run_view (LoomWindow *window);
void loom_window_leave_tab (LoomWindow *window);
void loom_window_show_tab (LoomWindow *window);

/* loom-window-header.c: buttons that show where there is a run and room for them beside the title; else the main menu has them. */
void loom_window_watch_header (LoomWindow *window);
void loom_window_fit_header (LoomWindow *window);
void loom_window_forget_header (LoomWindow *window);

/* loom-color-actions.c: the second once per tab that shows. */
void loom_window_add_look_actions (LoomWindow *window);
void loom_window_follow_look (LoomWindow *window);

/* loom-compare-actions.c */
void loom_window_add_compare_action (LoomWindow *window);
void loom_window_update_compare_action (LoomWindow *window);

/* loom-window-close.c: TRUE when the tab's session was changed: it is asked about, and the tab is to stay. */
gboolean loom_window_asks_tab (LoomWindow *window, LoomTab *tab);
void loom_window_forget_closing (LoomWindow *window);
/* Whether to stop is no question any more: it goes, and the window stays, for what it came to is told there. */
void loom_window_writing_ended (LoomWindow *window);

/* loom-window-tabs.c: the name of a tab among those of its window, owned. */
char *loom_window_dup_name_of (LoomWindow *window, LoomTab *tab);
void loom_window_watch_tabs (LoomWindow *window);

/* loom-window-actions.c */
void loom_window_add_actions (LoomWindow *window);
/* What stands for the state of the selected tab. */
void loom_window_add_tab_actions (LoomWindow *window);
void loom_window_drop_tab_actions (LoomWindow *window);
void loom_window_apply_settings_to (LoomWindow *window, LoomTab *tab);
/* Enables what makes sense now. */
void loom_window_update_actions (LoomWindow *window);

/* loom-export-actions.c: asks, writes, tells. */
void loom_window_export (LoomWindow *window);
/* Writes without asking. */
void loom_window_save (LoomWindow *window, const LoomExportOptions *options, const char *path);
LoomExportDialog *loom_window_new_export_dialog (LoomWindow *window);

/* loom-session-actions.c */
void loom_window_add_session_actions (LoomWindow *window);
void loom_window_update_session_actions (LoomWindow *window);

/* One thing is saved at a time: the bar shows it, and its actions rest. FALSE when the window was closed meanwhile. */
void loom_window_begin_saving (LoomWindow *window, const char *path);
gboolean loom_window_end_saving (LoomWindow *window);
/* What the last saving came to: `path` NULL, nothing to show in a folder; `title` is Pango markup. */
void loom_window_show_toast (LoomWindow *window, const char *title, const char *path);
/* That it was stopped, or why it failed and what to do. */
void loom_window_show_unsaved (LoomWindow *window, const char *path, const GError *error, const char *advice);
/* The folder beside what is open; NULL when that is not on this machine. Owned. */
char *loom_window_dup_folder (LoomWindow *window);
/* What names of files that are made of it begin with. Owned. */
char *loom_window_dup_stem (LoomWindow *window);

/* loom-report-actions.c: asks where, or writes without asking. */
void loom_window_save_report (LoomWindow *window);
void loom_window_write_report (LoomWindow *window, const LoomReportOptions *options, const char *path);

/* loom-event-actions.c: asks which events and where, or writes without asking: `what` is "rows" (of the table), "selected"
 * (spans), "range" or "visible". */
void loom_window_save_events (LoomWindow *window);
void loom_window_write_events (LoomWindow *window, const char *what, const char *path);

/* loom-picture-actions.c: the view as a picture: asks where, or writes without asking. */
void loom_window_copy_picture (LoomWindow *window);
void loom_window_save_picture (LoomWindow *window);
void loom_window_write_picture (LoomWindow *window, const char *path);

/* loom-clock-actions.c */
void loom_window_add_clock_actions (LoomWindow *window);
void loom_window_update_clock_actions (LoomWindow *window);
void loom_window_add_clock_tab_actions (LoomWindow *window);

/* loom-rule-actions.c */
void loom_window_add_rule_actions (LoomWindow *window);
void loom_window_forget_editors (LoomWindow *window);
/* The tab with that run goes: what was written about it is about the selected one from now on. */
void loom_window_editors_take_tab (LoomWindow *window, LoomRunPage *gone);

/* Says it in the bar; `title` is a sentence, `body` may be NULL. */
void loom_window_show_load_error (LoomWindow *window, GtkMessageType type, const char *title, const char *body,
                                  gboolean has_details);

G_END_DECLS
