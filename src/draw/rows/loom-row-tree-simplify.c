/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the tree of rows, which was built from the tracks, simple enough to be shown. Removes levels with a single
 * child, sorts the rows, puts the rows of threads that are hardly ever busy into a group, and counts the strips of
 * every row. A strip is the part of a row that shows the spans of one depth.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-list-separator.h"
#include "loom-natural-collate.h"
#include "loom-row-tree.h"

/* Maximum number of plots of a process that are shown without a group. If there are more, they are put into a group. */
#define MAX_LOOSE_PLOTS 3

/* Maximum number of rows of a device that are shown without a group. The names of such rows begin with the name of the
 * device. A device becomes a group if it has more rows, or if it has separate rows for waits. If several devices
 * together have more rows than this, all of them become groups. */
#define MAX_LOOSE_STREAMS 8

/* Threads that are hardly ever busy ("quiet") are put into a group if there are at least MIN_QUIET_THREADS of them. A
 * thread is quiet if it is busy for less than 1/QUIET_SHARE of the run; its share is displayed as 0.0 %. */
#define MIN_QUIET_THREADS 2
#define QUIET_SHARE 2000

/* If a run has rows of spans, rows of instants with at most this many events are hidden initially, because they usually
 * show only the start and the end of the recording. */
#define MAX_QUIET_MARKERS 2

/* Returns the text by which an item is sorted. For a device with a shortened label, such as "GPU 4", this is the whole
 * label, "/device:GPU:4", so that devices stay above the host, "/host:CPU". */
static const char *
get_order_label (const LoomRowTreeItem *item)
{
  if (item->order_label != NULL)
    return item->order_label;
  return item->whole_label != NULL ? item->whole_label : item->label;
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const LoomRowTreeItem *x = *(LoomRowTreeItem *const *) a, *y = *(LoomRowTreeItem *const *) b;
  if (x->section != y->section)
    return x->section < y->section ? -1 : 1;
  if (x->only_waits != y->only_waits)
    return x->only_waits ? 1 : -1;
  if (x->sort != y->sort)
    return x->sort < y->sort ? -1 : 1;
  int order = loom_natural_collate_compare (get_order_label (x), get_order_label (y));
  if (order != 0)
    return order;
  if (x->sort2 != y->sort2)
    return x->sort2 < y->sort2 ? -1 : 1;
  return strcmp (x->key, y->key);
}

/* Returns the label of a row that is shown in place of its process. For a counter, this is the label of the row. For
 * any other row, it is the labels of the process and of the row, joined as in "GPU 0 · stream 7"; if the label of the
 * row adds nothing, it is only the label of the process. Owned by the caller. */
static char *
dup_joined_label (const LoomRowTreeItem *process, const LoomRowTreeItem *row)
{
  gboolean says_nothing = strcmp (row->label, "main") == 0 || row->is_nameless ||
                          strcmp (row->label, process->label) == 0 ||
                          (process->node != NULL && strstr (row->label, process->node) != NULL);
  if (row->kind == LOOM_ROW_COUNTER)
    return g_strdup (row->label);
  return says_nothing ? g_strdup (process->label) : g_strdup_printf ("%s · %s", process->label, row->label);
}

/* Returns a short label for the row of a stream: "GPU 0 · s7" for the row "stream 7" of the device "GPU 0", "GPU 0 ·
 * s16 (Kernel)" for "stream 16 (Kernel)". NULL if the label of the row does not begin with a word and a number. Owned
 * by the caller. */
static char *
dup_short_label (const LoomRowTreeItem *device, const LoomRowTreeItem *row)
{
  const char *paren = strstr (row->label, " ("), *end = g_utf8_next_char (row->label);
  const char *number = g_strrstr_len (row->label, paren != NULL ? paren - row->label : -1, " ");
  gsize n_digits = number != NULL ? strspn (number + 1, "0123456789") : 0;
  if (number == NULL || number <= end || n_digits == 0 ||
      number + 1 + n_digits != (paren != NULL ? paren : strchr (number, '\0')))
    return NULL;
  g_autofree char *letter = g_strndup (row->label, (gsize) (end - row->label));
  return g_strdup_printf ("%s · %s%s", device->label, letter, number + 1);
}

