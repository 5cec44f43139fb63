/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flow-box-workaround.h"

struct _LoomFlowBoxWorkaround {
  AdwBin parent;
  GtkWidget *box;
};

G_DEFINE_FINAL_TYPE (LoomFlowBoxWorkaround, loom_flow_box_workaround, ADW_TYPE_BIN)

/* Moves the focus within the child that has the focus. If this is not possible, moves it to the next child that
 * accepts the focus. */
static gboolean
focus (GtkWidget *widget, GtkDirectionType direction)
{
  GtkWidget *box = LOOM_FLOW_BOX_WORKAROUND (widget)->box, *place = gtk_widget_get_focus_child (box);
  gboolean back = direction == GTK_DIR_TAB_BACKWARD || direction == GTK_DIR_LEFT || direction == GTK_DIR_UP;
  if (place == NULL)
    place = back ? gtk_widget_get_last_child (box) : gtk_widget_get_first_child (box);
  for (; place != NULL; place = back ? gtk_widget_get_prev_sibling (place) : gtk_widget_get_next_sibling (place))
    if (gtk_widget_child_focus (gtk_flow_box_child_get_child (GTK_FLOW_BOX_CHILD (place)), direction))
      return TRUE;
  return FALSE;
}

static void
loom_flow_box_workaround_class_init (LoomFlowBoxWorkaroundClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = focus;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
loom_flow_box_workaround_init (LoomFlowBoxWorkaround *self)
{
  self->box = g_object_new (GTK_TYPE_FLOW_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, "selection-mode",
                            GTK_SELECTION_NONE, "focusable", FALSE, NULL);
  adw_bin_set_child (ADW_BIN (self), self->box);
}

GtkWidget *
loom_flow_box_workaround_new (guint max_columns, guint column_px, guint row_px)
{
  LoomFlowBoxWorkaround *self = g_object_new (LOOM_TYPE_FLOW_BOX_WORKAROUND, NULL);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->box), max_columns);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (self->box), column_px);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (self->box), row_px);
  return GTK_WIDGET (self);
}

void
loom_flow_box_workaround_append (LoomFlowBoxWorkaround *self, GtkWidget *widget)
{
  g_return_if_fail (LOOM_IS_FLOW_BOX_WORKAROUND (self) && GTK_IS_WIDGET (widget));
  GtkWidget *place = gtk_flow_box_child_new ();
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (place), widget);
  gtk_widget_set_focusable (place, FALSE);
  gtk_flow_box_append (GTK_FLOW_BOX (self->box), place);
}
