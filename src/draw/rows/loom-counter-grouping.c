/* SPDX-License-Identifier: Apache-2.0
 *
 * Decides which counters share a plot. System metrics are grouped by the quantity that they measure (for example all
 * GPU utilizations), even if they come from different sources. Other counters share a plot if their names begin with
 * the same path and their units are equal; otherwise each has its own plot.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-natural-collate.h"
#include "loom-row-list-private.h"

/* Maximum number of series that a plot draws as lines. With more series, the plot shows their mean and a band from the
 * lowest to the highest value. */
#define MAX_LINES 4

/* A measured quantity of a machine, and the words that identify its counters: the name of such a counter contains all
 * words in words[0], or all words in words[1]. */
typedef struct {
  const char *label;
  const char *words[2][3];
  /* TRUE: there are usually many similar series, for example one per core; they are shown as their mean and a band from
   * the lowest to the highest value */
  gboolean cloud;
} Measure;

static const Measure measures[] = {
  { NC_ ("plot", "GPU memory"), { { "gpu", "memory" }, { "memory/cuda" } }, FALSE },
  { NC_ ("plot", "GPU utilization"), { { "gpu", "util" } }, FALSE },
  { NC_ ("plot", "I/O wait"), { { "wait", "percent" }, { "iowait" } }, TRUE },
  { NC_ ("plot", "CPU utilization"), { { "cpu", "util" }, { "cpu", "percent" } }, TRUE },
  { NC_ ("plot", "memory"), { { "memory", "percent" } }, FALSE },
  { NC_ ("plot", "network"), { { "network", "persecond" }, { "receivebytes" } }, FALSE },
  { NC_ ("plot", "disk throughput"), { { "throughput" } }, FALSE },
  { NC_ ("plot", "disk operations"), { { "iops" } }, FALSE },
};

/* Array with the same indices as `measures`: the position of the measure on the screen. The utilization of GPU and CPU
 * comes first. */
static const guint8 measure_order[] = { 2, 0, 3, 1, 4, 5, 6, 7 };

typedef struct {
  LoomTrackId track;
  guint32 series;
  /* the names of the counter, of the thread and of the series. A name becomes part of the entry's label if it is not
   * equal in all entries of the plot */
  const char *part[3];
} Entry;

typedef struct {
  char *key;
  char *label;
  const char *unit;
  gint64 order;
  gboolean cloud;
  gboolean machine;
  GArray *entries;
} Draft;

static void
draft_free (gpointer data)
{
  Draft *draft = data;
  g_free (draft->key);
  g_free (draft->label);
  g_array_unref (draft->entries);
  g_free (draft);
}

