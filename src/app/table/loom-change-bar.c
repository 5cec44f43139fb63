/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-change-bar.h"

#include <math.h>

#define WIDTH_PX 60
#define HEIGHT_PX 9

struct _LoomChangeBar {
  GtkWidget parent;
  double value;
};

G_DEFINE_FINAL_TYPE (LoomChangeBar, loom_change_bar, GTK_TYPE_WIDGET)

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH_PX : HEIGHT_PX;
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const LoomChangeBar *self = LOOM_CHANGE_BAR (widget);
  float middle = WIDTH_PX / 2.0F, top = (float) (gtk_widget_get_height (widget) - HEIGHT_PX) / 2;
  GdkRGBA color, axis;
  if (isnan (self->value))
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  axis = color;
  axis.alpha *= 0.4F;
  gtk_snapshot_append_color (snapshot, &axis, &GRAPHENE_RECT_INIT (middle, top - 2, 1, HEIGHT_PX + 4));
  float length = (float) round (fabs (self->value) * (WIDTH_PX / 2.0 - 1));
  gboolean to_left = (self->value < 0) == (gtk_widget_get_direction (widget) != GTK_TEXT_DIR_RTL);
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (to_left ? middle - length : middle + 1, top, length, HEIGHT_PX));
}

static void
loom_change_bar_class_init (LoomChangeBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "changebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
loom_change_bar_init (LoomChangeBar *self)
{
  self->value = NAN;
}

GtkWidget *
loom_change_bar_new (void)
{
  return g_object_new (LOOM_TYPE_CHANGE_BAR, NULL);
}

void
loom_change_bar_set_value (LoomChangeBar *self, double value)
{
  static const char *const more[] = { "more", NULL }, *const less[] = { "less", NULL };
  g_return_if_fail (LOOM_IS_CHANGE_BAR (self));
  self->value = value;
  gtk_widget_set_css_classes (GTK_WIDGET (self), (const char **) (value < 0 ? less : more));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
