/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page Balance, which shows which GPUs have less to do than others. For runs in which counters recorded the
 * utilization of GPUs, it shows the mean utilization and a histogram of each GPU, and how similar the utilizations of
 * each two GPUs are.
 *
 * For runs without such counters, it shows the share of the recorded time in which the GPUs of each rank compute or, if
 * the run has only one rank, this share for each GPU. It shows shares and not durations, because a duration depends on
 * how long a rank was recorded.
 */
#include "loom-page-private.h"

#include "loom-device-parts.h"
#include "loom-gpu-balance.h"
#include "loom-list-separator.h"
#include "loom-page-samples.h"
#include "loom-rank-breakdown.h"
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MATRIX 64 /* maximum number of devices in a matrix of similarities */
#define MAX_MATRICES 4
#define MAX_HISTOGRAMS 16
#define MAX_BARS 64
#define MAX_LISTED 6 /* maximum number of GPUs that a sentence names */
/* a GPU counts as less busy than another if its mean utilization is lower by at least this number of percentage
 * points */
#define LEAST_POINTS 5
/* √ln 2: the Jensen–Shannon distance between two distributions that do not overlap */
#define MOST_DISTANT 0.8325546111576977

/* Sets the target of an element of the last block to the times at which the utilizations of two devices differ. */
static void
set_pair_place (LoomPageContent *sheet, guint element, const LoomGpuBalance *balance, const LoomGpuBalancePair *pair)
{
  const LoomSampleSeries *a = balance->devices[pair->a].series, *b = balance->devices[pair->b].series;
  if (a != NULL && b != NULL)
    loom_page_samples_set_pair_place (sheet, element, a, b);
}

/* The devices of one matrix of similarities, as indices into LoomGpuBalance.devices. */
typedef struct {
  const char *host; /* name of the node whose devices the matrix contains; NULL: it contains the devices of all nodes */
  GArray *devices;  /* guint: the devices of the matrix, as indices into LoomGpuBalance.devices */
} Matrix;

static guint
device_at (const Matrix *matrix, guint i)
{
  return g_array_index (matrix->devices, guint, i);
}

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const LoomGpuBalancePair *x = a, *y = b;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  return x->b < y->b ? -1 : x->b > y->b;
}

/* Returns the element of balance->pairs for two devices, given in either order. Returns NULL if the two devices are not
 * compared. O(log pairs). */
static const LoomGpuBalancePair *
find_pair (const LoomGpuBalance *balance, guint x, guint y)
{
  const LoomGpuBalancePair wanted = { .a = MIN (x, y), .b = MAX (x, y) };
  return balance->n_pairs > 0 ? bsearch (&wanted, balance->pairs, balance->n_pairs, sizeof wanted, compare_pairs)
                              : NULL;
}

static void
take_matrix (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance, const Matrix *matrix)
{
  guint n = matrix->devices->len;
  g_autofree double *values = g_new (double, (gsize) n *n);
  g_autofree const LoomGpuBalancePair **pairs = g_new0 (const LoomGpuBalancePair *, (gsize) n *n);
  g_autofree char *title = matrix->host != NULL
                             ? g_strdup_printf (_ ("Difference in GPU Utilization on %s (0: identical)"), matrix->host)
                             : NULL;
  LoomChart *chart =
    loom_chart_new_matrix (title != NULL ? title : _ ("Difference in GPU Utilization (0: identical)"), "", n);
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
  loom_chart_set_limit (chart, input->thresholds.balance_distance, _ ("clear difference above this value"));
  loom_page_content_take_chart (sheet, chart, FALSE);
  for (guint i = 0; i < n * n; i++)
    if (pairs[i] != NULL)
      set_pair_place (sheet, i, balance, pairs[i]);
}

/* Adds a matrix for each node, because devices of different nodes are not compared. If there is only one node, or if
 * there are more than MAX_MATRICES nodes, adds one matrix of all devices. */
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
    _ ("Jensen–Shannon distance of the histograms: 0 means equal, 0.83 means nothing in common"));
  guint differs = loom_result_table_add_column (table, C_ ("column", "Usage Differs"), NULL, NULL);
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
    set_pair_place (sheet, i, balance, &balance->pairs[i]);
}

static void
add_distance_note (LoomPageContent *sheet, const LoomPageInput *input)
{
  g_autofree char *limit = loom_chart_format (input->thresholds.balance_distance, "");
  g_autofree char *text = g_strdup_printf (
    _ (
      "The distance compares the utilization histograms of two GPUs: at 0 the histograms are equal, at 0.83 they have nothing in common. If the distance is above %s, the GPUs do clearly different work."),
    limit);
  loom_page_content_add_note (sheet, text);
}

