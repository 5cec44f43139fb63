/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-bar.h"

#include "loom-bounded-text.h"
#include "loom-progress-cancellable.h"
#include "loom-timeline-description.h"
#include "loom-view-navigation.h"

#include <glib/gi18n.h>

#define SHOW_AGAIN_MS 100 /* how far it is, while args are read */

struct _LoomSearchBar {
  GtkWidget parent;
  GtkSearchBar *bar;
  GtkEditable *entry;
  GtkWidget *previous;
  GtkWidget *next;
  GtkToggleButton *regex;
  GtkToggleButton *only;
  GtkWidget *list;
  GtkWidget *stop; /* there while args are read */
  GtkLabel *count;
  GtkWidget *rows; /* there while names of rows have the text too */
  GtkLabel *n_rows;
  LoomTimelineState *state;
  LoomViewAnimator *flight;
  LoomTimelineView *view; /* not owned: a sibling */
  LoomSearchIndex *index; /* of the timeline, or of one before; NULL before the bar was opened */
  GCancellable *indexing;
  GCancellable *running;    /* a LoomProgressCancellable */
  guint show_id;            /* while args are read */
  gboolean was_stopped;     /* by the person: what was found by then stays */
  LoomTimeline *searched;   /* where args are asked for: what was asked; NULL else */
  LoomSearchResult *result; /* NULL: nothing is searched for */
  guint at;                 /* position in by_time, G_MAXUINT before the first step */
  char *asked;              /* what was searched for last; NULL: nothing */
  int go_when_found;        /* Enter came before the answer: 1, with Shift −1; 0: it did not */
};

G_DEFINE_FINAL_TYPE (LoomSearchBar, loom_search_bar, GTK_TYPE_WIDGET)

enum { FOUND, LIST_REQUESTED, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { PROP_0, PROP_OPEN, N_PROPS };
static GParamSpec *properties[N_PROPS];

static void
stop (LoomSearchBar *self)
{
  loom_worker_cancel (&self->running);
  g_clear_handle_id (&self->show_id, g_source_remove);
  if (self->stop != NULL)
    gtk_widget_set_visible (self->stop, FALSE);
}

/* --- the index -------------------------------------------------------------------------------------------------- */

static void
forget_index (LoomSearchBar *self)
{
  loom_worker_cancel (&self->indexing);
  g_clear_pointer (&self->index, loom_search_index_unref);
}

static void
indexed (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomSearchBar *self = owner;
  g_clear_pointer (&self->index, loom_search_index_unref);
  self->index = result;
}

/* While a person still thinks of what to type. A search before it is ready does without. */
static void
make_index (LoomSearchBar *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  if (timeline == NULL) {
    forget_index (self);
    return;
  }
  loom_search_index_new_async (&self->indexing, loom_timeline_get_run (timeline), self->index, indexed, self);
}

/* --- questions -------------------------------------------------------------------------------------------------- */

static char *
dup_found (LoomSearchBar *self)
{
  gboolean reads = self->show_id != 0;
  double fraction = reads ? loom_progress_cancellable_get_fraction (self->running) : -1;
  guint n = self->result != NULL ? self->result->by_time->len : 0;
  if (self->result == NULL || (reads && n == 0))
    return reads ? loom_timeline_description_working (fraction) : g_strdup (self->was_stopped ? _ ("Stopped") : "");
  g_autofree char *all = loom_timeline_description_number (self->result->n_found);
  g_autofree char *at = loom_timeline_description_number (self->at + (guint64) 1);
  if (self->at != G_MAXUINT)
    /* Translators: "3 of 128" search hits */
    return g_strdup_printf (_ ("%s of %s"), at, all);
  if (reads)
    /* Translators: a search that goes on: "1,234 so far · 56 %" */
    return g_strdup_printf (_ ("%s so far · %d %%"), all, (int) (100 * MAX (fraction, 0)));
  if (self->was_stopped)
    return g_strdup_printf (_ ("%s found, then stopped"), all);
  return n == 0 ? g_strdup (_ ("Nothing found")) : g_strdup_printf (ngettext ("%s found", "%s found", n), all);
}

static char *
dup_count (LoomSearchBar *self)
{
  g_autofree char *found = dup_found (self);
  if (self->result == NULL || self->result->n_unread == 0)
    return g_steal_pointer (&found);
  g_autofree char *unread = loom_timeline_description_number (self->result->n_unread);
  /* Translators: what a search for args found, and of how many spans it could not say: "12 found · 340 could not be read", "3 of 12 · 340 …" */
  return g_strdup_printf (_ ("%s · %s could not be read"), found, unread);
}

static void
show_count (LoomSearchBar *self)
{
  guint n = self->result != NULL ? self->result->by_time->len : 0;
  g_autofree char *text = dup_count (self);
  gtk_widget_set_sensitive (self->previous, n > 0);
  gtk_widget_set_sensitive (self->next, n > 0);
  loom_bounded_text_set_label (self->count, text);
}

static gboolean
show_again (gpointer user_data)
{
  show_count (user_data);
  return G_SOURCE_CONTINUE;
}

static void
forget (LoomSearchBar *self)
{
  stop (self);
  g_clear_pointer (&self->result, loom_search_result_unref);
  self->at = G_MAXUINT;
  self->go_when_found = 0;
  self->was_stopped = FALSE;
  g_clear_pointer (&self->asked, g_free);
  g_clear_pointer (&self->searched, loom_timeline_unref);
  if (self->view != NULL)
    loom_timeline_state_take_hits (self->state, NULL, NULL);
  show_count (self);
}

static void
go_to (LoomSearchBar *self, guint at)
{
  self->at = at;
  guint32 index = g_array_index (self->result->by_time, guint32, at);
  loom_view_navigation_go_to_span (self->flight, g_array_index (self->result->hits, LoomSpanId, index));
  show_count (self);
}

/* From where the person is: the selected span, else the left edge of the view. */
static guint
first_step (LoomSearchBar *self, gboolean forward)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  gint64 from_ns = loom_timeline_state_get_viewport (self->state)->begin_ns;
  LoomRange range;
  if (loom_timeline_state_get_selected_range (self->state, &range))
    from_ns = range.begin_ns;
  guint n = self->result->by_time->len;
  guint after = loom_search_result_after (timeline, self->result, from_ns, TRUE);
  return forward ? after % n : (after + n - 1) % n;
}

