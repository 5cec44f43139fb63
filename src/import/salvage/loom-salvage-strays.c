/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches a damaged SQLite database for leaves to which no page refers any more. The interface is described in
 * loom-salvage-strays.h.
 */
#include "loom-salvage-strays.h"

#include <string.h>

/* Maximum number of tables with gaps (LoomSalvageTable.gaps). If more tables have gaps, no stray leaf is used, because
 * comparing each leaf with each table would take too long. */
#define MOST_TABLES 256
#define MOST_LEVELS 20
#define LOOK_PAGES 1024 /* number of pages between two checks for cancellation */

typedef struct {
  guint64 bits[MOST_TABLES / 64]; /* set of tables, by their index in Search.tables */
} TableSet;

typedef struct {
  guint32 page, group; /* `group`: number of the highest interior page found above the leaf; equals `page` if none was
                        * found */
  LoomRowIdRange rows;
  guint32 n_rows;
  gboolean is_used;
  TableSet tables; /* tables to which the leaf may belong */
} Stray;

typedef struct {
  LoomSalvageWalk *walk;
  GPtrArray *tables;   /* LoomSalvageTable elements: the tables with gaps */
  GArray *strays;      /* Stray, by page */
  GHashTable *parents; /* page → the interior page above it (GUINT_TO_POINTER) */
  GHashTable *groups;  /* number of a group → TableSet *: the tables to which all leaves of the group may belong */
} Search;

/* --- searching ---------------------------------------------------------------------------------------------------- */

/* Returns TRUE if all cells of an interior page are intact, and its keys ascend. */
static gboolean
is_sound (const Search *self, const LoomDatabasePage *page)
{
  LoomPageChild child;
  gint64 last = G_MININT64;
  for (guint32 i = 0; i < page->n_cells; i++) {
    if (!loom_database_pages_read_child (self->walk->pages, page, i, &child) || (i > 0 && child.key <= last))
      return FALSE;
    last = child.key;
  }
  return page->n_cells > 0;
}

static void
note_child (Search *self, guint32 parent, guint32 child)
{
  if (child != parent && child >= 1 && child <= self->walk->pages->n_pages)
    g_hash_table_insert (self->parents, GUINT_TO_POINTER (child), GUINT_TO_POINTER (parent));
}

static void
note_interior (Search *self, const LoomDatabasePage *page)
{
  LoomPageChild child;
  if (!is_sound (self, page))
    return;
  for (guint32 i = 0; i < page->n_cells; i++)
    if (loom_database_pages_read_child (self->walk->pages, page, i, &child))
      note_child (self, page->number, child.child);
  note_child (self, page->number, page->last_child);
}

/* Properties of all rows in a leaf. */
typedef struct {
  guint least_columns, most_columns; /* minimum and maximum number of columns of the rows; minimum 0: the columns of a
                                      * row are unknown */
  guint8 kinds[LOOM_DATABASE_PAGES_MOST_COLUMNS];
} Shape;

static gboolean
add_to_shape (const LoomPageRow *row, Shape *shape)
{
  guint8 kinds[LOOM_DATABASE_PAGES_MOST_COLUMNS];
  guint n;
  if (!loom_database_pages_read_kinds (row, kinds, &n))
    return FALSE;
  shape->least_columns = MIN (shape->least_columns, n);
  shape->most_columns = MAX (shape->most_columns, n);
  for (guint i = 0; i < n; i++)
    shape->kinds[i] |= kinds[i];
  return TRUE;
}

static void
read_stray (const Search *self, const LoomDatabasePage *page, Stray *stray, Shape *shape)
{
  LoomPageRow row;
  for (guint32 i = 0; i < page->n_cells; i++) {
    if (!loom_database_pages_read_row (self->walk->pages, page, i, &row) ||
        (stray->n_rows > 0 && row.row_id <= stray->rows.last) || !add_to_shape (&row, shape))
      continue;
    stray->rows.first = stray->n_rows++ == 0 ? row.row_id : stray->rows.first;
    stray->rows.last = row.row_id;
  }
}

/* Returns TRUE if rows with this shape can be rows of the table: the table allows their numbers of columns and their
 * kinds of values. */
