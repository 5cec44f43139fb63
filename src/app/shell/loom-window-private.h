/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the files that implement LoomWindow. It has the struct of a window, and the functions of each file that
 * other files call.
 */
#pragma once

#include "loom-alert-dialog.h"
#include "loom-drop-overlay.h"
#include "loom-export-dialog.h"
#include "loom-progress-bar.h"
#include "loom-report.h"
#include "loom-session-autosave.h"
#include "loom-task-notification.h"
#include "loom-window.h"

struct _LoomWindow {
  AdwApplicationWindow parent;
  AdwToastOverlay *toasts;
  GtkWidget *header;
  AdwViewSwitcherTitle *title; /* the view switcher if it fits in the header bar; otherwise the name of the run */
  AdwSplitButton *open_button;
  GtkWidget *sources_button;
  GtkLabel *run_name;
  GtkWidget *add_button;
  GtkMenuButton *menu_button;
  GtkWidget *search_button;
  GtkWidget *export_button;
  GtkWidget *panel_button;
  GtkMenuButton *view_button;
  LoomProgressBar *save_bar;
  AdwTabView *tab_view;
  AdwTabBar *tab_bar;
  LoomDropOverlay *drop_hint;
  GMenuModel *open_menu;
  GMenuModel *add_menu;
  GMenuModel *primary_menu;
  GMenuModel *view_menu;
  /* item of the main menu with the actions of the hidden buttons; it is in the menu while `folds` is TRUE */
  GMenuItem *folded_items;
  gboolean folds; /* TRUE if the header bar is too narrow, so that the buttons to add and to export are hidden */

  /* The selected tab; NULL if the window has no tab. `document`, `run`, `state` and `run_view` belong to this tab.
   * All are borrowed. */
  LoomTab *tab;
  LoomDocument *document;
  LoomRunState *run;
  LoomTimelineState *state; /* state of the run's timeline view */
  LoomRunPage *run_view;    /* NULL if the tab has not made its run view; loom_window_get_run_view() makes it */
  LoomRunPage *left_view;   /* run view of the previously selected tab; a weak pointer */
  GBinding *search_binding, *view_bar_binding;
  AdwViewStack *views; /* stack of the run view; NULL if `run_view` is NULL */
  guint fill_tick_id;  /* tick callback that gives the view switchers their views; 0: they have them */
  GMenu *recent_menu;
  LoomProgress *saving; /* progress of saving or reading a file; NULL while no file is being saved or read */
  GCancellable *saving_cancellable;
  /* TRUE if `saving` is the progress of reading events from a trace into a file of the cache; FALSE if it is the
   * progress of saving a file */
  gboolean saving_reads;
  GtkWindow *rule_editor; /* the rule editor, borrowed; NULL if it is not open */
  LoomRunState *rule_run; /* the run of the rule editor; NULL if the editor is not open */
  /* A task that lasts while a file is saved; NULL at other times. It prevents the machine from being suspended, and
   * notifies the user at its end if the window is not active (loom-task-notification.h). */
  LoomTaskNotification *unseen_saving;
  struct {
    LoomAlertDialog *question; /* the open dialog, as a weak pointer; NULL if no dialog is open */
    LoomTab *tab;              /* tab whose session the dialog is about; a weak pointer */
    /* what is done after the answer: if `only_tab` is TRUE, the tab is closed; if `quits` is TRUE, the program quits;
     * if both are FALSE, the window is closed */
    gboolean only_tab, quits;
    /* `stops`: TRUE if the user has agreed to cancel saving. `closes_runs`: TRUE if the user has agreed to close
     * several runs. */
    gboolean stops, closes_runs;
    gboolean asks_to_stop; /* TRUE if the open dialog asks whether to cancel saving */
  } closing;
};

/* In loom-window.c. loom_window_new_without_tab() makes a window without a tab. loom_window_take_tab() selects a
 * tab; with NULL, no tab is selected. */
LoomWindow *loom_window_new_without_tab (LoomApplication *application);
void loom_window_take_tab (LoomWindow *window, LoomTab *tab);
/* Connects the buttons and actions of the window to the run view of the selected tab. Called when the tab has made
 * its run view. */
void loom_window_take_run_view (LoomWindow *window);
void loom_window_leave_tab (LoomWindow *window);
void loom_window_show_tab (LoomWindow *window);

/* In loom-window-header.c, for the buttons of the header bar. loom_window_watch_header() makes the header bar adapt
 * to the width of the window; it must be called only once. loom_window_fit_header() shows the buttons if a run is
 * open. If they don't fit beside the title, items of the main menu replace some of them. loom_window_forget_header()
 * is called when the window is disposed of. */
void loom_window_watch_header (LoomWindow *window);
void loom_window_fit_header (LoomWindow *window);
void loom_window_forget_header (LoomWindow *window);
/* In loom-window-header.c, too. loom_window_take_views() connects the view switcher of the header bar with the views of
 * the run view: when the run is shown, or after the next frame. loom_window_leave_views() disconnects it. */
