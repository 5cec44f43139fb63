/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the tree of one table of a damaged SQLite database. The interface is described in loom-salvage-table.h.
 */
#include "loom-salvage-table.h"

#include <string.h>

/* Maximum number of levels of a tree, as in SQLite. */
#define MOST_LEVELS 20

/* --- table -------------------------------------------------------------------------------------------------------- */

LoomSalvageTable *
loom_salvage_table_new (const char *name, guint32 root)
{
  LoomSalvageTable *self = g_new0 (LoomSalvageTable, 1);
  *self = (LoomSalvageTable) { .name = g_strdup (name),
                               .root = root,
                               .kinds = g_byte_array_new (),
                               .leaves = g_array_new (FALSE, FALSE, sizeof (LoomSalvageLeaf)),
                               .gaps = g_array_new (FALSE, FALSE, sizeof (LoomRowIdRange)),
                               .damaged_at = G_MAXUINT64 };
  return self;
}

void
loom_salvage_table_free (LoomSalvageTable *self)
{
  g_free (self->name);
  g_byte_array_unref (self->kinds);
  g_array_unref (self->leaves);
  g_array_unref (self->gaps);
  g_free (self);
}

static void
note_damage (LoomSalvageTable *self, const LoomSalvageWalk *walk, guint32 page)
{
  guint64 at = loom_database_pages_offset_of (walk->pages, MAX (page, 1));
  self->damaged_at = MIN (self->damaged_at, MIN (at, walk->pages->n_bytes));
}

static void
add_gap (LoomSalvageTable *self, LoomRowIdRange rows)
{
  self->needs_tree = TRUE;
  if (rows.first <= rows.last)
    g_array_append_val (self->gaps, rows);
}

/* Notes that a page of the tree cannot be read. `rows`: the row ids that this page and the pages below it can
 * contain. */
