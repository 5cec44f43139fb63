/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-result-columns.h"

#include "loom-bounded-text.h"
#include "loom-cell-bar.h"
#include "loom-cxx-name.h"
#include "loom-kernel-names.h"
#include "loom-locale-number.h"
#include "loom-sentence.h"
#include "loom-table-column.h"

#include <string.h>

#define LEAST_CHARS 6 /* minimum width of a text column, in characters */
#define NAME_CHARS 24 /* maximum width, in characters, of the first column, which contains the names of rows */
/* maximum length of the label of a kernel, in characters, so that it fits in a page of usual width */
#define KERNEL_CHARS 34
#define TEXT_CHARS 14
#define LOOKED_AT 200 /* maximum number of rows whose texts are measured to determine the width of a column */

/* The state of a column while the columns are fitted into the width of the view. */
typedef struct {
  GtkColumnViewColumn *column; /* borrowed from the view; the user may have moved the column */
  int width_px;                /* width of the column when it was hidden, in px */
  gboolean is_hidden;          /* TRUE while the column is hidden because the view is too narrow */
  gboolean is_detail;          /* TRUE if the column is hidden by default; the user can show it */
  gboolean is_kept;            /* TRUE if the column must not be hidden when the view is too narrow */
} Fit;

struct _LoomResultColumns {
  GtkColumnView *view;
  GArray *chars; /* int: for each column, the minimum width of its texts in letters */
  /* set of those names of rows that must not be shortened, because another name has the same short form; borrowed from
   * `table` */
  GHashTable *ambiguous;
  GHashTable *kernels; /* key: name of a kernel, borrowed from `table`; value: its label */
  LoomResultTable *table;
  GArray *fits; /* Fit: for each column, in the order in which the columns were added */
  /* `shown`: if the last change made exactly one column visible, this column; otherwise NULL. `others_px`: if `shown`
   * is set, the total width of all other columns at that time. Both are stored because the exact width of `shown` is
   * known only when its cells have been made. */
  const GtkColumnViewColumn *shown;
  int others_px;
  /* menu of the columns that are hidden by default; `menu` and `actions` are NULL until the columns are made */
  GMenu *menu;
  GSimpleActionGroup *actions;
};

LoomResultColumns *
loom_result_columns_new (GtkColumnView *view)
{
  LoomResultColumns *self = g_new0 (LoomResultColumns, 1);
  self->view = view;
  self->chars = g_array_new (FALSE, FALSE, sizeof (int));
  self->fits = g_array_new (FALSE, TRUE, sizeof (Fit));
  return self;
}

void
loom_result_columns_free (LoomResultColumns *self)
{
  g_array_unref (self->chars);
  g_array_unref (self->fits);
  g_clear_pointer (&self->ambiguous, g_hash_table_unref);
  g_clear_pointer (&self->kernels, g_hash_table_unref);
  g_clear_pointer (&self->table, loom_result_table_unref);
  g_clear_object (&self->menu);
  g_clear_object (&self->actions);
  g_free (self);
}

/* Returns the tooltip of a cell: its value, more precise than in the cell. NULL for shares, whose cells have as many
 * decimals as are useful. */
static char *
dup_tip (GtkListItem *item, guint column)
{
  LoomTableItem *row = gtk_list_item_get_item (item);
  LoomResultTable *table = loom_table_model_item_get_rows (row);
  if (g_strcmp0 (g_array_index (table->columns, LoomResultTableColumn, column).unit, "%") == 0)
    return NULL;
  g_autofree char *text = loom_result_table_dup_precise (table, loom_table_model_item_get_row (row), column);
  return loom_result_table_is_number (table, column) ? loom_locale_number_localize (loom_locale_number_typeset (text))
                                                     : g_steal_pointer (&text);
}

gboolean
loom_result_columns_are_of_sentences (LoomResultTable *table)
{
  return table->columns->len == 1 && !loom_result_table_is_number (table, 0);
}

static void
bind_text (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  LoomResultColumns *self = g_object_get_data (G_OBJECT (factory), "columns");
  gtk_label_set_width_chars (GTK_LABEL (gtk_list_item_get_child (item)),
                             g_array_index (self->chars, int, GPOINTER_TO_UINT (column)));
}

/* Shortens a list, such as a shape, to its first and last element, "a, …, e", if it is longer than `most` characters.
 * In this way, no number of the list is truncated. Owned by the caller. */
