/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-bar.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

struct _LoomSearchBar {
  GtkWidget parent;
  GtkSearchBar *bar;
  GtkEditable *entry;
  GtkWidget *previous;
  GtkWidget *next;
  GtkToggleButton *regex;
  GtkToggleButton *only;
  GtkWidget *list;
  /* button that stops the search and keeps the hits found so far; shown while the search reads args of events */
  GtkWidget *stop;
  GtkLabel *count;
  /* button that searches rows of the timeline instead of spans; shown if the text matches names of rows */
  GtkWidget *rows;
  GtkLabel *n_rows;
  LoomRunState *run;
  LoomSearchState *search; /* `search` and `state` are borrowed from the run */
  LoomTimelineState *state;
  LoomTimelineView *view; /* view of the searched timeline; borrowed, because it has the same parent as this bar */
};

G_DEFINE_FINAL_TYPE (LoomSearchBar, loom_search_bar, GTK_TYPE_WIDGET)

/* --- showing the result ------------------------------------------------------------------------------------------- */

/* Returns the position of the current hit as a text. If the user steps only through the hits in a range, and the
 * current hit is in this range, the text states its position among the hits in the range: "3 of 12 in the range".
 * Otherwise, the text states its position among all hits: "3 of 128". `all`: the number of all hits, as a text. */
static char *
dup_position (LoomSearchBar *self, guint position, const char *all)
{
  guint at_scope, n = loom_search_state_get_scope (self->search, &at_scope);
  gboolean is_in_range = n < loom_search_state_get_result (self->search)->by_time->len && at_scope != G_MAXUINT;
  g_autofree char *at = loom_locale_number_group ((at_scope != G_MAXUINT ? at_scope : position) + (guint64) 1),
                  *in_range = loom_locale_number_group (n);
  if (is_in_range)
    /* Translators: position of a search hit among the hits in a range: "3 of 128 in the range" */
    return g_strdup_printf (_ ("%s of %s in the range"), at, in_range);
  /* Translators: position of a search hit among all hits: "3 of 128" */
  return g_strdup_printf (_ ("%s of %s"), at, all);
}

static char *
dup_found (LoomSearchBar *self)
{
  const LoomSearchResult *result = loom_search_state_get_result (self->search);
  gboolean reads = loom_search_state_reads_args (self->search),
           was_stopped = loom_search_state_was_stopped (self->search);
  double fraction = loom_search_state_get_fraction (self->search);
  guint n = result != NULL ? result->by_time->len : 0, position = loom_search_state_get_position (self->search);
  if (result == NULL || (reads && n == 0))
    return reads ? loom_timeline_description_working (fraction) : g_strdup (was_stopped ? _ ("Stopped") : "");
  g_autofree char *all = loom_locale_number_group (result->n_found);
  if (position != G_MAXUINT)
    return dup_position (self, position, all);
  if (reads)
    /* Translators: a running search; %s is the number of hits so far, and %d is the percentage of spans that were
     * searched: "1,234 so far · 56 %" */
    return g_strdup_printf (_ ("%s so far · %d %%"), all, (int) (100 * MAX (fraction, 0)));
  if (was_stopped)
    return g_strdup_printf (_ ("%s found (stopped)"), all);
  return n == 0 ? g_strdup (_ ("Nothing found")) : g_strdup_printf (ngettext ("%s found", "%s found", n), all);
}

static char *
dup_count (LoomSearchBar *self)
{
  g_autofree char *found = dup_found (self);
  const LoomSearchResult *result = loom_search_state_get_result (self->search);
  if (result == NULL || result->n_unread == 0)
    return g_steal_pointer (&found);
  g_autofree char *unread = loom_locale_number_group (result->n_unread);
  /* Translators: the first %s is the result of a search in args, such as "12 found" or "3 of 12"; the second is the
   * number of spans whose args could not be read: "340" */
  return g_strdup_printf (_ ("%s · %s could not be read"), found, unread);
}

/* Shows the reason why the text is not a valid search. The tooltip shows it, too, because the bar may be too narrow
 * for the sentence. */
static void
show_error (LoomSearchBar *self, const char *error)
{
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->count), NULL);
  gtk_label_set_ellipsize (self->count, error != NULL ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE);
  if (error != NULL) {
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
    loom_bounded_text_set_label (self->count, error);
    loom_bounded_text_set_tip (GTK_WIDGET (self->count), error);
  } else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static void
