/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-model.h"

#include "loom-incremental-rows.h"
#include "loom-worker.h"

#include <string.h>

typedef struct {
  const LoomRowSource *source;
  gpointer rows;
  guint row;
} LoomTableItemPrivate;

G_DEFINE_TYPE_WITH_PRIVATE (LoomTableItem, loom_table_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  LoomTableItemPrivate *private = loom_table_item_get_instance_private (LOOM_TABLE_ITEM (object));
  private->source->unref (private->rows);
  G_OBJECT_CLASS (loom_table_item_parent_class)->finalize (object);
}

static void
loom_table_item_class_init (LoomTableItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = item_finalize;
}

static void
loom_table_item_init (LoomTableItem *self)
{
}

gpointer
loom_table_model_item_get_rows (LoomTableItem *self)
{
  return ((LoomTableItemPrivate *) loom_table_item_get_instance_private (self))->rows;
}

guint
loom_table_model_item_get_row (LoomTableItem *self)
{
  return ((LoomTableItemPrivate *) loom_table_item_get_instance_private (self))->row;
}

/* --- list model --------------------------------------------------------------------------------------------------- */

struct _LoomTableModel {
  GObject parent;
  const LoomRowSource *source;
  GtkSorter *sorter; /* sorter of the column view; NULL if rows have the order of the source */
  /* the rows that were set last, or NULL. While these rows are being sorted, the previous rows are still shown. */
  gpointer rows;
  GBytes *filter; /* data of the filter, an argument of the source's matches(); NULL if all rows pass */
  GArray *keys;   /* LoomTableSortKey: the sort keys; must not change while a LoomTableOrder refers to the array */
  LoomTableOrder *order; /* the shown rows and their order */
  GCancellable *working; /* cancels the worker thread that sorts the rows; NULL if no worker is running */
  LoomIncrementalRows supply;
  GtkBitset *selected; /* positions of the selected rows */
  guint lead;
};

enum { UPDATED, CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static GType
get_item_type (GListModel *list)
{
  const LoomRowSource *source = LOOM_TABLE_MODEL (list)->source;
  return source->get_item_type != NULL ? source->get_item_type () : LOOM_TYPE_TABLE_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return LOOM_TABLE_MODEL (list)->supply.n_shown;
}

static gpointer
get_item (GListModel *list, guint position)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (list);
  if (position >= loom_table_order_get_n (self->order))
    return NULL;
  LoomTableItem *item = g_object_new (get_item_type (list), NULL);
  LoomTableItemPrivate *private = loom_table_item_get_instance_private (item);
  *private = (LoomTableItemPrivate) { self->source, self->source->ref (self->order->rows),
                                      loom_table_order_get (self->order, position) };
  return item;
}

static void
list_model_init (GListModelInterface *interface)
{
  interface->get_item_type = get_item_type;
  interface->get_n_items = get_n_items;
  interface->get_item = get_item;
}

/* --- selection ---------------------------------------------------------------------------------------------------- */

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
  return gtk_bitset_contains (LOOM_TABLE_MODEL (model)->selected, position);
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  return gtk_bitset_ref (LOOM_TABLE_MODEL (model)->selected);
}

/* Sets the selection to `selected`, and takes ownership of it. Emits the signal for the positions that have changed.
 * Returns FALSE if the selection has not changed, otherwise TRUE. */
static gboolean
replace_selected (LoomTableModel *self, GtkBitset *selected)
{
  g_autoptr (GtkBitset) old = g_steal_pointer (&self->selected);
  g_autoptr (GtkBitset) changes = gtk_bitset_copy (old);
  self->selected = selected;
  gtk_bitset_difference (changes, selected); /* despite its name, this function computes the symmetric difference */
  if (gtk_bitset_is_empty (changes))
    return FALSE;
  guint first = gtk_bitset_get_minimum (changes), last = gtk_bitset_get_maximum (changes), n = self->supply.n_shown;
  if (first < n) /* report only changes before position `n`, because the views do not have the other rows yet */
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first, MIN (last, n - 1) - first + 1);
  return TRUE;
}