/* --- means -------------------------------------------------------------------------------------------------------- */

/* Returns the mean of all samples of a device, in percent; NaN without samples. */
static double
get_mean (const LoomGpuBalanceDevice *device)
{
  const LoomSampleSeries *series = device->series;
  double sum = 0;
  for (guint32 i = 0; series != NULL && i < series->n; i++)
    sum += series->value[i];
  return series != NULL && series->n > 0 ? sum / series->n : NAN;
}

/* Returns the mean utilization of each device, in percent. Owned by the caller. */
static double *
dup_means (const LoomGpuBalance *balance)
{
  double *means = g_new (double, MAX (balance->n_devices, 1));
  for (guint i = 0; i < balance->n_devices; i++)
    means[i] = get_mean (&balance->devices[i]);
  return means;
}

/* Describes the GPUs whose utilization clearly differs from that of another GPU on the same node. A GPU that is less
 * busy than one GPU and busier than another is ignored. */
typedef struct {
  GString *names; /* names of the less busy GPUs, at most MAX_LISTED */
  guint n_less, n_more;
  /* `less`: sum of the mean utilizations of the n_less GPUs, in percent; `more`: the same sum for the n_more GPUs */
  double less, more;
} Levels;

enum { LESS = 1, MORE };

/* Finds the GPUs whose utilization differs from that of another GPU of the same node. Returns an array with an element
 * for each device: LESS if the device is less busy than another GPU, MORE if it is busier than another, LESS | MORE if
 * both are true, 0 if it does not differ from any. The array is owned by the caller. */
static guint8 *
dup_signs (const LoomGpuBalance *balance, const double *means)
{
  guint8 *signs = g_new0 (guint8, MAX (balance->n_devices, 1));
  for (guint i = 0; i < balance->n_pairs; i++) {
    const LoomGpuBalancePair *pair = &balance->pairs[i];
    if (!pair->differs || !(fabs (means[pair->a] - means[pair->b]) >= LEAST_POINTS))
      continue;
    signs[pair->a] |= means[pair->a] < means[pair->b] ? LESS : MORE;
    signs[pair->b] |= means[pair->a] < means[pair->b] ? MORE : LESS;
  }
  return signs;
}

static void
add_means (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance, const double *means)
{
  g_autofree guint8 *signs = dup_signs (balance, means);
  /* number of bars per GPU */
  guint n = MIN (balance->n_devices, MAX_BARS), n_each = memchr (signs, LESS, n) != NULL ? 2 : 1;
  LoomChart *chart = loom_chart_new_bars (_ ("Mean utilization"), "%", n_each > 1);
  loom_chart_add_bar_series (chart, _ ("Mean utilization"), 0);
  if (n_each > 1)
    loom_chart_add_bar_series (chart, C_ ("chart", "less busy than other GPUs of the node"), LOOM_CHART_ALARM);
  for (guint i = 0; i < n; i++) {
    const LoomGpuBalanceDevice *device = &balance->devices[i];
    g_autofree char *name = loom_page_device_name (input, device->host, device->name);
    const double values[] = { signs[i] == LESS ? 0 : means[i], signs[i] == LESS ? means[i] : 0 };
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < n * n_each; i++) {
    const LoomGpuBalanceDevice *device = &balance->devices[i / n_each];
    loom_page_content_set_place (sheet, i, input->range, NULL, 0);
    loom_page_content_set_device (sheet, i, device->host, device->name);
  }
}

/* Finds the GPUs whose utilization differs from that of another GPU, and divides them into less busy and busier GPUs. A
 * GPU that is less busy than one GPU and busier than another counts as neither. */
static void
find_levels (const LoomPageInput *input, const LoomGpuBalance *balance, const double *means, Levels *levels)
{
  g_autofree guint8 *signs = dup_signs (balance, means);
  for (guint i = 0; i < balance->n_devices; i++) {
    const LoomGpuBalanceDevice *device = &balance->devices[i];
    if (signs[i] == MORE) {
      levels->more += means[i];
      levels->n_more++;
    }
    if (signs[i] != LESS)
      continue;
    g_autofree char *name = loom_page_device_name (input, device->host, device->name);
    levels->less += means[i];
    if (levels->n_less++ < MAX_LISTED)
      g_string_append_printf (levels->names, "%s%s", levels->names->len > 0 ? loom_list_separator () : "", name);
  }
}

/* Returns a sentence that names the GPUs that are less busy than others. Returns NULL if the mean utilizations of all
 * GPUs are similar; their histograms may differ even then. Owned by the caller. */