void loom_window_take_views (LoomWindow *window);
void loom_window_leave_views (LoomWindow *window);

/* In loom-color-actions.c. loom_window_add_look_actions() adds the actions for the appearance of spans;
 * loom_window_follow_look() sets their states to those of the selected tab. */
void loom_window_add_look_actions (LoomWindow *window);
void loom_window_follow_look (LoomWindow *window);

/* In loom-compare-actions.c. loom_window_add_compare_action() adds the action that compares two runs;
 * loom_window_update_compare_action() enables it if the selected tab shows a run. */
void loom_window_add_compare_action (LoomWindow *window);
void loom_window_update_compare_action (LoomWindow *window);

/* In loom-path-actions.c. The functions add and remove the action that highlights the critical path on the timeline
 * of the selected tab. */
void loom_window_add_path_tab_actions (LoomWindow *window);
void loom_window_drop_path_tab_actions (LoomWindow *window);

/* In loom-lane-actions.c, for the action that shows launch queues. loom_window_add_lane_tab_actions() connects the
 * action to the selected tab; loom_window_drop_lane_tab_actions() disconnects it. */
void loom_window_add_lane_actions (LoomWindow *window);
void loom_window_add_lane_tab_actions (LoomWindow *window);
void loom_window_drop_lane_tab_actions (LoomWindow *window);

/* In loom-range-actions.c. Adds the action that reads the events of a rank from the trace that belongs to an index
 * file. */
void loom_window_add_range_actions (LoomWindow *window);

/* In loom-query-actions.c, for the actions on SQL queries. loom_window_watch_queries() connects the actions to the
 * saved queries of the selected tab; loom_window_unwatch_queries() disconnects them. */
void loom_window_add_query_actions (LoomWindow *window);
void loom_window_update_query_actions (LoomWindow *window);
void loom_window_watch_queries (LoomWindow *window);
void loom_window_unwatch_queries (LoomWindow *window);

/* In loom-rank-actions.c. loom_window_add_rank_actions() adds the actions that sort and fold ranks.
 * loom_window_add_rank_tab_actions() connects the actions to the selected tab; loom_window_drop_rank_tab_actions()
 * disconnects them. */
void loom_window_add_rank_actions (LoomWindow *window);
void loom_window_add_rank_tab_actions (LoomWindow *window);
void loom_window_drop_rank_tab_actions (LoomWindow *window);

/* In loom-window-close.c. If the tab has unsaved changes, loom_window_asks_tab() opens a dialog that asks whether to
 * save them, and returns TRUE. The caller must then not close the tab: it is closed after the answer, unless the
 * user cancels. loom_window_forget_closing() clears the weak pointers to the dialog and its tab; it is called when
 * the window is disposed of. */
gboolean loom_window_asks_tab (LoomWindow *window, LoomTab *tab);
void loom_window_forget_closing (LoomWindow *window);
/* Called when saving has ended. Closes the dialog that asks whether to cancel saving. The window stays open to show
 * the result. */
void loom_window_writing_ended (LoomWindow *window);

/* In loom-window-tabs.c. loom_window_dup_name_of() returns a name of the tab that no other tab of the window has;
 * owned by the caller. loom_window_watch_tabs() connects the window to its tabs; it must be called only once. */
char *loom_window_dup_name_of (LoomWindow *window, LoomTab *tab);
void loom_window_watch_tabs (LoomWindow *window);
/* Opens files that were dropped on the tab. If `add` is TRUE, adds them to the run of the tab. */
void loom_window_open_list (LoomTab *tab, GdkFileList *list, gboolean add);

/* An action of the window. The first argument of `handler` is the window. The second argument is a GVariant: for an
 * action with a state, the new state; for any other action, the parameter, which is NULL if the action has no
 * parameter. */
typedef struct {
  const char *name;
  GCallback handler;
  const char *parameter; /* GVariant type string of the parameter; NULL if the action has no parameter */
  const char *state;     /* initial state as GVariant text; NULL if the action has no state */
} LoomWindowAction;

/* In loom-window-actions.c. loom_window_add_action_table() adds the `n` actions in `table`. */
void loom_window_add_action_table (LoomWindow *window, const LoomWindowAction *table, guint n);
void loom_window_enable_action (LoomWindow *window, const char *name, gboolean enabled);
/* Sets the state of an action. A floating `state` is consumed. */
void loom_window_set_action_state (LoomWindow *window, const char *name, GVariant *state);
void loom_window_add_actions (LoomWindow *window);
/* loom_window_add_tab_actions() adds the actions whose states depend on the selected tab;
 * loom_window_drop_tab_actions() removes them. */