/* Sets the whole label of a row that is shown without the group of its process. A whole label is the unshortened form
 * of a label that is shortened on the screen. The new whole label contains the labels of the process and of the row. It
 * is set only if the process or the row has a whole label. */
static void
join_whole_labels (const LoomRowTreeItem *process, LoomRowTreeItem *row)
{
  const char *of_process = process->whole_label != NULL ? process->whole_label : process->label,
             *of_row = row->whole_label != NULL ? row->whole_label : row->label;
  if (row->kind == LOOM_ROW_COUNTER || (process->whole_label == NULL && row->whole_label == NULL))
    return;
  char *joined = g_strdup_printf ("%s · %s", of_process, of_row);
  g_free (row->whole_label);
  row->whole_label = joined;
}

/* Sets the labels of a row that is shown without the group of its process or device. The new labels contain the name of
 * this process or device. */
static void
join_labels (const LoomRowTreeItem *process, LoomRowTreeItem *row)
{
  g_autofree char *old = row->label;
  g_free (row->short_label);
  row->short_label = row->is_device ? dup_short_label (process, row) : NULL;
  join_whole_labels (process, row);
  row->label = dup_joined_label (process, row);
}

static void
adopt (LoomRowTreeItem *parent, LoomRowTreeItem *child)
{
  child->parent = parent;
  g_ptr_array_add (parent->children, child);
}

static gboolean
is_of_thread (const LoomRowTreeItem *row)
{
  return row->order_label != NULL && row->order_label[0] != '\0';
}

/* Changes the labels of rows of instants if the instants' thread has no row of spans: the label becomes the name of the
 * thread, which would otherwise be missing. */
static void
name_lone_instants (LoomRowTreeItem *item)
{
  g_autoptr (GHashTable) threads = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < item->children->len; i++) {
    const LoomRowTreeItem *row = g_ptr_array_index (item->children, i);
    if (row->kind == LOOM_ROW_SPANS && is_of_thread (row))
      g_hash_table_add (threads, row->order_label);
  }
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *row = g_ptr_array_index (item->children, i);
    if (row->kind != LOOM_ROW_INSTANTS || !is_of_thread (row) || !row->is_unnamed ||
        g_hash_table_contains (threads, row->order_label))
      continue;
    g_free (row->label);
    row->label = g_steal_pointer (&row->thread_words);
    g_clear_pointer (&row->order_label, g_free);
  }
}

/* Adds the name that the user gave to a source to the label of an item. If the item is a file without a rank, the name
 * replaces the label. If the item is a rank, the name is appended to the label. If the item is a process whose file has
 * no item, the name is put before the label. */
static void
show_given (LoomRowTreeItem *item)
{
  if (item->given != NULL) {
    g_autofree char *old = item->label;
    gboolean file = item->level == LOOM_LEVEL_WORKER && item->rank < 0;
    item->label = file                               ? g_strdup (item->given)
                  : item->level == LOOM_LEVEL_WORKER ? g_strdup_printf ("%s · %s", old, item->given)
                                                     : g_strdup_printf ("%s · %s", item->given, old);
  }
  for (guint i = 0; i < item->children->len; i++)
    show_given (g_ptr_array_index (item->children, i));
}

/* --- devices ---------------------------------------------------------------------------------------------------- */

static gboolean
has_level (const LoomRowTreeItem *item, LoomRowTreeLevel level)
{
  for (guint i = 0; i < item->children->len; i++)
    if (((const LoomRowTreeItem *) g_ptr_array_index (item->children, i))->level == level)
      return TRUE;
  return FALSE;
}

