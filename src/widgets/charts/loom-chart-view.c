/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-chart-view.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"
#include "loom-popover-util.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>
#include <math.h>

#define MIN_WIDTH_PX 200
#define NATURAL_WIDTH_PX 380
#define SMALL_WIDTH_PX 240 /* natural width in px of a small chart; several small charts are shown side by side */
/* maximum number of elements that are listed one by one in the accessible description of the chart */
#define MAX_SAID 12

struct _LoomChartView {
  GtkWidget parent;
  LoomRenderContext *scene;
  LoomChart *chart;
  LoomChartLayout *layout;
  guint hover, focused;
  /* index of the element set by loom_chart_view_set_highlighted(); LOOM_CHART_NONE: no element is set */
  guint highlighted;
  guint reported; /* index of the element in the last signal "element-hovered"; LOOM_CHART_NONE: no element */
};

G_DEFINE_FINAL_TYPE (LoomChartView, loom_chart_view, GTK_TYPE_WIDGET)

enum { ELEMENT_ACTIVATED, ELEMENT_HOVERED, SAVE_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- description for screen readers --- */

static void
append_all (GString *text, const LoomChart *chart)
{
  for (guint i = 0; i < loom_chart_get_n_elements (chart); i++) {
    g_autofree char *name = loom_chart_dup_name (chart, i), *value = loom_chart_dup_value (chart, i);
    g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", name, value);
  }
}

/* Returns the value of an element. If a cell of a heat map shows the mean of several values, returns the highest of
 * these values instead. */
static double
highest_of (const LoomChart *chart, guint element)
{
  double peak = loom_chart_get_peak (chart, element);
  return isfinite (peak) ? peak : loom_chart_get_value (chart, element);
}

/* Appends a short description of a chart with too many elements for a list: the elements with the lowest and the
 * highest value. */
static void
append_ends (GString *text, const LoomChart *chart)
{
  guint n = loom_chart_get_n_elements (chart), low = LOOM_CHART_NONE, high = LOOM_CHART_NONE, n_there = 0;
  for (guint i = 0; i < n; i++) {
    double value = loom_chart_get_value (chart, i);
    if (!isfinite (value))
      continue;
    n_there++;
    low = low == LOOM_CHART_NONE || value < loom_chart_get_value (chart, low) ? i : low;
    high = high == LOOM_CHART_NONE || highest_of (chart, i) > highest_of (chart, high) ? i : high;
  }
  if (n_there == 0) {
    g_string_append (text, _ ("no value"));
    return;
  }
  g_autofree char *lowest = loom_chart_dup_value (chart, low), *highest = loom_chart_dup_value (chart, high);
  g_autofree char *at_low = loom_chart_dup_name (chart, low), *at_high = loom_chart_dup_name (chart, high);
  g_string_append_printf (
    text, ngettext ("%u value, lowest %s (%s), highest %s (%s)", "%u values, lowest %s (%s), highest %s (%s)", n_there),
    n_there, lowest, at_low, highest, at_high);
}

static void
append_mark (GString *text, double value, const char *label, const char *unit)
{
  if (!isfinite (value))
    return;
  g_autofree char *words = loom_chart_format (value, unit);
  g_string_append_printf (text, ", %s %s", label, words);
}

char *
loom_chart_view_dup_description (LoomChart *chart)
{
  GString *text = g_string_new (NULL);
  const char *unit = chart->kind == LOOM_CHART_HISTOGRAM ? chart->x_unit : chart->unit;
  g_string_append_printf (text, "%s: ", chart->title);
  if (loom_chart_get_n_elements (chart) <= MAX_SAID)
    append_all (text, chart);
  else
    append_ends (text, chart);
  append_mark (text, chart->median, chart->median_label, unit);
  append_mark (text, chart->limit, chart->limit_label, unit);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* Returns the text of an element's tooltip; NULL if there is no such element. */
static char *
element_words (LoomChartView *self, guint element)
{
  if (self->chart == NULL || element >= loom_chart_get_n_elements (self->chart))
    return NULL;
  g_autofree char *name = loom_chart_dup_name (self->chart, element);
  g_autofree char *precise = loom_chart_format_precise (loom_chart_get_value (self->chart, element), self->chart->unit);
  gboolean has_peak = isfinite (loom_chart_get_peak (self->chart, element));
  g_autofree char *value = self->chart->kind == LOOM_CHART_PIE || self->chart->what[0] != '\0' || has_peak
                             ? loom_chart_dup_value (self->chart, element)
                             : loom_locale_number_localize (loom_locale_number_typeset (precise));
  return g_strdup_printf ("%s\n%s", name, value[0] != '\0' ? value : _ ("no value"));
}

static void
describe (LoomChartView *self)
{
  g_autofree char *all = self->chart != NULL ? loom_chart_view_dup_description (self->chart) : g_strdup ("");
  g_autofree char *here = gtk_widget_has_focus (GTK_WIDGET (self)) ? element_words (self, self->focused) : NULL;
  g_autofree char *text =
    here != NULL ? g_strdup_printf ("%s · %s", g_strdelimit (here, "\n", ' '), all) : g_steal_pointer (&all);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->chart != NULL ? self->chart->title : _ ("Chart"),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* --- painting --- */

/* Returns the cache of text layouts for the chart. Its texts always have the same font size, because the rows and
 * margins of a chart are designed for this size. The desktop's text scaling is applied to the whole chart when it is
 * painted. */
static LoomTextCache *
text_of (LoomChartView *self)
{
  return loom_render_context_get_plain_text (self->scene);
}

static double
scaling_of (LoomChartView *self)
{
  return loom_render_context_get_text_scaling (self->scene);
}

static void
update_layout (LoomChartView *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  g_clear_pointer (&self->layout, loom_chart_layout_free);
  if (self->chart != NULL && self->scene != NULL && width > 0 && height > 0)
    self->layout =
      loom_chart_layout_new (self->chart, width / scaling_of (self), height / scaling_of (self), text_of (self));
  if (self->layout != NULL && gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL)
    loom_chart_layout_mirror (self->layout);
}

static void
scene_changed (LoomChartView *self)
{
  update_layout (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update_layout (LOOM_CHART_VIEW (widget));
}

static GtkSizeRequestMode
get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
         int *natural_baseline)
{
  LoomChartView *self = LOOM_CHART_VIEW (widget);
  int natural_px = self->chart != NULL && self->chart->small ? SMALL_WIDTH_PX : NATURAL_WIDTH_PX;
  double scaling = scaling_of (self), width = for_size > 0 ? for_size / scaling : natural_px;
  *minimum = MIN_WIDTH_PX;
  *natural = (int) (natural_px * scaling);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural =
      self->chart != NULL ? (int) ceil (loom_chart_layout_natural_height (self->chart, width, text_of (self)) * scaling)
                          : 0;
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LoomChartView *self = LOOM_CHART_VIEW (widget);
  if (self->layout == NULL)
    return;
  guint hover = self->hover != LOOM_CHART_NONE ? self->hover : self->highlighted;
  LoomChartOptions options = { loom_render_context_get_theme (self->scene), text_of (self), hover,
                               gtk_widget_has_focus (widget) ? self->focused : LOOM_CHART_NONE };
  graphene_rect_t all =
    GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget));
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &all);
  cairo_scale (cr, scaling_of (self), scaling_of (self));
  loom_chart_layout_paint (cr, self->layout, &options);
  cairo_destroy (cr);
}

