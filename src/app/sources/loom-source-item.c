/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-source-item.h"

#include "loom-archive-path.h"
#include "loom-clock-fit.h"
#include "loom-common-affixes.h"
#include "loom-load-error.h"
#include "loom-locale-number.h"
#include "loom-natural-collate.h"
#include "loom-page-clocks.h"
#include "loom-python-profile-item.h"

#include <glib/gi18n.h>

/* maximum length of a short label, in characters; a longer label does not fit before the dot that shows the state of
 * the clock */
#define MOST_LETTERS 18

G_DEFINE_FINAL_TYPE (LoomSourceItem, loom_source_item, G_TYPE_OBJECT)

static void
finalize (GObject *object)
{
  LoomSourceItem *self = LOOM_SOURCE_ITEM (object);
  g_free (self->label);
  g_free (self->short_label);
  g_free (self->detail);
  g_free (self->tooltip);
  g_array_unref (self->sources);
  g_ptr_array_unref (self->paths);
  g_clear_object (&self->children);
  G_OBJECT_CLASS (loom_source_item_parent_class)->finalize (object);
}

static void
loom_source_item_class_init (LoomSourceItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_source_item_init (LoomSourceItem *self)
{
  self->sources = g_array_new (FALSE, FALSE, sizeof (guint));
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->paths, NULL);
}

const char *const *
loom_source_item_get_paths (LoomSourceItem *self)
{
  return (const char *const *) self->paths->pdata;
}

static char *
base_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  return loom_archive_path_dup_printable (base);
}

/* Returns TRUE if the clock is doubtful because of other clocks. There are three cases: its fit is doubtful; its fit
 * was refused although there were enough pairs of events; it agrees with only some of the other clocks. */
static gboolean
is_in_doubt (LoomTimeline *timeline, const LoomClockFit *fit)
{
  return loom_page_clocks_is_partial (timeline, fit) ||
         (fit->verdict == LOOM_FIT_QUALITY_REFUSED && fit->pairs >= LOOM_CLOCK_FITS_OFFSET_PAIRS) ||
         (fit->verdict == LOOM_FIT_QUALITY_DOUBTFUL && fit->fitted);
}

static void
append_clock (GString *text, LoomTimeline *timeline, guint clock)
{
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (timeline), clock);
  g_string_append_printf (
    text,
    /* Translators: the first %s is the state of a clock ("synchronized"); the second is the source of its time
     * ("time in the file’s name") */
    _ ("\nClock: %s (%s)"), loom_page_clocks_describe_state (fit->state),
    loom_declared_clock_describe_basis (fit->basis));
  if (fit->placed)
    g_string_append (text,
                     /* Translators: added to the line “Clock: …” if the start of the clock is unknown */
                     _ (", not aligned"));
  if (fit->error_ns >= 0) {
    g_autofree char *error = loom_time_format_duration (fit->error_ns);
    g_string_append_printf (text, " ±%s", error);
  }
  if (loom_page_clocks_is_partial (timeline, fit)) {
    g_autofree char *quality = loom_page_clocks_dup_fit_quality (timeline, clock);
    g_string_append_printf (text, "\n%s", quality);
  } else if (is_in_doubt (timeline, fit))
    g_string_append_printf (text,
                            /* Translators: %s is the reason why the alignment of the clock is doubtful, as a clause */
                            _ ("\nAlignment: %s"), fit->why);
}

static char *
tooltip_for (const LoomSource *source, LoomTimeline *timeline, guint clock)
{
  g_autofree char *path = loom_archive_path_dup_shown (source->path);
  g_autofree char *size = g_format_size (source->n_bytes);
  GString *text = g_string_new (path);
  g_autofree char *events = loom_locale_number_group (source->n_events);
  g_string_append_printf (text, ngettext ("\n%s, %s, %s event", "\n%s, %s, %s events", (gulong) source->n_events),
                          source->format, size, events);
  append_clock (text, timeline, clock);
  guint n = loom_load_error_count_source (source);
  if (n > 0)
    g_string_append_printf (text, ngettext ("\n%u problem", "\n%u problems", n), n);
  return g_string_free (text, FALSE);
}

static void
take_source (LoomSourceItem *self, guint number, const LoomSource *source)
{
  g_array_append_val (self->sources, number);
  g_ptr_array_insert (self->paths, (int) self->paths->len - 1, g_strdup (source->path));
  self->n_problems += loom_load_error_count_source (source);
}

static gboolean
is_system (const LoomSource *source)
{
  return g_strcmp0 (source->format, "smdebug-system") == 0;
}