static gboolean
is_device (const LoomRowTreeItem *item)
{
  if (item->level == LOOM_LEVEL_ROW)
    return item->is_device;
  for (guint i = 0; i < item->children->len; i++)
    if (!is_device (g_ptr_array_index (item->children, i)))
      return FALSE;
  return item->level >= LOOM_LEVEL_PROCESS && item->children->len > 0;
}

/* Returns TRUE if the devices among the children of an item have too many rows to show all of them at first. Their rows
 * then stay in one group for each device. */
static gboolean
has_many_device_rows (const LoomRowTreeItem *item)
{
  guint n_devices = 0, n_rows = 0;
  for (guint i = 0; i < item->children->len; i++) {
    const LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    if (child->level != LOOM_LEVEL_PROCESS || !is_device (child))
      continue;
    n_devices++;
    n_rows += child->children->len;
  }
  return n_devices > 1 && n_rows > MAX_LOOSE_STREAMS;
}

/* Returns TRUE if a row of a device contains only the waits of one stream. Only traces of Nsight Systems have such
 * rows, in addition to the rows with the work of the streams. Such a row is recognized because the trace marks it as
 * collapsed; all other collapsed rows of devices sum up other rows. */
static gboolean
is_wait (const LoomRowTreeItem *row)
{
  return row->level == LOOM_LEVEL_ROW && row->is_device && row->folded && !row->is_derived;
}

/* Moves the rows of waits of a device, one per stream, into a folded group. */
static void
gather_waits (LoomRowTree *tree, LoomRowTreeItem *item)
{
  guint n_waits = 0, n = item->children->len;
  for (guint i = 0; i < n; i++) {
    gather_waits (tree, g_ptr_array_index (item->children, i));
    n_waits += is_wait (g_ptr_array_index (item->children, i));
  }
  if (n_waits == 0 || n_waits == n)
    return;
  LoomRowTreeItem *group = loom_row_tree_child (tree, item, LOOM_LEVEL_QUIET, "waits", C_ ("row", "waits for streams"));
  group->section = LOOM_SECTION_QUIET;
  group->sort = G_MAXINT64;
  group->folded = TRUE;
  g_autoptr (GPtrArray) children = g_steal_pointer (&item->children);
  item->children = g_ptr_array_new ();
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *row = g_ptr_array_index (children, i);
    adopt (is_wait (row) ? group : item, row);
  }
}

/* Moves the rows of a device into the group that contains the device, with labels such as "GPU 0 · stream 7". */
static void
adopt_streams (LoomRowTreeItem *parent, LoomRowTreeItem *device)
{
  for (guint i = 0; i < device->children->len; i++) {
    LoomRowTreeItem *row = g_ptr_array_index (device->children, i);
    join_labels (device, row);
    g_clear_pointer (&row->order_label, g_free); /* without an order label, the rows are sorted by their new labels,
                                                  * which contain the device */
    adopt (parent, row);
  }
}

/* Moves the processes of devices to the front of the group that contains them: a rank, a file or, without ranks, the
 * run. */
static void
raise_devices (LoomRowTreeItem *item)
{
  for (guint i = 0; i < item->children->len; i++)
    raise_devices (g_ptr_array_index (item->children, i));
  if (is_device (item) || has_level (item, LOOM_LEVEL_WORKER) || has_level (item, LOOM_LEVEL_NODE))
    return;
  gboolean many = has_many_device_rows (item);
  g_autoptr (GPtrArray) children = g_steal_pointer (&item->children);
  item->children = g_ptr_array_new ();
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    if (!is_device (child)) {
      adopt (item, child);
      continue;
    }
    gint64 sort = child->sort;
    guint first = item->children->len;
    child->is_lane = many && child->level == LOOM_LEVEL_PROCESS;
    if (child->level == LOOM_LEVEL_PROCESS && !many && child->children->len <= MAX_LOOSE_STREAMS &&
        !has_level (child, LOOM_LEVEL_QUIET))
      adopt_streams (item, child);
    else
      adopt (item, child);
    for (guint k = first; k < item->children->len; k++) {
      LoomRowTreeItem *row = g_ptr_array_index (item->children, k);
      row->section = LOOM_SECTION_DEVICES;
      row->sort = sort;
    }
  }
}

