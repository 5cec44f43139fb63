/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the time in which each sample is valid, and sets these times as targets of the bins of a histogram, or of pairs
 * of devices.
 */
#include "loom-page-samples.h"

#include <math.h>
#include <string.h>

#include "loom-sample-hold.h"

/* Two devices differ at an instant if their utilizations differ by at least this many percentage points. */
#define DIFFERENCE 50.0

static gboolean
is_wanted (const LoomPageInput *input, const LoomSampleSeries *series, LoomDevice device, const char *host,
           const char *name)
{
  return series->n > 0 && loom_data_frame_series_is (series, device, LOOM_SELECT_DIMENSION) &&
         (name == NULL || (strcmp (series->name, name) == 0 &&
                           strcmp (loom_data_frame_get_host (input->frame, series->host_id), host) == 0));
}

static gint64
usual_distance (const LoomSampleSeries *series)
{
  return series->n > 1 ? loom_sample_hold_find_interval (series->time_ns, series->n) : LOOM_NS_PER_MS;
}

/* Returns the interval in which the value of sample `i` is valid. It ends at the next sample. If the next sample is too
 * far away (loom-sample-hold.h), it ends after `usual_ns`, the median distance of samples. */
static LoomRange
stretch_of (const LoomSampleSeries *series, guint32 i, gint64 usual_ns)
{
  gint64 begin = series->time_ns[i], end = begin + MAX (usual_ns, 1);
  if (i + 1 < series->n && series->time_ns[i + 1] > begin &&
      loom_time_sub (series->time_ns[i + 1], begin) <= loom_sample_hold_get_longest (usual_ns))
    end = series->time_ns[i + 1];
  return (LoomRange) { begin, end };
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

/* Sorts the time ranges, joins those that touch each other, and makes them the target of an element (the place on the
 * timeline that the element shows when activated). */
static void
set_place (LoomPageContent *sheet, guint element, GArray *stretches)
{
  LoomRange *all = (LoomRange *) (gpointer) stretches->data;
  guint n = 0;
  g_array_sort (stretches, compare);
  for (guint i = 0; i < stretches->len; i++)
    if (n > 0 && all[i].begin_ns <= all[n - 1].end_ns)
      all[n - 1].end_ns = MAX (all[n - 1].end_ns, all[i].end_ns);
    else
      all[n++] = all[i];
  loom_page_content_set_parts (sheet, element, all, n);
}

/* Adds the intervals in which samples are valid to the bins of these samples. `drops`: TRUE to skip samples whose
 * values are outside of the histogram, as smdebug does; FALSE to count them in the first or last bin. */
static void
gather (GPtrArray *bins, const LoomSampleSeries *series, LoomRange within, const LoomHistogram *histogram,
        gboolean drops)
{
  gint64 usual = usual_distance (series);
  for (guint32 i = 0; i < series->n; i++) {
    if (series->time_ns[i] < within.begin_ns || series->time_ns[i] > within.end_ns ||
        (drops && (series->value[i] < histogram->min || series->value[i] > histogram->max)))
      continue;
    LoomRange stretch = stretch_of (series, i, usual);
    g_array_append_val ((GArray *) bins->pdata[loom_statistics_find_in_histogram (histogram, series->value[i])],
                        stretch);
  }
}

void
loom_page_samples_set_bin_places (LoomPageContent *sheet, const LoomPageInput *input, LoomDevice device,
                                  const char *host, const char *name, LoomRange within, const LoomHistogram *histogram)
{
  gboolean drops = input->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  const LoomSampleSeries *series = input->frame->series;
  g_autoptr (GPtrArray) bins = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  for (guint i = 0; i < histogram->n_bins; i++)
    g_ptr_array_add (bins, g_array_new (FALSE, FALSE, sizeof (LoomRange)));
  for (guint i = 0; i < input->frame->n_series; i++)
    if (is_wanted (input, &series[i], device, host, name))
      gather (bins, &series[i], within, histogram, drops);
  for (guint i = 0; i < histogram->n_bins; i++) {
    set_place (sheet, i, bins->pdata[i]);
    if (name != NULL && ((GArray *) bins->pdata[i])->len > 0)
      loom_page_content_set_device (sheet, i, host, name);
  }
}

/* Returns the absolute difference between sample `i` of `a` and the sample of `b` that is nearest in time; NAN if no
 * sample of `b` is near. `near`: index at which the search in `b` begins; it is advanced, so that the search for the
 * next sample of `a` can begin there. */
static double
difference_at (const LoomSampleSeries *a, guint32 i, const LoomSampleSeries *b, guint32 *near, gint64 usual_ns)
{
  while (*near + 1 < b->n && b->time_ns[*near + 1] <= a->time_ns[i] + usual_ns / 2)
    (*near)++;
  return llabs (b->time_ns[*near] - a->time_ns[i]) <= usual_ns ? fabs (a->value[i] - b->value[*near]) : NAN;
}

void
loom_page_samples_set_pair_place (LoomPageContent *sheet, guint element, const LoomSampleSeries *a,
                                  const LoomSampleSeries *b)
{
  g_autoptr (GArray) stretches = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  gint64 usual = usual_distance (a);
  double most = -1;
  LoomRange where = { 0, 0 };
  guint32 near = 0;
  for (guint32 i = 0; i < a->n; i++) {
    double difference = difference_at (a, i, b, &near, usual);
    LoomRange stretch = stretch_of (a, i, usual);
    if (difference >= DIFFERENCE)
      g_array_append_val (stretches, stretch);
    if (difference > most) {
      most = difference;
      where = stretch;
    }
  }
  if (stretches->len == 0 && most >= 0)
    g_array_append_val (stretches, where);
  set_place (sheet, element, stretches);
}
