/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-list-model.h"

#include "loom-incremental-rows.h"

struct _LoomEventItem {
  GObject parent;
  LoomTimeline *timeline;
  LoomSpanId event;
};

G_DEFINE_FINAL_TYPE (LoomEventItem, loom_event_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  loom_timeline_unref (LOOM_EVENT_ITEM (object)->timeline);
  G_OBJECT_CLASS (loom_event_item_parent_class)->finalize (object);
}

static void
loom_event_item_class_init (LoomEventItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = item_finalize;
}

static void
loom_event_item_init (LoomEventItem *self)
{
}

LoomTimeline *
loom_event_list_model_item_get_timeline (LoomEventItem *self)
{
  return self->timeline;
}

LoomSpanId
loom_event_list_model_item_get_event (LoomEventItem *self)
{
  return self->event;
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

struct _LoomEventListModel {
  GObject parent;
  LoomEventList *list; /* NULL: no rows */
  LoomIncrementalRows supply;
  GtkBitset *selected;
  guint lead;
};

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static GType
get_item_type (GListModel *model)
{
  return LOOM_TYPE_EVENT_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return LOOM_EVENT_LIST_MODEL (model)->supply.n_shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
  LoomEventListModel *self = LOOM_EVENT_LIST_MODEL (model);
  if (position >= get_n_items (model))
    return NULL;
  LoomEventItem *item = g_object_new (LOOM_TYPE_EVENT_ITEM, NULL);
  item->timeline = loom_timeline_ref (loom_event_list_get_timeline (self->list));
  item->event = loom_event_list_get (self->list, position);
  return item;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

/* --- selection ------------------------------------------------------------------------------------------------------- */

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  return gtk_bitset_contains (LOOM_EVENT_LIST_MODEL (model)->selected, position);
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  return gtk_bitset_ref (LOOM_EVENT_LIST_MODEL (model)->selected);
}

/* The old bitset goes, the new one is taken over; tells where they differ. FALSE: nowhere. */
static gboolean
replace (LoomEventListModel *self, GtkBitset *selected)
{
  g_autoptr (GtkBitset) old = g_steal_pointer (&self->selected);
  g_autoptr (GtkBitset) changes = gtk_bitset_copy (old);
  self->selected = selected;
  gtk_bitset_difference (changes, selected); /* of the two what is in one of them */
  if (gtk_bitset_is_empty (changes))
    return FALSE;
  guint first = gtk_bitset_get_minimum (changes), last = gtk_bitset_get_maximum (changes), n = self->supply.n_shown;
  if (first < n) /* views know of no others yet */
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first, MIN (last, n - 1) - first + 1);
  return TRUE;
}

/* Of what is selected now and was not, else of all that is. */
static guint
lead_after (const GtkBitset *before, const GtkBitset *after)
{
  g_autoptr (GtkBitset) added = gtk_bitset_copy (after);
  gtk_bitset_subtract (added, before);
  if (!gtk_bitset_is_empty (added))
    return gtk_bitset_get_maximum (added);
  return gtk_bitset_is_empty (after) ? G_MAXUINT : gtk_bitset_get_maximum (after);
}

/* Everything a person does with rows comes to this, through the interface's own ways. */
static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  LoomEventListModel *self = LOOM_EVENT_LIST_MODEL (model);
  GtkBitset *now = gtk_bitset_copy (self->selected);
  g_autoptr (GtkBitset) added = gtk_bitset_copy (selected);
  gtk_bitset_subtract (now, mask);
  gtk_bitset_intersect (added, mask);
  gtk_bitset_union (now, added);
  if (self->supply.n_all > 0)
    gtk_bitset_remove_range_closed (now, self->supply.n_all, G_MAXUINT);
  self->lead = lead_after (self->selected, now);
  if (replace (self, now))
    g_signal_emit (self, signals[CHOSEN], 0);
  return TRUE;
}

/* Also those that are still to come. */
static gboolean
select_all (GtkSelectionModel *model)
{
  guint n = LOOM_EVENT_LIST_MODEL (model)->supply.n_all;
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, n);
  return set_selection (model, all, all);
}

static void
selection_model_init (GtkSelectionModelInterface *interface)
{
  interface->is_selected = is_selected;
  interface->get_selection_in_range = get_selection_in_range;
  interface->set_selection = set_selection;
  interface->select_all = select_all;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomEventListModel, loom_event_list_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                 G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_model_init))

static void
finalize (GObject *object)
{
  LoomEventListModel *self = LOOM_EVENT_LIST_MODEL (object);
  loom_event_list_unref (self->list);
  loom_incremental_rows_clear (&self->supply);
  gtk_bitset_unref (self->selected);
  G_OBJECT_CLASS (loom_event_list_model_parent_class)->finalize (object);
}

static void
loom_event_list_model_class_init (LoomEventListModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[CHOSEN] =
    g_signal_new ("chosen", LOOM_TYPE_EVENT_LIST_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_event_list_model_init (LoomEventListModel *self)
{
  self->selected = gtk_bitset_new_empty ();
  loom_incremental_rows_init (&self->supply, G_LIST_MODEL (self));
  self->lead = G_MAXUINT;
}

LoomEventListModel *
loom_event_list_model_new (void)
{
  return g_object_new (LOOM_TYPE_EVENT_LIST_MODEL, NULL);
}

void
loom_event_list_model_set_list (LoomEventListModel *self, LoomEventList *list)
{
  g_return_if_fail (LOOM_IS_EVENT_LIST_MODEL (self));
  LoomEventList *old = self->list;
  self->list = list != NULL ? loom_event_list_ref (list) : NULL;
  gtk_bitset_remove_all (self->selected);
  self->lead = G_MAXUINT;
  loom_incremental_rows_reset (&self->supply, list != NULL ? loom_event_list_get_n (list) : 0);
  loom_event_list_unref (old);
}

guint
loom_event_list_model_get_n_rows (LoomEventListModel *self)
{
  return self->supply.n_all;
}

void
loom_event_list_model_want_all (LoomEventListModel *self)
{
  g_return_if_fail (LOOM_IS_EVENT_LIST_MODEL (self));
  loom_incremental_rows_want_all (&self->supply);
}

LoomEventList *
loom_event_list_model_get_list (LoomEventListModel *self)
{
  return self->list;
}

void
loom_event_list_model_take_selected (LoomEventListModel *self, GtkBitset *selected)
{
  g_return_if_fail (LOOM_IS_EVENT_LIST_MODEL (self) && selected != NULL);
  self->lead = gtk_bitset_is_empty (selected) ? G_MAXUINT : gtk_bitset_get_maximum (selected);
  replace (self, selected);
}

guint64
loom_event_list_model_get_n_selected (LoomEventListModel *self)
{
  return gtk_bitset_get_size (self->selected);
}

guint
loom_event_list_model_get_lead (LoomEventListModel *self)
{
  return self->lead;
}