/* Replaces each group that has a single child by this child. Starts with the innermost groups. */
static void
simplify (LoomRowTreeItem *item)
{
  name_lone_instants (item);
  g_autoptr (GPtrArray) children = g_steal_pointer (&item->children);
  item->children = g_ptr_array_new ();
  guint n_groups = 0;
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    simplify (child);
    n_groups += child->level == LOOM_LEVEL_PROCESS;
  }
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    if (child->level == LOOM_LEVEL_PROCESS && child->children->len == 0)
      continue;
    if (child->level == LOOM_LEVEL_PROCESS && child->children->len == 1) {
      LoomRowTreeItem *row = g_ptr_array_index (child->children, 0);
      join_labels (child, row);
      row->section = child->section;
      row->sort = child->sort;
      g_clear_pointer (&row->order_label, g_free);
      adopt (item, row);
    } else if (child->level == LOOM_LEVEL_PROCESS && item->level == LOOM_LEVEL_WORKER && n_groups == 1 &&
               children->len == 1) {
      if (is_device (child))
        adopt_streams (item, child);
      for (guint k = 0; !is_device (child) && k < child->children->len; k++)
        adopt (item, g_ptr_array_index (child->children, k));
    } else {
      adopt (item, child);
    }
  }
}

/* Moves the plots of an item into a folded group if there are many. Plots of the utilization of GPU and CPU stay
 * outside, because they show how busy a machine was. */
static void
gather_plots (LoomRowTree *tree, LoomRowTreeItem *item)
{
  for (guint i = 0; i < item->children->len; i++)
    gather_plots (tree, g_ptr_array_index (item->children, i));
  guint n_plots = 0;
  for (guint i = 0; i < item->children->len; i++)
    n_plots += ((LoomRowTreeItem *) g_ptr_array_index (item->children, i))->kind == LOOM_ROW_COUNTER;
  gboolean machine = item->level < LOOM_LEVEL_WORKER;
  if (n_plots <= MAX_LOOSE_PLOTS || n_plots == item->children->len)
    return;
  LoomRowTreeItem *group = loom_row_tree_child (tree, item, LOOM_LEVEL_COUNTERS, "counters",
                                                machine ? _ ("more metrics") : C_ ("row", "counters"));
  g_ptr_array_remove (item->children, group);
  group->section = LOOM_SECTION_PLOTS;
  group->sort = G_MAXINT64;
  group->folded = TRUE;
  g_autoptr (GPtrArray) children = g_steal_pointer (&item->children);
  item->children = g_ptr_array_new ();
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (children, i);
    gboolean stays = child->kind != LOOM_ROW_COUNTER || (machine && child->sort < LOOM_PLOTS_IN_SIGHT);
    adopt (stays ? item : group, child);
  }
  adopt (item, group);
}

/* --- quiet rows ------------------------------------------------------------------------------------------------- */

static gboolean
is_quiet_thread (const LoomRowTree *tree, const LoomRowTreeItem *row, gint64 run_ns)
{
  gint64 busy_ns = 0;
  if (row->kind != LOOM_ROW_SPANS || row->is_device || row->section != LOOM_SECTION_THREADS)
    return FALSE;
  for (guint i = 0; i < row->tracks->len; i++)
    busy_ns = loom_time_add (busy_ns, loom_row_tree_track (tree, g_array_index (row->tracks, LoomTrackId, i))->busy_ns);
  return busy_ns < run_ns / QUIET_SHARE;
}

static gboolean
is_quiet_marker (const LoomRowTree *tree, const LoomRowTreeItem *row)
{
  guint64 n = 0;
  for (guint i = 0; row->kind == LOOM_ROW_INSTANTS && i < row->tracks->len; i++)
    n += loom_row_tree_track (tree, g_array_index (row->tracks, LoomTrackId, i))->n_events;
  return row->kind == LOOM_ROW_INSTANTS && n <= MAX_QUIET_MARKERS;
}