static void search (LoomSearchBar *self);

/* The entry waits for more letters; Enter does not. */
static void
search_what_is_typed (LoomSearchBar *self)
{
  if (g_strcmp0 (self->asked, gtk_editable_get_text (self->entry)) != 0)
    search (self);
}

static void
step (LoomSearchBar *self, gboolean forward)
{
  search_what_is_typed (self);
  if (self->running != NULL && (self->result == NULL || self->result->by_time->len == 0)) {
    self->go_when_found = forward ? 1 : -1;
    return;
  }
  guint n = self->result != NULL ? self->result->by_time->len : 0;
  if (n == 0) {
    gtk_widget_error_bell (GTK_WIDGET (self));
    return;
  }
  go_to (self, self->at == G_MAXUINT ? first_step (self, forward) : (self->at + (forward ? 1 : n - 1)) % n);
}

void
loom_search_bar_next (LoomSearchBar *self)
{
  step (self, TRUE);
}

void
loom_search_bar_previous (LoomSearchBar *self)
{
  step (self, FALSE);
}

static LoomSpanId
hit_at (const LoomSearchResult *result, guint at)
{
  return g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, at));
}

/* Where a hit stands among more of them; G_MAXUINT: nowhere. */
static guint
find_again (LoomSearchBar *self, const LoomSearchResult *result, LoomSpanId hit)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, hit, &start_ns, &end_ns);
  guint end = loom_search_result_after (timeline, result, start_ns, FALSE);
  for (guint at = loom_search_result_after (timeline, result, start_ns, TRUE); at < end; at++)
    if (loom_timeline_span_id_equal (hit_at (result, at), hit))
      return at;
  return G_MAXUINT;
}

/* Takes the result over. */
static void
show_result (LoomSearchBar *self, LoomSearchResult *result)
{
  self->at = self->at != G_MAXUINT ? find_again (self, result, hit_at (self->result, self->at)) : G_MAXUINT;
  g_clear_pointer (&self->result, loom_search_result_unref);
  self->result = result;
  loom_timeline_state_take_hits (self->state, g_array_ref (result->hits), g_array_ref (result->ticks_ns));
  show_count (self);
  g_signal_emit (self, signals[FOUND], 0);
  int go = result->by_time->len > 0 ? self->go_when_found : 0;
  self->go_when_found = go != 0 || self->running == NULL ? 0 : self->go_when_found;
  if (go != 0)
    step (self, go > 0);
}

/* Clocks may have moved since it was asked. Takes the result over. */
static void
show_result_now (LoomSearchBar *self, LoomSearchResult *result)
{
  LoomTimeline *now = loom_timeline_state_get_timeline (self->state);
  if (self->searched == NULL || self->searched == now) {
    show_result (self, result);
    return;
  }
  show_result (self, loom_search_result_new_timed (now, result));
  loom_search_result_unref (result);
}

