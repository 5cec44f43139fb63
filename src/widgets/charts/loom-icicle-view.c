/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-icicle-view.h"

#include "loom-bounded-text.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomIcicleView {
  GtkWidget parent;
  LoomRenderContext *scene;
  LoomIcicle *icicle;
  GtkAdjustment *adjustment;
  /* numbers of the node under the pointer and of the selected node; LOOM_FRAME_NONE: no node */
  guint32 hover, selected;
  guint32 function;
  gboolean activates;
};

G_DEFINE_FINAL_TYPE (LoomIcicleView, loom_icicle_view, GTK_TYPE_WIDGET)

enum { FUNCTION_CHOSEN, NODE_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- descriptions of call tree nodes --- */

static const LoomCallNode *
get_node (LoomIcicleView *self, guint32 node)
{
  LoomCallTree *tree = self->icicle->tree;
  return tree != NULL && node < tree->n_nodes ? &tree->nodes[node] : NULL;
}

static void
append_times (GString *text, LoomIcicleView *self, const LoomCallNode *node)
{
  LoomCallTree *tree = self->icicle->tree;
  g_autofree char *all = loom_time_format_exact (node->dur_ns), *own = loom_time_format_exact (node->own_ns);
  double share = (double) node->dur_ns / (double) MAX (1, tree->width_ns) * 100;
  g_string_append_printf (
    text,
    /* Translators: in the tooltip of a call: its time, its share of the total, and its self time */
    _ ("\n%s, %.1f %% of total · %s self"), all, share, own);
  if (node->n_merged > 0)
    g_string_append_printf (text, ngettext ("\n%'u narrow box", "\n%'u narrow boxes", node->n_merged), node->n_merged);
  if (node->calls > 0) {
    g_autofree char *calls = g_strdup_printf ("%'" G_GUINT64_FORMAT, node->calls);
    g_string_append_printf (text, ngettext ("\n%s call", "\n%s calls", (gulong) MIN (node->calls, G_MAXLONG)), calls);
  }
  if (node->recursive)
    g_string_append (text, _ ("\nRecursive call; its callees are shown above"));
}

char *
loom_icicle_view_dup_words (LoomIcicleView *self, guint32 number)
{
  const LoomCallNode *node = get_node (self, number);
  if (node == NULL)
    return NULL;
  const LoomCallFunction *function = &self->icicle->tree->functions[node->function];
  GString *text = g_string_new (function->name[0] != '\0' ? function->name : _ ("(no name)"));
  if (function->file[0] != '\0' && function->line > 0)
    g_string_append_printf (text, "\n%s:%" G_GINT64_FORMAT, function->file, function->line);
  else if (function->file[0] != '\0')
    g_string_append_printf (text, "\n%s", function->file);
  append_times (text, self, node);
  return g_string_free (text, FALSE);
}

/* --- painting --- */

/* Returns the height in px of the legend below the boxes; 0 if there is no legend. */
static int
get_legend_px (LoomIcicleView *self)
{
  return loom_icicle_has_legend (self->icicle) ? (int) LOOM_ICICLE_LEGEND_PX : 0;
}

/* Computes the layout of the boxes for this width, and sets the range of the vertical scroll position for this
 * height. */
static void
update (LoomIcicleView *self, int width, int all_height)
{
  guint n;
  int height = MAX (all_height - get_legend_px (self), 1);
  loom_icicle_get_marks (self->icicle, width, &n);
  double all = loom_icicle_get_height_px (self->icicle), value = gtk_adjustment_get_value (self->adjustment);
  gtk_adjustment_configure (self->adjustment, CLAMP (value, 0, MAX (all - height, 0)), 0, MAX (all, height),
                            LOOM_ICICLE_ROW_PX, height * 0.9, height);
}

static void
refresh (LoomIcicleView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  if (gtk_widget_get_width (widget) > 0)
    update (self, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  gtk_widget_queue_draw (widget);
}

static void
size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  update (LOOM_ICICLE_VIEW (widget), width, height);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  LoomIcicleView *self = LOOM_ICICLE_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double scroll = gtk_adjustment_get_value (self->adjustment);
  LoomPaintOptions paint;
  if (self->scene == NULL || width <= 0 || height <= 0)
    return;
  loom_render_context_init_options (self->scene, &paint, widget);
  LoomIcicleOptions options = { paint.theme, paint.text, self->hover, self->selected, self->function };
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  int legend_px = get_legend_px (self);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, MAX (height - legend_px, 0));
  cairo_clip (cr);
  cairo_translate (cr, 0, -scroll);
  loom_icicle_paint (cr, self->icicle, width, MAX (height + scroll, loom_icicle_get_height_px (self->icicle)),
                     &options);
  cairo_restore (cr);
  cairo_translate (cr, 0, height - legend_px);
  if (legend_px > 0)
    loom_icicle_paint_legend (cr, self->icicle, width, &options);
  cairo_destroy (cr);
}