/* Returns the label of a file. If several files share a line of the list (`in_group` is TRUE), it is the name of the
 * file. If the file has a line of its own, it is the rank of the file, or "system" for host metrics. Owned by the
 * caller. */
static char *
label_for (const LoomSource *source, gboolean in_group)
{
  if (source->profile != NULL && (in_group || source->rank < 0))
    return loom_python_profile_item_dup_label (source, NULL);
  if (in_group)
    return base_name (source->path);
  if (source->rank >= 0)
    return loom_rank_label_dup_words (source->format, source->rank);
  if (is_system (source))
    return g_strdup (C_ ("source", "system"));
  return base_name (source->path);
}

/* Returns the second line of text for a file: the format of the file. Exception: if the run has several files, the text
 * is "" for all files that have the format of the first file, because most files have this format. (The name of the
 * file is in the tooltip.) Owned by the caller. */
static char *
dup_detail (LoomRun *run, const LoomSource *source)
{
  gboolean says_nothing =
    loom_run_get_n_sources (run) > 1 && g_strcmp0 (source->format, loom_run_get_source (run, 0)->format) == 0;
  return g_strdup (says_nothing ? "" : source->format);
}

static LoomSourceItem *
file_new (LoomTimeline *timeline, const LoomSourceOverrides *edits, guint number, gboolean in_group)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomSource *source = loom_run_get_source (run, number);
  guint clock = loom_run_get_clock_of_source (run, number);
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (timeline), clock);
  LoomSourceItem *self = g_object_new (LOOM_TYPE_SOURCE_ITEM, NULL);
  const LoomSourceEdit *edit = loom_source_overrides_find (edits, source->path);
  self->label = edit != NULL && edit->name != NULL ? g_strdup (edit->name) : label_for (source, in_group);
  self->muted = edit != NULL && edit->muted;
  self->detail = dup_detail (run, source);
  self->tooltip = tooltip_for (source, timeline, clock);
  self->can_read_trace = source->is_indexed_here;
  self->has_clock = TRUE;
  self->clock = fit->state;
  self->in_doubt = is_in_doubt (timeline, fit);
  take_source (self, number, source);
  return self;
}

static LoomSourceItem *
node_new (const char *name)
{
  LoomSourceItem *self = g_object_new (LOOM_TYPE_SOURCE_ITEM, NULL);
  self->is_node = TRUE;
  self->label = g_strdup (name);
  self->detail = g_strdup ("");
  self->tooltip = g_strdup (name);
  self->children = g_list_store_new (LOOM_TYPE_SOURCE_ITEM);
  return self;
}

typedef struct {
  const LoomSource *source;
  const char *node; /* node of the source; NULL if unknown */
  guint number;
} Entry;

/* Returns a hash table. Key: rank. Value: name of the rank's node, as on the rows of the timeline; "" if the files of
 * the rank state different nodes. */
static GHashTable *
nodes_of_ranks (LoomRun *run)
{
  GHashTable *nodes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    gpointer key = GINT_TO_POINTER (source->rank + 1);
    if (source->node == NULL || source->rank < 0)
      continue;
    const char *known = g_hash_table_lookup (nodes, key);
    g_hash_table_insert (nodes, key, known == NULL || g_str_equal (known, source->node) ? source->node : (char *) "");
  }
  return nodes;
}

static const char *
node_of (const LoomSource *source, GHashTable *nodes)
{
  if (source->node != NULL || source->rank < 0)
    return source->node;
  const char *node = g_hash_table_lookup (nodes, GINT_TO_POINTER (source->rank + 1));
  return node != NULL && *node != '\0' ? node : NULL;
}

/* Sorts files by node. Within a node, host metrics come before ranks; files of ranks are sorted by rank, then by
 * path. */
static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const LoomSource *x = ((const Entry *) a)->source, *y = ((const Entry *) b)->source;
  const char *x_node = ((const Entry *) a)->node, *y_node = ((const Entry *) b)->node;
  if ((x_node == NULL) != (y_node == NULL))
    return x_node == NULL ? 1 : -1;
  int by_node = x_node != NULL ? loom_natural_collate_compare (x_node, y_node) : 0;
  if (by_node != 0)
    return by_node;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  if (is_system (x) != is_system (y))
    return is_system (x) ? -1 : 1;
  return loom_natural_collate_compare (x->path, y->path);
}

static GArray *
sorted_entries (LoomRun *run)
{
  guint n = loom_run_get_n_sources (run);
  GArray *entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), n);
  g_autoptr (GHashTable) nodes = nodes_of_ranks (run);
  for (guint i = 0; i < n; i++) {
    const LoomSource *source = loom_run_get_source (run, i);
    Entry entry = { source, node_of (source, nodes), i };
    g_array_append_val (entries, entry);
  }
  g_array_sort (entries, compare_entries);
  return entries;
}

