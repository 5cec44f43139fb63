/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-chooser.h"

#include "loom-bounded-text.h"
#include "loom-drop-down-a11y-workaround.h"

#include <glib/gi18n.h>

struct _LoomRangeChooser {
  GtkWidget parent;
  GtkWidget *box, *word;
  GtkDropDown *range;
  GtkButton *back;
  LoomRangeScope previous; /* scope that the button `back` restores; LOOM_N_RANGE_SCOPES if the button is hidden */
  gboolean is_narrow;
  /* analysis whose scope is shown, borrowed; NULL if loom_range_chooser_set_scope() sets the scope */
  LoomAnalysisContext *analysis;
  /* item “Selection” of the open list, borrowed; NULL if the list has not made this item */
  GtkListItem *selection_item;
};

G_DEFINE_FINAL_TYPE (LoomRangeChooser, loom_range_chooser, GTK_TYPE_WIDGET)

enum { SCOPE_CHOSEN, BACK_CLICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
range_chosen (LoomRangeChooser *self)
{
  guint scope = gtk_drop_down_get_selected (self->range);
  if (scope >= LOOM_N_RANGE_SCOPES)
    return;
  if (self->analysis != NULL)
    loom_analysis_context_set_scope (self->analysis, scope);
  g_signal_emit (self, signals[SCOPE_CHOSEN], 0, scope);
}

static void
back_clicked (LoomRangeChooser *self)
{
  if (self->analysis != NULL)
    loom_analysis_context_restore_scope (self->analysis);
  g_signal_emit (self, signals[BACK_CLICKED], 0);
}

/* --- items of the list -------------------------------------------------------------------------------------------- */

/* Updates the item “Selection” of the list. If nothing is selected on the timeline, all pages would be empty, so the
 * item is insensitive and shows the reason. Exception: in the panel below the timeline, which has no analysis, the item
 * is always sensitive, because this panel can wait until something is selected. */
static void
selection_changed (LoomRangeChooser *self)
{
  LoomRange range;
  if (self->selection_item == NULL)
    return;
  gboolean usable = self->analysis == NULL ||
                    loom_timeline_state_get_selected_range (loom_analysis_context_get_state (self->analysis), &range);
  GtkWidget *box = gtk_list_item_get_child (self->selection_item);
  gtk_list_item_set_selectable (self->selection_item, usable);
  gtk_list_item_set_activatable (self->selection_item, usable);
  gtk_widget_set_sensitive (box, usable);
  gtk_widget_set_visible (gtk_widget_get_last_child (gtk_widget_get_first_child (box)), !usable);
}

static void
show_check (GtkListItem *item, GParamSpec *pspec, GtkDropDown *range)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  gboolean chosen = gtk_list_item_get_item (item) == gtk_drop_down_get_selected_item (range);
  gtk_widget_set_opacity (gtk_widget_get_last_child (box), chosen ? 1 : 0);
}

/* Makes the widgets of an item: its title, below it the reason why the item is insensitive, and a check mark for the
 * chosen item. */
static void
set_up_item (LoomRangeChooser *self, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *title = loom_bounded_text_new_label (""),
            *reason = loom_bounded_text_new_label (_ ("Nothing is selected on the timeline")),
            *check = gtk_image_new_from_icon_name ("object-select-symbolic");
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_xalign (GTK_LABEL (reason), 0);
  gtk_widget_add_css_class (reason, "caption");
  gtk_widget_set_visible (reason, FALSE);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), reason);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_box_append (GTK_BOX (box), check);
  gtk_list_item_set_child (item, box);
  g_signal_connect_object (self->range, "notify::selected-item", G_CALLBACK (show_check), item, G_CONNECT_SWAPPED);
}

static void
bind_item (LoomRangeChooser *self, GtkListItem *item)
{
  GtkStringObject *text = gtk_list_item_get_item (item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_widget_get_first_child (gtk_list_item_get_child (item)));
  loom_bounded_text_set_label (GTK_LABEL (title), gtk_string_object_get_string (text));
  show_check (item, NULL, self->range);
  if (gtk_list_item_get_position (item) != LOOM_RANGE_SCOPE_SELECTION)
    return;
  self->selection_item = item;
  selection_changed (self);
}

static void
unbind_item (LoomRangeChooser *self, GtkListItem *item)
{
  if (self->selection_item == item)
    self->selection_item = NULL;
}

