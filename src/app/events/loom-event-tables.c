/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-tables.h"

#include "loom-lazy-page.h"
#include "loom-sample-list.h"

#include <glib/gi18n.h>

struct _LoomEventTables {
  GtkWidget parent;
  GtkStack *stack;
  GtkStackPage *samples; /* page of the stack that contains the table of samples; borrowed from the stack */
  LoomEventsPanel *events;
  LoomRunState *run;
};

G_DEFINE_FINAL_TYPE (LoomEventTables, loom_event_tables, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_PAGE, N_PROPS };
static GParamSpec *properties[N_PROPS];

const char *
loom_event_tables_get_page (LoomEventTables *self)
{
  g_return_val_if_fail (LOOM_IS_EVENT_TABLES (self), NULL);
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "samples") == 0 ? "samples" : "events";
}

void
loom_event_tables_set_page (LoomEventTables *self, const char *page)
{
  g_return_if_fail (LOOM_IS_EVENT_TABLES (self));
  gboolean samples = g_strcmp0 (page, "samples") == 0 && gtk_stack_page_get_visible (self->samples);
  gtk_stack_set_visible_child_name (self->stack, samples ? "samples" : "events");
}

static void
page_turned (LoomEventTables *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

/* Hides the table of samples, and the switch between the tables, if the run has no samples. */
static void
timeline_changed (LoomEventTables *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (self->run));
  gboolean any = timeline != NULL && loom_sample_list_has_any (timeline);
  if (!any)
    gtk_stack_set_visible_child_name (self->stack, "events");
  gtk_stack_page_set_visible (self->samples, any);
  loom_record_table_set_stack (LOOM_RECORD_TABLE (self->events), any ? self->stack : NULL);
}

static GtkWidget *
make_samples (gpointer owner, gconstpointer data)
{
  LoomEventTables *self = owner;
  return loom_samples_panel_new (self->run, self->stack);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, loom_event_tables_get_page (LOOM_EVENT_TABLES (object)));
}

static void
dispose (GObject *object)
{
  LoomEventTables *self = LOOM_EVENT_TABLES (object);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), LOOM_TYPE_EVENT_TABLES);
  g_clear_object (&self->run);
  G_OBJECT_CLASS (loom_event_tables_parent_class)->dispose (object);
}

static void
loom_event_tables_class_init (LoomEventTablesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, "events", G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-event-tables.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomEventTables, stack);
}

static void
loom_event_tables_init (LoomEventTables *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_event_tables_new (LoomRunState *run)
{
  LoomEventTables *self = g_object_new (LOOM_TYPE_EVENT_TABLES, NULL);
  self->run = g_object_ref (run);
  self->events = LOOM_EVENTS_PANEL (loom_events_panel_new (run));
  gtk_stack_add_titled (self->stack, GTK_WIDGET (self->events), "events", _ ("Events"));
  self->samples =
    gtk_stack_add_titled (self->stack, loom_lazy_page_new (make_samples, self, NULL), "samples", _ ("Samples"));
  g_signal_connect_swapped (self->stack, "notify::visible-child", G_CALLBACK (page_turned), self);
  g_signal_connect_object (loom_run_state_get_view (run), "timeline-changed", G_CALLBACK (timeline_changed), self,
                           G_CONNECT_SWAPPED);
  timeline_changed (self);
  return GTK_WIDGET (self);
}

LoomEventsPanel *
loom_event_tables_get_events (LoomEventTables *self)
{
  g_return_val_if_fail (LOOM_IS_EVENT_TABLES (self), NULL);
  return self->events;
}

LoomSamplesPanel *
loom_event_tables_get_samples (LoomEventTables *self)
{
  g_return_val_if_fail (LOOM_IS_EVENT_TABLES (self), NULL);
  return LOOM_SAMPLES_PANEL (
    loom_lazy_page_get (LOOM_LAZY_PAGE (gtk_stack_get_child_by_name (self->stack, "samples"))));
}
