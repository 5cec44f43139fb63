/* SPDX-License-Identifier: Apache-2.0
 *
 * Balance: how similar the workloads of GPUs are, for each pair, and a histogram of each GPU.
 */
#include "loom-page-private.h"

#include "loom-gpu-balance.h"
#include "loom-page-samples.h"

#include <glib/gi18n.h>
#include <math.h>

#define MAX_MATRIX 64 /* largest number of devices in the matrix */
#define MAX_MATRICES 4
#define MAX_HISTOGRAMS 16
#define MOST_DISTANT 0.8325546111576977 /* √ln 2, the distance of two distributions that have nothing in common */

/* Sets the target of an element of the last block to the time where the two devices differ. */
static void
set_pair_place (LoomPageContent *sheet, guint element, const LoomPageInput *input, const LoomGpuBalance *balance,
                const LoomGpuBalancePair *pair)
{
  const LoomGpuBalanceDevice *a = &balance->devices[pair->a], *b = &balance->devices[pair->b];
  const LoomSampleSeries *x = loom_page_samples_find_series (input, LOOM_DEVICE_GPU, a->host, a->name);
  const LoomSampleSeries *y = loom_page_samples_find_series (input, LOOM_DEVICE_GPU, b->host, b->name);
  if (x != NULL && y != NULL)
    loom_page_samples_set_pair_place (sheet, element, x, y);
}

/* The devices of one matrix, as indices of the balance's devices. */
typedef struct {
  const char *host; /* NULL: of all hosts */
  GArray *devices;  /* guint */
} Matrix;

static guint
device_at (const Matrix *matrix, guint i)
{
  return g_array_index (matrix->devices, guint, i);
}

/* Finds the pair of two devices, in either order. Returns NULL if they are not compared. */
static const LoomGpuBalancePair *
find_pair (const LoomGpuBalance *balance, guint a, guint b)
{
  for (guint i = 0; i < balance->n_pairs; i++)
    if ((balance->pairs[i].a == a && balance->pairs[i].b == b) ||
        (balance->pairs[i].a == b && balance->pairs[i].b == a))
      return &balance->pairs[i];
  return NULL;
}

static void
take_matrix (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance, const Matrix *matrix)
{
  guint n = matrix->devices->len;
  g_autofree double *values = g_new (double, (gsize) n *n);
  g_autofree const LoomGpuBalancePair **pairs = g_new0 (const LoomGpuBalancePair *, (gsize) n *n);
  g_autofree char *title =
    matrix->host != NULL ? g_strdup_printf (_ ("Distance of workloads on %s"), matrix->host) : NULL;
  LoomChart *chart = loom_chart_new_matrix (title != NULL ? title : _ ("Distance of workloads"), "", n);
  for (guint i = 0; i < n * n; i++) {
    pairs[i] = find_pair (balance, device_at (matrix, i / n), device_at (matrix, i % n));
    values[i] = pairs[i] != NULL ? round (100 * pairs[i]->distance) / 100 : (i % (n + 1) == 0 ? 0 : NAN);
  }
  for (guint i = 0; i < n; i++) {
    const LoomGpuBalanceDevice *device = &balance->devices[device_at (matrix, i)];
    g_autofree char *name = loom_page_device_name (input, matrix->host != NULL ? NULL : device->host, device->name);
    loom_chart_add_heat_row (chart, name, values + (gsize) i * n);
  }
  loom_chart_set_scale (chart, 0, MOST_DISTANT);
  loom_chart_set_limit (chart, input->thresholds.balance_distance, _ ("different beyond"));
  loom_page_content_take_chart (sheet, chart, FALSE);
  for (guint i = 0; i < n * n; i++)
    if (pairs[i] != NULL)
      set_pair_place (sheet, i, input, balance, pairs[i]);
}

/* Adds a matrix for each node, because devices of different nodes are not compared. If there are too many nodes, all
 * devices are in one matrix. */
static void
add_matrices (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n_hosts = 0;
  for (guint i = 0; i < balance->n_devices; i++) {
    n_hosts += i == 0 || g_strcmp0 (balance->devices[i].host, balance->devices[i - 1].host) != 0;
    g_array_append_val (all, i);
  }
  if (n_hosts == 1 || n_hosts > MAX_MATRICES) {
    take_matrix (sheet, input, balance, &(const Matrix) { NULL, all });
    return;
  }
  for (guint i = 0, end; i < balance->n_devices; i = end) {
    const Matrix matrix = { balance->devices[i].host, all };
    g_array_set_size (all, 0);
    for (end = i; end < balance->n_devices && g_strcmp0 (balance->devices[end].host, matrix.host) == 0; end++)
      g_array_append_val (all, end);
    if (all->len > 1)
      take_matrix (sheet, input, balance, &matrix);
  }
}

static LoomChart *
new_histogram (const LoomPageInput *input, const LoomGpuBalance *balance, const LoomGpuBalanceDevice *device)
{
  g_autofree char *title = loom_page_device_name (input, device->host, device->name);
  LoomChart *chart = loom_chart_new_histogram (title, C_ ("chart", "utilization"), "%", C_ ("chart", "samples"), 0,
                                               2.0 * balance->n_bins);
  chart->small = TRUE;
  for (guint bin = 0; bin < balance->n_bins; bin++)
    loom_chart_add_bin (chart, (double) device->counts[bin]);
  return chart;
}

