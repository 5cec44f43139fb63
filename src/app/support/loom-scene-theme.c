/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-scene-theme.h"

#include <adwaita.h>

static LoomColor
color_named (GtkWidget *widget, const char *name, LoomColor fallback)
{
  GdkRGBA rgba;
  if (!gtk_style_context_lookup_color (gtk_widget_get_style_context (widget), name, &rgba))
    return fallback;
  return LOOM_COLOR_RGB ((guint) (rgba.red * 255 + 0.5) << 16 | (guint) (rgba.green * 255 + 0.5) << 8 |
                         (guint) (rgba.blue * 255 + 0.5));
}

void
loom_scene_theme_update (LoomRenderContext *scene, GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (manager), contrast = adw_style_manager_get_high_contrast (manager);
  LoomThemeKind kind = contrast ? (dark ? LOOM_THEME_DARK_CONTRAST : LOOM_THEME_LIGHT_CONTRAST)
                                : (dark ? LOOM_THEME_DARK : LOOM_THEME_LIGHT);
  LoomColor accent = color_named (widget, dark ? "accent_color" : "accent_bg_color",
                                  loom_theme_get (kind)->role[LOOM_COLOR_ROLE_ACCENT]);
  loom_render_context_set_theme (scene, kind, accent, color_named (widget, "view_bg_color", 0));
}
