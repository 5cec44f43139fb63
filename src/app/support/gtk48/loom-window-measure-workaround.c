/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-window-measure-workaround.h"

G_DECLARE_FINAL_TYPE (LoomPlainWindow, loom_plain_window, LOOM, PLAIN_WINDOW, AdwWindow)

struct _LoomPlainWindow {
  AdwWindow parent;
};

G_DEFINE_FINAL_TYPE (LoomPlainWindow, loom_plain_window, ADW_TYPE_WINDOW)

static GQuark
parent_quark (void)
{
  return g_quark_from_static_string ("loom-measure-once-parent");
}

/* Returns the parent class of the window class for which loom_window_measure_workaround_install() was called. */
static GtkWidgetClass *
parent_of (GtkWidget *window)
{
  GType type = G_OBJECT_TYPE (window);
  while (g_type_get_qdata (type, parent_quark ()) == NULL)
    type = g_type_parent (type);
  return g_type_get_qdata (type, parent_quark ());
}

/* Returns the total width, in px, of the left and right borders and paddings of the window. A window has them if the
 * compositor draws no shadows. */
static int
frame_of (GtkWidget *window)
{
  GtkStyleContext *style = gtk_widget_get_style_context (window);
  GtkBorder border, padding;
  gtk_style_context_get_border (style, &border);
  gtk_style_context_get_padding (style, &padding);
  return border.left + border.right + padding.left + padding.right;
}

/* Returns the width of the window without its frame, in px; at least `least`; `natural` if unknown. If the window is
 * neither maximized nor fullscreen, uses the default width, which GTK updates when the user resizes the window. */
static int
width_of (GtkWindow *window, int least, int natural)
{
  int width, height;
  gtk_window_get_default_size (window, &width, &height);
  if (gtk_window_is_maximized (window) || gtk_window_is_fullscreen (window))
    width = gtk_widget_get_width (GTK_WIDGET (window));
  else if (width > 0)
    width = MAX (width - frame_of (GTK_WIDGET (window)), 1);
  return MAX (least, width > 0 ? width : natural);
}

static void
measure (GtkWidget *window, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  GtkWidgetClass *parent = parent_of (window);
  int least, most;
  if (orientation == GTK_ORIENTATION_VERTICAL) {
    parent->measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &least, &most, minimum_baseline, natural_baseline);
    for_size = width_of (GTK_WINDOW (window), least, most);
  }
  parent->measure (window, orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static GtkSizeRequestMode
request_mode (GtkWidget *window)
{
  return GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

void
loom_window_measure_workaround_install (GtkWidgetClass *klass)
{
  g_type_set_qdata (G_TYPE_FROM_CLASS (klass), parent_quark (), g_type_class_peek_parent (klass));
  klass->measure = measure;
  klass->get_request_mode = request_mode;
}

static void
loom_plain_window_class_init (LoomPlainWindowClass *klass)
{
  loom_window_measure_workaround_install (GTK_WIDGET_CLASS (klass));
}

static void
loom_plain_window_init (LoomPlainWindow *self)
{
}

GtkWidget *
loom_window_measure_workaround_window_new (void)
{
  return g_object_new (loom_plain_window_get_type (), NULL);
}