static char *
dup_less_busy (const LoomPageInput *input, const LoomGpuBalance *balance, const double *means)
{
  g_autoptr (GString) names = g_string_new (NULL);
  Levels levels = { .names = names };
  find_levels (input, balance, means, &levels);
  if (levels.n_less == 0 || levels.n_more == 0)
    return NULL;
  g_autofree char *less = loom_chart_format (levels.less / levels.n_less, "%"),
                  *more = loom_chart_format (levels.more / levels.n_more, "%");
  if (levels.n_less > MAX_LISTED)
    return g_strdup_printf (
      ngettext (
        "%u of %u GPUs is less busy than others on its node: it is busy for %s of the time, the others for %s.",
        "%u of %u GPUs are less busy than others on their nodes: they are busy for %s of the time, the others for %s.",
        levels.n_less),
      levels.n_less, balance->n_devices, less, more);
  return g_strdup_printf (/* Translators: names of GPUs, and two percentages */
                          _ (
                            "Less busy than other GPUs on the same node: %s (busy for %s of the time, the others for %s)."),
                          names->str, less, more);
}

/* Returns a sentence with the number of pairs of GPUs with different utilizations or, if there is only one GPU, a
 * sentence that says so. Owned by the caller. */
static char *
dup_note (const LoomGpuBalance *balance, guint n_different)
{
  if (n_different > 0)
    return g_strdup_printf (ngettext ("%u pair of GPUs has clearly different workloads.",
                                      "%u pairs of GPUs have clearly different workloads.", n_different),
                            n_different);
  if (balance->n_devices == 1)
    return g_strdup (_ ("There is only one GPU, so there is none to compare it with."));
  return g_strdup_printf (ngettext ("%u GPU; no two GPUs of the same node have clearly different workloads.",
                                    "%u GPUs; no two GPUs of the same node have clearly different workloads.",
                                    balance->n_devices),
                          balance->n_devices);
}

/* Fills the page from the utilization that the counters of the GPUs recorded. */
static void
add_counters (LoomPageContent *sheet, const LoomPageInput *input, const LoomGpuBalance *balance)
{
  guint n_different = 0;
  for (guint i = 0; i < balance->n_pairs; i++)
    n_different += balance->pairs[i].differs;
  g_autofree double *means = dup_means (balance);
  g_autofree char *less = dup_less_busy (input, balance, means), *pairs = dup_note (balance, n_different),
                  *all = loom_sentence_join (less != NULL ? less : pairs, less != NULL ? pairs : NULL);
  loom_page_content_set_sources (sheet, _ ("computed from GPU utilization"));
  loom_page_content_add_answer (sheet, all);
  if (balance->n_devices > 1)
    add_means (sheet, input, balance, means);
  if (balance->n_pairs > 0)
    add_distance_note (sheet, input);
  if (balance->n_devices > 1 && balance->n_devices <= MAX_MATRIX)
    add_matrices (sheet, input, balance);
  add_histograms (sheet, input, balance);
  if (balance->n_pairs > 0)
    add_pairs (sheet, input, balance);
}

/* --- balance of ranks, computed from their kernels ---------------------------------------------------------------- */

/* Sets the targets (the places on the timeline to which they lead) of the chart elements that belong to the first `n`
 * ranks. Each rank has `n_each` consecutive elements. */
static void
set_rank_places (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown, guint n,
                 guint n_each)
{
  for (guint i = 0; i < n * n_each; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i / n_each];
    loom_page_content_set_place (sheet, i, (LoomRange) { rank->begin_ns, rank->end_ns }, NULL, 0);
    loom_page_set_rank (sheet, input, i, rank->rank, rank->sources);
  }
}

static void
add_computing_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  double median = loom_device_parts_get_median_share (breakdown);
  gboolean more = loom_device_parts_has_outliers (breakdown, median, TRUE),
           less = loom_device_parts_has_outliers (breakdown, median, FALSE);
  /* `n_each`: number of bars for each rank or GPU */
  guint n = MIN (breakdown->n_ranks, MAX_BARS), n_each = more || less ? 2 : 1;
  LoomChart *chart = loom_chart_new_bars (loom_device_parts_is_of_devices (breakdown)
                                            ? _ ("Computing time by GPU, as a share of the GPU’s recorded time")
                                            : _ ("Computing time by rank, as a share of the rank’s recorded time"),
                                          "%", n_each > 1);
  loom_chart_add_bar_series (chart, C_ ("chart", "computing"), loom_chart_work_color (LOOM_WORK_KIND_COMPUTE));
  if (n_each > 1)
    loom_chart_add_bar_series (chart, C_ ("chart", "computing (share far from the median)"), LOOM_CHART_ALARM);
  for (guint i = 0; i < n; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    gboolean far = (more && loom_device_parts_is_outlier (rank, median, TRUE)) ||
                   (less && loom_device_parts_is_outlier (rank, median, FALSE));
    g_autofree char *name = loom_device_parts_dup_name (input, rank);
    const double values[] = { far ? 0 : loom_device_parts_get_share (rank),
                              far ? loom_device_parts_get_share (rank) : 0 };
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  set_rank_places (sheet, input, breakdown, n, n_each);
}