static gboolean
has_words (const char *text, const char *const words[3])
{
  if (words[0] == NULL)
    return FALSE;
  for (guint i = 0; i < 3 && words[i] != NULL; i++)
    if (strstr (text, words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static const Measure *
find_measure (const LoomTrack *track, const LoomSeries *series)
{
  g_autofree char *joined =
    g_strjoin (" ", track->process, track->category, track->name, track->thread, series->name, NULL);
  g_autofree char *text = g_ascii_strdown (joined, -1);
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    if (has_words (text, measures[i].words[0]) || has_words (text, measures[i].words[1]))
      return &measures[i];
  return NULL;
}

static Draft *
get_draft (GPtrArray *drafts, GHashTable *by_key, char *key, const char *label, const char *unit)
{
  Draft *draft = g_hash_table_lookup (by_key, key);
  if (draft != NULL) {
    g_free (key);
    return draft;
  }
  draft = g_new0 (Draft, 1);
  draft->key = key;
  draft->label = g_strdup (label);
  draft->unit = unit;
  draft->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_ptr_array_add (drafts, draft);
  g_hash_table_insert (by_key, draft->key, draft);
  return draft;
}

/* Returns the path at the start of a counter's name, for example "memory/cuda" in "memory/cuda/peak_reserved_mem". NULL
 * if the name contains no path, or if the unit of the series is unknown. Owned by the caller. */
static char *
dup_shared_path (const LoomTrack *track, const LoomSeries *series)
{
  const char *slash = strrchr (track->name, '/');
  if (slash == NULL || slash == track->name || series->unit[0] == '\0')
    return NULL;
  return g_strndup (track->name, (gsize) (slash - track->name));
}

static void
add_series (GPtrArray *drafts, GHashTable *by_key, gboolean machine, LoomTrackId id, const LoomTrack *track,
            guint32 number, const LoomSeries *series)
{
  const Measure *measure = machine ? find_measure (track, series) : NULL;
  Draft *draft;
  if (measure != NULL) {
    draft = get_draft (drafts, by_key, g_strconcat ("plot", LOOM_KEY_SEPARATOR, measure->label, NULL),
                       g_dpgettext2 (NULL, "plot", measure->label), series->unit);
    draft->order = measure_order[measure - measures];
    draft->cloud = measure->cloud;
  } else {
    g_autofree char *path = dup_shared_path (track, series);
    const char *label = path != NULL ? path : track->name[0] != '\0' ? track->name : series->name;
    draft = get_draft (drafts, by_key,
                       g_strjoin (LOOM_KEY_SEPARATOR, "plot", label, path != NULL ? series->unit : track->id, NULL),
                       label, series->unit);
    draft->order = G_N_ELEMENTS (measures);
  }
  draft->machine = machine;
  Entry entry = { id, number, { track->name, track->thread, series->name } };
  g_array_append_val (draft->entries, entry);
}

/* Returns a short form of a name: "Receive" for "ReceiveBytesPerSecond", "Read" for "ReadThroughputInBytesPerSecond",
 * "peak" for "memory/cuda/peak". Owned by the caller. */
static char *
dup_short_part (const char *part)
{
  static const char *const endings[] = { "BytesPerSecond", "In",          "Throughput",
                                         "Utilization",    "UsedPercent", "Percentage" };
  const char *slash = strrchr (part, '/');
  char *text = g_strdup (slash != NULL && slash[1] != '\0' ? slash + 1 : part);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (text, endings[i]) && strlen (text) > strlen (endings[i]))
      text[strlen (text) - strlen (endings[i])] = '\0';
  return text;
}

/* Returns a label for an entry: those names in Entry.part that differ between the entries, joined to one text. If all
 * names are equal in all entries, returns the name of the entry's series or counter. Owned by the caller. */
static char *
dup_series_label (const GArray *entries, const Entry *entry)
{
  GString *label = g_string_new (NULL);
  for (guint p = 0; p < 3; p++) {
    gboolean differs = FALSE;
    for (guint i = 0; i < entries->len && !differs; i++)
      differs = strcmp (g_array_index (entries, Entry, i).part[p], entry->part[p]) != 0;
    g_autofree char *part = dup_short_part (entry->part[p]);
    if (!differs || part[0] == '\0' || strstr (label->str, part) != NULL)
      continue;
    g_string_append_printf (label, "%s%s", label->len > 0 ? " " : "", part);
  }
  if (label->len == 0) {
    g_autofree char *part = dup_short_part (entry->part[2][0] != '\0' ? entry->part[2] : entry->part[0]);
    g_string_append (label, part);
  }
  return g_string_free (label, FALSE);
}

static int
compare_series (gconstpointer a, gconstpointer b)
{
  const LoomCounterSeries *x = a, *y = b;
  int order = loom_natural_collate_compare (x->label, y->label);
  if (order != 0)
    return order;
  if (x->trace != y->trace)
    return x->trace < y->trace ? -1 : 1;
  return x->series < y->series ? -1 : x->series > y->series;
}

static void
make_plot (LoomRowTree *tree, LoomRowTreeItem *parent, const Draft *draft)
{
  LoomRowTreeItem *item = loom_row_tree_child (tree, parent, LOOM_LEVEL_ROW, draft->key, draft->label);
  item->kind = LOOM_ROW_COUNTER;
  item->unit = draft->unit;
  item->sort = draft->order;
  for (guint i = 0; i < draft->entries->len; i++) {
    const Entry *entry = &g_array_index (draft->entries, Entry, i);
    g_autofree char *label = dup_series_label (draft->entries, entry);
    LoomCounterSeries series = { entry->track.trace,
                                 entry->track.track,
                                 entry->series,
                                 g_string_chunk_insert_const (tree->texts, label),
                                 0,
                                 LOOM_QUANTITY_VALUE,
                                 0 };
    g_array_append_val (item->series, series);
    g_array_append_val (item->tracks, entry->track);
    tree->track_item[tree->first_track[entry->track.trace] + entry->track.track] = item;
  }
  g_array_sort (item->series, compare_series);
  guint n_labels = 0;
  for (guint i = 0; i < item->series->len; i++) {
    LoomCounterSeries *series = &g_array_index (item->series, LoomCounterSeries, i);
    n_labels += i == 0 || strcmp (series->label, series[-1].label) != 0;
    series->color = n_labels - 1;
  }
  gboolean cloud = n_labels > LOOM_PLOT_MAX_LINES || (draft->cloud && n_labels > MAX_LINES);
  item->part =
    (LoomCounterPart) { .kind = cloud ? LOOM_PLOT_MEAN : LOOM_PLOT_LINES, .label = item->label, .unit = item->unit };
  item->part.n = item->series->len;
  item->part.scale =
    loom_row_list_scale_of (tree->timeline, &item->part, (const LoomCounterSeries *) (gpointer) item->series->data);
}

void
loom_row_tree_add_plots (LoomRowTree *tree, LoomRowTreeItem *process, LoomRowTreeItem *node, const GArray *tracks)
{
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func (draft_free);
  g_autoptr (GHashTable) by_key = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < tracks->len; i++) {
    LoomTrackId id = g_array_index (tracks, LoomTrackId, i);
    const LoomTrack *track = loom_row_tree_track (tree, id);
    LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (tree->timeline), id.trace);
    gboolean machine = g_strcmp0 (track->format, "smdebug-system") == 0;
    for (guint k = 0; k < track->n_series; k++)
      add_series (drafts, by_key, machine, id, track, track->first_series + k,
                  loom_trace_get_series (trace, track->first_series + k));
  }
  for (guint i = 0; i < drafts->len; i++) {
    const Draft *draft = g_ptr_array_index (drafts, i);
    make_plot (tree, draft->machine ? node : process, draft);
  }
}