void loom_window_add_tab_actions (LoomWindow *window);
void loom_window_drop_tab_actions (LoomWindow *window);
/* Applies the settings of the timeline and of the analysis to a run. */
void loom_window_apply_settings_to (LoomRunState *run);
/* Enables the actions that are possible now, and disables all others. */
void loom_window_update_actions (LoomWindow *window);

/* In loom-export-actions.c. loom_window_export() opens a dialog, exports the timeline as the user chose, and reports
 * the result. */
void loom_window_export (LoomWindow *window);
/* Exports the timeline with these options, without a dialog. */
void loom_window_save (LoomWindow *window, const LoomExportOptions *options, const char *path);
/* Writes the tables of the whole run to an SQLite file. */
void loom_window_save_database (LoomWindow *window, const char *path);
LoomExportDialog *loom_window_new_export_dialog (LoomWindow *window);

/* In loom-session-actions.c. loom_window_add_session_actions() adds the actions that save the session and reset the
 * view; loom_window_update_session_actions() enables those that are possible now. */
void loom_window_add_session_actions (LoomWindow *window);
void loom_window_update_session_actions (LoomWindow *window);

/* The next three functions begin and end a task that the progress bar shows. A window runs only one such task at a
 * time, so the actions for saving are disabled during the task. loom_window_begin_saving() begins saving a file.
 * loom_window_begin_reading() begins reading events; `label`: name of the events, shown in the progress bar.
 * loom_window_end_saving() ends both kinds of tasks; it returns FALSE if the window was closed during the task. */
void loom_window_begin_saving (LoomWindow *window, const char *path);
void loom_window_begin_reading (LoomWindow *window, const char *label);
gboolean loom_window_end_saving (LoomWindow *window);
/* Shows a toast about the result of saving. `title`: Pango markup. `path`: a button of the toast shows this file. If
 * `path` is NULL, the toast has no button. */
void loom_window_show_toast (LoomWindow *window, const char *title, const char *path);
/* Shows a toast with the number `n` of events that were saved in the file `path`. */
void loom_window_show_saved_events (LoomWindow *window, guint64 n, const char *path);
/* Returns the name of the file as Pango markup. Owned by the caller. */
char *loom_window_dup_file_markup (const char *path);
/* Reports that saving was cancelled or has failed. `error`: the reason. `advice`: what the user can do. */
void loom_window_show_unsaved (LoomWindow *window, const char *path, const GError *error, const char *advice);
/* Returns the folder that contains the open run; NULL if the run is not on this machine. Owned by the caller. */
char *loom_window_dup_folder (LoomWindow *window);
/* Returns the first part of the names of files that are made from the run. Owned by the caller. */
char *loom_window_dup_stem (LoomWindow *window);

/* In loom-report-actions.c. loom_window_save_report() opens a dialog and saves a report as the user chose;
 * loom_window_write_report() saves it without a dialog. */
void loom_window_save_report (LoomWindow *window);
void loom_window_write_report (LoomWindow *window, const LoomReportOptions *options, const char *path);

/* In loom-event-actions.c. loom_window_save_events() opens a dialog and saves events as the user chose;
 * loom_window_write_events() saves them without a dialog. `what`: "rows" (rows of the table of events), "selected"
 * (selected spans), "range" (events of the selected range) or "visible" (events of the visible range). */
void loom_window_save_events (LoomWindow *window);
void loom_window_write_events (LoomWindow *window, const char *what, const char *path);

/* In loom-picture-actions.c. The functions copy a picture of the timeline to the clipboard, save it with a file
 * dialog, and save it without a dialog. */
void loom_window_copy_picture (LoomWindow *window);
void loom_window_save_picture (LoomWindow *window);
void loom_window_write_picture (LoomWindow *window, const char *path);

/* In loom-clock-actions.c, for the actions on views, undo and clocks. loom_window_update_clock_actions() enables
 * those that are possible now; loom_window_add_clock_tab_actions() connects them to the selected tab. */
void loom_window_add_clock_actions (LoomWindow *window);
void loom_window_update_clock_actions (LoomWindow *window);
void loom_window_add_clock_tab_actions (LoomWindow *window);

/* In loom-rule-actions.c, for the rule editor and the editor of profiler configurations.
 * loom_window_forget_editors() is called when the window is disposed of. */
void loom_window_add_rule_actions (LoomWindow *window);
void loom_window_forget_editors (LoomWindow *window);
/* Must be called when the tab of a run is closed. If the rule editor previews its rules on this run, the editor stays
 * open, but from now on previews its rules on the run of the selected tab. */
void loom_window_editors_leave_run (LoomWindow *window, LoomRunState *run);

/* Shows an error in the bar of the selected tab; see loom_tab_show_load_error() for the arguments. */
void loom_window_show_load_error (LoomWindow *window, GtkMessageType type, const char *title, const char *body,
                                  gboolean has_details);