/* --- pointer and keys --------------------------------------------------------------------------------------------- */

static void
report_hovered (LoomChartView *self)
{
  guint focused = gtk_widget_has_focus (GTK_WIDGET (self)) ? self->focused : LOOM_CHART_NONE;
  guint element = self->hover != LOOM_CHART_NONE ? self->hover : focused;
  if (element == self->reported)
    return;
  self->reported = element;
  g_signal_emit (self, signals[ELEMENT_HOVERED], 0, element);
}

static void
set_hover (LoomChartView *self, guint element)
{
  if (self->hover == element)
    return;
  self->hover = element;
  report_hovered (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static guint
element_at (LoomChartView *self, double x, double y)
{
  return self->layout != NULL ? loom_chart_layout_hit (self->layout, x / scaling_of (self), y / scaling_of (self))
                              : LOOM_CHART_NONE;
}

static void
pointer_moved (LoomChartView *self, double x, double y)
{
  set_hover (self, element_at (self, x, y));
}

static void
pointer_left (LoomChartView *self)
{
  set_hover (self, LOOM_CHART_NONE);
}

static void
activate_element (LoomChartView *self, guint element)
{
  if (element != LOOM_CHART_NONE)
    g_signal_emit (self, signals[ELEMENT_ACTIVATED], 0, element);
}

/* Gives a clicked chart the keyboard focus without scrolling it into view. The user already sees the clicked point, and
 * scrolling to a chart that is taller than the panel could move this point out of view. */
static void
focus_in_place (GtkWidget *widget)
{
  GtkWidget *viewport = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  gboolean scrolls = viewport != NULL && gtk_viewport_get_scroll_to_focus (GTK_VIEWPORT (viewport));
  if (scrolls)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), FALSE);
  gtk_widget_grab_focus (widget);
  if (scrolls)
    gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
}