static char *
shorten_list (const char *text, glong most)
{
  const char *first = strstr (text, ", "), *last = g_strrstr (text, ", ");
  if (g_utf8_strlen (text, -1) <= most || first == last)
    return g_strdup (text);
  g_autofree char *head = g_strndup (text, (gsize) (first - text));
  return g_strdup_printf ("%s, …%s", head, last);
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  const LoomResultColumns *self = owner;
  LoomResultTable *table = loom_table_model_item_get_rows (item);
  g_autofree char *text = loom_result_table_dup_cell (table, loom_table_model_item_get_row (item), column);
  const char *kernel = column == 0 && self->kernels != NULL ? g_hash_table_lookup (self->kernels, text) : NULL;
  if (kernel != NULL)
    return g_strdup (kernel);
  if (loom_result_table_get_column (table, column)->chars > 0)
    return shorten_list (text, loom_result_table_get_column (table, column)->chars);
  /* Only names with brackets are shortened. Other names keep their namespace: without it, aten::mm and
   * autograd::aten::mm would look the same. (Charts also keep the namespace of such names.) */
  if (column == 0 && g_utf8_strlen (text, -1) > NAME_CHARS && strpbrk (text, "<(") != NULL &&
      !loom_result_columns_are_of_sentences (table) &&
      (self->ambiguous == NULL || !g_hash_table_contains (self->ambiguous, text)))
    return loom_cxx_name_dup_short (text);
  return loom_result_columns_are_of_sentences (table) ? loom_sentence_dup_bound (text) : g_steal_pointer (&text);
}

/* Returns the width of a text in letters. Wide characters, such as Chinese ones, count as two letters. */
static int
count_letters (const char *text)
{
  int n = 0;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    n += g_unichar_iswide (g_utf8_get_char (at)) ? 2 : 1;
  return n;
}

/* Returns the width of a text column in letters: the length of its longest text, limited to the minimum and the
 * maximum width of the column. */
static int
count_chars (LoomResultTable *table, guint column)
{
  int longest = 0;
  for (guint i = 0; i < MIN (table->n_rows, LOOKED_AT); i++)
    longest = MAX (longest, count_letters (loom_result_table_get_text (table, i, column)));
  int own = (int) loom_result_table_get_column (table, column)->chars;
  return CLAMP (longest, LEAST_CHARS, own > 0 ? own : column == 0 ? NAME_CHARS : TEXT_CHARS);
}

void
loom_result_columns_measure (LoomResultColumns *self, LoomResultTable *table)
{
  g_clear_pointer (&self->ambiguous, g_hash_table_unref);
  g_clear_pointer (&self->kernels, g_hash_table_unref);
  g_clear_pointer (&self->table, loom_result_table_unref);
  if (table->columns->len > 0 && !loom_result_table_is_number (table, 0)) {
    self->table = loom_result_table_ref (table);
    self->ambiguous = loom_result_table_find_ambiguous_names (table);
    self->kernels = loom_kernel_names_find (table, KERNEL_CHARS);
  }
  g_array_set_size (self->chars, 0);
  for (guint i = 0; i < table->columns->len; i++) {
    int chars = loom_result_table_is_number (table, i) ? 0 : count_chars (table, i);
    g_array_append_val (self->chars, chars);
  }
}

static void
setup_bar (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer bars)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autoptr (GtkWidget) label = g_object_ref (gtk_list_item_get_child (item));
  gtk_list_item_set_child (item, box);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), loom_cell_bar_new (GPOINTER_TO_UINT (bars)));
  gtk_box_append (GTK_BOX (box), label);
}

static void
bind_bar (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  LoomTableItem *row = gtk_list_item_get_item (item);
  GtkWidget *bar = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  loom_cell_bar_set_value (LOOM_CELL_BAR (bar),
                           loom_result_table_get_bar (loom_table_model_item_get_rows (row),
                                                      loom_table_model_item_get_row (row), GPOINTER_TO_UINT (column)));
}

