/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-application.h"

#include "loom-about.h"
#include "loom-analysis-window.h"
#include "loom-commands.h"
#include "loom-deferred-present.h"
#include "loom-help-topic.h"
#include "loom-help-window.h"
#include "loom-icon-theme-preload.h"
#include "loom-installed.h"
#include "loom-main-loop-watchdog.h"
#include "loom-menu-tooltip.h"
#include "loom-preferences.h"
#include "loom-resources.h"
#include "loom-row-name-workaround.h"
#include "loom-session-autosave.h"
#include "loom-truncated-tooltip.h"
#include "loom-window.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <stdlib.h>

struct _LoomApplication {
  AdwApplication parent;
};

G_DEFINE_FINAL_TYPE (LoomApplication, loom_application, ADW_TYPE_APPLICATION)

static const GOptionEntry options[] = {
  { "add", 'a', 0, G_OPTION_ARG_NONE, NULL, N_ ("Add the paths to the most recently used window"), NULL },
  { "new-window", 'n', 0, G_OPTION_ARG_NONE, NULL, N_ ("Open a new window"), NULL },
  { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_ ("Print version information and exit"), NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, NULL, NULL, N_ ("[PATH…]") },
  { NULL },
};

static LoomWindow *
last_window (LoomApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (LOOM_IS_WINDOW (l->data))
      return l->data;
  return NULL;
}

static LoomWindow *
empty_window (LoomApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (LOOM_IS_WINDOW (l->data) && loom_window_is_empty (l->data))
      return l->data;
  return loom_window_new (self);
}

static void
activate (GApplication *application)
{
  LoomApplication *self = LOOM_APPLICATION (application);
  LoomWindow *window = last_window (self);
  gtk_window_present (GTK_WINDOW (window != NULL ? window : loom_window_new (self)));
}

/* Opens all files, folders and locations together in one window. */
static void
open_files (LoomApplication *self, GFile **files, int n_files, gboolean add, gboolean new_window)
{
  LoomWindow *window = add ? last_window (self) : NULL;
  if (window == NULL)
    window = new_window ? loom_window_new (self) : empty_window (self);
  loom_window_open_files (window, files, (guint) n_files,
                          /* the window is presented after the files were opened, so that it never shows its previous
                           * page */
                          add);
  gtk_window_present (GTK_WINDOW (window));
}

static void
open_given (GApplication *application, GFile **files, int n_files, const char *hint)
{
  open_files (LOOM_APPLICATION (application), files, n_files, FALSE, FALSE);
}

static GPtrArray *
files_from_command_line (GApplicationCommandLine *line, GVariantDict *dict)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree const char **paths = NULL;
  if (g_variant_dict_lookup (dict, G_OPTION_REMAINING, "^a&ay", &paths))
    for (guint i = 0; paths[i] != NULL; i++)
      g_ptr_array_add (files, g_application_command_line_create_file_for_arg (line, paths[i]));
  return files;
}

static int
command_line (GApplication *application, GApplicationCommandLine *line)
{
  LoomApplication *self = LOOM_APPLICATION (application);
  GVariantDict *dict = g_application_command_line_get_options_dict (line);
  g_autoptr (GPtrArray) files = files_from_command_line (line, dict);
  gboolean new_window = g_variant_dict_contains (dict, "new-window");
  if (files->len > 0)
    open_files (self, (GFile **) files->pdata, (int) files->len, g_variant_dict_contains (dict, "add"), new_window);
  else if (new_window)
    gtk_window_present (GTK_WINDOW (loom_window_new (self)));
  else
    activate (application);
  return 0;
}

static int
handle_local_options (GApplication *application, GVariantDict *dict)
{
  if (!g_variant_dict_contains (dict, "version"))
    return -1;
  g_print ("Traceloom %s\n", LOOM_VERSION);
  return 0;
}

static void
new_window_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  gtk_window_present (GTK_WINDOW (loom_window_new (user_data)));
}

void
loom_application_apply_settings (GtkApplication *self)
{
  loom_preferences_apply_style ();
  for (GList *l = gtk_application_get_windows (self); l != NULL; l = l->next)
    if (LOOM_IS_WINDOW (l->data))
      loom_window_apply_settings (l->data);
}

static void
preferences_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  LoomPreferences *preferences = loom_preferences_new (user_data);
  g_signal_connect_object (preferences, "changed", G_CALLBACK (loom_application_apply_settings), user_data,
                           G_CONNECT_SWAPPED);
  loom_deferred_present_present (GTK_WINDOW (preferences));
}

/* Returns the place, of those in loom-help-topic.h, that the window shows. */
static const char *
find_place (GtkWindow *window)
{
  const char *page = loom_analysis_window_get_page (window);
  if (page != NULL || !LOOM_IS_WINDOW (window))
    return page != NULL ? page : gtk_widget_get_name (GTK_WIDGET (window));
  if (loom_window_is_empty (LOOM_WINDOW (window)))
    return "start";
  LoomRunState *run = loom_window_get_run_state (LOOM_WINDOW (window));
  page = run != NULL ? loom_run_state_get_page (run) : NULL;
  return page != NULL ? page : "timeline";
}

/* Returns the modal dialog that is shown, if a page of the user guide is about it; it is not a window of the application.
 * NULL: there is none. */
