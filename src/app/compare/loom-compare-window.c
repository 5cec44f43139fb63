/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-compare-window.h"

#include "loom-bounded-text.h"
#include "loom-color-key.h"
#include "loom-dialog-size.h"
#include "loom-document.h"
#include "loom-ellipsize.h"
#include "loom-file-dialogs.h"
#include "loom-hover-details.h"
#include "loom-remote-location.h"
#include "loom-report-task.h"
#include "loom-run-pair.h"
#include "loom-scene-theme.h"
#include "loom-session-file.h"
#include "loom-table-view.h"
#include "loom-timeline-view.h"
#include "loom-toasts.h"
#include "loom-window-measure-workaround.h"
#include "loom-worker.h"

#include <glib/gi18n.h>
#include <string.h>

/* minimum height of a lane of the timeline in px; with it, 8 ranks of both runs and 6 table rows fit in 700 px */
#define LEAST_LANE_PX 15
#define MENU_LETTERS 60 /* maximum length of a run's name in a menu, in letters */

struct _LoomCompareWindow {
  AdwWindow parent;
  GtkLabel *names[2], *dates[2];
  LoomTimelineView *views[2];
  LoomColorKey *color_key;
  GtkLabel *headline, *note;
  GtkStack *tables;
  LoomTableView *table[LOOM_COMPARISON_NAMES + 1];
  GtkSpinButton *step;
  GtkWidget *step_box;
  GtkLabel *aligned;
  GtkSpinner *spinner;
  AdwToastOverlay *toasts;
  GtkMenuButton *choose[2];
  LoomRunPair *pair;
  LoomCompareWindowListRuns list_runs;
  GPtrArray *runs;        /* LoomCompareRun: the runs in the menu that was shown last; NULL before a menu was shown */
  LoomDocument *document; /* document that loads a run to replace run `which_loads`; NULL if no run is being loaded */
  guint which_loads;
  GCancellable *reading; /* cancels checking whether a file is a session; NULL if no file is being checked */
  char *session; /* path of the session file whose run is being loaded; NULL if the run is not loaded from a session */
  GCancellable *saving; /* cancels writing the report; NULL if no report is being written */
  /* TRUE after the first comparison was shown. Later comparisons keep the visible table, because the user may have
   * chosen it */
  gboolean has_compared;
};

G_DEFINE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, ADW_TYPE_WINDOW)

/* --- showing the comparison --------------------------------------------------------------------------------------- */

/* Says whether a run was recorded earlier or later than the other run, and its date in the tooltip. */
static void
show_date (LoomCompareWindow *self, guint which)
{
  int earlier = loom_run_pair_get_earlier (self->pair);
  g_autofree char *date =
    loom_time_format_date (loom_timeline_get_start (loom_run_pair_get_timeline (self->pair, which)));
  loom_bounded_text_set_label (self->dates[which],
                               earlier == (int) which ? _ ("Recorded earlier") : _ ("Recorded later"));
  loom_bounded_text_set_tip (GTK_WIDGET (self->dates[which]), date);
  gtk_widget_set_visible (GTK_WIDGET (self->dates[which]), earlier >= 0);
}

static void
show_names (LoomCompareWindow *self)
{
  const char *names[] = { loom_run_pair_get_name (self->pair, 0), loom_run_pair_get_name (self->pair, 1) };
  g_autofree char *title = g_strdup_printf (
    /* Translators: the names of two runs */
    _ ("%s vs. %s"), names[0], names[1]);
  gtk_window_set_title (GTK_WINDOW (self), title);
  for (guint i = 0; i < 2; i++) {
    loom_bounded_text_set_label (self->names[i], names[i]);
    loom_bounded_text_set_tip (GTK_WIDGET (self->names[i]), names[i]);
    show_date (self, i);
  }
}

static void
show_alignment (LoomCompareWindow *self)
{
  show_names (self); /* show the names again: LoomRunPair may have exchanged the runs, to put the earlier run first */
  loom_bounded_text_set_label (self->aligned, loom_run_pair_get_alignment (self->pair));
}

static void
step_chosen (LoomCompareWindow *self)
{
  loom_run_pair_align_step (self->pair, gtk_spin_button_get_value_as_int (self->step));
}

