/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-utilization-statistics.h"

#include <string.h>

static const char *const types[] = { "cpu", "gpu", "memory", "i/o", "network" };

/* The samples that have the same type, dimension, phase and host and, if they are grouped by name, the same name. */
typedef struct {
  LoomUtilizationStatistic item;
  guint type_order;
  GArray *values; /* double: the values of the samples */
} Bucket;

typedef struct {
  const LoomDataFrame *frame;
  gboolean as_written;
  GHashTable *by_key; /* key: text "type\ndimension\nname\nphase\nhost"; value: Bucket */
} Buckets;

static void
bucket_free (gpointer data)
{
  Bucket *bucket = data;
  g_clear_pointer (&bucket->values, g_array_unref);
  g_free (bucket);
}

/* Returns the index of a type in `types`; G_N_ELEMENTS (types) if there is none. `as_written`: TRUE if numbers are
 * computed as smdebug does; then the result is the first element of `types` that occurs anywhere in `type`. */
static guint
order_of_type (const char *type, gboolean as_written)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (as_written ? strstr (type, types[i]) != NULL : strcmp (type, types[i]) == 0)
      return i;
  return G_N_ELEMENTS (types);
}

/* Returns the name by which a series is grouped in addition to its dimension. NULL: the series is grouped by dimension
 * only. Series of cpu and gpu metrics are grouped by dimension only, because their name is the number of the device.
 * `as_written`: TRUE if numbers are computed as smdebug does; then the result is NULL. */
static const char *
get_name (const LoomSampleSeries *series, gboolean as_written)
{
  gboolean is_device = strcmp (series->type, "cpu") == 0 || strcmp (series->type, "gpu") == 0;
  return as_written || is_device || series->dimension[0] == '\0' || series->name[0] == '\0' ? NULL : series->name;
}

static Bucket *
bucket_for (Buckets *buckets, const LoomSampleSeries *series, const char *phase)
{
  guint order = order_of_type (series->type, buckets->as_written);
  const char *dimension = buckets->as_written ? NULL : series->dimension[0] != '\0' ? series->dimension : series->name;
  const char *name = get_name (series, buckets->as_written),
             *host = loom_data_frame_get_host (buckets->frame, series->host_id);
  const char *type = buckets->as_written && order < G_N_ELEMENTS (types) ? types[order] : series->type;
  g_autofree char *key = g_strjoin ("\n", type, dimension != NULL ? dimension : "", name != NULL ? name : "",
                                    phase != NULL ? phase : "", host, NULL);
  Bucket *bucket = g_hash_table_lookup (buckets->by_key, key);
  if (bucket != NULL)
    return bucket;
  bucket = g_new0 (Bucket, 1);
  bucket->item = (LoomUtilizationStatistic) {
    .type = type, .dimension = dimension, .name = name, .unit = series->unit, .phase = phase, .host = host
  };
  bucket->type_order = order;
  bucket->values = g_array_new (FALSE, FALSE, sizeof (double));
  g_hash_table_insert (buckets->by_key, g_steal_pointer (&key), bucket);
  return bucket;
}

/* Returns an array with one element per sample: 1 + the index of the last interval that contains the sample; 0: no
 * interval contains it. Owned by the caller. */
static guint32 *
dup_labels (const LoomSampleSeries *series, const LoomPhaseIntervals *intervals)
{
  guint32 *labels = g_new0 (guint32, MAX (series->n, 1));
  gsize near = 0;
  for (guint i = 0; i < intervals->n; i++) {
    near = loom_statistics_first_at (series->time_ns, series->n, intervals->items[i].begin_ns, near);
    for (gsize k = near; k < series->n && series->time_ns[k] <= intervals->items[i].end_ns; k++)
      labels[k] = i + 1;
  }
  return labels;
}

static void
add_by_phase (Buckets *buckets, const LoomSampleSeries *series, const LoomPhaseIntervals *intervals)
{
  g_autofree guint32 *labels = dup_labels (series, intervals);
  guint32 last = 0;
  Bucket *bucket = NULL;
  for (guint32 i = 0; i < series->n; i++) {
    if (labels[i] == 0)
      continue;
    if (labels[i] != last)
      bucket = bucket_for (buckets, series, intervals->items[labels[i] - 1].name);
    last = labels[i];
    g_array_append_vals (bucket->values, &series->value[i], 1);
  }
}

static int
compare_buckets (gconstpointer a, gconstpointer b)
{
  const Bucket *x = *(Bucket *const *) a, *y = *(Bucket *const *) b;
  int order =
    x->type_order != y->type_order ? (x->type_order < y->type_order ? -1 : 1) : strcmp (x->item.type, y->item.type);
  if (order == 0)
    order = g_strcmp0 (x->item.dimension, y->item.dimension);
  if (order == 0)
    order = g_strcmp0 (x->item.name, y->item.name);
  if (order == 0)
    order = g_strcmp0 (x->item.phase, y->item.phase);
  return order != 0 ? order : strcmp (x->item.host, y->item.host);
}

static void
finish (Buckets *buckets, LoomUtilizationStatistics *statistics)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer each;
  g_hash_table_iter_init (&iter, buckets->by_key);
  while (g_hash_table_iter_next (&iter, NULL, &each))
    g_ptr_array_add (sorted, each);
  g_ptr_array_sort (sorted, compare_buckets);
  statistics->items = g_new (LoomUtilizationStatistic, MAX (sorted->len, 1));
  for (guint i = 0; i < sorted->len; i++) {
    Bucket *bucket = g_ptr_array_index (sorted, i);
    bucket->item.value = loom_statistics_summarise ((double *) bucket->values->data, bucket->values->len);
    statistics->items[statistics->n++] = bucket->item;
  }
}

static void
intervals_free (gpointer data)
{
  loom_phase_intervals_clear (data);
  g_free (data);
}

void
loom_utilization_statistics_init (LoomUtilizationStatistics *statistics, const LoomDataFrame *frame, gboolean by_phase)
{
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  g_autoptr (GHashTable) by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, bucket_free);
  Buckets buckets = { frame, as_written, by_key };
  guint n_intervals = by_phase ? (as_written ? 1 : frame->n_hosts) : 0;
  const LoomSampleSeries *series = frame->series;
  *statistics = (LoomUtilizationStatistics) { .intervals = g_ptr_array_new_with_free_func (intervals_free) };
  for (guint i = 0; i < n_intervals; i++) {
    LoomPhaseIntervals *intervals = g_new0 (LoomPhaseIntervals, 1);
    loom_phase_intervals_init (intervals, frame, i, NULL);
    g_ptr_array_add (statistics->intervals, intervals);
  }
  for (guint i = 0; i < frame->n_series; i++) {
    if (series[i].n == 0 || (as_written && order_of_type (series[i].type, TRUE) == G_N_ELEMENTS (types)))
      continue;
    if (by_phase)
      add_by_phase (&buckets, &series[i],
                    g_ptr_array_index (statistics->intervals, as_written ? 0 : series[i].host_id));
    else
      g_array_append_vals (bucket_for (&buckets, &series[i], NULL)->values, series[i].value, series[i].n);
  }
  finish (&buckets, statistics);
}

void
loom_utilization_statistics_clear (LoomUtilizationStatistics *statistics)
{
  g_clear_pointer (&statistics->items, g_free);
  g_clear_pointer (&statistics->intervals, g_ptr_array_unref);
}

char *
loom_utilization_statistics_dup_label (const LoomUtilizationStatistic *item)
{
  return item->name != NULL ? g_strdup_printf ("%s, %s", item->name, item->dimension) : g_strdup (item->dimension);
}