static gboolean
has_shape (const LoomSalvageTable *table, const Shape *shape)
{
  if (shape->least_columns < table->least_columns || shape->most_columns > table->kinds->len)
    return FALSE;
  for (guint i = 0; i < shape->most_columns; i++)
    if ((shape->kinds[i] & ~table->kinds->data[i]) != 0)
      return FALSE;
  return TRUE;
}

/* Returns TRUE if the rows fit into a gap of the table (LoomSalvageTable.gaps). The gaps are in ascending order. */
static gboolean
fits_gap (const LoomSalvageTable *table, LoomRowIdRange rows)
{
  guint low = 0, high = table->gaps->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (table->gaps, LoomRowIdRange, middle).last < rows.first)
      low = middle + 1;
    else
      high = middle;
  }
  const LoomRowIdRange *gap = low < table->gaps->len ? &g_array_index (table->gaps, LoomRowIdRange, low) : NULL;
  return gap != NULL && rows.first >= gap->first && rows.last <= gap->last;
}

/* Returns TRUE if a leaf in the tree of the table has rows between the first and the last of `rows`. The leaves are in
 * ascending order. */
static gboolean
overlaps_tree (const LoomSalvageTable *table, LoomRowIdRange rows)
{
  guint low = 0, high = table->leaves->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (table->leaves, LoomSalvageLeaf, middle).rows.last < rows.first)
      low = middle + 1;
    else
      high = middle;
  }
  return low < table->leaves->len && g_array_index (table->leaves, LoomSalvageLeaf, low).rows.first <= rows.last;
}

static void
find_tables (const Search *self, const Shape *shape, Stray *stray)
{
  for (guint i = 0; i < self->tables->len; i++) {
    const LoomSalvageTable *table = self->tables->pdata[i];
    if (has_shape (table, shape) && fits_gap (table, stray->rows) && !overlaps_tree (table, stray->rows))
      stray->tables.bits[i / 64] |= G_GUINT64_CONSTANT (1) << i % 64;
  }
}

static void
note_leaf (Search *self, const LoomDatabasePage *page)
{
  Stray stray = { .page = page->number, .group = page->number };
  Shape shape = { .least_columns = G_MAXUINT };
  read_stray (self, page, &stray, &shape);
  if (stray.n_rows == 0)
    return;
  if (self->tables->len <= MOST_TABLES)
    find_tables (self, &shape, &stray);
  g_array_append_val (self->strays, stray);
}

static void
search_pages (Search *self)
{
  const LoomDatabasePages *pages = self->walk->pages;
  g_autofree guint8 *buffer = g_malloc (pages->page_bytes);
  LoomDatabasePage page;
  for (guint32 i = 2; i <= pages->n_pages; i++) {
    if (i % LOOK_PAGES == 0 && g_cancellable_is_cancelled (self->walk->cancellable))
      return;
    if (loom_salvage_walk_is_claimed (self->walk, i) || !loom_database_pages_read_page (pages, i, buffer, &page))
      continue;
    if (page.kind == LOOM_PAGE_INTERIOR)
      note_interior (self, &page);
    else
      note_leaf (self, &page);
  }
}

/* --- choosing tables ---------------------------------------------------------------------------------------------- */

/* Sets the group of each leaf: the topmost page that is found above the leaf, or the leaf itself if there is no page
 * above it. Keeps for each group only those tables to which all leaves of the group may belong. */
static void
make_groups (Search *self)
{
  for (guint i = 0; i < self->strays->len; i++) {
    Stray *stray = &g_array_index (self->strays, Stray, i);
    gpointer parent;
    for (guint level = 0;
         level < MOST_LEVELS && (parent = g_hash_table_lookup (self->parents, GUINT_TO_POINTER (stray->group))) != NULL;
         level++)
      stray->group = GPOINTER_TO_UINT (parent);
    TableSet *common = g_hash_table_lookup (self->groups, GUINT_TO_POINTER (stray->group));
    if (common == NULL)
      g_hash_table_insert (self->groups, GUINT_TO_POINTER (stray->group),
                           g_memdup2 (&stray->tables, sizeof stray->tables));
    for (guint j = 0; common != NULL && j < G_N_ELEMENTS (common->bits); j++)
      common->bits[j] &= stray->tables.bits[j];
  }
}