static guint32
node_at (LoomIcicleView *self, double x, double y)
{
  if (y >= gtk_widget_get_height (GTK_WIDGET (self)) - get_legend_px (self))
    return LOOM_FRAME_NONE;
  return loom_icicle_hit (self->icicle, x, y + gtk_adjustment_get_value (self->adjustment));
}

static void
set_hover (LoomIcicleView *self, guint32 node)
{
  if (self->hover == node)
    return;
  self->hover = node;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
describe (LoomIcicleView *self)
{
  g_autofree char *words = loom_icicle_view_dup_words (self, self->selected);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words != NULL ? words : "", -1);
}

/* Scrolls until the row of the node is visible. */
static void
show_node (LoomIcicleView *self, const LoomCallNode *node)
{
  double y = node->depth * LOOM_ICICLE_ROW_PX;
  gtk_adjustment_clamp_page (self->adjustment, y, y + LOOM_ICICLE_ROW_PX);
}

static void
choose (LoomIcicleView *self, guint32 number)
{
  const LoomCallNode *node = get_node (self, number);
  self->selected = number;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (node == NULL)
    return;
  show_node (self, node);
  g_signal_emit (self, signals[FUNCTION_CHOSEN], 0, node->function);
}

static void
zoom_to (LoomIcicleView *self, guint32 node)
{
  loom_icicle_set_root (self->icicle, node);
  refresh (self);
}

static void
zoom_out (LoomIcicleView *self)
{
  const LoomCallNode *root = get_node (self, self->icicle->root);
  zoom_to (self, root != NULL ? root->parent : LOOM_FRAME_NONE);
}

static void
activate (LoomIcicleView *self, guint32 node)
{
  if (get_node (self, node) != NULL)
    g_signal_emit (self, signals[NODE_ACTIVATED], 0, node);
}

/* --- pointer and keys --------------------------------------------------------------------------------------------- */

static void
pointer_moved (LoomIcicleView *self, double x, double y)
{
  set_hover (self, node_at (self, x, y));
}

static void
pointer_left (LoomIcicleView *self)
{
  set_hover (self, LOOM_FRAME_NONE);
}

static void
pressed (LoomIcicleView *self, int n_press, double x, double y)
{
  guint32 node = node_at (self, x, y);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n_press == 1)
    choose (self, node);
  if (self->activates ? n_press == 1 : n_press == 2)
    zoom_to (self, node);
  else if (self->activates && n_press == 2)
    activate (self, self->selected);
}