/* Returns TRUE for a row that contains only spans of the profiler itself. Such spans merely show when the profiler
 * recorded. */
static gboolean
is_of_profiler (const LoomRowTree *tree, const LoomRowTreeItem *row)
{
  for (guint i = 0; i < row->tracks->len; i++)
    if ((loom_row_tree_track (tree, g_array_index (row->tracks, LoomTrackId, i))->flags & LOOM_TRACK_NO_EXTENT) == 0)
      return FALSE;
  return row->level == LOOM_LEVEL_ROW && row->kind == LOOM_ROW_SPANS;
}

/* If the item has rows of spans, or groups: hides the rows of the profiler itself, and the rows with at most
 * MAX_QUIET_MARKERS instants. Otherwise shows all rows of the item. */
static void
hide_quiet_markers (LoomRowTree *tree, LoomRowTreeItem *item)
{
  gboolean remains = FALSE;
  for (guint i = 0; i < item->children->len && !remains; i++) {
    LoomRowKind kind = ((const LoomRowTreeItem *) g_ptr_array_index (item->children, i))->kind;
    remains = kind != LOOM_ROW_INSTANTS && kind != LOOM_ROW_COUNTER;
  }
  for (guint i = 0; i < item->children->len; i++) {
    LoomRowTreeItem *child = g_ptr_array_index (item->children, i);
    child->hidden = remains && (is_quiet_marker (tree, child) || is_of_profiler (tree, child));
    if (child->hidden && child->section == LOOM_SECTION_PROCESS_INSTANTS) {
      child->section = LOOM_SECTION_QUIET;
      child->sort = G_MAXINT64;
    }
  }
}

/* Returns the set of the quiet threads (see QUIET_SHARE) among the children of `item`, by their `order_label`; the
 * labels are borrowed. Sets `n_threads` to the number of all threads among the children. `run_ns`: length of the run.
 */
static GHashTable *
find_quiet_threads (const LoomRowTree *tree, const LoomRowTreeItem *item, gint64 run_ns, guint *n_threads)
{
  GHashTable *quiet = g_hash_table_new (g_str_hash, g_str_equal);
  *n_threads = 0;
  for (guint i = 0; i < item->children->len; i++) {
    const LoomRowTreeItem *row = g_ptr_array_index (item->children, i);
    *n_threads += row->kind == LOOM_ROW_SPANS;
    if (row->order_label != NULL && is_quiet_thread (tree, row, run_ns))
      g_hash_table_add (quiet, row->order_label);
  }
  return quiet;
}

/* Moves quiet threads (see QUIET_SHARE), and their instants, into a folded group. Hides rows with very few instants. */
static void
gather_quiet (LoomRowTree *tree, LoomRowTreeItem *item, gint64 run_ns)
{
  guint n_threads;
  for (guint i = 0; i < item->children->len; i++)
    gather_quiet (tree, g_ptr_array_index (item->children, i), run_ns);
  hide_quiet_markers (tree, item);
  g_autoptr (GHashTable) quiet = find_quiet_threads (tree, item, run_ns, &n_threads);
  guint n = g_hash_table_size (quiet);
  if (n < MIN_QUIET_THREADS || n >= n_threads)
    return;
  g_autofree char *label = g_strdup_printf (ngettext ("%u idle thread", "%u idle threads", n), n);
  LoomRowTreeItem *group = loom_row_tree_child (tree, item, LOOM_LEVEL_QUIET, "idle", label);
  g_ptr_array_remove (item->children, group);
  group->section = LOOM_SECTION_QUIET;
  group->folded = TRUE;
  g_autoptr (GPtrArray) children = g_steal_pointer (&item->children);
  item->children = g_ptr_array_new ();
  for (guint i = 0; i < children->len; i++) {
    LoomRowTreeItem *row = g_ptr_array_index (children, i);
    gboolean goes = row->section == LOOM_SECTION_THREADS && row->order_label != NULL &&
                    g_hash_table_contains (quiet, row->order_label);
    adopt (goes ? group : item, row);
  }
  adopt (item, group);
}

