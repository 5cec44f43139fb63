/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-page-row.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>

struct _LoomPageRow {
  GtkListBoxRow parent;
  GtkLabel *title, *reason, *badge;
  const LoomPageIndex *page;
};

G_DEFINE_FINAL_TYPE (LoomPageRow, loom_page_row, GTK_TYPE_LIST_BOX_ROW)

static void
loom_page_row_class_init (LoomPageRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-page-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPageRow, title);
  gtk_widget_class_bind_template_child (widget_class, LoomPageRow, reason);
  gtk_widget_class_bind_template_child (widget_class, LoomPageRow, badge);
}

static void
loom_page_row_init (LoomPageRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_page_row_new (const LoomPageIndex *page)
{
  LoomPageRow *self = g_object_new (LOOM_TYPE_PAGE_ROW, NULL);
  self->page = page;
  loom_bounded_text_set_label (self->title, _ (page->title));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ (page->title), -1);
  return GTK_WIDGET (self);
}

const LoomPageIndex *
loom_page_row_get_page (LoomPageRow *self)
{
  return self->page;
}

void
loom_page_row_set_badge (LoomPageRow *self, guint n)
{
  g_autofree char *text = g_strdup_printf ("%u", n);
  loom_bounded_text_set_label (self->badge, text);
  gtk_widget_set_visible (GTK_WIDGET (self->badge), n > 0);
  g_autofree char *spoken = g_strdup_printf (ngettext ("%u finding", "%u findings", n), n);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, n > 0 ? spoken : "", -1);
}

void
loom_page_row_set_reason (LoomPageRow *self, const char *reason)
{
  loom_bounded_text_set_label (self->reason, reason != NULL ? reason : "");
  gtk_widget_set_visible (GTK_WIDGET (self->reason), reason != NULL);
  if (reason != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->title), "dim-label");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->title), "dim-label");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  reason != NULL ? reason : "", -1);
}

gboolean
loom_page_row_has_reason (LoomPageRow *self)
{
  g_return_val_if_fail (LOOM_IS_PAGE_ROW (self), FALSE);
  return gtk_widget_get_visible (GTK_WIDGET (self->reason));
}