static gboolean
scrolled (LoomIcicleView *self, double dx, double dy)
{
  double value = gtk_adjustment_get_value (self->adjustment);
  gtk_adjustment_set_value (self->adjustment, value + dy * 2 * LOOM_ICICLE_ROW_PX);
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (LoomIcicleView *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  static const struct {
    guint keyval;
    LoomIcicleStep step;
  } steps[] = {
    { GDK_KEY_Up, LOOM_ICICLE_CALLER },
    { GDK_KEY_Down, LOOM_ICICLE_CALLEE },
    { GDK_KEY_Left, LOOM_ICICLE_BEFORE },
    { GDK_KEY_Right, LOOM_ICICLE_AFTER },
  };
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (keyval == steps[i].keyval) {
      choose (self, loom_icicle_step (self->icicle, self->selected, steps[i].step));
      return GDK_EVENT_STOP;
    }
  gboolean is_return = keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter;
  if (is_return && self->activates)
    activate (self, self->selected);
  else if (is_return || (self->activates && keyval == GDK_KEY_space))
    zoom_to (self, self->selected);
  else if (keyval == GDK_KEY_Escape && self->icicle->root != LOOM_FRAME_NONE)
    zoom_out (self);
  else if (keyval == GDK_KEY_Home)
    zoom_to (self, LOOM_FRAME_NONE);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  LoomIcicleView *self = LOOM_ICICLE_VIEW (widget);
  guint32 node = keyboard ? self->selected : node_at (self, x, y);
  g_autofree char *words = loom_icicle_view_dup_words (self, node);
  loom_bounded_text_set_tooltip (tooltip, words);
  return words != NULL;
}

/* --- creating and freeing the view -------------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomIcicleView *self = LOOM_ICICLE_VIEW (object);
  g_clear_object (&self->scene);
  g_clear_object (&self->adjustment);
  G_OBJECT_CLASS (loom_icicle_view_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  loom_icicle_free (LOOM_ICICLE_VIEW (object)->icicle);
  G_OBJECT_CLASS (loom_icicle_view_parent_class)->finalize (object);
}

static void
loom_icicle_view_class_init (LoomIcicleViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->snapshot = snapshot;
  widget_class->size_allocate = size_allocate;
  widget_class->query_tooltip = query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "icicle");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[FUNCTION_CHOSEN] = g_signal_new ("function-chosen", LOOM_TYPE_ICICLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                           NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[NODE_ACTIVATED] = g_signal_new ("node-activated", LOOM_TYPE_ICICLE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
add_controllers (LoomIcicleView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new (),
                     *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *click = gtk_gesture_click_new ();
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

static void
loom_icicle_view_init (LoomIcicleView *self)
{
  self->icicle = loom_icicle_new ();
  self->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  self->hover = self->selected = LOOM_FRAME_NONE;
  self->function = G_MAXUINT32;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Call tree"), -1);
  g_signal_connect_swapped (self->adjustment, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self);
  add_controllers (self);
}

void
loom_icicle_view_set_scene (LoomIcicleView *self, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_ICICLE_VIEW (self) && self->scene == NULL);
  self->scene = g_object_ref (scene);
  g_signal_connect_object (scene, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

void
loom_icicle_view_set_tree (LoomIcicleView *self, LoomCallTree *tree)
{
  loom_icicle_set_tree (self->icicle, tree);
  self->hover = self->selected = LOOM_FRAME_NONE;
  self->function = G_MAXUINT32;
  gtk_adjustment_set_value (self->adjustment, 0);
  describe (self);
  refresh (self);
}

void
loom_icicle_view_set_function (LoomIcicleView *self, guint32 function)
{
  self->function = function;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
loom_icicle_view_set_activates (LoomIcicleView *self, gboolean activates)
{
  self->activates = activates;
}

void
loom_icicle_view_search (LoomIcicleView *self, const char *text)
{
  g_autofree char *needle = g_utf8_casefold (text, -1);
  loom_icicle_search (self->icicle, needle);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkAdjustment *
loom_icicle_view_get_adjustment (LoomIcicleView *self)
{
  return self->adjustment;
}

LoomIcicle *
loom_icicle_view_get_icicle (LoomIcicleView *self)
{
  return self->icicle;
}
