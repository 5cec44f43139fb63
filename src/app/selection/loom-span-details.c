/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-details.h"

#include "loom-bounded-text.h"
#include "loom-event-args.h"
#include "loom-source-viewer.h"
#include "loom-span-peers.h"
#include "loom-span-properties.h"

#include <glib/gi18n.h>

/* Minimum width of values that wrap, in characters. Without it, GTK would also measure the text with one character
 * per line, which takes 62 ms for 1000 values. */
#define LEAST_CHARS 12

struct _LoomSpanDetails {
  GtkWidget parent;
  GtkWidget *paned;
  GtkLabel *name, *place;
  GtkGrid *facts;
  GtkStack *args_stack;
  GtkLabel *message;
  GtkColumnView *args;
  LoomTimeline *timeline; /* timeline of the span that is shown; NULL if no span is shown */
  LoomSpanId span;
  GPtrArray *shown;    /* LoomProperty *: the properties that are shown */
  LoomEventArgs *read; /* the args of the span; NULL until they were read */
  GCancellable *running, *comparing;
};

G_DEFINE_FINAL_TYPE (LoomSpanDetails, loom_span_details, GTK_TYPE_WIDGET)

enum { SPAN_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *
name_of (LoomSpanDetails *self)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), self->span.trace);
  const char *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[self->span.span])->text;
  return *name != '\0' ? name : _ ("(no name)");
}

static gboolean
link_activated (LoomSpanDetails *self, const char *uri)
{
  LoomSpanId span;
  if (g_str_equal (uri, LOOM_SOURCE_LINK)) {
    loom_source_viewer_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->timeline, self->span);
    return TRUE;
  }
  if (!loom_span_properties_from_link (uri, &span))
    return FALSE;
  g_signal_emit (self, signals[SPAN_CHOSEN], 0, span.trace, span.span);
  return TRUE;
}

static GtkWidget *
new_value (LoomSpanDetails *self, const LoomProperty *fact)
{
  GtkWidget *label = gtk_label_new (NULL);
  if (fact->links)
    gtk_label_set_markup (GTK_LABEL (label), fact->value);
  else
    loom_bounded_text_set_label (GTK_LABEL (label), fact->value);
  if (fact->more != NULL)
    loom_bounded_text_set_tip (label, fact->more);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (label), LEAST_CHARS);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "numeric");
  g_signal_connect_swapped (label, "activate-link", G_CALLBACK (link_activated), self);
  return label;
}

static void
attach_fact (LoomSpanDetails *self, const LoomProperty *fact, int row)
{
  GtkWidget *word = loom_bounded_text_new_label (fact->word);
  GtkWidget *value = new_value (self, fact);
  gtk_label_set_xalign (GTK_LABEL (word), 1);
  gtk_widget_set_valign (word, GTK_ALIGN_START);
  gtk_widget_add_css_class (word, "dim-label");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (value), GTK_ACCESSIBLE_RELATION_LABELLED_BY, word, NULL, -1);
  gtk_grid_attach (self->facts, word, 0, row, 1, 1);
  gtk_grid_attach (self->facts, value, 1, row, 1, 1);
}

static void
show_facts (LoomSpanDetails *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->facts))) != NULL)
    gtk_grid_remove (self->facts, child);
  for (guint i = 0; i < self->shown->len; i++)
    attach_fact (self, self->shown->pdata[i], (int) i);
}

static void
show_message (LoomSpanDetails *self, const char *text)
{
  loom_bounded_text_set_label (self->message, text);
  gtk_stack_set_visible_child_name (self->args_stack, "message");
}

static GListModel *
children_of (gpointer arg, gpointer user_data)
{
  GListModel *children = loom_event_arg_is_inline (arg) ? NULL : loom_event_args_get_children (arg);
  return children != NULL ? g_object_ref (children) : NULL;
}

static void
show_args (LoomSpanDetails *self)
{
  if (g_list_model_get_n_items (self->read->members) == 0) {
    show_message (self, _ ("This event has no arguments."));
    return;
  }
  GtkTreeListModel *tree =
    gtk_tree_list_model_new (g_object_ref (self->read->members), FALSE, FALSE, children_of, NULL, NULL);
  GtkNoSelection *selection = gtk_no_selection_new (G_LIST_MODEL (tree));
  gtk_column_view_set_model (self->args, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  gtk_stack_set_visible_child_name (self->args_stack, "tree");
}

/* Shows the stacks. The stacks are part of the args, so they are known only after the args were read. */
static void
show_stacks (LoomSpanDetails *self)
{
  guint n = self->shown->len;
  loom_span_properties_add_stack (self->shown, _ ("Stack"), self->read->stack);
  loom_span_properties_add_stack (self->shown, _ ("Stack at End"), self->read->end_stack);
  for (guint i = n; i < self->shown->len; i++)
    attach_fact (self, self->shown->pdata[i], (int) i);
}

static void
args_read (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomSpanDetails *self = owner;
  self->read = result;
  if (self->read != NULL) {
    show_stacks (self);
    show_args (self);
  } else
    show_message (self, error->message);
}

/* Adds the property that compares the span with other spans. The property is added later than the others, because its
 * computation reads all spans of the run. */
static void
compared (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  LoomSpanDetails *self = owner;
  g_autofree LoomSpanPeers *peers = result;
  int at = loom_span_properties_add_peers (self->shown, peers);
  if (at < 0)
    return;
  gtk_grid_insert_row (self->facts, at);
  attach_fact (self, self->shown->pdata[at], at);
}

static void
forget (LoomSpanDetails *self)
{
  loom_worker_cancel (&self->running);
  loom_worker_cancel (&self->comparing);
  g_clear_pointer (&self->read, loom_event_args_free);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_ptr_array_set_size (self->shown, 0);
  gtk_column_view_set_model (self->args, NULL);
}

static LoomArg *
arg_of (GtkListItem *item, GtkTreeListRow **row)
{
  *row = gtk_list_item_get_item (item);
  return gtk_tree_list_row_get_item (*row);
}

static void
setup_name (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  /* if the value has several lines, place the name beside the first line */
  gtk_widget_set_valign (expander, GTK_ALIGN_START);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), label);
  gtk_list_item_set_child (item, expander);
}