static void
show_steps (LoomCompareWindow *self)
{
  gint64 first, last;
  gboolean common = loom_run_pair_get_steps (self->pair, &first, &last);
  gtk_widget_set_visible (self->step_box, common);
  if (!common)
    return;
  gtk_spin_button_set_range (self->step, (double) first, (double) last);
  gtk_spin_button_set_value (self->step, (double) first);
  loom_run_pair_align_step (self->pair, first);
}

/* Sets the color of the headline, which is that of the bars in the charts: “worse” if the second run is slower,
 * “better” if the first run is slower. `slower`: number of the slower run (0 or 1); −1 removes the color. */
static void
mark_headline (LoomCompareWindow *self, int slower)
{
  static const char *const classes[] = { "better", "worse" };
  for (int i = 0; i < 2; i++) {
    if (i == slower)
      gtk_widget_add_css_class (GTK_WIDGET (self->headline), classes[i]);
    else
      gtk_widget_remove_css_class (GTK_WIDGET (self->headline), classes[i]);
  }
}

/* Shows the table that contains the figures of the headline: the table of ranks if the headline names a rank, otherwise
 * the table of the parts of a step. Runs without steps have only the tables of names and of modules. For such runs, one
 * of these tables must be selected explicitly: the stack would keep showing its previous page, although this page is
 * hidden. */
static void
choose_table (LoomCompareWindow *self)
{
  gboolean has_parts = loom_run_pair_get_table (self->pair, LOOM_COMPARISON_PARTS) != NULL,
           has_modules = loom_run_pair_get_table (self->pair, LOOM_COMPARISON_MODULES) != NULL;
  GtkWidget *shown = gtk_stack_get_visible_child (self->tables);
  gboolean shows_names = shown == GTK_WIDGET (self->table[LOOM_COMPARISON_NAMES]),
           shows_modules = shown == GTK_WIDGET (self->table[LOOM_COMPARISON_MODULES]);
  if (shows_modules && has_modules && self->has_compared)
    return;
  if (!has_parts)
    gtk_stack_set_visible_child_name (self->tables, "names");
  else if (!self->has_compared && loom_run_pair_names_rank (self->pair) &&
           loom_run_pair_get_table (self->pair, LOOM_COMPARISON_RANKS) != NULL)
    gtk_stack_set_visible_child_name (self->tables, "ranks");
  else if ((shows_names && !self->has_compared) || shows_modules)
    gtk_stack_set_visible_child_name (self->tables, "parts");
}

static void
compared (LoomCompareWindow *self)
{
  if (self->document != NULL)
    return; /* ignore this result: a run is being loaded that will replace one of the two runs */
  gtk_spinner_set_spinning (self->spinner, FALSE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.save-report", self->saving == NULL);
  loom_bounded_text_set_label (self->headline, loom_run_pair_get_headline (self->pair));
  mark_headline (self, loom_run_pair_get_slower (self->pair));
  const char *note = loom_run_pair_get_note (self->pair);
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
  loom_bounded_text_set_label (self->note, note != NULL ? note : "");
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++) {
    LoomResultTable *table = loom_run_pair_get_table (self->pair, i);
    gtk_stack_page_set_visible (gtk_stack_get_page (self->tables, GTK_WIDGET (self->table[i])), table != NULL);
    if (table != NULL)
      loom_table_view_set_table (self->table[i], table);
  }
  choose_table (self);
  self->has_compared = TRUE;
  show_steps (self);
}

static void
show_runs (LoomCompareWindow *self)
{
  show_names (self);
  mark_headline (self, -1);
  loom_bounded_text_set_label (self->headline, _ ("Comparing…"));
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  gtk_widget_set_visible (self->step_box, FALSE);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.save-report", FALSE);
}

/* --- comparing with another run --- */

LoomCompareRun *
loom_compare_window_new_run (LoomTimeline *timeline, const char *name)
{
  LoomCompareRun *run = g_new (LoomCompareRun, 1);
  *run = (LoomCompareRun) { loom_timeline_ref (timeline), g_strdup (name) };
  return run;
}

void
loom_compare_window_free_run (LoomCompareRun *run)
{
  loom_timeline_unref (run->timeline);
  g_free (run->name);
  g_free (run);
}

