/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-cell-bar.h"

#include <math.h>

#define WIDTH_PX 60
/* width in px of the bar of a change, if the column is wide enough; it is larger than WIDTH_PX because the bar may
 * extend to both sides of the zero line */
#define CHANGE_PX 160
#define HEIGHT_PX 9

struct _LoomCellBar {
  GtkWidget parent;
  LoomResultBars bars;
  double value;
};

G_DEFINE_FINAL_TYPE (LoomCellBar, loom_cell_bar, GTK_TYPE_WIDGET)

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  gboolean is_change = LOOM_CELL_BAR (widget)->bars != LOOM_RESULT_BARS_OF_SHARES;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH_PX : HEIGHT_PX;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL && is_change ? CHANGE_PX : *minimum;
}

static GdkRGBA
color_of (GtkWidget *widget, float alpha)
{
  GdkRGBA color;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  color.alpha *= alpha;
  return color;
}

/* Draws the bar of a change. The zero line has the color of the cell's text: increases and decreases have colors of
 * their own, but the zero line is neither. */
static void
add_change (LoomCellBar *self, GtkSnapshot *snapshot, float top)
{
  GtkWidget *widget = GTK_WIDGET (self);
  float middle = floorf ((float) gtk_widget_get_width (widget) / 2),
        length = (float) round (fabs (self->value) * (middle - 1));
  gboolean to_left = (self->value < 0) == (gtk_widget_get_direction (widget) != GTK_TEXT_DIR_RTL);
  const GdkRGBA axis = color_of (gtk_widget_get_parent (widget), 0.4F), color = color_of (widget, 1);
  gtk_snapshot_append_color (snapshot, &axis, &GRAPHENE_RECT_INIT (middle, top - 2, 1, HEIGHT_PX + 4));
  gtk_snapshot_append_color (snapshot, &color,
                             &GRAPHENE_RECT_INIT (to_left ? middle - length : middle + 1, top, length, HEIGHT_PX));
}

static void
add_share (LoomCellBar *self, GtkSnapshot *snapshot, float top)
{
  GtkWidget *widget = GTK_WIDGET (self);
  float length = self->value > 0 ? (float) fmax (1, round (self->value * WIDTH_PX)) : 0;
  float start = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? WIDTH_PX - length : 0;
  const GdkRGBA track = color_of (widget, 0.15F), color = color_of (widget, 1);
  gtk_snapshot_append_color (snapshot, &track, &GRAPHENE_RECT_INIT (0, top, WIDTH_PX, HEIGHT_PX));
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (start, top, length, HEIGHT_PX));
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LoomCellBar *self = LOOM_CELL_BAR (widget);
  float top = (float) (gtk_widget_get_height (widget) - HEIGHT_PX) / 2;
  if (isnan (self->value))
    return;
  if (self->bars == LOOM_RESULT_BARS_OF_SHARES)
    add_share (self, snapshot, top);
  else
    add_change (self, snapshot, top);
}

static void
loom_cell_bar_class_init (LoomCellBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "cellbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
loom_cell_bar_init (LoomCellBar *self)
{
  self->value = NAN;
}

GtkWidget *
loom_cell_bar_new (LoomResultBars bars)
{
  LoomCellBar *self = g_object_new (LOOM_TYPE_CELL_BAR, NULL);
  self->bars = bars;
  return GTK_WIDGET (self);
}

void
loom_cell_bar_set_value (LoomCellBar *self, double value)
{
  static const char *const more[] = { "more", NULL }, *const less[] = { "less", NULL },
                           *const share[] = { "share", NULL };
  g_return_if_fail (LOOM_IS_CELL_BAR (self));
  const char *const *classes = self->bars == LOOM_RESULT_BARS_OF_SHARES ? share : value < 0 ? less : more;
  self->value = value;
  gtk_widget_set_css_classes (GTK_WIDGET (self), (const char **) classes);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
