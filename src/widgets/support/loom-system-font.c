/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-system-font.h"

#define DPI 96.0 /* resolution in dots per inch that corresponds to a text scaling of 1 */
#define MIN_SCALING 0.5
#define MAX_SCALING 3.0

char *
loom_system_font_dup_family (GtkWidget *widget, double *scaling)
{
  g_autofree char *name = NULL;
  int dpi = -1;
  g_object_get (gtk_widget_get_settings (widget), "gtk-font-name", &name, "gtk-xft-dpi", &dpi, NULL);
  *scaling = dpi > 0 ? CLAMP (dpi / 1024.0 / DPI, MIN_SCALING, MAX_SCALING) : 1.0;
  PangoFontDescription *font = pango_font_description_from_string (name != NULL ? name : "Sans");
  char *family = g_strdup (pango_font_description_get_family (font));
  pango_font_description_free (font);
  return family;
}

void
loom_system_font_follow (GtkWidget *widget, GCallback changed)
{
  GtkSettings *settings = gtk_widget_get_settings (widget);
  g_signal_connect_object (settings, "notify::gtk-xft-dpi", changed, widget, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::gtk-font-name", changed, widget, G_CONNECT_SWAPPED);
}