static void
miss (LoomSalvageTable *self, const LoomSalvageWalk *walk, guint32 page, LoomRowIdRange rows)
{
  self->n_missing++;
  note_damage (self, walk, page);
  add_gap (self, rows);
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Claims the overflow pages of a row (loom_salvage_walk_claim()). Returns FALSE if one of them is missing. No page is
 * visited twice, because a page can contain parts of one row only. */
static gboolean
follow_overflow (LoomSalvageWalk *walk, const LoomPageRow *row)
{
  const LoomDatabasePages *pages = walk->pages;
  guint64 n_left = row->n_bytes - row->n_local;
  for (guint32 number = row->overflow; n_left > 0;) {
    if (!loom_salvage_walk_claim (walk, number))
      return FALSE;
    guint8 next[4];
    guint32 n = (guint32) MIN (n_left, pages->usable_bytes - 4);
    guint64 offset = loom_database_pages_offset_of (pages, number);
    if (offset + 4 + n > pages->n_bytes)
      return FALSE;
    loom_database_pages_read (pages, offset, next, sizeof next);
    number = loom_database_pages_get_32 (next);
    n_left -= n;
  }
  return TRUE;
}

/* Returns TRUE if the row `i` of a leaf can be read completely. */
static gboolean
can_read (const LoomSalvageTable *self, LoomSalvageWalk *walk, const LoomDatabasePage *page, guint32 i,
          LoomRowIdRange rows, LoomPageRow *row)
{
  guint8 kinds[LOOM_DATABASE_PAGES_MOST_COLUMNS];
  guint n_columns;
  return loom_database_pages_read_row (walk->pages, page, i, row) && row->row_id >= rows.first &&
         row->row_id <= rows.last && loom_database_pages_read_kinds (row, kinds, &n_columns) &&
         n_columns <= self->kinds->len && (row->overflow == 0 || follow_overflow (walk, row));
}

static void
note_kinds (LoomSalvageTable *self, const LoomPageRow *row)
{
  guint8 kinds[LOOM_DATABASE_PAGES_MOST_COLUMNS];
  guint n_columns;
  if (!loom_database_pages_read_kinds (row, kinds, &n_columns) || n_columns == 0)
    return;
  self->least_columns = MIN (self->least_columns, n_columns);
  for (guint i = 0; i < n_columns; i++)
    self->kinds->data[i] |= kinds[i];
}

/* Divides the rows of a leaf page: those that can be read are added to `leaf`, the others to LoomSalvageWalk.lost. */
static void
read_rows (LoomSalvageTable *self, LoomSalvageWalk *walk, const LoomDatabasePage *page, LoomRowIdRange rows,
           LoomSalvageLeaf *leaf)
{
  LoomPageRow row;
  for (guint32 i = 0; i < page->n_cells; i++)
    if (can_read (self, walk, page, i, rows, &row)) {
      note_kinds (self, &row);
      leaf->rows.first = leaf->n_rows++ == 0 ? row.row_id : leaf->rows.first;
      leaf->rows.last = row.row_id;
      rows.first = row.row_id + (row.row_id < G_MAXINT64);
    } else {
      const LoomLostRow lost = { page->number, i };
      g_array_append_val (walk->lost, lost);
    }
}

gboolean
loom_salvage_table_add_leaf (LoomSalvageTable *self, LoomSalvageWalk *walk, guint32 number, LoomRowIdRange rows,
                             gboolean is_stray)
{
  g_autofree guint8 *buffer = g_malloc (walk->pages->page_bytes);
  LoomDatabasePage page;
  LoomSalvageLeaf leaf = { .page = number, .is_stray = is_stray };
  guint n_before = walk->lost->len;
  if (!loom_database_pages_read_page (walk->pages, number, buffer, &page) || page.kind != LOOM_PAGE_LEAF)
    return FALSE;
  read_rows (self, walk, &page, rows, &leaf);
  if (leaf.n_rows == 0) {
    g_array_set_size (walk->lost, n_before);
    return FALSE;
  }
  if (walk->lost->len > n_before)
    note_damage (self, walk, number);
  self->n_lost += walk->lost->len - n_before;
  loom_salvage_walk_claim (walk, number);
  g_array_append_val (self->leaves, leaf);
  return TRUE;
}

/* --- tree --------------------------------------------------------------------------------------------------------- */

static void walk_page (LoomSalvageTable *self, LoomSalvageWalk *walk, guint32 number, LoomRowIdRange rows, guint level);

/* Walks over the children of an interior page. If a child is damaged, notes the row ids that may be lost: those after
 * the key of the child before it. */
static void
walk_children (LoomSalvageTable *self, LoomSalvageWalk *walk, const LoomDatabasePage *page, LoomRowIdRange rows,
               guint level)
{
  LoomPageChild child;
  gboolean has_gap = FALSE;
  for (guint32 i = 0; i < page->n_cells; i++) {
    if (!loom_database_pages_read_child (walk->pages, page, i, &child) || child.key < rows.first ||
        child.key >= rows.last) {
      has_gap = TRUE;
      continue;
    }
    const LoomRowIdRange own = { rows.first, child.key };
    if (has_gap)
      miss (self, walk, page->number, own);
    has_gap = FALSE;
    walk_page (self, walk, child.child, own, level + 1);
    rows.first = child.key + 1;
  }
  if (has_gap)
    miss (self, walk, page->number, rows);
  walk_page (self, walk, page->last_child, rows, level + 1);
}

static void
walk_page (LoomSalvageTable *self, LoomSalvageWalk *walk, guint32 number, LoomRowIdRange rows, guint level)
{
  g_autofree guint8 *buffer = g_malloc (walk->pages->page_bytes);
  LoomDatabasePage page;
  if (level >= MOST_LEVELS || g_cancellable_is_cancelled (walk->cancellable) || number < 1 ||
      number > walk->pages->n_pages || loom_salvage_walk_is_claimed (walk, number) ||
      !loom_database_pages_read_page (walk->pages, number, buffer, &page)) {
    miss (self, walk, number, rows);
  } else if (page.kind == LOOM_PAGE_INTERIOR) {
    loom_salvage_walk_claim (walk, number);
    walk_children (self, walk, &page, rows, level);
  } else if ((level > 0 || page.n_cells > 0) && !loom_salvage_table_add_leaf (self, walk, number, rows, FALSE)) {
    miss (self, walk, number, rows);
  } else {
    loom_salvage_walk_claim (walk, number);
  }
}

void
loom_salvage_table_walk (LoomSalvageTable *self, LoomSalvageWalk *walk)
{
  walk_page (self, walk, self->root, (LoomRowIdRange) { G_MININT64, G_MAXINT64 }, 0);
}

static int
compare_leaves (gconstpointer a, gconstpointer b)
{
  const LoomSalvageLeaf *x = a, *y = b;
  return x->rows.first < y->rows.first ? -1 : x->rows.first > y->rows.first;
}

void
loom_salvage_table_sort (LoomSalvageTable *self)
{
  g_array_sort (self->leaves, compare_leaves);
}

guint64
loom_salvage_table_count_missing (const LoomSalvageTable *self, gboolean *has_more)
{
  guint64 n_missing = 0;
  guint next = 0;
  for (guint i = 0; i < self->gaps->len; i++) {
    const LoomRowIdRange *gap = &g_array_index (self->gaps, LoomRowIdRange, i);
    guint64 n_found = 0;
    for (; next < self->leaves->len; next++) {
      const LoomSalvageLeaf *leaf = &g_array_index (self->leaves, LoomSalvageLeaf, next);
      if (leaf->rows.first > gap->last)
        break;
      n_found += leaf->is_stray ? leaf->n_rows : 0;
    }
    if (gap->first == G_MININT64 || gap->last == G_MAXINT64)
      *has_more = TRUE;
    else
      n_missing += (guint64) gap->last - (guint64) gap->first + 1 - n_found;
  }
  return n_missing;
}