static void
found_partly (LoomSearchResult *result, gpointer user_data)
{
  show_result_now (user_data, loom_search_result_ref (result));
}

static void
found (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  LoomSearchResult *result = loom_search_finish (async_result, NULL);
  if (result == NULL)
    return; /* cancelled: another question is under way, or the bar is gone */
  LoomSearchBar *self = user_data;
  stop (self);
  show_result_now (self, result);
}

static void
stop_clicked (LoomSearchBar *self)
{
  stop (self);
  self->was_stopped = TRUE;
  show_count (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

/* The query that is typed; NULL: the entry is empty, or the text has an error, which is shown. */
static LoomSearchQuery *
new_query (LoomSearchBar *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  LoomSearchQuery *query =
    *text != '\0' ? loom_search_query_new (text, gtk_toggle_button_get_active (self->regex), &error) : NULL;
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->count), NULL);
  if (error != NULL) {
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
    loom_bounded_text_set_label (self->count, error->message);
    loom_bounded_text_set_tip (GTK_WIDGET (self->count), error->message); /* the bar may be too narrow for it */
  } else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
  return query;
}

/* Who looks for a thread or a counter may look here: names of rows are found by another bar. */
static void
show_rows (LoomSearchBar *self, const char *text)
{
  LoomRowList *outline = self->view != NULL ? loom_timeline_state_get_row_list (self->state) : NULL;
  gboolean is_name = *text != '\0' && outline != NULL && !gtk_toggle_button_get_active (self->regex);
  guint n = is_name ? loom_row_list_count_like (outline, text) : 0;
  g_autofree char *number = loom_timeline_description_number (n),
                  *words = g_strdup_printf (ngettext ("%s row", "%s rows", n), number);
  loom_bounded_text_set_label (self->n_rows, words);
  gtk_widget_set_visible (self->rows, n > 0);
}

static void
rows_clicked (LoomSearchBar *self)
{
  LoomRowFilter *filter = loom_timeline_view_get_row_filter (self->view);
  loom_row_filter_set_text (filter, gtk_editable_get_text (self->entry));
  loom_row_filter_set_open (filter, TRUE);
}

static void
search (LoomSearchBar *self)
{
  const char *text = gtk_editable_get_text (self->entry);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  forget (self);
  self->asked = g_strdup (text);
  show_rows (self, text);
  g_autoptr (LoomSearchQuery) query = new_query (self, text);
  if (query == NULL || timeline == NULL) {
    g_signal_emit (self, signals[FOUND], 0);
    return;
  }
  self->running = G_CANCELLABLE (loom_progress_cancellable_new ());
  if (loom_search_query_get_filters (query)->len > 0) {
    self->show_id = g_timeout_add (SHOW_AGAIN_MS, show_again, self);
    gtk_widget_set_visible (self->stop, TRUE);
    self->searched = loom_timeline_ref (timeline);
  }
  loom_search_async (timeline, self->index, query, self->running, found_partly, found, self);
}

/* Only clocks moved: args are what they were, and are not read again for every step of a clock that is dragged. */
static gboolean
still_holds (LoomSearchBar *self)
{
  LoomTimeline *now = loom_timeline_state_get_timeline (self->state);
  return now != NULL && self->searched != NULL && loom_timeline_get_run (now) == loom_timeline_get_run (self->searched);
}

/* Hits name spans of the run that was searched. What was stopped is not begun again by itself. */
static void
timeline_changed (LoomSearchBar *self)
{
  gboolean was_stopped = self->was_stopped;
  if (still_holds (self)) {
    if (self->result != NULL)
      show_result (self, loom_search_result_new_timed (loom_timeline_state_get_timeline (self->state), self->result));
    return;
  }
  forget (self);
  g_signal_emit (self, signals[FOUND], 0);
  if (loom_search_bar_is_open (self)) {
    make_index (self);
    if (!was_stopped)
      search (self);
  } else
    forget_index (self);
}

static gboolean
key_pressed (LoomSearchBar *self, guint keyval, guint keycode, GdkModifierType modifiers)
{
  if (keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter)
    return GDK_EVENT_PROPAGATE;
  step (self, !(modifiers & GDK_SHIFT_MASK));
  return GDK_EVENT_STOP;
}

static void
only_toggled (LoomSearchBar *self)
{
  loom_timeline_state_set_only_hits (self->state, gtk_toggle_button_get_active (self->only));
}

static void
regex_toggled (LoomSearchBar *self)
{
  if (self->view != NULL)
    search (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry)); /* with what is typed as it is */
  gtk_editable_set_position (self->entry, -1);
}