/* Returns the only table of a set; NULL: the set is empty or has several tables. */
static LoomSalvageTable *
find_only (const Search *self, const TableSet *set)
{
  LoomSalvageTable *only = NULL;
  for (guint i = 0; i < MIN (self->tables->len, MOST_TABLES); i++)
    if ((set->bits[i / 64] >> i % 64 & 1) != 0) {
      if (only != NULL)
        return NULL;
      only = self->tables->pdata[i];
    }
  return only;
}

static int
compare_strays (gconstpointer a, gconstpointer b)
{
  const Stray *x = *(const Stray *const *) a, *y = *(const Stray *const *) b;
  return x->rows.first < y->rows.first ? -1 : x->rows.first > y->rows.first;
}

/* Adds the leaves `strays` (Stray) to the table, except those that contain the same row ids as another leaf. */
static void
add_strays (const Search *self, LoomSalvageTable *table, GPtrArray *strays)
{
  gint64 last = G_MININT64;
  g_ptr_array_sort (strays, compare_strays);
  for (guint i = 0; i < strays->len; i++) {
    Stray *stray = strays->pdata[i];
    const Stray *next = i + 1 < strays->len ? strays->pdata[i + 1] : NULL;
    gboolean overlaps = (i > 0 && stray->rows.first <= last) || (next != NULL && next->rows.first <= stray->rows.last);
    last = i == 0 ? stray->rows.last : MAX (last, stray->rows.last);
    stray->is_used = !overlaps && loom_salvage_table_add_leaf (table, self->walk, stray->page, stray->rows, TRUE);
  }
}

/* If all leaves of a group may belong to the same table, and to no other table, adds the leaves to this table. */
static void
use_strays (Search *self)
{
  g_autoptr (GHashTable) lists = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < self->strays->len; i++) {
    Stray *stray = &g_array_index (self->strays, Stray, i);
    LoomSalvageTable *table = find_only (self, g_hash_table_lookup (self->groups, GUINT_TO_POINTER (stray->group)));
    GPtrArray *list = g_hash_table_lookup (lists, table);
    if (table != NULL && list == NULL)
      g_hash_table_insert (lists, table, list = g_ptr_array_new ());
    if (table != NULL)
      g_ptr_array_add (list, stray);
  }
  for (guint i = 0; i < self->tables->len; i++) {
    GPtrArray *list = g_hash_table_lookup (lists, self->tables->pdata[i]);
    if (list != NULL)
      add_strays (self, self->tables->pdata[i], list);
  }
}

static void
count_unused (const Search *self, LoomUnusedLeaves *unused)
{
  for (guint i = 0; i < self->strays->len; i++) {
    const Stray *stray = &g_array_index (self->strays, Stray, i);
    if (stray->is_used)
      continue;
    unused->n_pages++;
    unused->n_rows += stray->n_rows;
    unused->first_at = MIN (unused->first_at, loom_database_pages_offset_of (self->walk->pages, stray->page));
  }
}

void
loom_salvage_strays_find (LoomSalvageWalk *walk, const GPtrArray *tables, gboolean is_unsure, LoomUnusedLeaves *unused)
{
  *unused = (LoomUnusedLeaves) { .first_at = G_MAXUINT64 };
  g_autoptr (GPtrArray) damaged = g_ptr_array_new ();
  for (guint i = 0; i < tables->len; i++)
    if (((LoomSalvageTable *) tables->pdata[i])->gaps->len > 0)
      g_ptr_array_add (damaged, tables->pdata[i]);
  if (damaged->len == 0)
    return;
  Search self = { .walk = walk,
                  .tables = damaged,
                  .strays = g_array_new (FALSE, FALSE, sizeof (Stray)),
                  .parents = g_hash_table_new (NULL, NULL),
                  .groups = g_hash_table_new_full (NULL, NULL, NULL, g_free) };
  search_pages (&self);
  make_groups (&self);
  if (!is_unsure)
    use_strays (&self);
  count_unused (&self, unused);
  g_array_unref (self.strays);
  g_hash_table_unref (self.parents);
  g_hash_table_unref (self.groups);
}
