/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profile-model.h"

#include "loom-time.h"
#include "loom-words.h"

#include <glib/gi18n.h>
#include <math.h>

/* --- rows ------------------------------------------------------------------------------------------------------------ */

struct _LoomProfileItem {
  GObject parent;
  LoomProfileTable *table;
  guint32 row;
};

G_DEFINE_FINAL_TYPE (LoomProfileItem, loom_profile_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  loom_profile_table_unref (LOOM_PROFILE_ITEM (object)->table);
  G_OBJECT_CLASS (loom_profile_item_parent_class)->finalize (object);
}

static void
loom_profile_item_class_init (LoomProfileItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = item_finalize;
}

static void
loom_profile_item_init (LoomProfileItem *self)
{
}

static LoomProfileItem *
item_new (LoomProfileTable *table, guint32 row)
{
  LoomProfileItem *self = g_object_new (LOOM_TYPE_PROFILE_ITEM, NULL);
  self->table = loom_profile_table_ref (table);
  self->row = row;
  return self;
}

const LoomProfileRow *
loom_profile_item_get_row (LoomProfileItem *self)
{
  return self->table != NULL ? loom_profile_table_get_row (self->table, self->row) : NULL;
}

const char *
loom_profile_column_get_title (LoomProfileColumn column)
{
  switch (column) {
  case LOOM_PROFILE_COLUMN_FUNCTION: return C_ ("column", "Function");
  case LOOM_PROFILE_COLUMN_PLACE: return C_ ("column", "File");
  case LOOM_PROFILE_COLUMN_CALLS: return C_ ("column", "Calls");
  case LOOM_PROFILE_COLUMN_PRIMITIVE: return C_ ("column", "Primitive");
  case LOOM_PROFILE_COLUMN_OWN: return C_ ("column", "Own");
  case LOOM_PROFILE_COLUMN_OWN_PER_CALL: return C_ ("column", "Own/call");
  case LOOM_PROFILE_COLUMN_CUMULATIVE: return C_ ("column", "Cumulative");
  default: return C_ ("column", "Cumulative/call");
  }
}

const char *
loom_profile_column_get_words (LoomProfileColumn column)
{
  switch (column) {
  case LOOM_PROFILE_COLUMN_FUNCTION: return _ ("Built-in functions stand in braces");
  case LOOM_PROFILE_COLUMN_PLACE: return _ ("File and line as they stand in the profile");
  case LOOM_PROFILE_COLUMN_CALLS: return _ ("All calls; behind the slash those not from within the function itself, when fewer");
  case LOOM_PROFILE_COLUMN_PRIMITIVE: return _ ("Calls not from within the function itself");
  case LOOM_PROFILE_COLUMN_OWN: return _ ("Time in the function without what it called");
  case LOOM_PROFILE_COLUMN_OWN_PER_CALL: return _ ("Own time by all calls");
  case LOOM_PROFILE_COLUMN_CUMULATIVE: return _ ("Time in the function with what it called");
  default: return _ ("Cumulative time by primitive calls");
  }
}

gboolean
loom_profile_column_is_number (LoomProfileColumn column)
{
  return column > LOOM_PROFILE_COLUMN_PLACE;
}

/* "3", or "+3" and "−3" in a difference. */
static char *
count_text (const LoomProfileItem *self, gint64 n)
{
  gboolean difference = loom_profile_table_get_baseline (self->table) != NULL;
  g_autofree char *digits = loom_words_number ((guint64) (n < 0 ? -n : n));
  return g_strdup_printf ("%s%s", n < 0 ? "−" : difference && n > 0 ? "+" : "", digits);
}

static char *
time_text (const LoomProfileItem *self, double ns, gboolean exact)
{
  gboolean difference = loom_profile_table_get_baseline (self->table) != NULL;
  if (isnan (ns))
    return g_strdup ("");
  gint64 rounded = (gint64) llround (fabs (ns));
  g_autofree char *text = exact ? loom_time_format_exact (rounded) : loom_time_format_duration (rounded);
  return g_strdup_printf ("%s%s", ns < 0 && rounded > 0 ? "−" : difference && rounded > 0 ? "+" : "", text);
}

static char *
calls_text (const LoomProfileItem *self, const LoomProfileRow *row)
{
  g_autofree char *calls = count_text (self, row->calls);
  if (row->calls == row->primitive_calls)
    return g_steal_pointer (&calls);
  g_autofree char *primitive = count_text (self, row->primitive_calls);
  return g_strdup_printf ("%s/%s", calls, primitive);
}

static char *
place_text (const LoomProfileRow *row)
{
  return row->line > 0 ? g_strdup_printf ("%s:%" G_GINT64_FORMAT, row->file, row->line) : g_strdup (row->file);
}

static char *
cell (LoomProfileItem *self, LoomProfileColumn column, gboolean exact)
{
  const LoomProfileRow *row = loom_profile_item_get_row (self);
  gboolean counted = row->calls != LOOM_CALLS_UNKNOWN || loom_profile_get_kind (loom_profile_table_get_profile (self->table)) == LOOM_PROFILE_CPROFILE;
  switch (column) {
  case LOOM_PROFILE_COLUMN_FUNCTION: return g_strdup (row->name[0] != '\0' ? row->name : _ ("(no name)"));
  case LOOM_PROFILE_COLUMN_PLACE: return place_text (row);
  case LOOM_PROFILE_COLUMN_CALLS: return counted ? calls_text (self, row) : g_strdup ("");
  case LOOM_PROFILE_COLUMN_PRIMITIVE: return counted ? count_text (self, row->primitive_calls) : g_strdup ("");
  case LOOM_PROFILE_COLUMN_OWN: return time_text (self, (double) row->own_ns, exact);
  case LOOM_PROFILE_COLUMN_OWN_PER_CALL: return time_text (self, row->own_per_call_ns, exact);
  case LOOM_PROFILE_COLUMN_CUMULATIVE: return time_text (self, (double) row->cumulative_ns, exact);
  default: return time_text (self, row->cumulative_per_call_ns, exact);
  }
}