static void
add_histograms (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance)
{
  const LoomHistogram bins = { .min = 0, .max = 2.0 * balance->n_bins, .n_bins = balance->n_bins };
  guint n = MIN (balance->n_devices, MAX_HISTOGRAMS);
  LoomChart *charts[MAX_HISTOGRAMS];
  for (guint i = 0; i < n; i++)
    charts[i] = new_histogram (input, balance, &balance->devices[i]);
  loom_chart_share_axes (charts, n);
  for (guint i = 0; i < n; i++) {
    const LoomGpuBalanceDevice *device = &balance->devices[i];
    loom_page_content_take_chart (sheet, charts[i], FALSE);
    loom_page_samples_set_bin_places (sheet, input, LOOM_DEVICE_GPU, device->host, device->name,
                                      (LoomRange) { G_MININT64, G_MAXINT64 }, &bins);
  }
  if (balance->n_devices <= MAX_HISTOGRAMS)
    return;
  g_autofree char *text =
    g_strdup_printf (_ ("Histograms of the first %d of %u GPUs."), MAX_HISTOGRAMS, balance->n_devices);
  loom_page_content_add_note (sheet, text);
}

static void
add_pairs (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance)
{
  LoomResultTable *table = loom_result_table_new (_ ("Pairs"));
  loom_result_table_add_column (table, C_ ("column", "GPU"), NULL, NULL);
  guint b = loom_result_table_add_column (table, C_ ("column", "Other GPU"), NULL, NULL);
  guint distance = loom_result_table_add_column (
    table, C_ ("column", "Distance"), "",
    _ ("Jensen–Shannon distance of the histograms: 0 is equal, 0.83 has nothing in common"));
  guint differs = loom_result_table_add_column (table, C_ ("column", "Different"), NULL, NULL);
  loom_result_table_set_order (table, distance, TRUE);
  for (guint i = 0; i < balance->n_pairs; i++) {
    const LoomGpuBalancePair *pair = &balance->pairs[i];
    g_autofree char *x = loom_page_device_name (input, balance->devices[pair->a].host, balance->devices[pair->a].name);
    g_autofree char *y = loom_page_device_name (input, balance->devices[pair->b].host, balance->devices[pair->b].name);
    loom_result_table_add_row (table, x);
    loom_result_table_set_text (table, b, y);
    loom_result_table_set_number (table, distance, pair->distance);
    loom_result_table_set_text (table, differs,
                                isnan (pair->distance) ? _ ("no data")
                                : pair->differs        ? C_ ("table", "yes")
                                                       : C_ ("table", "no"));
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < balance->n_pairs; i++)
    set_pair_place (sheet, i, input, balance, &balance->pairs[i]);
}

static void
add_distance_note (LoomPageContent *sheet, const LoomPageInput *input)
{
  g_autofree char *limit = loom_chart_format (input->thresholds.balance_distance, "");
  g_autofree char *text = g_strdup_printf (
    _ (
      "The distance compares how often two GPUs were how busy: at 0 their histograms below are equal, at 0.83 they have nothing in common. Above %s the GPUs do clearly different work."),
    limit);
  loom_page_content_add_note (sheet, text);
}

/* The sentence about the pairs. A single GPU has a sentence of its own, because there is nothing to compare. */
static char *
dup_note (const LoomGpuBalance *balance, guint n_different)
{
  if (n_different > 0)
    return g_strdup_printf (ngettext ("%u pair of GPUs has clearly different workloads.",
                                      "%u pairs of GPUs have clearly different workloads.", n_different),
                            n_different);
  if (balance->n_devices == 1)
    return g_strdup (_ ("1 GPU, and none to compare it with."));
  return g_strdup_printf (ngettext ("%u GPU; no two of one node have clearly different workloads.",
                                    "%u GPUs; no two of one node have clearly different workloads.",
                                    balance->n_devices),
                          balance->n_devices);
}

LoomPageContent *
loom_page_balance (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *why = loom_page_no_device (input, LOOM_DEVICE_GPU);
  LoomGpuBalance balance;
  guint n_different = 0;
  if (why != NULL) {
    loom_page_content_add_missing (sheet, why);
    loom_page_add_metrics_hint (sheet);
    return sheet;
  }
  loom_gpu_balance_init (&balance, input->frame, &input->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         input->thresholds.balance_distance);
  loom_page_count_part (input, cancellable);
  loom_page_content_set_sources (sheet, _ ("from GPU utilization"));
  for (guint i = 0; i < balance.n_pairs; i++)
    n_different += balance.pairs[i].differs;
  g_autofree char *text = dup_note (&balance, n_different);
  loom_page_content_add_answer (sheet, text);
  if (balance.n_pairs > 0)
    add_distance_note (sheet, input);
  if (balance.n_devices > 1 && balance.n_devices <= MAX_MATRIX)
    add_matrices (sheet, input, &balance);
  if (balance.n_pairs > 0)
    add_pairs (sheet, input, &balance);
  add_histograms (sheet, input, &balance);
  loom_page_count_part (input, cancellable);
  loom_gpu_balance_clear (&balance);
  return loom_page_finish (sheet, cancellable);
}