static void
stop_loading (LoomCompareWindow *self)
{
  loom_worker_cancel (&self->reading);
  g_clear_pointer (&self->session, g_free);
  if (self->document == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
}

static void
replace (LoomCompareWindow *self, guint which, LoomTimeline *timeline, const char *name)
{
  loom_run_pair_replace (self->pair, which, timeline, name);
  show_runs (self);
}

/* Called when the user chose a run from a menu. `parameter`: number of the run to replace (0 or 1), and index of the
 * chosen run in `runs`. */
static void
choose (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomCompareWindow *self = LOOM_COMPARE_WINDOW (widget);
  guint which, number;
  g_variant_get (parameter, "(uu)", &which, &number);
  if (which > 1 || self->runs == NULL || number >= self->runs->len)
    return;
  const LoomCompareRun *run = self->runs->pdata[number];
  stop_loading (self);
  /* LoomRunPair must no longer put the earlier run first, because the user has chosen the order of the runs */
  loom_run_pair_set_sorts (self->pair, FALSE);
  replace (self, which, run->timeline, run->name);
}

/* Shows why the chosen run cannot be compared. After that, shows the previous comparison again. */
static void
show_failure (LoomCompareWindow *self, const GError *error, const LoomToast *toast)
{
  if (error != NULL)
    loom_toasts_show_error (self->toasts, error, _ ("Choose another run."));
  else
    loom_toasts_show (G_OBJECT (self), NULL, self->toasts, toast, NULL);
  if (!loom_run_pair_is_working (self->pair))
    compared (self);
  else
    loom_bounded_text_set_label (self->headline, _ ("Comparing…"));
}

/* Returns the name of the loaded run. If the run is from a session, this is the name of the session file without its
 * ending. If not, it is the name of the run's files. Owned by the caller. */
static char *
dup_run_name (LoomCompareWindow *self)
{
  if (self->session == NULL)
    return loom_document_dup_name (self->document);
  char *name = g_path_get_basename (self->session);
  char *ending = strrchr (name, '.');
  if (ending != NULL && ending != name)
    *ending = '\0';
  return name;
}

static void
loading_changed (LoomCompareWindow *self)
{
  g_autoptr (LoomDocument) document = g_object_ref (self->document);
  LoomTimeline *timeline = loom_document_get_timeline (document);
  if (loom_document_is_loading (document))
    return;
  g_autofree char *name = dup_run_name (self);
  stop_loading (self);
  if (timeline != NULL) {
    replace (self, self->which_loads, timeline, name);
    return;
  }
  const LoomToast none = { _ ("No traces were found at this location"), NULL, NULL, 0 };
  show_failure (self, loom_document_get_error (document), &none);
}

/* Loads a run. If `session` is not NULL, applies the session's changes to sources and clocks. */
static void
load (LoomCompareWindow *self, const char *const *paths, const LoomSession *session)
{
  self->document = loom_document_new ();
  g_signal_connect_swapped (self->document, "loading-changed", G_CALLBACK (loading_changed), self);
  loom_document_open (self->document, paths);
  if (session == NULL)
    return;
  if (!loom_source_overrides_is_empty (session->sources))
    loom_document_set_source_edits (self->document, session->sources);
  loom_document_set_clock_edits (self->document, session->clocks);
}

static void
session_read (gpointer window, gpointer result, const GError *error, gpointer path)
{
  LoomCompareWindow *self = window;
  g_autoptr (LoomSession) session = result;
  const LoomToast remote = { _ ("The session has remote locations. Open the session in a tab first."), NULL, NULL, 0 };
  if (session == NULL && error == NULL) { /* the file is a trace, not a session */
    load (self, (const char *const[]) { path, NULL }, NULL);
    return;
  }
  g_autofree const char **locations = session != NULL ? loom_session_file_find_locations (session) : NULL;
  if (session == NULL || locations[0] != NULL) {
    gtk_spinner_set_spinning (self->spinner, FALSE);
    show_failure (self, error, &remote);
    return;
  }
  g_ptr_array_add (session->paths, NULL);
  self->session = g_strdup (path);
  load (self, (const char *const *) session->paths->pdata, session);
}

/* Reads a session file. Returns NULL and sets no error if the file is not a session. */
static gpointer
read_session (const char *path, GCancellable *cancellable, GError **error)
{
  return loom_session_file_is_session (path) ? loom_session_file_read (path, error) : NULL;
}

void
loom_compare_window_open (LoomCompareWindow *self, guint which, const char *const *paths)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_session, g_free, (GDestroyNotify) loom_session_file_free };
  g_return_if_fail (LOOM_IS_COMPARE_WINDOW (self) && which < 2 && paths != NULL);
  stop_loading (self);
  self->which_loads = which;
  loom_bounded_text_set_label (self->headline, _ ("Loading…"));
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  gtk_spinner_set_spinning (self->spinner, TRUE);
  if (paths[0] != NULL && paths[1] == NULL)
    loom_worker_start (&self->reading, &kind, g_strdup (paths[0]), session_read, self);
  else
    load (self, paths, NULL);
}