/* Returns TRUE if `a` and `b` share a line, because their files belong to one rank or to the metrics of one host. */
static gboolean
belong_together (const Entry *a, const Entry *b)
{
  if (g_strcmp0 (a->node, b->node) != 0 || a->source->rank != b->source->rank)
    return FALSE;
  return a->source->rank >= 0 || (is_system (a->source) && is_system (b->source));
}

/* Adds the line `file` below the line `group`, which is the line of a rank with several files, or of a node. The line
 * of a rank shows the state of the least reliable clock of its files. */
static void
adopt (LoomSourceItem *group, LoomSourceItem *file)
{
  for (guint i = 0; i < file->sources->len; i++)
    g_array_append_val (group->sources, g_array_index (file->sources, guint, i));
  for (guint i = 0; i + 1 < file->paths->len; i++)
    g_ptr_array_insert (group->paths, (int) group->paths->len - 1, g_strdup (file->paths->pdata[i]));
  group->n_problems += file->n_problems;
  group->muted = file->muted && (group->muted || g_list_model_get_n_items (G_LIST_MODEL (group->children)) == 0);
  if (!group->is_node)
    group->clock = group->has_clock ? MIN (group->clock, file->clock) : file->clock;
  group->in_doubt |= !group->is_node && file->in_doubt;
  group->has_clock = !group->is_node;
  g_list_store_append (group->children, file);
}

static LoomSourceItem *
group_new (LoomTimeline *timeline, const LoomSourceOverrides *edits, const Entry *entries, guint n)
{
  LoomSourceItem *self = g_object_new (LOOM_TYPE_SOURCE_ITEM, NULL);
  self->children = g_list_store_new (LOOM_TYPE_SOURCE_ITEM);
  self->label = label_for (entries[0].source, FALSE);
  self->detail = g_strdup_printf (ngettext ("%u file", "%u files", n), n);
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomSourceItem) file = file_new (timeline, edits, entries[i].number, TRUE);
    adopt (self, file);
  }
  self->tooltip = g_strdup_printf ("%s\n%s", self->label, self->detail);
  return self;
}

/* Makes the next line of the list. The line is for the entry at index `i` and for the entries directly after it that
 * share its line. Sets `i` to the index of the first entry that does not share this line. */
static LoomSourceItem *
next_line (LoomTimeline *timeline, const LoomSourceOverrides *edits, GArray *entries, guint *i)
{
  guint first = *i;
  const Entry *all = (const Entry *) (gpointer) entries->data;
  do
    (*i)++;
  while (*i < entries->len && belong_together (&all[first], &all[*i]));
  guint n = *i - first;
  return n == 1 ? file_new (timeline, edits, all[first].number, FALSE) : group_new (timeline, edits, all + first, n);
}

static LoomSourceItem *
line_at (GListStore *lines, guint i)
{
  LoomSourceItem *line = g_list_model_get_item (G_LIST_MODEL (lines), i);
  g_object_unref (line); /* the list store holds a reference */
  return line;
}

static void
shorten_labels (GPtrArray *items)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < items->len; i++)
    g_ptr_array_add (names, ((LoomSourceItem *) items->pdata[i])->label);
  LoomCommonAffixes ends = loom_common_affixes_find ((const char *const *) names->pdata, names->len);
  for (guint i = 0; i < items->len; i++)
    ((LoomSourceItem *) items->pdata[i])->short_label = loom_common_affixes_cut (ends, names->pdata[i], MOST_LETTERS);
}

/* Sets the short labels of lines. A short label omits the parts that several labels have in common. To find these
 * parts, the label of a line is compared with the labels of the other lines of the same list. Exception: files that are
 * the only files of their nodes are compared with one another, although they are in different lists. */
static void
shorten (GListStore *lines)
{
  g_autoptr (GPtrArray) here = g_ptr_array_new (), alone = g_ptr_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (lines)); i++) {
    LoomSourceItem *line = line_at (lines, i);
    if (line->children == NULL || line->is_node)
      g_ptr_array_add (here, line);
    if (line->children == NULL)
      continue;
    if (g_list_model_get_n_items (G_LIST_MODEL (line->children)) == 1 && line_at (line->children, 0)->children == NULL)
      g_ptr_array_add (alone, line_at (line->children, 0));
    else
      shorten (line->children);
  }
  shorten_labels (here);
  shorten_labels (alone);
}

