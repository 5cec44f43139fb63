/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-welcome.h"

#include "loom-recent.h"

#include <glib/gi18n.h>

#define MAX_RECENT 5

struct _LoomWelcome {
  GtkWidget parent;
  GtkWidget *page;
  GtkWidget *recent_box;
  AdwPreferencesGroup *recent;
  GPtrArray *rows; /* borrowed */
};

G_DEFINE_FINAL_TYPE (LoomWelcome, loom_welcome, GTK_TYPE_WIDGET)

static void
dispose (GObject *object)
{
  g_clear_pointer (&LOOM_WELCOME (object)->page, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_welcome_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_WELCOME (object)->rows);
  G_OBJECT_CLASS (loom_welcome_parent_class)->finalize (object);
}

static void
loom_welcome_class_init (LoomWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, page);
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, recent_box);
  gtk_widget_class_bind_template_child (widget_class, LoomWelcome, recent);
}

static GtkWidget *
new_row (const LoomRecent *recent)
{
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_markup_escape_text (recent->name, -1);
  g_autofree char *subtitle = g_markup_escape_text (recent->place, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-recent");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", recent->uri);
  return row;
}

void
loom_welcome_refresh (LoomWelcome *self)
{
  g_return_if_fail (LOOM_IS_WELCOME (self));
  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (self->recent, self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  g_autoptr (GPtrArray) list = loom_recent_list (MAX_RECENT);
  for (guint i = 0; i < list->len; i++) {
    GtkWidget *row = new_row (list->pdata[i]);
    adw_preferences_group_add (self->recent, row);
    g_ptr_array_add (self->rows, row);
  }
  gtk_widget_set_visible (self->recent_box, list->len > 0);
}

static void
loom_welcome_init (LoomWelcome *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (loom_welcome_refresh), NULL);
}