static void
open_chosen (GFile **files, guint n_files, LoomCompareWindow *self, guint which)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n_files; i++)
    g_ptr_array_add (paths, g_file_get_path (files[i]));
  g_ptr_array_add (paths, NULL);
  loom_compare_window_open (self, which, (const char *const *) paths->pdata);
}

static void
open_before (GFile **files, guint n_files, gpointer self)
{
  open_chosen (files, n_files, self, 0);
}

static void
open_after (GFile **files, guint n_files, gpointer self)
{
  open_chosen (files, n_files, self, 1);
}

/* Returns the folder that contains all sources of a run; NULL if a source is on another computer. Owned by the
 * caller. */
static char *
dup_folder_of (LoomRun *run)
{
  g_autofree char *folder = NULL;
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const char *path = loom_run_get_source (run, i)->path;
    if (path == NULL || loom_remote_location_is_remote (path))
      return NULL;
    if (folder == NULL)
      folder = g_path_get_dirname (path);
    for (gsize n; n = strlen (folder), n > 1 && (strncmp (path, folder, n) != 0 || path[n] != G_DIR_SEPARATOR);) {
      char *parent = g_path_get_dirname (folder);
      g_free (folder);
      folder = parent;
    }
  }
  return g_steal_pointer (&folder);
}

/* Returns the folder with which the file dialog for replacing the run `which` begins. This is the folder of the other
 * run, because similar runs are often near each other; if the user is to choose a folder (`of_folders`), it is the
 * parent of that folder. NULL if the other run is on another computer. Owned by the caller. */
static char *
dup_folder_near (LoomCompareWindow *self, guint which, gboolean of_folders)
{
  g_autofree char *folder = dup_folder_of (loom_timeline_get_run (loom_run_pair_get_timeline (self->pair, 1 - which)));
  return folder != NULL && of_folders ? g_path_get_dirname (folder) : g_steal_pointer (&folder);
}

/* Shows a dialog to choose a folder or files. `parameter`: number of the run to replace (0 or 1), and TRUE to choose
 * a folder. */
static void
ask_for_files (GtkWidget *widget, const char *name, GVariant *parameter)
{
  guint which;
  gboolean folder;
  g_variant_get (parameter, "(ub)", &which, &folder);
  g_autofree char *near = dup_folder_near (LOOM_COMPARE_WINDOW (widget), which, folder);
  loom_run_pair_set_sorts (LOOM_COMPARE_WINDOW (widget)->pair, FALSE);
  loom_file_dialogs_open (GTK_WINDOW (widget), folder ? LOOM_FILE_DIALOG_FOLDERS : LOOM_FILE_DIALOG_FILES,
                          which == 0 ? _ ("Choose the Run “Before”") : _ ("Choose the Run “After”"), near,
                          which == 0 ? open_before : open_after, widget);
}

/* Returns the run's name with doubled underscores, because a single underscore would mark a mnemonic. */
static char *
dup_label (const LoomCompareRun *run)
{
  g_autofree char *name = loom_ellipsize_middle (run->name, MENU_LETTERS);
  g_autoptr (GString) label = g_string_new (name);
  g_string_replace (label, "_", "__", 0);
  return g_strdup (label->str);
}

static void
append_file_item (GMenu *menu, const char *label, guint which, gboolean folder)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
  g_menu_item_set_action_and_target (item, "compare.open", "(ub)", which, folder);
  g_menu_append_item (menu, item);
}

/* Called before the menu of open runs is shown. Makes the menu again each time, because the user opens and closes
 * tabs. */