GListStore *
loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits)
{
  GListStore *top = g_list_store_new (LOOM_TYPE_SOURCE_ITEM);
  g_autoptr (GArray) entries = sorted_entries (loom_timeline_get_run (timeline));
  LoomSourceItem *node = NULL; /* borrowed; `top` holds a reference to it */
  for (guint i = 0; i < entries->len;) {
    const char *name = g_array_index (entries, Entry, i).node;
    g_autoptr (LoomSourceItem) line = next_line (timeline, edits, entries, &i);
    if (name == NULL) {
      g_list_store_append (top, line);
      continue;
    }
    if (node == NULL || !g_str_equal (node->label, name)) {
      g_autoptr (LoomSourceItem) next = node_new (name);
      g_list_store_append (top, next);
      node = next;
    }
    adopt (node, line);
  }
  shorten (top);
  return top;
}

static guint merge (GListStore *old, GListStore *new, guint most);

/* Returns TRUE if both lines have the same texts and states. Ignores the lines below nodes, because merge() updates
 * them separately. */
static gboolean
says_the_same (const LoomSourceItem *a, const LoomSourceItem *b)
{
  if (a->is_node || b->is_node)
    return a->is_node == b->is_node && a->muted == b->muted && a->n_problems == b->n_problems &&
           g_str_equal (a->label, b->label) && g_strcmp0 (a->short_label, b->short_label) == 0;
  return (a->children != NULL) == (b->children != NULL) && a->clock == b->clock && a->in_doubt == b->in_doubt &&
         a->muted == b->muted && a->n_problems == b->n_problems && g_str_equal (a->label, b->label) &&
         g_strcmp0 (a->short_label, b->short_label) == 0 && g_str_equal (a->detail, b->detail) &&
         g_str_equal (a->tooltip, b->tooltip) && g_str_equal (a->paths->pdata[0], b->paths->pdata[0]);
}

/* Updates the line `old`, which stays in the list, from the line `new`, which has the same texts and states. The
 * indices of its sources may have changed, because sources are sorted when the run is complete. Returns TRUE if lines
 * were inserted below it. */
static gboolean
keep (LoomSourceItem *old, LoomSourceItem *new)
{
  if (old == new)
    return FALSE;
  g_clear_pointer (&old->sources, g_array_unref);
  g_clear_pointer (&old->paths, g_ptr_array_unref);
  old->sources = g_array_ref (new->sources);
  old->paths = g_ptr_array_ref (new->paths);
  return old->children != NULL && merge (old->children, new->children, G_MAXUINT) != G_MAXUINT;
}

/* Returns the number of lines of an item: its own line and the lines directly below it. */
static guint
weight_of (LoomSourceItem *line)
{
  return 1 + (line->children != NULL ? g_list_model_get_n_items (G_LIST_MODEL (line->children)) : 0);
}

/* Changes the lines of `old` to those of `new`. Lines that are equal at the start and at the end stay in the list.
 * Inserts only about `most` lines per call. Returns the index of the first line that was inserted, or that got new
 * lines below it; G_MAXUINT if no line was inserted. */
static guint
merge (GListStore *old, GListStore *new, guint most)
{
  guint n_old = g_list_model_get_n_items (G_LIST_MODEL (old)), n_new = g_list_model_get_n_items (G_LIST_MODEL (new));
  guint head = 0, tail = 0;
  while (head < MIN (n_old, n_new) && says_the_same (line_at (old, head), line_at (new, head)))
    head++;
  while (tail < MIN (n_old, n_new) - head &&
         says_the_same (line_at (old, n_old - 1 - tail), line_at (new, n_new - 1 - tail)))
    tail++;
  guint first = G_MAXUINT;
  for (guint i = 0; i < head; i++)
    if (keep (line_at (old, i), line_at (new, i)))
      first = MIN (first, i);
  gboolean changed = FALSE;
  for (guint i = 1; i <= tail; i++)
    changed |= keep (line_at (old, n_old - i), line_at (new, n_new - i));
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  for (guint i = head, weight = 0; i < n_new - tail && weight < most; i++) {
    g_ptr_array_add (added, line_at (new, i));
    weight += weight_of (line_at (new, i));
  }
  guint n_removed = n_old - head - tail;
  if (n_removed > 0 || added->len > 0)
    g_list_store_splice (old, head, n_removed, added->pdata, added->len);
  return changed || added->len > 0 ? MIN (first, head) : first;
}

gboolean
loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most, guint *first)
{
  *first = merge (top, wanted, most);
  return g_list_model_get_n_items (G_LIST_MODEL (top)) == g_list_model_get_n_items (G_LIST_MODEL (wanted));
}
