/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-crash-dialog.h"

#include "loom-bounded-text.h"
#include "loom-crash-handler.h"
#include "loom-dialog-size.h"
#include "loom-toasts.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

#define OFFERED_S 60

typedef struct {
  char *text, *path;
} Report;

static void
report_free (gpointer data, GClosure *closure)
{
  Report *report = data;
  g_free (report->text);
  g_free (report->path);
  g_free (report);
}

static GtkWidget *
new_view (const char *text)
{
  GtkWidget *view = gtk_text_view_new (), *scrolled = gtk_scrolled_window_new ();
  gtk_text_view_set_editable (GTK_TEXT_VIEW (view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (view), TRUE);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (view), 6);
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Crash report"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), view);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
new_words (const char *path)
{
  g_autofree char *words = g_strdup_printf (
    _ (
      "The report is kept on this machine as “%s” until the next start. Send a copy to the developers of Traceloom. The report contains the names of the files that were open."),
    path);
  GtkWidget *label = loom_bounded_text_new_label (words);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "details");
  return label;
}

static void
show_report (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Report *report = data;
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());
  GtkWidget *window = loom_window_measure_workaround_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *bar = adw_header_bar_new ();
  gtk_window_set_title (GTK_WINDOW (window), _ ("Crash Report"));
  gtk_window_set_transient_for (GTK_WINDOW (window), gtk_application_get_active_window (application));
  loom_dialog_size_set (GTK_WINDOW (window), 760, 520);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), new_words (report->path));
  gtk_box_append (GTK_BOX (box), new_view (report->text));
  adw_window_set_content (ADW_WINDOW (window), box);
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  gtk_window_present (GTK_WINDOW (window));
}

/* Records the name of every activated action for the crash report. Covers actions activated by menus, keys and
 * buttons. */
static gboolean
note_action (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  loom_crash_handler_note (g_action_get_name (G_ACTION (g_value_get_object (&values[0]))));
  return TRUE;
}

static void
follow_actions (void)
{
  static gsize once;
  if (!g_once_init_enter (&once))
    return;
  /* load the class now: its signals do not exist before it is loaded */
  gpointer class = g_type_class_ref (G_TYPE_SIMPLE_ACTION);
  g_signal_add_emission_hook (g_signal_lookup ("activate", G_TYPE_SIMPLE_ACTION), 0, note_action, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("change-state", G_TYPE_SIMPLE_ACTION), 0, note_action, NULL, NULL);
  g_type_class_unref (class);
  g_once_init_leave (&once, 1);
}

void
loom_crash_dialog_offer (GtkApplication *application, GObject *owner, AdwToastOverlay *overlay)
{
  g_return_if_fail (GTK_IS_APPLICATION (application) && ADW_IS_TOAST_OVERLAY (overlay));
  follow_actions ();
  Report report = { NULL, NULL };
  report.text = loom_crash_handler_take_last (&report.path);
  if (report.text == NULL)
    return;
  g_autoptr (GSimpleAction) action = g_simple_action_new ("show-crash-report", NULL);
  g_signal_connect_data (action, "activate", G_CALLBACK (show_report), g_memdup2 (&report, sizeof report), report_free,
                         0);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
  const LoomToast toast = { _ ("Traceloom ended unexpectedly the last time"), _ ("_Show Report"),
                            "app.show-crash-report", OFFERED_S };
  loom_toasts_show (owner, "crash", overlay, &toast, NULL);
}
