/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-dim-sign.h"

struct _LoomDimSign {
  GtkWidget parent;
  GtkWidget *box;
  LoomRunState *run;
  LoomTimelineState *state; /* state of the run's timeline; borrowed from the run */
};

G_DEFINE_FINAL_TYPE (LoomDimSign, loom_dim_sign, GTK_TYPE_WIDGET)

static gboolean
has_hits (LoomDimSign *self)
{
  gsize n;
  return loom_timeline_state_get_hits (self->state, &n) != NULL && n > 0;
}

/* Shows the notice while the critical path is highlighted. The notice is needed because the path stays highlighted
 * after the page that showed it was closed. Other highlights need no notice, because the user sees their cause: a
 * selected range has visible edges and a length; selected spans have details below the timeline; while search hits are
 * highlighted (instead of the path), the search bar is open. */
static void
update (LoomDimSign *self)
{
  gboolean is_shown = loom_timeline_state_get_timeline (self->state) != NULL &&
                      loom_timeline_state_get_path (self->state) != NULL && !has_hits (self);
  gtk_widget_set_visible (GTK_WIDGET (self), is_shown);
}

void
loom_dim_sign_clear (LoomDimSign *self)
{
  g_return_if_fail (LOOM_IS_DIM_SIGN (self) && self->run != NULL);
  if (has_hits (self)) {
    loom_search_state_set_open (loom_run_state_get_search (self->run), FALSE);
    return;
  }
  loom_timeline_state_select_nothing (self->state);
  loom_path_display_set_shown (loom_run_state_get_path (self->run), FALSE);
}

static void
dispose (GObject *object)
{
  LoomDimSign *self = LOOM_DIM_SIGN (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_dim_sign_parent_class)->dispose (object);
}

static void
loom_dim_sign_class_init (LoomDimSignClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-dim-sign.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomDimSign, box);
  gtk_widget_class_bind_template_callback (widget_class, loom_dim_sign_clear);
  gtk_widget_class_set_css_name (widget_class, "dimsign");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
loom_dim_sign_init (LoomDimSign *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
loom_dim_sign_set_run (LoomDimSign *self, LoomRunState *run)
{
  static const char *const signals[] = { "selection-changed", "facts-changed", "timeline-changed" };
  g_return_if_fail (LOOM_IS_DIM_SIGN (self) && self->run == NULL);
  self->run = g_object_ref (run);
  self->state = loom_run_state_get_view (run);
  for (guint i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (self->state, signals[i], G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
