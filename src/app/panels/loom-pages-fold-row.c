/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pages-fold-row.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>

struct _LoomPagesFoldRow {
  GtkListBoxRow parent;
  GtkLabel *title;
  GtkImage *arrow;
  gboolean is_expanded;
};

G_DEFINE_FINAL_TYPE (LoomPagesFoldRow, loom_pages_fold_row, GTK_TYPE_LIST_BOX_ROW)

static void
loom_pages_fold_row_class_init (LoomPagesFoldRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-pages-fold-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPagesFoldRow, title);
  gtk_widget_class_bind_template_child (widget_class, LoomPagesFoldRow, arrow);
}

static void
loom_pages_fold_row_init (LoomPagesFoldRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_pages_fold_row_set_expanded (self, FALSE);
}

GtkWidget *
loom_pages_fold_row_new (void)
{
  return g_object_new (LOOM_TYPE_PAGES_FOLD_ROW, NULL);
}

void
loom_pages_fold_row_set_n (LoomPagesFoldRow *self, guint n)
{
  g_return_if_fail (LOOM_IS_PAGES_FOLD_ROW (self));
  g_autofree char *title = g_strdup_printf (ngettext ("%u page without data", "%u pages without data", n), n);
  loom_bounded_text_set_label (self->title, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0);
}

void
loom_pages_fold_row_set_expanded (LoomPagesFoldRow *self, gboolean expanded)
{
  g_return_if_fail (LOOM_IS_PAGES_FOLD_ROW (self));
  self->is_expanded = expanded;
  gtk_image_set_from_icon_name (self->arrow, expanded ? "pan-down-symbolic" : "pan-end-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_EXPANDED, expanded, -1);
}

gboolean
loom_pages_fold_row_is_expanded (LoomPagesFoldRow *self)
{
  g_return_val_if_fail (LOOM_IS_PAGES_FOLD_ROW (self), FALSE);
  return self->is_expanded;
}