static void
add_column (LoomResultColumns *self, LoomResultTable *table, guint i)
{
  gboolean descending, number = loom_result_table_is_number (table, i),
                       sentences = loom_result_columns_are_of_sentences (table);
  LoomResultBars bars = loom_result_table_get_column (table, i)->bars;
  const LoomTableColumn look = { .is_number = number,
                                 .wraps = sentences,
                                 .expands = sentences,
                                 .ellipsize = number || sentences ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE,
                                 .dup_text = dup_cell,
                                 .dup_tip = sentences ? NULL : dup_tip };
  GtkColumnViewColumn *column =
    loom_table_column_add (self->view, loom_result_table_get_column (table, i)->title, i, &look, self);
  GtkListItemFactory *factory = gtk_column_view_column_get_factory (column);
  /* no reference to `self` is needed, because the view owns the factory and is destroyed before `self` */
  g_object_set_data (G_OBJECT (factory), "columns", self);
  if (!number && !sentences)
    g_signal_connect (factory, "bind", G_CALLBACK (bind_text), GUINT_TO_POINTER (i));
  if (bars != LOOM_RESULT_BARS_NONE) {
    g_signal_connect (factory, "setup", G_CALLBACK (setup_bar), GUINT_TO_POINTER (bars));
    g_signal_connect (factory, "bind", G_CALLBACK (bind_bar), GUINT_TO_POINTER (i));
  }
  if (loom_result_table_get_order (table, &descending) == i)
    gtk_column_view_sort_by_column (self->view, column, descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

static gboolean
is_shown (LoomResultTable *table, guint column)
{
  return !loom_result_table_is_empty_column (table, column);
}

/* Hides the column. Adds an item to the menu of the headers; the item shows and hides the column. `index`: index of the
 * column in `fits`; it stays the same when the user moves columns. */
static void
add_to_menu (LoomResultColumns *self, GtkColumnViewColumn *column, guint index)
{
  g_autofree char *name = g_strdup_printf ("show-%u", index), *detailed = g_strdup_printf ("columns.%s", name);
  gtk_column_view_column_set_visible (column, FALSE);
  if (g_action_group_has_action (G_ACTION_GROUP (self->actions), name))
    return;
  g_autoptr (GPropertyAction) action = g_property_action_new (name, column, "visible");
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  g_menu_append (self->menu, gtk_column_view_column_get_title (column), detailed);
}

/* If there is a menu that shows and hides columns, adds it to the headers of all columns. */
static void
set_header_menus (LoomResultColumns *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  for (guint i = 0; g_menu_model_get_n_items (G_MENU_MODEL (self->menu)) > 0 && i < g_list_model_get_n_items (columns);
       i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    gtk_column_view_column_set_header_menu (column, G_MENU_MODEL (self->menu));
  }
}

/* Adds a column to the view for each column of the table that has values. Columns with details
 * (LoomResultTableColumn.is_detail) are hidden at first; if there are such columns, all headers get a menu that shows
 * and hides them. */
static void
add_columns (LoomResultColumns *self, LoomResultTable *table)
{
  g_set_object (&self->menu, NULL);
  g_set_object (&self->actions, NULL);
  self->menu = g_menu_new ();
  self->actions = g_simple_action_group_new ();
  GListModel *columns = gtk_column_view_get_columns (self->view);
  for (guint i = 0; i < table->columns->len; i++) {
    if (!is_shown (table, i))
      continue;
    add_column (self, table, i);
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, g_list_model_get_n_items (columns) - 1);
    const LoomResultTableColumn *own = loom_result_table_get_column (table, i);
    gboolean is_detail = own->is_detail, descending;
    Fit fit = { .column = column,
                .is_detail = is_detail,
                .is_kept = is_detail || own->is_key || loom_result_table_get_order (table, &descending) == i };
    if (is_detail)
      add_to_menu (self, column, self->fits->len);
    g_array_append_val (self->fits, fit);
  }
  set_header_menus (self);
}

/* Returns the Fit of a column. Sets `index` to the index of this Fit in `fits`. */
static Fit *
find_fit (LoomResultColumns *self, const GtkColumnViewColumn *column, guint *index)
{
  for (*index = 0; *index < self->fits->len; (*index)++)
    if (g_array_index (self->fits, Fit, *index).column == column)
      return &g_array_index (self->fits, Fit, *index);
  g_return_val_if_reached (NULL);
}

/* Returns the title widget of a column, which is a child of the header. `position`: position of the column in the
 * view. */
static GtkWidget *
get_title (LoomResultColumns *self, guint position)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  for (guint i = 0; title != NULL && i < position; i++)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

/* Hides columns, beginning with the last one, until the needed width `need_px` is at most `width_px`. Returns TRUE
 * if a column was hidden. */
static gboolean
hide_last (LoomResultColumns *self, int need_px, int width_px)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean any = FALSE;
  guint index;
  for (guint i = self->fits->len; i-- > 1 && need_px > width_px;) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    Fit *fit = find_fit (self, column, &index);
    GtkWidget *title = get_title (self, i);
    if (fit->is_kept || title == NULL || !gtk_column_view_column_get_visible (column))
      continue;
    fit->width_px = gtk_widget_get_width (title);
    if (self->shown == column)
      fit->width_px = MAX (fit->width_px, need_px - self->others_px);
    fit->is_hidden = TRUE;
    add_to_menu (self, column, index);
    need_px -= fit->width_px;
    any = TRUE;
  }
  return any;
}

/* Shows hidden columns, beginning with the first one, as long as they fit into `width_px`. `need_px`: width that the
 * visible columns need. Returns TRUE if a column was shown. */