static void
released (LoomChartView *self, int n_press, double x, double y)
{
  guint element = element_at (self, x, y);
  focus_in_place (GTK_WIDGET (self));
  loom_chart_view_set_focused (self, element);
  activate_element (self, element);
}

static void
show_menu (LoomChartView *self, double x, double y)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_menu_append (menu, _ ("_Copy as TSV"), "chart.copy");
  g_menu_append (menu, _ ("_Save Image…"), "chart.save");
  GtkWidget *popover = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_popover_set_has_arrow (GTK_POPOVER (popover), FALSE);
  gtk_widget_set_halign (popover, GTK_ALIGN_START);
  loom_popover_util_show (popover, GTK_WIDGET (self), x, y);
}

static void
menu_pressed (LoomChartView *self, int n_press, double x, double y)
{
  show_menu (self, x, y);
}

static gboolean
key_pressed (LoomChartView *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  static const struct {
    guint keyval;
    LoomChartStep step;
  } steps[] = {
    { GDK_KEY_Left, LOOM_CHART_LEFT }, { GDK_KEY_Right, LOOM_CHART_RIGHT }, { GDK_KEY_Up, LOOM_CHART_UP },
    { GDK_KEY_Down, LOOM_CHART_DOWN }, { GDK_KEY_Home, LOOM_CHART_FIRST },  { GDK_KEY_End, LOOM_CHART_LAST },
  };
  LoomChartBox box;
  if ((modifiers & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0 || self->layout == NULL)
    return GDK_EVENT_PROPAGATE;
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (keyval == steps[i].keyval) {
      loom_chart_view_set_focused (self, loom_chart_layout_step (self->layout, self->focused, steps[i].step));
      return GDK_EVENT_STOP;
    }
  if (keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_space) {
    activate_element (self, self->focused);
    return GDK_EVENT_STOP;
  }
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && (modifiers & GDK_SHIFT_MASK) != 0)) {
    gboolean any = loom_chart_layout_get_box (self->layout, self->focused, &box);
    show_menu (self, any ? box.x * scaling_of (self) : 0, any ? (box.y + box.height) * scaling_of (self) : 0);
    return GDK_EVENT_STOP;
  }
  return GDK_EVENT_PROPAGATE;
}

/* Makes GTK put the tooltip below the element instead of below the whole chart. */
static void
set_tip_area (LoomChartView *self, guint element, GtkTooltip *tooltip)
{
  LoomChartBox box;
  if (!loom_chart_layout_get_box (self->layout, element, &box))
    return;
  double scaling = scaling_of (self);
  gtk_tooltip_set_tip_area (tooltip,
                            &(GdkRectangle) { (int) (box.x * scaling), (int) (box.y * scaling),
                                              (int) ceil (box.width * scaling), (int) ceil (box.height * scaling) });
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  LoomChartView *self = LOOM_CHART_VIEW (widget);
  guint element = keyboard ? self->focused : element_at (self, x, y);
  g_autofree char *words = element_words (self, element);
  if (words != NULL && self->layout != NULL)
    set_tip_area (self, element, tooltip);
  if (words == NULL && !keyboard && self->layout != NULL)
    words = g_strdup (loom_chart_layout_get_label (self->layout, x / scaling_of (self), y / scaling_of (self)));
  loom_bounded_text_set_tooltip (tooltip, words);
  return words != NULL;
}