static void
bind_name (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkTreeListRow *row;
  g_autoptr (LoomArg) arg = arg_of (item, &row);
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (item));
  gtk_tree_expander_set_list_row (expander, row);
  loom_bounded_text_set_label (GTK_LABEL (gtk_tree_expander_get_child (expander)), loom_event_arg_get_name (arg));
}

static void
setup_value (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars (GTK_LABEL (label), LEAST_CHARS);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
bind_value (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkTreeListRow *row;
  g_autoptr (LoomArg) arg = arg_of (item, &row);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *value = loom_event_arg_dup_shown (arg);
  loom_bounded_text_set_label (GTK_LABEL (label), value);
  if (loom_event_args_get_children (arg) != NULL && !loom_event_arg_is_inline (arg))
    gtk_widget_add_css_class (label, "dim-label");
  else
    gtk_widget_remove_css_class (label, "dim-label");
}

static void
add_column (LoomSpanDetails *self, const char *title, GCallback setup, GCallback bind, gboolean expand)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", setup, NULL);
  g_signal_connect (factory, "bind", bind, NULL);
  GtkColumnViewColumn *column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, expand);
  gtk_column_view_append_column (self->args, column);
  g_object_unref (column);
}

static void
dispose (GObject *object)
{
  LoomSpanDetails *self = LOOM_SPAN_DETAILS (object);
  if (self->paned != NULL)
    forget (self);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_span_details_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_ptr_array_unref (LOOM_SPAN_DETAILS (object)->shown);
  G_OBJECT_CLASS (loom_span_details_parent_class)->finalize (object);
}

static void
loom_span_details_class_init (LoomSpanDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_SPAN_DETAILS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-span-details.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, paned);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, name);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, place);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, facts);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, args_stack);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, message);
  gtk_widget_class_bind_template_child (widget_class, LoomSpanDetails, args);
}

static void
loom_span_details_init (LoomSpanDetails *self)
{
  self->shown = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_span_properties_free_property);
  gtk_widget_init_template (GTK_WIDGET (self));
  add_column (self, _ ("Argument"), G_CALLBACK (setup_name), G_CALLBACK (bind_name), FALSE);
  add_column (self, _ ("Value"), G_CALLBACK (setup_value), G_CALLBACK (bind_value), TRUE);
}

static void
show_place (LoomSpanDetails *self, const LoomSourceOverrides *names)
{
  g_autofree char *place = loom_span_properties_dup_place (self->timeline, names, self->span);
  loom_bounded_text_set_label (self->place, place);
  loom_bounded_text_set_tip (GTK_WIDGET (self->place), place);
}

void
loom_span_details_show (LoomSpanDetails *self, LoomTimelineState *state, LoomSpanId span)
{
  g_return_if_fail (LOOM_IS_SPAN_DETAILS (self) && !loom_timeline_span_id_is_none (span));
  forget (self);
  self->timeline = loom_timeline_ref (loom_timeline_state_get_timeline (state));
  self->span = span;
  loom_bounded_text_set_label (self->name, name_of (self));
  show_place (self, loom_row_list_get_names (loom_timeline_state_get_row_list (state)));
  g_ptr_array_unref (self->shown);
  self->shown = loom_span_properties (self->timeline, loom_timeline_state_get_steps (state),
                                      loom_timeline_state_get_collectives (state), span);
  loom_span_properties_add_path (self->shown, loom_timeline_state_get_path (state), span);
  show_facts (self);
  show_message (self, "");
  loom_event_args_read_async (&self->running, self->timeline, span, args_read, self);
  loom_span_peers_measure_async (&self->comparing, self->timeline, loom_timeline_state_get_steps (state),
                                 loom_timeline_state_get_collectives (state), span, compared, self);
}

void
loom_span_details_clear (LoomSpanDetails *self)
{
  g_return_if_fail (LOOM_IS_SPAN_DETAILS (self));
  forget (self);
  show_facts (self);
  gtk_label_set_text (self->name, "");
  gtk_label_set_text (self->place, "");
}

char *
loom_span_details_dup_text (LoomSpanDetails *self)
{
  GString *text = g_string_new (self->timeline != NULL ? name_of (self) : "");
  if (self->timeline != NULL)
    g_string_append_printf (text, "\n%s: %s", _ ("Track"), gtk_label_get_text (self->place));
  for (guint i = 0; i < self->shown->len; i++) {
    const LoomProperty *fact = self->shown->pdata[i];
    g_autofree char *plain = NULL;
    if (fact->links)
      pango_parse_markup (fact->value, -1, 0, NULL, &plain, NULL, NULL);
    g_string_append_printf (text, "\n%s: %s", fact->word, plain != NULL ? plain : fact->value);
    if (fact->more != NULL)
      g_string_append_printf (text, "\n%s", fact->more);
  }
  if (self->read != NULL)
    g_string_append_printf (text, "\n%s", self->read->json);
  return g_string_free (text, FALSE);
}
