/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "loom-settings.h"

#include <string.h>

#define FRAMES 2
#define RESIZE_REQUESTS 60
#define FRAMES_LIMIT_MS 2000 /* time limit for drawing FRAMES frames: a closed or covered window draws none */

static LoomApplication *application;

/* Returns TRUE for a warning of GTK 4.8 about its own file chooser: the path bar does not allocate its two scroll
 * buttons until a worker thread has read the folder's name, but draws them if a frame comes earlier. */
static gboolean
is_about_path_bar (const char *message)
{
  static const char beginning[] = "Trying to snapshot GtkButton 0x";
  if (!g_str_has_prefix (message, beginning))
    return FALSE;
  gpointer button = (gpointer) (gsize) g_ascii_strtoull (message + strlen (beginning), NULL, 16);
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (button));
  return parent != NULL && g_str_equal (G_OBJECT_TYPE_NAME (parent), "GtkPathBar");
}

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (g_str_equal (fields[i].key, "MESSAGE") && fields[i].length < 0 && is_about_path_bar (fields[i].value))
      return G_LOG_WRITER_HANDLED;
  return g_log_writer_default (level, fields, n_fields, data);
}

void
fixture_init (int *argc, char ***argv)
{
  g_setenv ("GTK_A11Y", "none", TRUE);
  g_setenv ("GSK_RENDERER", "cairo", FALSE);
  g_setenv ("GDK_DEBUG", "gl-disable", FALSE); /* uses cairo only, because Mesa's GL drivers leak memory at exit */
  run_fixture_init (argc, argv);
  g_log_set_writer_func (write_log, NULL, NULL);
  if (!gtk_init_check ()) {
    g_print ("1..0 # SKIP no display\n");
    exit (0);
  }
  adw_init ();
  /* GTK 4.8 leaks a date object for each recent file. */
  g_object_set (gtk_settings_get_default (), "gtk-recent-files-enabled", FALSE, NULL);
  application = loom_application_new ();
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  /* disabled so that earlier tests do not change how a run opens */
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
}

int
fixture_run (void)
{
  int status = g_test_run ();
  g_clear_object (&application);
  run_fixture_remove_folders ();
  return status;
}

static void
count_frame (GdkFrameClock *clock, gpointer n_frames)
{
  ++*(guint *) n_frames;
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}

void
fixture_frames (LoomWindow *window)
{
  fixture_frames_of (GTK_WIDGET (window));
}

void
fixture_frames_of (GtkWidget *window)
{
  guint n_frames = 0;
  g_autoptr (GdkFrameClock) clock = gtk_widget_get_frame_clock (window);
  if (clock == NULL)
    return;
  g_object_ref (clock);
  g_signal_connect (clock, "after-paint", G_CALLBACK (count_frame), &n_frames);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
  for (guint ms = 0; n_frames < FRAMES && ms < FRAMES_LIMIT_MS; ms++)
    fixture_spin (1);
  g_signal_handlers_disconnect_by_data (clock, &n_frames);
}

/* Returns the width including the shadow, as gtk_window_set_default_size() takes it. */
static int
get_surface_width (LoomWindow *window)
{
  return gdk_surface_get_width (gtk_native_get_surface (GTK_NATIVE (window)));
}

void
fixture_resize (LoomWindow *window, int width, int height)
{
  for (guint i = 0; get_surface_width (window) != width && i < RESIZE_REQUESTS; i++) {
    gtk_window_set_default_size (GTK_WINDOW (window), width, height);
    for (guint k = 0; get_surface_width (window) != width && k < 100; k++)
      fixture_spin (10);
  }
  g_assert_cmpint (get_surface_width (window), ==, width);
}

static gboolean
rests (gpointer window)
{
  LoomViewAnimator *flight = loom_run_state_get_flight (loom_window_get_run_state (window));
  return !loom_view_animator_is_moving (flight);
}

void
fixture_rest (LoomWindow *window)
{
  g_assert_true (fixture_wait (rests, window));
}

static gboolean
is_mapped (gpointer window)
{
  return gtk_widget_get_mapped (window);
}

LoomWindow *
fixture_window (void)
{
  LoomWindow *window = loom_window_new (application);
  gtk_window_set_default_size (GTK_WINDOW (window), 1100, 760);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_true (fixture_wait (is_mapped, window));
  fixture_spin (50);
  fixture_frames (window);
  return window;
}

static gboolean
is_gone (gpointer pointer)
{
  return *(gpointer *) pointer == NULL;
}

static gboolean
is_question_shown (gpointer question)
{
  return gtk_widget_get_mapped (question);
}

