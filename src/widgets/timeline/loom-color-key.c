/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-color-key.h"

#include "loom-bounded-text.h"
#include "loom-legend-painter.h"

#include <glib/gi18n.h>

struct _LoomColorKey {
  LoomTimelineArea parent;
  guint families; /* families of the spans that were painted last, as bits 1 << LoomWorkFamily */
};

G_DEFINE_FINAL_TYPE (LoomColorKey, loom_color_key, LOOM_TYPE_TIMELINE_AREA)

/* Sets the tooltip and the description for screen readers to the names of the families of work (LoomWorkFamily) whose
 * colors are shown. */
static void
describe (LoomColorKey *self)
{
  g_autofree char *names = loom_legend_painter_dup_names (self->families);
  g_autofree char *tip =
    self->families != 0 ? g_strdup_printf (_ ("Colors: %s.\nClick for all colors."), names) : g_strdup ("");
  loom_bounded_text_set_tip (GTK_WIDGET (self), self->families != 0 ? tip : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, names, -1);
}

static void
paint (LoomTimelineArea *area, cairo_t *cr, int width, int height)
{
  LoomColorKey *self = LOOM_COLOR_KEY (area);
  LoomRenderContext *scene = loom_timeline_area_get_scene (area);
  LoomTimelineState *state = loom_timeline_area_get_state (area);
  LoomPaintOptions options;
  loom_render_context_init_options (scene, &options, GTK_WIDGET (area));
  guint families =
    loom_timeline_state_get_look (state).color_by == LOOM_COLOR_BY_NAME
      ? loom_legend_painter_find (loom_render_context_get_list (scene), loom_timeline_state_get_overview (state))
      : 0;
  gboolean changed = families != self->families;
  self->families = families;
  if (changed)
    describe (self);
  loom_legend_painter_paint (cr, families, width, height, &options);
}

static void
clicked (LoomColorKey *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.color-legend", NULL);
}

static void
loom_color_key_class_init (LoomColorKeyClass *klass)
{
  LOOM_TIMELINE_AREA_CLASS (klass)->paint = paint;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
loom_color_key_init (LoomColorKey *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (click, "released", G_CALLBACK (clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Colors of the timeline"),
                                  -1);
}

void
loom_color_key_set_scene (LoomColorKey *self, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_COLOR_KEY (self));
  loom_timeline_area_set_scene (LOOM_TIMELINE_AREA (self), scene);
}

guint
loom_color_key_get_families (LoomColorKey *self)
{
  return self->families;
}
