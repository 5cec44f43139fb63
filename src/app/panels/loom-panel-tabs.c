/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-panel-tabs.h"

#include "loom-adaptive-bin.h"
#include "loom-drop-down-a11y-workaround.h"

#include <glib/gi18n.h>

struct _LoomPanelTabs {
  GtkWidget parent;
  GtkWidget *box;
  GtkStack *stack;
  GtkDropDown *pages, *range;
  GtkFilter *filter; /* passes the pages that exist now */
  GtkWidget *range_box;
  GtkWidget *back; /* button that returns to the scope that was replaced automatically */
  GtkWidget *thresholds;
};

G_DEFINE_FINAL_TYPE (LoomPanelTabs, loom_panel_tabs, GTK_TYPE_WIDGET)

enum { SCOPE_CHOSEN, BACK_CLICKED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
range_chosen (LoomPanelTabs *self)
{
  guint scope = gtk_drop_down_get_selected (self->range);
  if (scope < LOOM_N_RANGE_SCOPES)
    g_signal_emit (self, signals[SCOPE_CHOSEN], 0, scope);
}

/* Keeps the list of pages and the stack in step. */
static void
page_chosen (LoomPanelTabs *self)
{
  GtkStackPage *page = gtk_drop_down_get_selected_item (self->pages);
  if (page != NULL)
    gtk_stack_set_visible_child (self->stack, gtk_stack_page_get_child (page));
}

static void
page_shown (LoomPanelTabs *self)
{
  GListModel *pages = gtk_drop_down_get_model (self->pages);
  for (guint i = 0; i < g_list_model_get_n_items (pages); i++) {
    g_autoptr (GObject) page = g_list_model_get_item (pages, i);
    if (gtk_stack_page_get_child (GTK_STACK_PAGE (page)) == gtk_stack_get_visible_child (self->stack))
      gtk_drop_down_set_selected (self->pages, i);
  }
}

static void
dispose (GObject *object)
{
  LoomPanelTabs *self = LOOM_PANEL_TABS (object);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_data (self->stack, self);
  if (self->pages != NULL)
    g_signal_handlers_disconnect_by_data (self->pages, self);
  self->pages = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->filter);
  g_clear_object (&self->stack);
  G_OBJECT_CLASS (loom_panel_tabs_parent_class)->dispose (object);
}

static void
back_clicked (LoomPanelTabs *self)
{
  g_signal_emit (self, signals[BACK_CLICKED], 0);
}

