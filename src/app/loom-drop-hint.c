/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-drop-hint.h"

#include "loom-shown-text.h"

#include <glib/gi18n.h>

struct _LoomDropHint {
  GtkWidget parent;
  GtkWidget *revealer;
  GtkWidget *open;
  GtkWidget *add;
  gboolean can_add;
};

G_DEFINE_FINAL_TYPE (LoomDropHint, loom_drop_hint, GTK_TYPE_WIDGET)

enum { DROPPED, SHOWN_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
dispose (GObject *object)
{
  g_clear_pointer (&LOOM_DROP_HINT (object)->revealer, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_drop_hint_parent_class)->dispose (object);
}

static void
loom_drop_hint_class_init (LoomDropHintClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[DROPPED] = g_signal_new ("dropped", LOOM_TYPE_DROP_HINT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                   2, GDK_TYPE_FILE_LIST, G_TYPE_BOOLEAN);
  signals[SHOWN_CHANGED] =
    g_signal_new ("shown-changed", LOOM_TYPE_DROP_HINT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static GtkWidget *
new_place (const char *icon, const char *title, const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *image = gtk_image_new_from_icon_name (icon);
  gtk_image_set_pixel_size (GTK_IMAGE (image), 64);
  gtk_widget_set_vexpand (image, TRUE);
  gtk_widget_set_valign (image, GTK_ALIGN_END);
  GtkWidget *heading = loom_shown_text_new_label (title);
  gtk_widget_add_css_class (heading, "title-1");
  GtkWidget *body = loom_shown_text_new_label (text);
  gtk_label_set_wrap (GTK_LABEL (body), TRUE);
  gtk_label_set_justify (GTK_LABEL (body), GTK_JUSTIFY_CENTER);
  gtk_widget_set_vexpand (body, TRUE);
  gtk_widget_set_valign (body, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), body);
  gtk_widget_add_css_class (box, "drop-place");
  return box;
}

static void
loom_drop_hint_init (LoomDropHint *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  gtk_widget_add_css_class (box, "drop-hint");
  self->open = new_place ("document-open-symbolic", _ ("Open"), _ ("Folders are searched through for traces"));
  self->add = new_place ("list-add-symbolic", _ ("Add"), _ ("To what is open, on the same timeline"));
  gtk_box_append (GTK_BOX (box), self->open);
  gtk_box_append (GTK_BOX (box), self->add);
  gtk_widget_set_visible (self->add, FALSE);
  self->revealer = gtk_revealer_new ();
  gtk_revealer_set_transition_type (GTK_REVEALER (self->revealer), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
  gtk_revealer_set_transition_duration (GTK_REVEALER (self->revealer), 120);
  gtk_revealer_set_child (GTK_REVEALER (self->revealer), box);
  gtk_widget_set_parent (self->revealer, GTK_WIDGET (self));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

static gboolean
means_add (LoomDropHint *self, double x)
{
  return self->can_add && x > gtk_widget_get_width (GTK_WIDGET (self)) / 2.0;
}

static void
mark (GtkWidget *place, gboolean here)
{
  if (here)
    gtk_widget_add_css_class (place, "here");
  else
    gtk_widget_remove_css_class (place, "here");
}

static void
show (LoomDropHint *self, gboolean shown)
{
  if (loom_drop_hint_is_shown (self) == shown)
    return;
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), shown);
  g_signal_emit (self, signals[SHOWN_CHANGED], 0);
}

static GdkDragAction
moved (LoomDropHint *self, double x, double y)
{
  show (self, TRUE);
  mark (self->add, means_add (self, x));
  mark (self->open, !means_add (self, x));
  return GDK_ACTION_COPY;
}

static void
left (LoomDropHint *self)
{
  show (self, FALSE);
}

static gboolean
dropped (LoomDropHint *self, const GValue *value, double x, double y)
{
  left (self);
  GdkFileList *files = g_value_get_boxed (value);
  if (files == NULL)
    return FALSE;
  g_signal_emit (self, signals[DROPPED], 0, files, means_add (self, x));
  return TRUE;
}

void
loom_drop_hint_watch (LoomDropHint *self, GtkWidget *window)
{
  g_return_if_fail (LOOM_IS_DROP_HINT (self));
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (target, "enter", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "motion", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "leave", G_CALLBACK (left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (target, "drop", G_CALLBACK (dropped), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (window, GTK_EVENT_CONTROLLER (target));
}

gboolean
loom_drop_hint_is_shown (LoomDropHint *self)
{
  return self->revealer != NULL && gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer));
}

void
loom_drop_hint_set_can_add (LoomDropHint *self, gboolean can_add)
{
  g_return_if_fail (LOOM_IS_DROP_HINT (self));
  self->can_add = can_add;
  gtk_widget_set_visible (self->add, can_add);
}