#if LOOM_HAS_ADW_DIALOG

LoomAlertDialog *
fixture_question (LoomWindow *window)
{
  AdwDialog *dialog = adw_application_window_get_visible_dialog (ADW_APPLICATION_WINDOW (window));
  return LOOM_IS_ALERT_DIALOG (dialog) ? ADW_ALERT_DIALOG (dialog) : NULL;
}

void
fixture_answer (LoomWindow *window, const char *response)
{
  g_autoptr (AdwAlertDialog) dialog = g_object_ref (fixture_question (window));
  g_signal_emit_by_name (dialog, "response", response);
  adw_dialog_force_close (ADW_DIALOG (dialog));
}

#else

LoomAlertDialog *
fixture_question (LoomWindow *window)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) other = g_list_model_get_item (all, i);
    if (LOOM_IS_ALERT_DIALOG (other) && gtk_window_get_transient_for (other) == GTK_WINDOW (window))
      return ADW_MESSAGE_DIALOG (other); /* borrowed: GTK owns the dialog */
  }
  return NULL;
}

void
fixture_answer (LoomWindow *window, const char *response)
{
  g_autoptr (AdwMessageDialog) dialog = g_object_ref (fixture_question (window));
  adw_message_dialog_response (dialog, response);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

#endif

void
fixture_close (LoomWindow *window)
{
  gpointer weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  LoomAlertDialog *question = fixture_question (window);
  if (question != NULL &&
      /* the default response of questions about unsaved changes is "cancel" */
      g_str_equal (loom_alert_dialog_get_default_response (question), "cancel")) {
    g_assert_true (fixture_wait (is_question_shown, question));
    fixture_spin (50);
    fixture_answer (window, "close");
  }
  g_assert_true (fixture_wait (is_gone, &weak));
}

static gboolean
has_loaded (gpointer window)
{
  return !loom_document_is_loading (loom_window_get_document (window)) &&
         !loom_run_session_is_opening (loom_tab_get_session (loom_window_get_tab (window)));
}

void
fixture_wait_loaded (LoomWindow *window)
{
  g_assert_true (fixture_wait (has_loaded, window));
  fixture_spin (50);
  fixture_frames (window);
}

static gboolean
has_facts (gpointer window)
{
  return loom_run_state_has_summaries (loom_window_get_run_state (window));
}

void
fixture_wait_facts (LoomWindow *window)
{
  fixture_wait_loaded (window);
  g_assert_true (fixture_wait (has_facts, window));
}

void
fixture_open (LoomWindow *window, const char *path)
{
  const char *paths[] = { path, NULL };
  loom_window_open_paths (window, paths, FALSE);
  fixture_wait_loaded (window);
}

GtkWidget *
fixture_find_type (GtkWidget *widget, GType type)
{
  GtkWidget *found = g_type_is_a (G_OBJECT_TYPE (widget), type) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL;
       child = gtk_widget_get_next_sibling (child))
    found = fixture_find_type (child, type);
  return found;
}

GtkWidget *
fixture_sources (LoomWindow *window)
{
  return GTK_WIDGET (
    gtk_widget_get_template_child (GTK_WIDGET (loom_window_get_run_view (window)), LOOM_TYPE_RUN_PAGE, "sources"));
}

GtkEventController *
fixture_controller (gpointer widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (g_type_is_a (G_OBJECT_TYPE (controller), type))
      return controller; /* borrowed: the widget owns it */
  }
  g_assert_not_reached ();
}

static GtkEventController *
keys_of (LoomWindow *window)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (g_strcmp0 (gtk_event_controller_get_name (controller), "timeline-keys") == 0)
      return controller;
  }
  g_assert_not_reached ();
}

gboolean
fixture_press (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers)
{
  gboolean taken = FALSE;
  g_signal_emit_by_name (keys_of (window), "key-pressed", keyval, keycode, modifiers, &taken);
  return taken;
}

void
fixture_release (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers)
{
  g_signal_emit_by_name (keys_of (window), "key-released", keyval, keycode, modifiers);
}

gboolean
fixture_type (LoomWindow *window, guint keyval, guint keycode, GdkModifierType modifiers)
{
  gboolean taken = fixture_press (window, keyval, keycode, modifiers);
  fixture_release (window, keyval, keycode, modifiers);
  fixture_frames (window);
  fixture_rest (window);
  return taken;
}

LoomTimelineState *
fixture_state (LoomWindow *window)
{
  return loom_run_state_get_view (loom_window_get_run_state (window));
}

LoomViewport
fixture_view (LoomWindow *window)
{
  return *loom_timeline_state_get_viewport (fixture_state (window));
}