char *
loom_profile_item_dup_cell (LoomProfileItem *self, LoomProfileColumn column)
{
  return cell (self, column, FALSE);
}

char *
loom_profile_item_dup_exact (LoomProfileItem *self, LoomProfileColumn column)
{
  return cell (self, column, TRUE);
}

/* --- the list -------------------------------------------------------------------------------------------------------- */

struct _LoomProfileModel {
  GObject parent;
  GtkSorter *sorter;
  LoomProfileTable *table;
  char *needle;  /* folded */
  GArray *rows;  /* guint32: rows of the table in the order shown */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomProfileModel, loom_profile_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static GType
get_item_type (GListModel *list)
{
  return LOOM_TYPE_PROFILE_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return LOOM_PROFILE_MODEL (list)->rows->len;
}

static gpointer
get_item (GListModel *list, guint position)
{
  LoomProfileModel *self = LOOM_PROFILE_MODEL (list);
  if (position >= self->rows->len)
    return NULL;
  return item_new (self->table, g_array_index (self->rows, guint32, position));
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

typedef struct {
  GtkSorter *sorter;
  LoomProfileItem *a, *b; /* set to the rows that are compared */
} Comparison;

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Comparison *comparison = user_data;
  comparison->a->row = *(const guint32 *) a;
  comparison->b->row = *(const guint32 *) b;
  GtkOrdering order = gtk_sorter_compare (comparison->sorter, comparison->a, comparison->b);
  return order != GTK_ORDERING_EQUAL ? (gint) order : (comparison->a->row > comparison->b->row) - (comparison->a->row < comparison->b->row);
}

static void
sort_rows (LoomProfileModel *self)
{
  if (self->rows->len < 2 || self->sorter == NULL)
    return;
  Comparison comparison = { self->sorter, item_new (self->table, 0), item_new (self->table, 0) };
  g_array_sort_with_data (self->rows, compare_rows, &comparison);
  g_object_unref (comparison.a);
  g_object_unref (comparison.b);
}

static void
refresh (LoomProfileModel *self)
{
  guint n_before = self->rows->len;
  g_array_set_size (self->rows, 0);
  for (guint32 i = 0; self->table != NULL && i < loom_profile_table_get_n_rows (self->table); i++)
    if (loom_profile_row_matches (loom_profile_table_get_row (self->table, i), self->needle))
      g_array_append_val (self->rows, i);
  sort_rows (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, self->rows->len);
}

static void
sorter_changed (LoomProfileModel *self)
{
  sort_rows (self);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, self->rows->len, self->rows->len);
}

static void
model_dispose (GObject *object)
{
  LoomProfileModel *self = LOOM_PROFILE_MODEL (object);
  if (self->sorter != NULL)
    g_signal_handlers_disconnect_by_data (self->sorter, self);
  g_clear_object (&self->sorter);
  G_OBJECT_CLASS (loom_profile_model_parent_class)->dispose (object);
}

static void
model_finalize (GObject *object)
{
  LoomProfileModel *self = LOOM_PROFILE_MODEL (object);
  loom_profile_table_unref (self->table);
  g_array_unref (self->rows);
  g_free (self->needle);
  G_OBJECT_CLASS (loom_profile_model_parent_class)->finalize (object);
}

static void
loom_profile_model_class_init (LoomProfileModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = model_dispose;
  G_OBJECT_CLASS (klass)->finalize = model_finalize;
}

static void
loom_profile_model_init (LoomProfileModel *self)
{
  self->rows = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->needle = g_strdup ("");
}

LoomProfileModel *
loom_profile_model_new (GtkSorter *sorter)
{
  LoomProfileModel *self = g_object_new (LOOM_TYPE_PROFILE_MODEL, NULL);
  self->sorter = g_object_ref (sorter);
  g_signal_connect_swapped (sorter, "changed", G_CALLBACK (sorter_changed), self);
  return self;
}

void
loom_profile_model_set_table (LoomProfileModel *self, LoomProfileTable *table)
{
  LoomProfileTable *old = self->table;
  g_return_if_fail (LOOM_IS_PROFILE_MODEL (self));
  self->table = table != NULL ? loom_profile_table_ref (table) : NULL;
  loom_profile_table_unref (old);
  refresh (self);
}

LoomProfileTable *
loom_profile_model_get_table (LoomProfileModel *self)
{
  return self->table;
}

void
loom_profile_model_set_filter (LoomProfileModel *self, const char *text)
{
  g_return_if_fail (LOOM_IS_PROFILE_MODEL (self));
  g_free (self->needle);
  self->needle = g_utf8_casefold (text, -1);
  refresh (self);
}

guint
loom_profile_model_find (LoomProfileModel *self, guint32 function)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (loom_profile_table_get_row (self->table, g_array_index (self->rows, guint32, i))->function == function)
      return i;
  return GTK_INVALID_LIST_POSITION;
}