static int
compare_extents (gconstpointer a, gconstpointer b, gpointer data)
{
  LoomRange x = { 0 }, y = { 0 };
  loom_row_tree_extent (data, *(const LoomTrackId *) a, &x);
  loom_row_tree_extent (data, *(const LoomTrackId *) b, &y);
  return x.begin_ns < y.begin_ns ? -1 : x.begin_ns > y.begin_ns;
}

static void
measure_depths (LoomRowTree *tree, LoomTrackId id, GArray *depths)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    if (row->lane >= depths->len)
      g_array_set_size (depths, row->lane + 1u);
    guint16 *depth = &g_array_index (depths, guint16, row->lane);
    *depth = MAX (*depth, (guint16) (row->depth + 1));
  }
}

void
loom_row_tree_measure_lanes (LoomRowTree *tree, LoomRowTreeItem *item)
{
  g_autoptr (GArray) depths = g_array_new (FALSE, TRUE, sizeof (guint16));
  for (guint i = 0; i < item->tracks->len; i++)
    measure_depths (tree, g_array_index (item->tracks, LoomTrackId, i), depths);
  for (guint i = 0; item->details != NULL && i < item->details->len; i++)
    measure_depths (tree, g_array_index (item->details, LoomRowDetail, i).id, depths);
  g_clear_pointer (&item->lanes, g_array_unref);
  item->lanes = g_array_new (FALSE, FALSE, sizeof (guint16));
  guint16 n = 0;
  for (guint i = 0; i < depths->len; i++) {
    g_array_append_val (item->lanes, n);
    n += g_array_index (depths, guint16, i);
  }
  g_array_append_val (item->lanes, n);
  item->n_strips = n;
}

/* Sets item->detail: the names of the groups around the item, then its label. The label of the instants of a thread
 * lacks the name of the thread, which precedes it in item->detail and in item->alone_label. */
static void
name_path (LoomRowTreeItem *item)
{
  gboolean top = item->parent->level == LOOM_LEVEL_JOB,
           of_thread = item->kind == LOOM_ROW_INSTANTS && is_of_thread (item);
  g_autofree char *own = of_thread ? g_strconcat (item->thread_words, loom_list_separator (), item->label, NULL)
                                   : g_strdup (item->whole_label != NULL ? item->whole_label : item->label);
  item->alone_label = of_thread ? g_strdup_printf ("%s · %s", item->thread_words, item->label) : NULL;
  item->detail = top ? g_steal_pointer (&own) : g_strconcat (item->parent->detail, loom_list_separator (), own, NULL);
}

/* Completes the items when the form of the tree is final: sorts the children, sets `detail`, and counts the strips of
 * the rows. */
static void
finish (LoomRowTree *tree, LoomRowTreeItem *item)
{
  if (item->level != LOOM_LEVEL_JOB)
    name_path (item);
  if (item->kind != LOOM_ROW_GROUP && item->kind != LOOM_ROW_COUNTER) {
    g_array_sort_with_data (item->tracks, compare_extents, tree);
    loom_row_tree_measure_lanes (tree, item);
  }
  g_ptr_array_sort (item->children, compare_items);
  for (guint i = 0; i < item->children->len; i++)
    finish (tree, g_ptr_array_index (item->children, i));
}

void
loom_row_tree_shape (LoomRowTree *tree)
{
  show_given (tree->root);
  LoomRange run = { 0, 0 };
  gather_waits (tree, tree->root);
  simplify (tree->root);
  raise_devices (tree->root);
  gather_plots (tree, tree->root);
  if (loom_timeline_get_extent (tree->timeline, &run))
    gather_quiet (tree, tree->root, loom_time_sub (run.end_ns, run.begin_ns));
  finish (tree, tree->root);
}