static gboolean
show_first (LoomResultColumns *self, int need_px, int width_px)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gboolean any = FALSE;
  guint index;
  int others_px = need_px;
  for (guint i = 0; i < self->fits->len; i++) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
    Fit *fit = find_fit (self, column, &index);
    if (!fit->is_hidden)
      continue;
    need_px += fit->width_px;
    if (need_px > width_px)
      break;
    fit->is_hidden = FALSE;
    self->shown = any ? NULL : column;
    self->others_px = others_px;
    gtk_column_view_column_set_visible (column, TRUE);
    any = TRUE;
  }
  return any;
}

/* Finds the columns that the user has made visible since the last call, and marks them as columns that must not be
 * hidden. Returns TRUE if there are any. */
static gboolean
note_chosen (LoomResultColumns *self)
{
  gboolean is_chosen = FALSE;
  for (guint i = 0; i < self->fits->len; i++) {
    Fit *fit = &g_array_index (self->fits, Fit, i);
    if (!(fit->is_hidden || fit->is_detail) || !gtk_column_view_column_get_visible (fit->column))
      continue;
    fit->is_hidden = fit->is_detail = FALSE;
    fit->is_kept = TRUE;
    is_chosen = TRUE;
  }
  return is_chosen;
}

/* If the user has made a column visible, no visible column is hidden any more, and the table scrolls horizontally.
 * Otherwise, another column would disappear when the user shows one. */
static void
keep_shown (LoomResultColumns *self)
{
  if (!note_chosen (self))
    return;
  for (guint i = 0; i < self->fits->len; i++) {
    Fit *fit = &g_array_index (self->fits, Fit, i);
    fit->is_kept |= gtk_column_view_column_get_visible (fit->column);
  }
}

gboolean
loom_result_columns_fit (LoomResultColumns *self, int width_px)
{
  int need_px;
  if (width_px <= 0 || self->fits->len < 2)
    return FALSE;
  keep_shown (self);
  gtk_widget_measure (GTK_WIDGET (self->view), GTK_ORIENTATION_HORIZONTAL, -1, &need_px, NULL, NULL, NULL);
  gboolean any = need_px > width_px ? hide_last (self, need_px, width_px) : show_first (self, need_px, width_px);
  if (any)
    set_header_menus (self);
  return any;
}

/* A table of sentences fills the available width. All other tables are made only as wide as their columns, so that
 * numbers are close to the names of their rows. (Also, a GtkColumnView of GTK 4.8 that is wider than its columns shows
 * a shadow at its edge, as if it were scrolled.) */
static void
fit_width (LoomResultColumns *self, LoomResultTable *table)
{
  gtk_widget_set_halign (GTK_WIDGET (self->view),
                         loom_result_columns_are_of_sentences (table) ? GTK_ALIGN_FILL : GTK_ALIGN_START);
}

/* Sets tooltips and alignment on the header widgets, because GtkColumnViewColumn has no properties for them. The
 * headers are the children of the view's first child, in the order of the columns. */
static void
dress_headers (LoomResultColumns *self, LoomResultTable *table)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  for (guint i = 0; title != NULL && i < table->columns->len; i++) {
    if (!is_shown (table, i))
      continue;
    const char *words = loom_result_table_get_column (table, i)->words;
    loom_bounded_text_set_tip (title, words[0] != '\0' ? words : NULL);
    if (loom_result_table_is_number (table, i))
      loom_table_column_align_title (title);
    title = gtk_widget_get_next_sibling (title);
  }
}

GMenuModel *
loom_result_columns_get_menu (LoomResultColumns *self)
{
  return G_MENU_MODEL (self->menu);
}

GActionGroup *
loom_result_columns_get_actions (LoomResultColumns *self)
{
  return G_ACTION_GROUP (self->actions);
}

gboolean
loom_result_columns_are_same (LoomResultTable *a, LoomResultTable *b)
{
  if (a == NULL || b == NULL || a->columns->len != b->columns->len)
    return FALSE;
  for (guint i = 0; i < a->columns->len; i++) {
    const LoomResultTableColumn *x = loom_result_table_get_column (a, i), *y = loom_result_table_get_column (b, i);
    if (strcmp (x->title, y->title) != 0 || g_strcmp0 (x->unit, y->unit) != 0 || x->bars != y->bars ||
        is_shown (a, i) != is_shown (b, i))
      return FALSE;
  }
  return TRUE;
}

static void
remove_columns (LoomResultColumns *self)
{
  GListModel *columns = gtk_column_view_get_columns (self->view);
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  g_array_set_size (self->fits, 0);
  self->shown = NULL;
  while (g_list_model_get_n_items (columns) > 0) {
    g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);
    gtk_column_view_remove_column (self->view, column);
  }
}

void
loom_result_columns_replace (LoomResultColumns *self, LoomResultTable *table)
{
  remove_columns (self);
  add_columns (self, table);
  fit_width (self, table);
  dress_headers (self, table);
}