static void
make_menu (GtkMenuButton *button, gpointer user_data)
{
  LoomCompareWindow *self = user_data;
  g_autoptr (GMenu) menu = g_menu_new (), open = g_menu_new (), files = g_menu_new ();
  guint which = button == self->choose[1];
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  self->runs = self->list_runs (gtk_window_get_transient_for (GTK_WINDOW (self)));
  for (guint i = 0; i < self->runs->len; i++) {
    g_autofree char *label = dup_label (self->runs->pdata[i]);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
    g_menu_item_set_action_and_target (item, "compare.choose", "(uu)", which, i);
    g_menu_append_item (open, item);
  }
  append_file_item (files, _ ("Open _Files…"), which, FALSE);
  append_file_item (files, _ ("Open _Folder…"), which, TRUE);
  g_menu_append_section (menu, _ ("Open Runs"), G_MENU_MODEL (open));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

/* --- saving the report --- */

static void
saved (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomCompareWindow) self = owner;
  g_autofree char *base = g_path_get_basename (loom_report_task_get_path (input)),
                  *name = g_filename_display_name (base), *escaped = g_markup_escape_text (name, -1);
  g_autofree char *text = g_strdup_printf (_ ("Report saved as “%s”"), escaped);
  g_clear_object (&self->saving);
  if (self->toasts == NULL)
    return; /* the window was closed while the report was written */
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.save-report", !loom_run_pair_is_working (self->pair));
  const LoomToast done = { text, NULL, NULL, 0 };
  if (error != NULL)
    loom_toasts_show_error (self->toasts, error, _ ("Choose another location and save the report again."));
  else
    loom_toasts_show (G_OBJECT (self), "saved", self->toasts, &done, NULL);
}

static void
place_chosen (const char *path, const char *choice, gpointer user_data)
{
  LoomCompareWindow *self = user_data;
  LoomTimeline *timelines[] = { loom_run_pair_get_timeline (self->pair, 0),
                                loom_run_pair_get_timeline (self->pair, 1) };
  const char *names[] = { loom_run_pair_get_name (self->pair, 0), loom_run_pair_get_name (self->pair, 1) };
  if (self->saving != NULL)
    return;
  self->saving = g_cancellable_new ();
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "compare.save-report", FALSE);
  loom_report_task_run_comparison (timelines, names, path, self->saving, saved, g_object_ref (self));
}

static void
save_report (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const LoomSaveFormat formats[] = { { N_ ("Web page (HTML)"), ".html" },
                                            { N_ ("PDF document"), ".pdf" },
                                            { N_ ("Plain text"), ".txt" },
                                            { N_ ("JSON (all numbers)"), ".json" } };
  const LoomSaveQuestion question = { _ ("Save Report"), "comparison", NULL, formats, G_N_ELEMENTS (formats), NULL };
  loom_file_dialogs_save_as (GTK_WINDOW (widget), &question, place_chosen, widget);
}

static void
swap (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomCompareWindow *self = LOOM_COMPARE_WINDOW (widget);
  stop_loading (self);
  loom_run_pair_swap (self->pair);
  show_runs (self);
}

static void
row_activated (LoomCompareWindow *self, guint row)
{
  loom_run_pair_show_row (self->pair, LOOM_COMPARISON_NAMES, row);
}

static void
module_activated (LoomCompareWindow *self, guint row)
{
  loom_run_pair_show_row (self->pair, LOOM_COMPARISON_MODULES, row);
}

/* --- making and closing the window -------------------------------------------------------------------------------- */

static void
update_theme (LoomCompareWindow *self)
{
  for (guint i = 0; i < 2 && self->views[i] != NULL; i++)
    loom_scene_theme_update (loom_timeline_view_get_scene (self->views[i]), GTK_WIDGET (self->views[i]));
}

/* Updates the colors of the charts after the style has changed. */
static void
css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (loom_compare_window_parent_class)->css_changed (widget, change);
  update_theme (LOOM_COMPARE_WINDOW (widget));
}

static void
dispose (GObject *object)
{
  LoomCompareWindow *self = LOOM_COMPARE_WINDOW (object);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), self);
  g_signal_handlers_disconnect_by_data (self->pair, self);
  self->views[0] = self->views[1] = NULL;
  self->toasts = NULL;
  stop_loading (self);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (loom_compare_window_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_object_unref (LOOM_COMPARE_WINDOW (object)->pair);
  G_OBJECT_CLASS (loom_compare_window_parent_class)->finalize (object);
}