static void
make_items (LoomRangeChooser *self)
{
  g_autoptr (GtkListItemFactory) items = gtk_signal_list_item_factory_new ();
  g_signal_connect_object (items, "setup", G_CALLBACK (set_up_item), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (items, "bind", G_CALLBACK (bind_item), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (items, "unbind", G_CALLBACK (unbind_item), self, G_CONNECT_SWAPPED);
  gtk_drop_down_set_list_factory (self->range, items);
}

/* --- widget class and public functions ---------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomRangeChooser *self = LOOM_RANGE_CHOOSER (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_range_chooser_parent_class)->dispose (object);
}

static void
loom_range_chooser_class_init (LoomRangeChooserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-range-chooser.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, box);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, word);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, back);
  gtk_widget_class_bind_template_child (widget_class, LoomRangeChooser, range);
  gtk_widget_class_bind_template_callback (widget_class, back_clicked);
  signals[SCOPE_CHOSEN] = g_signal_new ("scope-chosen", LOOM_TYPE_RANGE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[BACK_CLICKED] =
    g_signal_new ("back-clicked", LOOM_TYPE_RANGE_CHOOSER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_range_chooser_init (LoomRangeChooser *self)
{
  const char *titles[LOOM_N_RANGE_SCOPES + 1] = { NULL };
  gtk_widget_init_template (GTK_WIDGET (self));
  self->previous = LOOM_N_RANGE_SCOPES;
  for (guint i = 0; i < LOOM_N_RANGE_SCOPES; i++)
    titles[i] = loom_analysis_context_scope_get_title (i);
  g_autoptr (GtkStringList) model = gtk_string_list_new (titles);
  gtk_drop_down_set_model (self->range, G_LIST_MODEL (model));
  make_items (self);
  loom_drop_down_a11y_workaround_set (self->range, _ ("Range"));
  g_signal_connect_swapped (self->range, "notify::selected", G_CALLBACK (range_chosen), self);
}

static void
show_previous (LoomRangeChooser *self, LoomRangeScope previous)
{
  self->previous = previous;
  gtk_widget_set_visible (GTK_WIDGET (self->back), previous < LOOM_N_RANGE_SCOPES);
  if (previous >= LOOM_N_RANGE_SCOPES)
    return;
  /* Translators: a button that shows the previous range again: "Back to “Visible Range”", "Back to “Whole Run”" */
  g_autofree char *label = g_strdup_printf (_ ("Back to “%s”"), loom_analysis_context_scope_get_title (previous));
  if (self->is_narrow)
    gtk_button_set_icon_name (self->back, "edit-undo-symbolic");
  else
    gtk_button_set_label (self->back, label);
  loom_bounded_text_set_tip (
    GTK_WIDGET (self->back),
    self->is_narrow ? label : _ ("Show the previous range instead of the range selected on the timeline"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->back), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void
loom_range_chooser_set_scope (LoomRangeChooser *self, LoomRangeScope scope, LoomRangeScope previous)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self) && scope < LOOM_N_RANGE_SCOPES);
  g_signal_handlers_block_by_func (self->range, range_chosen, self);
  gtk_drop_down_set_selected (self->range, scope);
  g_signal_handlers_unblock_by_func (self->range, range_chosen, self);
  show_previous (self, previous);
}

static void
scope_changed (LoomRangeChooser *self)
{
  if (loom_analysis_context_get_scope (self->analysis) == LOOM_RANGE_SCOPE_ALL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->range), "part");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->range), "part");
  loom_range_chooser_set_scope (self, loom_analysis_context_get_scope (self->analysis),
                                loom_analysis_context_get_previous_scope (self->analysis));
}

void
loom_range_chooser_follow (LoomRangeChooser *self, LoomAnalysisContext *analysis)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self) && self->analysis == NULL);
  self->analysis = analysis;
  g_signal_connect_object (analysis, "scope-changed", G_CALLBACK (scope_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loom_analysis_context_get_state (analysis), "selection-changed",
                           G_CALLBACK (selection_changed), self, G_CONNECT_SWAPPED);
  selection_changed (self);
  scope_changed (self);
}

void
loom_range_chooser_set_narrow (LoomRangeChooser *self, gboolean is_narrow)
{
  g_return_if_fail (LOOM_IS_RANGE_CHOOSER (self));
  gtk_widget_set_visible (self->word, !is_narrow);
  self->is_narrow = is_narrow;
  show_previous (self, self->previous);
}