static GtkWindow *
find_dialog (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    GtkWidget *widget = GTK_WIDGET (window);
    if (gtk_window_get_modal (window) && gtk_widget_get_visible (widget) &&
        loom_help_topic_find (gtk_widget_get_name (widget)) != NULL)
      return window; /* GTK owns the window */
  }
  return NULL;
}

static void
help_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  GtkWindow *dialog = find_dialog (), *window = dialog != NULL ? dialog : gtk_application_get_active_window (user_data);
  loom_help_window_present (window, window != NULL ? find_place (window) : NULL);
}

static void
about_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  loom_about_present (gtk_application_get_active_window (user_data));
}

/* Asks the user about unsaved changes in all windows. This is done before any window is closed, so that the user can
 * cancel and keep all windows. Returns TRUE if a question was asked. */
static gboolean
asks (LoomApplication *self)
{
  for (GList *l = gtk_application_get_windows (GTK_APPLICATION (self)); l != NULL; l = l->next)
    if (LOOM_IS_WINDOW (l->data) && (loom_window_asks_editors (l->data) || loom_window_asks_to_close (l->data, TRUE)))
      return TRUE; /* stop here, because a question may change the list of windows */
  return FALSE;
}

static void
destroy_windows (LoomApplication *self)
{
  LoomWindow *window;
  while ((window = last_window (self)) != NULL)
    gtk_window_destroy (GTK_WINDOW (window));
}

static void
quit_activated (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  if (asks (user_data))
    return;
  LoomWindow *window, *before = NULL;
  for (; (window = last_window (user_data)) != NULL && window != before; before = window)
    gtk_window_close (GTK_WINDOW (window)); /* closing also saves the window's settings */
  destroy_windows (user_data);
  g_application_quit (user_data);
}

/* Called for a signal of the operating system that ends the program. Closes all windows without questions about unsaved
 * changes, because there is no time for them. */
static gboolean
told_to_end (gpointer application)
{
  destroy_windows (application);
  g_application_quit (application);
  return G_SOURCE_REMOVE;
}

static void
watch_signals (GApplication *application)
{
  static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    g_unix_signal_add (numbers[i], told_to_end, application);
}

static const GActionEntry actions[] = {
  { "new-window", new_window_activated },
  { "preferences", preferences_activated },
  { "help", help_activated },
  { "about", about_activated },
  { "quit", quit_activated },
};

/* Loads the icon theme again if libadwaita has made GTK forget it. GTK begins to load the theme on a thread, and shortly
 * afterwards libadwaita adds a folder of icons. If the thread was faster, the theme would be loaded a second time when
 * the first window appears: 7 ms in a turn of the main loop of 20 ms. */
static void
load_icon_theme (void)
{
  loom_icon_theme_preload_start (gtk_icon_theme_get_for_display (gdk_display_get_default ()), NULL, NULL);
}

/* Sets the accelerators of all actions. The single-letter keys of the timeline are not accelerators; the timeline
 * widget handles them itself. */
static void
set_accelerators (GtkApplication *application)
{
  guint n;
  const LoomCommand *commands = loom_commands_get (&n);
  for (guint i = 0; i < n; i++)
    if (commands[i].action != NULL)
      gtk_application_set_accels_for_action (application, commands[i].action, commands[i].accels);
}

/* Ends the program if there is no display. GTK would end it, too, but without saying that reports need none. */
static void
end_without_display (void)
{
  if (gtk_init_check ())
    return;
  g_printerr ("traceloom: %s\n",
              _ ("The display cannot be opened. “traceloom-cli report RUN -o report.html” works without a display."));
  exit (EXIT_FAILURE);
}

static void
startup (GApplication *application)
{
  end_without_display ();
  G_APPLICATION_CLASS (loom_application_parent_class)->startup (application);
  load_icon_theme ();
  loom_main_loop_watchdog_watch ();
  g_action_map_add_action_entries (G_ACTION_MAP (application), actions, G_N_ELEMENTS (actions), application);
  loom_application_apply_settings (GTK_APPLICATION (application));
  set_accelerators (GTK_APPLICATION (application));
  watch_signals (application);
  loom_row_name_workaround_install ();
  loom_truncated_tooltip_install ();
  loom_menu_tooltip_install ();
  gtk_window_set_default_icon_name (LOOM_APP_ID);
}

static void
shutdown (GApplication *application)
{
  G_APPLICATION_CLASS (loom_application_parent_class)->shutdown (application);
  loom_session_autosave_flush ();
}

static void
loom_application_class_init (LoomApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);
  application_class->activate = activate;
  application_class->open = open_given;
  application_class->command_line = command_line;
  application_class->handle_local_options = handle_local_options;
  application_class->startup = startup;
  application_class->shutdown = shutdown;
}

static void
loom_application_init (LoomApplication *self)
{
  loom_get_resource (); /* reference the resources, so that the linker keeps them */
  g_application_add_main_option_entries (G_APPLICATION (self), options);
  g_application_set_option_context_summary (G_APPLICATION (self),
                                            _ ("Merges the profiler traces of a training job into one timeline."));
}

LoomApplication *
loom_application_new (void)
{
  return g_object_new (LOOM_TYPE_APPLICATION, "application-id", LOOM_APP_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE, "resource-base-path",
                       "/io/github/traceloom/Traceloom", NULL);
}
