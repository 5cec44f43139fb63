/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-color-legend.h"

#include "loom-legend-painter.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define SWATCH_WIDTH_PX 48
#define SWATCH_HEIGHT_PX 18
#define PATH_PX 4

#define LOOM_TYPE_COLOR_LEGEND (loom_color_legend_get_type ())
G_DECLARE_FINAL_TYPE (LoomColorLegend, loom_color_legend, LOOM, COLOR_LEGEND, AdwWindow)

struct _LoomColorLegend {
  AdwWindow parent;
  GtkListBox *rows;
  LoomRenderContext *scene;
};

G_DEFINE_FINAL_TYPE (LoomColorLegend, loom_color_legend, ADW_TYPE_WINDOW)

static void
dispose (GObject *object)
{
  g_clear_object (&LOOM_COLOR_LEGEND (object)->scene);
  G_OBJECT_CLASS (loom_color_legend_parent_class)->dispose (object);
}

static void
loom_color_legend_class_init (LoomColorLegendClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-color-legend.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomColorLegend, rows);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
loom_color_legend_init (LoomColorLegend *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/* Draws the shades of a color family side by side. The timeline uses all shades of a family for the spans of one kind
 * of work. Uses muted colors for the family OTHER. */
static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer family)
{
  LoomColorLegend *self = LOOM_COLOR_LEGEND (gtk_widget_get_root (GTK_WIDGET (area)));
  const LoomTheme *theme = loom_render_context_get_theme (self->scene);
  for (guint i = 0; i < LOOM_N_SHADES; i++)
    loom_color_fill_rectangle (cr, theme->span[loom_theme_shade_index (GPOINTER_TO_UINT (family), i)],
                               (double) width * i / LOOM_N_SHADES, 0, (double) width / LOOM_N_SHADES, height);
}

/* Draws a span with a line along its lower edge. On the timeline, this line marks the critical path. */
static void
draw_path (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  LoomColorLegend *self = LOOM_COLOR_LEGEND (gtk_widget_get_root (GTK_WIDGET (area)));
  const LoomTheme *theme = loom_render_context_get_theme (self->scene);
  loom_color_fill_rectangle (cr, theme->span[loom_theme_shade_index (LOOM_WORK_FAMILY_COMPUTE, 0)], 0, 0, width,
                             height);
  loom_color_fill_rectangle (cr, theme->role[LOOM_COLOR_ROLE_PATH], 0, height - PATH_PX, width, PATH_PX);
}

static void
draw_waiting (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  LoomColorLegend *self = LOOM_COLOR_LEGEND (gtk_widget_get_root (GTK_WIDGET (area)));
  loom_legend_painter_paint_waiting (cr, loom_render_context_get_theme (self->scene), 0, 0, width, height);
}

static void
add_row (LoomColorLegend *self, const char *title, GtkDrawingAreaDrawFunc draw, gpointer data)
{
  GtkWidget *swatch = gtk_drawing_area_new (), *row = adw_action_row_new ();
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_WIDTH_PX);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_HEIGHT_PX);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw, data, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (swatch), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), swatch);
  gtk_list_box_append (self->rows, row);
}

static void
add_family (LoomColorLegend *self, LoomWorkFamily family)
{
  add_row (self, loom_theme_family_title (family), draw_swatch, GUINT_TO_POINTER (family));
}

void
loom_color_legend_present (GtkWindow *parent, LoomRenderContext *scene)
{
  LoomColorLegend *self = g_object_new (LOOM_TYPE_COLOR_LEGEND, "transient-for", parent, NULL);
  self->scene = g_object_ref (scene);
  g_signal_connect_object (scene, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  for (LoomWorkFamily family = LOOM_WORK_FAMILY_COMPUTE; family < LOOM_N_FAMILIES; family++)
    add_family (self, family);
  add_family (self, LOOM_WORK_FAMILY_OTHER);
  add_row (self, C_ ("colors", "Waiting for Other Ranks"), draw_waiting, NULL);
  add_row (self, _ ("Critical Path"), draw_path, NULL);
  gtk_window_present (GTK_WINDOW (self));
}