static void
loom_compare_window_class_init (LoomCompareWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->css_changed = css_changed;
  gtk_widget_class_install_action (widget_class, "compare.swap", NULL, swap);
  gtk_widget_class_install_action (widget_class, "compare.choose", "(uu)", choose);
  gtk_widget_class_install_action (widget_class, "compare.open", "(ub)", ask_for_files);
  gtk_widget_class_install_action (widget_class, "compare.save-report", NULL, save_report);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  g_type_ensure (LOOM_TYPE_TIMELINE_VIEW);
  g_type_ensure (LOOM_TYPE_COLOR_KEY);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-compare-window.ui");
  const struct {
    const char *name;
    gssize offset;
  } lines[] = {
    { "name_before", G_STRUCT_OFFSET (LoomCompareWindow, names[0]) },
    { "name_after", G_STRUCT_OFFSET (LoomCompareWindow, names[1]) },
    { "date_before", G_STRUCT_OFFSET (LoomCompareWindow, dates[0]) },
    { "date_after", G_STRUCT_OFFSET (LoomCompareWindow, dates[1]) },
    { "view_before", G_STRUCT_OFFSET (LoomCompareWindow, views[0]) },
    { "view_after", G_STRUCT_OFFSET (LoomCompareWindow, views[1]) },
    { "color_key", G_STRUCT_OFFSET (LoomCompareWindow, color_key) },
    { "choose_before", G_STRUCT_OFFSET (LoomCompareWindow, choose[0]) },
    { "choose_after", G_STRUCT_OFFSET (LoomCompareWindow, choose[1]) },
    { "parts", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_PARTS]) },
    { "ranks", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_RANKS]) },
    { "modules", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_MODULES]) },
    { "names", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_NAMES]) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gtk_widget_class_bind_template_child_full (widget_class, lines[i].name, FALSE, lines[i].offset);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step_box);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, aligned);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, headline);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, note);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, tables);
  gtk_widget_class_bind_template_callback (widget_class, update_theme);
  gtk_widget_class_bind_template_callback (widget_class, step_chosen);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
  gtk_widget_class_bind_template_callback (widget_class, module_activated);
}

static void
connect_parts (LoomCompareWindow *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_signal_connect_swapped (self->pair, "aligned", G_CALLBACK (show_alignment), self);
  g_signal_connect_swapped (self->pair, "compared", G_CALLBACK (compared), self);
  g_signal_connect_swapped (manager, "notify::dark", G_CALLBACK (update_theme), self);
  g_signal_connect_swapped (manager, "notify::high-contrast", G_CALLBACK (update_theme), self);
  /* the first view handles keys pressed anywhere in the window; this is enough, because the second view always shows
   * the same range */
  loom_timeline_view_listen (self->views[0], GTK_WIDGET (self));
}

static void
loom_compare_window_init (LoomCompareWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_dialog_size_set (GTK_WINDOW (self), 1200, 860);
  self->pair = loom_run_pair_new ();
  for (guint i = 0; i < 2; i++) {
    LoomTimelineState *state = loom_run_pair_get_view (self->pair, i);
    loom_timeline_view_set_state (self->views[i], state, loom_run_pair_get_flight (self->pair, i));
    loom_timeline_view_show_parts (self->views[i], FALSE, i == 0);
    loom_row_list_set_least_lane (loom_timeline_state_get_row_list (state), LEAST_LANE_PX);
    loom_hover_details_attach (self->views[i], state);
    /* if there is a selection, Escape clears it; otherwise "escaped" is emitted and closes the window */
    g_signal_connect_object (self->views[i], "escaped", G_CALLBACK (gtk_window_close), self, G_CONNECT_SWAPPED);
    gtk_menu_button_set_create_popup_func (self->choose[i], make_menu, self, NULL);
  }
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    loom_table_view_set_fills (self->table[i], TRUE);
  loom_color_key_set_scene (self->color_key, loom_timeline_view_get_scene (self->views[1]));
  connect_parts (self);
}

LoomCompareWindow *
loom_compare_window_new (GtkWindow *parent, const LoomCompareRun *first, const LoomCompareRun *second,
                         LoomCompareWindowListRuns list_runs)
{
  LoomCompareWindow *self = g_object_new (LOOM_TYPE_COMPARE_WINDOW, "transient-for", parent, "application",
                                          gtk_window_get_application (parent), NULL);
  self->list_runs = list_runs;
  LoomTimeline *timelines[] = { first->timeline, second->timeline };
  loom_run_pair_start (self->pair, timelines, (const char *const[]) { first->name, second->name });
  show_runs (self);
  /* focuses the timeline rather than a button, because Enter would press the button */
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->views[0]));
  return self;
}