/* If Tab moves the focus into the chart, gives it to the first element. */
static void
focus_changed (LoomChartView *self)
{
  if (gtk_widget_has_focus (GTK_WIDGET (self)) && self->focused == LOOM_CHART_NONE && self->layout != NULL)
    self->focused = loom_chart_layout_step (self->layout, LOOM_CHART_NONE, LOOM_CHART_FIRST);
  report_hovered (self);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomChart *chart = LOOM_CHART_VIEW (widget)->chart;
  g_autofree char *text = chart != NULL ? loom_chart_dup_tsv (chart) : g_strdup ("");
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[SAVE_REQUESTED], 0);
}

/* --- creating and freeing the view -------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  for (GtkWidget *child; (child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL;)
    gtk_widget_unparent (child); /* the loop also removes children that are not part of the chart, such as open menus */
  G_OBJECT_CLASS (loom_chart_view_parent_class)->dispose (object);
}

/* Frees the contents in finalize() and not in dispose(), because a file dialog for the chart may still be open when the
 * widget is removed from the window. */
static void
finalize (GObject *object)
{
  LoomChartView *self = LOOM_CHART_VIEW (object);
  g_clear_pointer (&self->layout, loom_chart_layout_free);
  g_clear_pointer (&self->chart, loom_chart_unref);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_chart_view_parent_class)->finalize (object);
}

static void
loom_chart_view_class_init (LoomChartViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  widget_class->get_request_mode = get_request_mode;
  widget_class->size_allocate = size_allocate;
  widget_class->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "chart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_install_action (widget_class, "chart.copy", NULL, copy_action);
  gtk_widget_class_install_action (widget_class, "chart.save", NULL, save_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "chart.copy", NULL);
  signals[ELEMENT_ACTIVATED] = g_signal_new ("element-activated", LOOM_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                             NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[ELEMENT_HOVERED] = g_signal_new ("element-hovered", LOOM_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SAVE_REQUESTED] =
    g_signal_new ("save-requested", LOOM_TYPE_CHART_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_chart_view_init (LoomChartView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new (), *menu = gtk_gesture_click_new ();
  self->hover = self->focused = self->highlighted = self->reported = LOOM_CHART_NONE;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (menu), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (click, "released", G_CALLBACK (released), self);
  g_signal_connect_swapped (menu, "pressed", G_CALLBACK (menu_pressed), self);
  g_signal_connect (self, "notify::has-focus", G_CALLBACK (focus_changed), NULL);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (menu));
}

GtkWidget *
loom_chart_view_new (LoomRenderContext *scene)
{
  LoomChartView *self = g_object_new (LOOM_TYPE_CHART_VIEW, NULL);
  self->scene = g_object_ref (scene);
  g_signal_connect_object (scene, "changed", G_CALLBACK (scene_changed), self, G_CONNECT_SWAPPED);
  describe (self);
  return GTK_WIDGET (self);
}

void
loom_chart_view_set_chart (LoomChartView *self, LoomChart *chart)
{
  if (chart != NULL)
    loom_chart_ref (chart);
  g_clear_pointer (&self->chart, loom_chart_unref);
  self->chart = chart;
  self->hover = self->highlighted = LOOM_CHART_NONE;
  if (chart == NULL || self->focused >= loom_chart_get_n_elements (chart))
    self->focused = LOOM_CHART_NONE;
  update_layout (self);
  describe (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

LoomChart *
loom_chart_view_get_chart (LoomChartView *self)
{
  return self->chart;
}

void
loom_chart_view_set_focused (LoomChartView *self, guint element)
{
  self->focused = element;
  report_hovered (self);
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
loom_chart_view_get_focused (LoomChartView *self)
{
  return self->focused;
}

void
loom_chart_view_set_highlighted (LoomChartView *self, guint element)
{
  if (self->highlighted == element)
    return;
  self->highlighted = element;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
loom_chart_view_get_highlighted (LoomChartView *self)
{
  return self->highlighted;
}

const LoomChartLayout *
loom_chart_view_get_layout (LoomChartView *self)
{
  return self->layout;
}

gboolean
loom_chart_view_save (LoomChartView *self, const char *path, GError **error)
{
  g_return_val_if_fail (LOOM_IS_CHART_VIEW (self) && self->chart != NULL, FALSE);
  int width = MAX (gtk_widget_get_width (GTK_WIDGET (self)), NATURAL_WIDTH_PX);
  double height = loom_chart_layout_natural_height (self->chart, width, text_of (self));
  return loom_chart_layout_to_file (self->chart, path, width, height, loom_render_context_get_theme (self->scene)->kind,
                                    error);
}