show_count (LoomSearchBar *self)
{
  const LoomSearchResult *result = loom_search_state_get_result (self->search);
  const char *error = loom_search_state_get_error (self->search);
  gboolean has_hits = result != NULL && result->by_time->len > 0;
  g_autofree char *text = dup_count (self);
  gtk_widget_set_sensitive (self->previous, has_hits);
  gtk_widget_set_sensitive (self->next, has_hits);
  gtk_widget_set_visible (self->stop, loom_search_state_reads_args (self->search));
  show_error (self, error);
  if (error == NULL)
    loom_bounded_text_set_label (self->count, text);
}

/* If the text matches names of rows, shows a button that searches rows. The search bar itself finds only spans, but
 * users may type the name of a thread or a counter. */
static void
show_rows (LoomSearchBar *self)
{
  const char *text = gtk_editable_get_text (self->entry);
  gboolean is_name = *text != '\0' && !gtk_toggle_button_get_active (self->regex);
  guint n = is_name ? loom_row_list_count_like (loom_timeline_state_get_row_list (self->state), text) : 0;
  g_autofree char *number = loom_locale_number_group (n),
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

/* --- questions ---------------------------------------------------------------------------------------------------- */

static void
ask (LoomSearchBar *self)
{
  if (self->search != NULL)
    loom_search_state_ask (self->search, gtk_editable_get_text (self->entry),
                           gtk_toggle_button_get_active (self->regex));
}

static void
step (LoomSearchBar *self, gboolean forward)
{
  /* search now: the entry delays its signal while the user types, but Enter must search at once */
  ask (self);
  if (!loom_search_state_step (self->search, forward))
    gtk_widget_error_bell (GTK_WIDGET (self));
}

static void
next_clicked (LoomSearchBar *self)
{
  step (self, TRUE);
}

static void
previous_clicked (LoomSearchBar *self)
{
  step (self, FALSE);
}

static void
stop_clicked (LoomSearchBar *self)
{
  loom_search_state_stop (self->search);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
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
  ask (self);
  /* move the focus back to the entry; this does not change the typed text */
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_set_position (self->entry, -1);
}

static void
list_clicked (LoomSearchBar *self)
{
  ask (self);
  loom_run_state_open_page (self->run, "found");
}

/* Called when the search is opened or closed. When it is opened, even if it was open before, moves the focus to the
 * entry. When it is closed, moves the focus back to the timeline. */
static void
opened (LoomSearchBar *self)
{
  gboolean open = loom_search_state_is_open (self->search);
  gtk_search_bar_set_search_mode (self->bar, open);
  if (open) {
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
    gtk_editable_select_region (self->entry, 0, -1);
  } else
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* Called when the user closed the bar, for example with Escape. Also closes the search of the run. */
static void
mode_changed (LoomSearchBar *self)
{
  if (!gtk_search_bar_get_search_mode (self->bar))
    loom_search_state_set_open (self->search, FALSE);
}

static void
dispose (GObject *object)
{
  LoomSearchBar *self = LOOM_SEARCH_BAR (object);
  self->view = NULL;
  self->search = NULL;
  g_clear_object (&self->run);
  if (self->bar != NULL)
    g_signal_handlers_disconnect_by_data (self->bar, self);
  if (self->bar != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->bar)));
  G_OBJECT_CLASS (loom_search_bar_parent_class)->dispose (object);
}

static void
loom_search_bar_class_init (LoomSearchBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
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
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->bar, self->entry);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (ask), self);
  g_signal_connect_swapped (self->previous, "clicked", G_CALLBACK (previous_clicked), self);
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (next_clicked), self);
  g_signal_connect_swapped (self->regex, "toggled", G_CALLBACK (regex_toggled), self);
  g_signal_connect_swapped (self->only, "toggled", G_CALLBACK (only_toggled), self);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}

void
loom_search_bar_set_run (LoomSearchBar *self, LoomRunState *run, LoomTimelineView *view)
{
  g_return_if_fail (LOOM_IS_SEARCH_BAR (self) && self->view == NULL);
  self->run = g_object_ref (run);
  self->search = loom_run_state_get_search (run);
  self->state = loom_run_state_get_view (run);
  self->view = view;
  g_signal_connect_swapped (self->bar, "notify::search-mode-enabled", G_CALLBACK (mode_changed), self);
  /* must run after the handlers that show the timeline, because a hidden entry cannot get the focus */
  g_signal_connect_object (self->search, "notify::open", G_CALLBACK (opened), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->search, "changed", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search, "found", G_CALLBACK (show_rows), self, G_CONNECT_SWAPPED);
  show_count (self);
}
