/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-ruler-button.h"

#include "loom-bounded-text.h"
#include "loom-template.h"

#include <glib/gi18n.h>

struct _LoomRulerButton {
  GtkWidget parent;
  LoomRenderContext *scene;
  GtkWidget *box; /* contains `button` and `whole` */
  GtkMenuButton *button;
  GtkLabel *label;
  GtkWidget *whole; /* button that makes the whole run visible; shown while a part of the run is outside the view */
  guint tick_id;    /* id of the tick callback that updates the button before the next frame; 0: no update is
                     * scheduled */
};

G_DEFINE_FINAL_TYPE (LoomRulerButton, loom_ruler_button, GTK_TYPE_WIDGET)

/* The units that the ruler can show, in the order of the menu. */
static const struct {
  LoomRulerUnit unit;
  const char *title;
  const char *action;
} choices[] = {
  { LOOM_RULER_UNIT_SINCE_START, NC_ ("ruler", "Since Start"), "win.ruler::start" },
  { LOOM_RULER_UNIT_JOB, NC_ ("ruler", "Since Job Start"), "win.ruler::job" },
  { LOOM_RULER_UNIT_UTC, NC_ ("ruler", "UTC"), "win.ruler::utc" },
  { LOOM_RULER_UNIT_LOCAL, NC_ ("ruler", "Local Time"), "win.ruler::local" },
  { LOOM_RULER_UNIT_STEP, NC_ ("ruler", "Steps"), "win.ruler::step" },
};

static gboolean
can_show (LoomTimelineState *state, LoomRulerUnit unit)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  return timeline != NULL && loom_ruler_can_show (timeline, loom_timeline_state_get_steps (state), unit);
}

/* Makes a menu of the units that the ruler can show for this run. For any other unit, the ruler would show the time
 * since the start. */
static void
make_menu (GtkMenuButton *button, gpointer self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (can_show (loom_render_context_get_state (((LoomRulerButton *) self)->scene), choices[i].unit))
      g_menu_append (menu, g_dpgettext2 (NULL, "ruler", choices[i].title), choices[i].action);
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static const char *
get_title (LoomTimelineState *state)
{
  LoomRulerUnit unit = loom_timeline_state_get_reading (state);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    if (choices[i].unit == unit && can_show (state, unit))
      return g_dpgettext2 (NULL, "ruler", choices[i].title);
  return g_dpgettext2 (NULL, "ruler", choices[0].title);
}

/* Returns a sentence that states at which event the time of the ruler is zero and, if the clock is known, the date of
 * this event. NULL for units that do not count from an event. Owned by the caller. */
static char *
dup_zero (LoomTimelineState *state)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  LoomRulerUnit unit = loom_timeline_state_get_reading (state);
  gboolean job = unit == LOOM_RULER_UNIT_JOB;
  if (timeline == NULL || (!job && unit != LOOM_RULER_UNIT_SINCE_START))
    return NULL;
  const char *words = job ? _ (loom_timeline_get_origin_words (timeline)) : _ ("the first event");
  if (!loom_timeline_is_anchored (timeline))
    return g_strdup_printf (/* Translators: of the ruler; %s is “the first event” */ _ ("Times count from %s."), words);
  g_autofree char *date = loom_time_format_date (loom_ruler_get_zero (timeline, unit));
  return g_strdup_printf (
    /* Translators: where the ruler starts: a date, then the event at that date, for example “the first event” */
    _ ("Times count from %s, %s."), date, words);
}

static void
show (LoomRulerButton *self, const char *text)
{
  LoomTimelineState *state = loom_render_context_get_state (self->scene);
  g_autofree char *name =
    g_strdup_printf (/* Translators: name of a button; %s is “Since Start” */ _ ("Ruler: %s"), text);
  g_autofree char *zero = dup_zero (state);
  g_autofree char *tip = zero != NULL ? g_strdup_printf ("%s\n%s", name, zero) : g_strdup (name);
  if (g_strcmp0 (tip, gtk_widget_get_tooltip_text (GTK_WIDGET (self->button))) == 0)
    /* The tooltip is not set again if it already has this text, because GTK queries the pointer whenever a tooltip is
     * set. */
    return;
  loom_bounded_text_set_label (self->label, text);
  loom_bounded_text_set_tip (GTK_WIDGET (self->button), tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, zero != NULL ? zero : "", -1);
}

static void
whole_run_clicked (LoomRulerButton *self)
{
  LoomTimelineState *state = loom_render_context_get_state (self->scene);
  LoomViewport all = loom_timeline_state_fitted (state);
  loom_timeline_state_set_viewport (state, &all);
}

/* Returns TRUE if a part of the run is not in view. */
static gboolean
is_partly_hidden (LoomTimelineState *state)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRange extent = loom_timeline_state_get_extent (state);
  return loom_timeline_state_get_timeline (state) != NULL &&
         (view->begin_ns > extent.begin_ns || view->end_ns < extent.end_ns);
}

static void
update (LoomRulerButton *self)
{
  LoomTimelineState *state = loom_render_context_get_state (self->scene);
  const LoomRuler *ruler = loom_render_context_get_ruler (self->scene);
  const char *base = loom_timeline_state_get_timeline (state) != NULL ? ruler->base : NULL;
  g_autofree char *text = base != NULL ? g_strdup_printf ("%s · %s", get_title (state), base) : NULL;
  show (self, text != NULL ? text : get_title (state));
  gtk_widget_set_visible (self->whole, is_partly_hidden (state));
}

static gboolean
tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  LoomRulerButton *self = LOOM_RULER_BUTTON (widget);
  self->tick_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

/* Schedules an update of the button before the next frame, at most one per frame: the view may change several times per
 * frame, and computing the ruler takes about 60 µs. */
static void
view_changed (LoomRulerButton *self)
{
  if (self->tick_id == 0)
    self->tick_id = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick, NULL, NULL);
}

static void
dispose (GObject *object)
{
  LoomRulerButton *self = LOOM_RULER_BUTTON (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_RULER_BUTTON);
  g_clear_object (&self->scene);
  G_OBJECT_CLASS (loom_ruler_button_parent_class)->dispose (object);
}

static void
loom_ruler_button_class_init (LoomRulerButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  loom_template_set (GTK_WIDGET_CLASS (klass), "loom-ruler-button.ui");
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomRulerButton, button);
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomRulerButton, box);
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomRulerButton, label);
  gtk_widget_class_bind_template_child (GTK_WIDGET_CLASS (klass), LoomRulerButton, whole);
  gtk_widget_class_bind_template_callback (GTK_WIDGET_CLASS (klass), whole_run_clicked);
}

static void
loom_ruler_button_init (LoomRulerButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_ruler_button_set_scene (LoomRulerButton *self, LoomRenderContext *scene)
{
  g_return_if_fail (LOOM_IS_RULER_BUTTON (self) && self->scene == NULL);
  LoomTimelineState *state = loom_render_context_get_state (scene);
  self->scene = g_object_ref (scene);
  gtk_menu_button_set_create_popup_func (self->button, make_menu, self, NULL);
  g_signal_connect_object (state, "facts-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "timeline-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "view-changed", G_CALLBACK (view_changed), self, G_CONNECT_SWAPPED);
  update (self);
}