static void
add_computing_table (LoomPageContent *sheet, const LoomPageInput *input, const LoomRankBreakdown *breakdown)
{
  double median = loom_device_parts_get_median_share (breakdown);
  gboolean devices = loom_device_parts_is_of_devices (breakdown);
  LoomResultTable *table = loom_result_table_new (devices ? _ ("Computing time by GPU") : _ ("Computing time by rank"));
  loom_result_table_add_column (table, devices ? C_ ("column", "GPU") : C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Computing"), "ns",
                                _ ("Time in which a computing kernel ran; concurrent kernels count once"));
  loom_result_table_add_column (
    table, C_ ("column", "Recorded"), "ns",
    _ (
      "Sum over the devices and files of the rank: in each file, each device counts for the time from the first to the last work of any of them, plus the wait for the first work in a step"));
  guint share = loom_result_table_add_share_column (table, C_ ("column", "Share"),
                                                    _ ("Share of the recorded time in which a computing kernel ran"));
  loom_result_table_add_column (table, C_ ("column", "Share Relative to Median"), "%",
                                devices ? _ ("Share of the recorded time, divided by the median share of all GPUs")
                                        : _ ("Share of the recorded time, divided by the median share of all ranks"));
  loom_result_table_set_order (table, share, TRUE);
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankTime *rank = &breakdown->ranks[i];
    g_autofree char *name = loom_device_parts_dup_name (input, rank);
    const double figures[] = { (double) rank->compute_ns, (double) rank->recorded_ns,
                               loom_device_parts_get_share (rank),
                               median > 0 ? loom_statistics_percent (loom_device_parts_get_share (rank), median)
                                          : NAN };
    loom_result_table_add_row (table, name);
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (sheet, table);
  set_rank_places (sheet, input, breakdown, breakdown->n_ranks, 1);
}

/* Adds a sentence with the reason why the page is empty. `n`: number of GPUs with kernels. If `n` is 0, the sentence is
 * `why`; otherwise, the sentence says that there is only one GPU. */
static void
add_lack (LoomPageContent *sheet, const LoomPageInput *input, const char *why, guint n)
{
  loom_page_content_add_missing (sheet,
                                 n > 0 ? _ ("There is only one GPU, so there is none to compare it with.") : why);
  if (n == 0)
    loom_page_add_advice (sheet, input, LOOM_LACKS_METRICS);
}

/* Fills the page for a run without counters of GPUs, from the kernels of each rank or, if there is only one rank, of
 * each GPU. `why`: the sentence to add if there are no kernels. Returns FALSE when cancelled. */
static gboolean
add_computing (LoomPageContent *sheet, const LoomPageInput *input, const char *why, GCancellable *cancellable)
{
  g_autoptr (LoomRankBreakdown) breakdown = loom_device_parts_new (input, cancellable);
  if (breakdown == NULL)
    return FALSE;
  if (breakdown->n_ranks < 2) {
    add_lack (sheet, input, why, breakdown->n_ranks);
    return TRUE;
  }
  g_autofree char *answer = loom_device_parts_dup_answer (input, breakdown);
  loom_page_content_set_sources (sheet, _ ("computed from kernels, because there are no system metrics"));
  loom_page_content_add_answer (sheet, answer);
  add_computing_bars (sheet, input, breakdown);
  add_computing_table (sheet, input, breakdown);
  return TRUE;
}

/* --- page of the balance ------------------------------------------------------------------------------------------ */

LoomPageContent *
loom_page_balance (const LoomPageInput *input, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *why = loom_page_no_device (input, LOOM_DEVICE_GPU);
  if (why != NULL) {
    if (!add_computing (sheet, input, why, cancellable))
      g_clear_pointer (&sheet, loom_page_content_unref);
    return sheet;
  }
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, input->frame, &input->phases, LOOM_SELECT_DIMENSION, FALSE, FALSE,
                         input->thresholds.balance_distance);
  loom_page_count_part (input, cancellable);
  add_counters (sheet, input, &balance);
  loom_page_count_part (input, cancellable);
  loom_gpu_balance_clear (&balance);
  return loom_page_finish (sheet, cancellable);
}