static void
list_clicked (LoomSearchBar *self)
{
  search_what_is_typed (self);
  g_signal_emit (self, signals[LIST_REQUESTED], 0);
}

static void
mode_changed (LoomSearchBar *self)
{
  if (!gtk_search_bar_get_search_mode (self->bar)) {
    forget (self);
    g_signal_emit (self, signals[FOUND], 0);
    if (self->view != NULL)
      gtk_widget_grab_focus (GTK_WIDGET (self->view));
  } else if (self->view != NULL && self->index == NULL && self->indexing == NULL) {
    make_index (self);
  }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, loom_search_bar_is_open (LOOM_SEARCH_BAR (object)));
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  loom_search_bar_set_open (LOOM_SEARCH_BAR (object), g_value_get_boolean (value));
}

static void
dispose (GObject *object)
{
  LoomSearchBar *self = LOOM_SEARCH_BAR (object);
  stop (self);
  self->stop = NULL;
  forget_index (self);
  self->view = NULL;
  g_clear_object (&self->state);
  g_clear_object (&self->flight);
  g_clear_pointer (&self->asked, g_free);
  g_clear_pointer (&self->searched, loom_timeline_unref);
  g_clear_pointer (&self->result, loom_search_result_unref);
  if (self->bar != NULL)
    g_signal_handlers_disconnect_by_data (self->bar, self);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->bar)));
  G_OBJECT_CLASS (loom_search_bar_parent_class)->dispose (object);
}

static void
loom_search_bar_class_init (LoomSearchBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->dispose = dispose;
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  properties[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[FOUND] = g_signal_new ("found", LOOM_TYPE_SEARCH_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LIST_REQUESTED] =
    g_signal_new ("list-requested", LOOM_TYPE_SEARCH_BAR, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-search-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, bar);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, entry);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, previous);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, next);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, regex);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, only);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, list);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, count);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, stop);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, rows);
  gtk_widget_class_bind_template_child (widget_class, LoomSearchBar, n_rows);
  gtk_widget_class_bind_template_callback (widget_class, rows_clicked);
  gtk_widget_class_bind_template_callback (widget_class, list_clicked);
  gtk_widget_class_bind_template_callback (widget_class, stop_clicked);
}

static void
loom_search_bar_init (LoomSearchBar *self)
{
  self->at = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, self->entry);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (search_what_is_typed), self);
  g_signal_connect_swapped (self->previous, "clicked", G_CALLBACK (loom_search_bar_previous), self);
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (loom_search_bar_next), self);
  g_signal_connect_swapped (self->regex, "toggled", G_CALLBACK (regex_toggled), self);
  g_signal_connect_swapped (self->only, "toggled", G_CALLBACK (only_toggled), self);
  g_signal_connect_swapped (self->bar, "notify::search-mode-enabled", G_CALLBACK (mode_changed), self);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}

void
loom_search_bar_set_view (LoomSearchBar *self, LoomViewAnimator *flight, LoomTimelineView *view)
{
  g_return_if_fail (LOOM_IS_SEARCH_BAR (self) && self->view == NULL);
  self->flight = g_object_ref (flight);
  self->state = g_object_ref (loom_view_animator_get_state (flight));
  self->view = view;
  g_signal_connect_object (self->state, "timeline-changed", G_CALLBACK (timeline_changed), self, G_CONNECT_SWAPPED);
}

void
loom_search_bar_set_open (LoomSearchBar *self, gboolean open)
{
  g_return_if_fail (LOOM_IS_SEARCH_BAR (self));
  gtk_search_bar_set_search_mode (self->bar, open);
  if (open) {
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    gtk_editable_select_region (self->entry, 0, -1);
  }
}

gboolean
loom_search_bar_is_open (LoomSearchBar *self)
{
  return self->bar != NULL && gtk_search_bar_get_search_mode (self->bar);
}

GtkWidget *
loom_search_bar_get_rows (LoomSearchBar *self)
{
  return self->rows;
}

LoomSearchResult *
loom_search_bar_get_result (LoomSearchBar *self)
{
  return self->result;
}

GtkWidget *
loom_search_bar_get_stop (LoomSearchBar *self)
{
  return self->stop;
}

GtkWidget *
loom_search_bar_get_list (LoomSearchBar *self)
{
  return self->list;
}

GtkEditable *
loom_search_bar_get_entry (LoomSearchBar *self)
{
  return self->entry;
}

GtkToggleButton *
loom_search_bar_get_only (LoomSearchBar *self)
{
  return self->only;
}

GtkToggleButton *
loom_search_bar_get_regex (LoomSearchBar *self)
{
  return self->regex;
}