/* Returns the position of the row that counts as selected last after the selection has changed from `before` to
 * `after`: the highest position in `after` that is not in `before`; if there is none, the highest position in `after`;
 * if `after` is empty, G_MAXUINT. */
static guint
lead_after (const GtkBitset *before, const GtkBitset *after)
{
  g_autoptr (GtkBitset) added = gtk_bitset_copy (after);
  gtk_bitset_subtract (added, before);
  if (!gtk_bitset_is_empty (added))
    return gtk_bitset_get_maximum (added);
  return gtk_bitset_is_empty (after) ? G_MAXUINT : gtk_bitset_get_maximum (after);
}

/* Called by GTK whenever the user selects or deselects rows. */
static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (model);
  guint n = loom_table_order_get_n (self->order);
  GtkBitset *now = gtk_bitset_copy (self->selected);
  g_autoptr (GtkBitset) added = gtk_bitset_copy (selected);
  gtk_bitset_subtract (now, mask);
  gtk_bitset_intersect (added, mask);
  gtk_bitset_union (now, added);
  if (n > 0)
    gtk_bitset_remove_range_closed (now, n, G_MAXUINT);
  self->lead = lead_after (self->selected, now);
  if (replace_selected (self, now))
    g_signal_emit (self, signals[CHOSEN], 0);
  return TRUE;
}

/* Selects all rows, including rows that have not been added to the list yet. */
static gboolean
select_all (GtkSelectionModel *model)
{
  g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, loom_table_model_get_n_rows (LOOM_TABLE_MODEL (model)));
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

void
loom_table_model_take_selected (LoomTableModel *self, GtkBitset *selected)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self) && selected != NULL);
  self->lead = gtk_bitset_is_empty (selected) ? G_MAXUINT : gtk_bitset_get_maximum (selected);
  replace_selected (self, selected);
}

guint64
loom_table_model_get_n_selected (LoomTableModel *self)
{
  return gtk_bitset_get_size (self->selected);
}

guint
loom_table_model_get_lead (LoomTableModel *self)
{
  return self->lead;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomTableModel, loom_table_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                 G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_model_init))

/* --- order -------------------------------------------------------------------------------------------------------- */

/* Shows the rows in the order `order`; takes ownership of `order`. */
static void
show_order (LoomTableModel *self, LoomTableOrder *order)
{
  g_autoptr (LoomTableOrder) old = g_steal_pointer (&self->order);
  self->order = order;
  if (order->changed != NULL) {
    gtk_bitset_subtract (self->selected, order->changed);
    loom_incremental_rows_refresh (&self->supply, gtk_bitset_ref (order->changed));
  } else {
    gtk_bitset_remove_all (self->selected);
    self->lead = G_MAXUINT;
    loom_incremental_rows_reset (&self->supply, loom_table_order_get_n (order));
  }
  g_signal_emit (self, signals[UPDATED], 0);
}

typedef struct {
  LoomTableOrder *order, *before;
} Job;

static void
job_free (Job *job)
{
  loom_table_order_unref (job->order);
  loom_table_order_unref (job->before);
  g_free (job);
}

static gpointer
compute (const Job *job, GCancellable *cancellable, GError **error)
{
  loom_table_order_compute (job->order, job->before, cancellable);
  return NULL;
}

static void
computed (gpointer model, gpointer result, const GError *error, gpointer job)
{
  show_order (model, loom_table_order_ref (((Job *) job)->order));
}

/* Computes the order of the rows again. If a worker thread is still computing the previous order, cancels it. */
static void
update (LoomTableModel *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) compute, (GDestroyNotify) job_free, NULL };
  LoomTableOrder *order = loom_table_order_new (self->source, self->rows, self->filter, self->keys);
  if (!loom_table_order_is_quick (order, self->order)) {
    loom_worker_start (&self->working, &kind, LOOM_WORKER_INPUT (Job, order, loom_table_order_ref (self->order)),
                       computed, self);
    return;
  }
  loom_worker_cancel (&self->working);
  loom_table_order_compute (order, self->order, NULL);
  show_order (self, order);
}

static void
take_keys (LoomTableModel *self, GArray *keys)
{
  g_array_unref (self->keys);
  self->keys = keys;
  update (self);
}

