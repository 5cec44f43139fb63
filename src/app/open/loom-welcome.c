/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-welcome.h"

#include "loom-ellipsize.h"
#include "loom-recent-runs.h"
#include "loom-session-autosave.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_RECENT 5
#define MAX_LOST 3
/* minimum length, in bytes, of a folder path that may be shortened with “…”. A shorter path may be narrower than
 * “…”, which causes a warning of GTK 4.8. */
#define MIN_CUT 4

struct _LoomWelcome {
  AdwBin parent;
  GtkWidget *lost_box;
  AdwPreferencesGroup *lost;
  GtkWidget *recent_box;
  AdwPreferencesGroup *recent;
  GPtrArray *lost_rows, *recent_rows; /* the rows in the groups `lost` and `recent`; borrowed from the groups */
};

G_DEFINE_FINAL_TYPE (LoomWelcome, loom_welcome, ADW_TYPE_BIN)

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_WELCOME (object)->lost_rows);
  g_ptr_array_unref (LOOM_WELCOME (object)->recent_rows);
  G_OBJECT_CLASS (loom_welcome_parent_class)->finalize (object);
}

static void
loom_welcome_class_init (LoomWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, lost_box);
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, lost);
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, recent_box);
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, recent);
}

/* Makes a row that opens the URI. */
static GtkWidget *
new_row (const char *name, const char *place, const char *uri)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = loom_ellipsize_markup (name);
  g_autofree char *subtitle = loom_ellipsize_markup (place);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  if (strlen (place) >= MIN_CUT)
    adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", uri);
  return row;
}

static void
remove_rows (AdwPreferencesGroup *group, GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    adw_preferences_group_remove (group, rows->pdata[i]);
  g_ptr_array_set_size (rows, 0);
}

static void
add_row (AdwPreferencesGroup *group, GPtrArray *rows, GtkWidget *row)
{
  adw_preferences_group_add (group, row);
  g_ptr_array_add (rows, row);
}

static void refresh (LoomWelcome *self);

static void
forget_clicked (GtkWidget *button, LoomWelcome *self)
{
  loom_session_autosave_forget_lost (g_object_get_data (G_OBJECT (button), "loom-path"));
  refresh (self);
}

static GtkWidget *
new_forget_button (LoomWelcome *self, const LoomCrashedSession *lost)
{
  GtkWidget *button = gtk_button_new_from_icon_name ("window-close-symbolic");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Remove From List"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Remove From List"), -1);
  g_object_set_data_full (G_OBJECT (button), "loom-path", g_strdup (lost->path), g_free);
  g_signal_connect (button, "clicked", G_CALLBACK (forget_clicked), self);
  return button;
}

static GtkWidget *
new_restore_row (guint n)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_strdup_printf (ngettext ("Open %u Run in a Tab", "Open All %u Runs in Tabs", n), n);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.restore-lost");
  return row;
}

static void
show_lost (LoomWelcome *self, GPtrArray *list)
{
  remove_rows (self->lost, self->lost_rows);
  for (guint i = 0; i < MIN (list->len, MAX_LOST); i++) {
    const LoomCrashedSession *lost = list->pdata[i];
    g_autofree char *uri = g_filename_to_uri (lost->path, NULL, NULL);
    GtkWidget *row = new_row (lost->name, lost->place, uri);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), new_forget_button (self, lost));
    add_row (self->lost, self->lost_rows, row);
  }
  if (list->len > 1)
    add_row (self->lost, self->lost_rows, new_restore_row (list->len));
  gtk_widget_set_visible (self->lost_box, list->len > 0);
}

static void
lost_listed (gpointer owner, gpointer lost, const GError *error, gpointer input)
{
  g_autoptr (LoomWelcome) self = owner;
  g_autoptr (GPtrArray) list = lost;
  show_lost (self, list);
}

static void
fill_lost (LoomWelcome *self)
{
  loom_session_autosave_list_lost_async (lost_listed, g_object_ref (self));
}

static void
fill_recent (LoomWelcome *self)
{
  g_autoptr (GPtrArray) list = loom_recent_runs_list (MAX_RECENT);
  remove_rows (self->recent, self->recent_rows);
  for (guint i = 0; i < list->len; i++) {
    const LoomRecentRuns *recent = list->pdata[i];
    GtkWidget *row = new_row (recent->name, recent->place, recent->uri);
    adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
    add_row (self->recent, self->recent_rows, row);
  }
  gtk_widget_set_visible (self->recent_box, list->len > 0);
}

static void
refresh (LoomWelcome *self)
{
  fill_lost (self);
  fill_recent (self);
}

static void
loom_welcome_init (LoomWelcome *self)
{
  self->lost_rows = g_ptr_array_new ();
  self->recent_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (refresh), NULL);
}