static void
loom_panel_tabs_class_init (LoomPanelTabsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_THRESHOLD_BUTTON);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-panel-tabs.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomPanelTabs, box);
  gtk_widget_class_bind_template_child (widget_class, LoomPanelTabs, back);
  gtk_widget_class_bind_template_child (widget_class, LoomPanelTabs, range_box);
  gtk_widget_class_bind_template_child (widget_class, LoomPanelTabs, range);
  gtk_widget_class_bind_template_child (widget_class, LoomPanelTabs, thresholds);
  gtk_widget_class_bind_template_callback (widget_class, back_clicked);
  signals[SCOPE_CHOSEN] = g_signal_new ("scope-chosen", LOOM_TYPE_PANEL_TABS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[BACK_CLICKED] =
    g_signal_new ("back-clicked", LOOM_TYPE_PANEL_TABS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_panel_tabs_init (LoomPanelTabs *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static gboolean
is_visible (gpointer item, gpointer user_data)
{
  return gtk_stack_page_get_visible (item);
}

/* The page switcher: tabs where they fit, else a drop-down list. */
static GtkWidget *
new_pages (LoomPanelTabs *self)
{
  GtkWidget *switcher = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->stack);
  gtk_widget_add_css_class (switcher, "panel-switcher");
  gtk_accessible_update_property (GTK_ACCESSIBLE (switcher), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Panels"), -1);
  GListModel *pages = G_LIST_MODEL (gtk_stack_get_pages (self->stack));
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_visible, NULL, NULL));
  GtkFilterListModel *visible = gtk_filter_list_model_new (pages, g_object_ref (self->filter));
  self->pages = GTK_DROP_DOWN (
    gtk_drop_down_new (G_LIST_MODEL (visible), gtk_property_expression_new (GTK_TYPE_STACK_PAGE, NULL, "title")));
  loom_drop_down_a11y_workaround_set (self->pages, _ ("Panels"));
  gtk_widget_set_halign (switcher, GTK_ALIGN_START);
  gtk_widget_set_halign (GTK_WIDGET (self->pages), GTK_ALIGN_START);
  GtkWidget *both = loom_adaptive_bin_new (switcher, GTK_WIDGET (self->pages));
  gtk_widget_set_hexpand (both, TRUE);
  return both;
}

static void
set_ranges (LoomPanelTabs *self)
{
  const char *titles[LOOM_N_RANGE_SCOPES + 1] = { NULL };
  for (guint i = 0; i < LOOM_N_RANGE_SCOPES; i++)
    titles[i] = loom_analysis_context_scope_get_title (i);
  g_autoptr (GtkStringList) model = gtk_string_list_new (titles);
  gtk_drop_down_set_model (self->range, G_LIST_MODEL (model));
  loom_drop_down_a11y_workaround_set (self->range, _ ("Range"));
}

GtkWidget *
loom_panel_tabs_new (GtkStack *stack)
{
  LoomPanelTabs *self = g_object_new (LOOM_TYPE_PANEL_TABS, NULL);
  self->stack = g_object_ref (stack);
  gtk_box_prepend (GTK_BOX (self->box), new_pages (self));
  set_ranges (self);
  page_shown (self);
  g_signal_connect_swapped (self->pages, "notify::selected-item", G_CALLBACK (page_chosen), self);
  g_signal_connect_swapped (stack, "notify::visible-child", G_CALLBACK (page_shown), self);
  g_signal_connect_swapped (self->range, "notify::selected", G_CALLBACK (range_chosen), self);
  return GTK_WIDGET (self);
}

void
loom_panel_tabs_set_scope (LoomPanelTabs *self, LoomRangeScope scope)
{
  g_return_if_fail (LOOM_IS_PANEL_TABS (self));
  gtk_widget_set_visible (self->range_box, scope < LOOM_N_RANGE_SCOPES);
  g_signal_handlers_block_by_func (self->range, range_chosen, self);
  if (scope < LOOM_N_RANGE_SCOPES)
    gtk_drop_down_set_selected (self->range, scope);
  g_signal_handlers_unblock_by_func (self->range, range_chosen, self);
}

void
loom_panel_tabs_set_back (LoomPanelTabs *self, LoomRangeScope before)
{
  g_return_if_fail (LOOM_IS_PANEL_TABS (self));
  gtk_widget_set_visible (self->back, before < LOOM_N_RANGE_SCOPES);
  if (before >= LOOM_N_RANGE_SCOPES)
    return;
  /* Translators: a button; the range the panels showed before: "Back to Visible", "Back to Whole run" */
  g_autofree char *label = g_strdup_printf (_ ("Back to “%s”"), loom_analysis_context_scope_get_title (before));
  gtk_button_set_label (GTK_BUTTON (self->back), label);
}

void
loom_panel_tabs_pages_changed (LoomPanelTabs *self)
{
  g_return_if_fail (LOOM_IS_PANEL_TABS (self));
  g_signal_handlers_block_by_func (self->pages, page_chosen, self);
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  page_shown (self);
  g_signal_handlers_unblock_by_func (self->pages, page_chosen, self);
}

LoomThresholdButton *
loom_panel_tabs_get_thresholds (LoomPanelTabs *self)
{
  return LOOM_THRESHOLD_BUTTON (self->thresholds);
}

GtkDropDown *
loom_panel_tabs_get_range (LoomPanelTabs *self)
{
  return self->range;
}