static void
sorter_changed (LoomTableModel *self)
{
  take_keys (self, loom_table_sort_dup_keys (self->sorter));
}

void
loom_table_model_sort (LoomTableModel *self, const LoomTableSortKey *keys, guint n)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self) && self->source->compare != NULL);
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (LoomTableSortKey));
  g_array_append_vals (copy, keys, n);
  take_keys (self, copy);
}

void
loom_table_model_take_filter (LoomTableModel *self, GBytes *filter)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self) && self->source->matches != NULL);
  g_clear_pointer (&self->filter, g_bytes_unref);
  self->filter = filter;
  update (self);
}

void
loom_table_model_set_filter (LoomTableModel *self, const char *text)
{
  char *needle = g_utf8_casefold (text, -1);
  g_autoptr (GBytes) filter = g_bytes_new_take (needle, strlen (needle) + 1);
  const char *before = self->filter != NULL ? g_bytes_get_data (self->filter, NULL) : "";
  if (strcmp (needle, before) != 0)
    loom_table_model_take_filter (self, *needle != '\0' ? g_steal_pointer (&filter) : NULL);
}

void
loom_table_model_set_rows (LoomTableModel *self, gpointer rows)
{
  gpointer old = self->rows;
  self->rows = rows != NULL ? self->source->ref (rows) : NULL;
  update (self);
  if (old != NULL)
    self->source->unref (old);
}

gboolean
loom_table_model_is_old (LoomTableModel *self)
{
  return self->order->rows != self->rows;
}

gboolean
loom_table_model_is_working (LoomTableModel *self)
{
  return self->working != NULL;
}

/* --- model class and public functions ----------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  loom_worker_cancel (&self->working);
  if (self->sorter != NULL)
    g_signal_handlers_disconnect_by_data (self->sorter, self);
  g_clear_object (&self->sorter);
  loom_incremental_rows_clear (&self->supply);
  G_OBJECT_CLASS (loom_table_model_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  g_clear_pointer (&self->rows, self->source->unref);
  g_clear_pointer (&self->filter, g_bytes_unref);
  g_array_unref (self->keys);
  loom_table_order_unref (self->order);
  gtk_bitset_unref (self->selected);
  G_OBJECT_CLASS (loom_table_model_parent_class)->finalize (object);
}

static void
loom_table_model_class_init (LoomTableModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  signals[UPDATED] =
    g_signal_new ("updated", LOOM_TYPE_TABLE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHOSEN] =
    g_signal_new ("chosen", LOOM_TYPE_TABLE_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_table_model_init (LoomTableModel *self)
{
  self->keys = g_array_new (FALSE, FALSE, sizeof (LoomTableSortKey));
  self->selected = gtk_bitset_new_empty ();
  self->lead = G_MAXUINT;
  loom_incremental_rows_init (&self->supply, G_LIST_MODEL (self));
}

LoomTableModel *
loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once)
{
  LoomTableModel *self = g_object_new (LOOM_TYPE_TABLE_MODEL, NULL);
  self->source = source;
  self->supply.at_once = at_once;
  self->order = loom_table_order_new (source, NULL, NULL, self->keys);
  if (sorter == NULL)
    return self;
  self->sorter = g_object_ref (sorter);
  g_signal_connect_swapped (sorter, "changed", G_CALLBACK (sorter_changed), self);
  sorter_changed (self);
  return self;
}

gpointer
loom_table_model_get_rows (LoomTableModel *self)
{
  return self->order->rows;
}

guint
loom_table_model_get_n_rows (LoomTableModel *self)
{
  return loom_table_order_get_n (self->order);
}

void
loom_table_model_want_all (LoomTableModel *self)
{
  loom_incremental_rows_want_all (&self->supply);
}

guint
loom_table_model_show_row (LoomTableModel *self, guint row)
{
  guint position = loom_table_order_find (self->order, row);
  if (position != G_MAXUINT && position >= self->supply.n_shown)
    loom_incremental_rows_show_all (&self->supply);
  return position;
}

guint
loom_table_model_get_row (LoomTableModel *self, guint position)
{
  return loom_table_order_get (self->order, position);
}
