/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-page-roofline.h: the chart shows the rate of each operator over its arithmetic intensity (operations
 * per byte), and the limits of the device.
 */
#include "loom-page-roofline.h"

#include "loom-shape-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* An operator is faster than its device allows if its rate, divided by the limit of the device, is greater than this.
 * The page names such an operator. */
#define MOST_RATIO 1.0

const char *
loom_page_roofline_get_kind_name (LoomOperatorKind kind)
{
  switch (kind) {
  case LOOM_OPERATOR_KIND_PRODUCT: return C_ ("kind of operators", "matrix products");
  case LOOM_OPERATOR_KIND_CONVOLUTION: return C_ ("kind of operators", "convolutions");
  case LOOM_OPERATOR_KIND_ATTENTION: return C_ ("kind of operators", "attention");
  case LOOM_OPERATOR_KIND_REDUCTION: return C_ ("kind of operators", "reductions");
  default: return C_ ("kind of operators", "elementwise operators");
  }
}

static const LoomEfficiencyRow *
get_row (const LoomEfficiency *efficiency, guint i)
{
  return &g_array_index (efficiency->rows, LoomEfficiencyRow, i);
}

static char *
dup_percent (double ratio)
{
  return loom_chart_format (100 * ratio, "%");
}

static int
compare_intensity (gconstpointer a, gconstpointer b)
{
  double x = loom_efficiency_get_intensity (*(const LoomEfficiencyRow *const *) a),
         y = loom_efficiency_get_intensity (*(const LoomEfficiencyRow *const *) b);
  return (x > y) - (x < y);
}

/* An operator is in the chart if it takes at least this share of the kernel time of its device, or if it is one of the
 * N_LABELS longest operators. If all other operators were in the chart, too, the axes would be longer by several powers
 * of ten. */
#define SHOWN_SHARE 0.002
#define N_LABELS 8 /* maximum number of operators that have a label */

/* The operators of a device that the chart shows, and the number of those that it omits. */
typedef struct {
  GPtrArray *rows; /* LoomEfficiencyRow: sorted by arithmetic intensity (operations per byte) */
  guint n_omitted;
} Shown;

static gint64
sum_kernels (const LoomEfficiency *efficiency, const char *device)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < efficiency->rows->len; i++)
    if (strcmp (get_row (efficiency, i)->device, device) == 0)
      sum_ns = loom_time_add (sum_ns, get_row (efficiency, i)->kernel_ns);
  return sum_ns;
}

/* Chooses the operators that the chart shows. The caller frees `rows`. */
static Shown
choose_rows (const LoomEfficiency *efficiency, const char *device)
{
  Shown shown = { g_ptr_array_new (), 0 };
  double least_ns = SHOWN_SHARE * (double) sum_kernels (efficiency, device);
  for (guint i = 0; i < efficiency->rows->len; i++) {
    const LoomEfficiencyRow *row = get_row (efficiency, i);
    if (strcmp (row->device, device) != 0)
      continue;
    if ((double) row->kernel_ns >= least_ns || shown.rows->len < N_LABELS)
      g_ptr_array_add (shown.rows, (gpointer) row);
    else
      shown.n_omitted++;
  }
  g_ptr_array_sort (shown.rows, compare_intensity);
  return shown;
}

/* Adds the roof: the line that no operator can exceed. Up to the peak of computing, the height of the line is memory
 * bandwidth × intensity; from there on, the line is horizontal. The line extends over the intensities of all rows, and
 * at least to the point at which it becomes horizontal. Returns the number of its points. */
static guint
add_roof (LoomChart *chart, const GPtrArray *rows, double peak, double bandwidth)
{
  double ridge = peak / bandwidth, low = MIN (loom_efficiency_get_intensity (rows->pdata[0]), ridge) / 2,
         high = MAX (loom_efficiency_get_intensity (rows->pdata[rows->len - 1]), ridge) * 2;
  g_autofree char *peak_text = loom_chart_format (peak, "FLOP/s"),
                  *bandwidth_text = loom_chart_format (bandwidth, "B/s");
  g_autofree char *label = g_strdup_printf (/* Translators: the highest rates of computing and of memory */
                                            C_ ("chart", "limit: %s, %s"), peak_text, bandwidth_text);
  loom_chart_add_curve (chart, label, LOOM_CHART_GREY);
  loom_chart_add_named_point (chart, low, low * bandwidth, label);
  loom_chart_add_named_point (chart, ridge, peak, label);
  loom_chart_add_named_point (chart, high, peak, label);
  return 3;
}

/* Adds a roof (limit line) for each floating-point type with which matrix products, convolutions or attention compute.
 * If there are none of these operations, adds a roof for each floating-point type of the other rows. Returns the number
 * of points. */
static guint
add_roofs (LoomChart *chart, const GPtrArray *rows)
{
  gboolean added[LOOM_N_FLOAT_TYPES] = { FALSE };
  guint n = 0;
  for (guint pass = 0; pass < 2 && n == 0; pass++)
    for (guint i = 0; i < rows->len; i++) {
      const LoomEfficiencyRow *row = rows->pdata[i];
      if (isnan (loom_efficiency_get_attainable (row)) || added[row->work.type] ||
          (pass == 0 && (1u << row->kind & LOOM_OPERATOR_MATRIX_KINDS) == 0))
        continue;
      added[row->work.type] = TRUE;
      n += add_roof (chart, rows, row->peak, row->bandwidth);
    }
  return n;
}

static void
set_target (LoomPageContent *sheet, guint element, LoomRange range, const LoomEfficiencyRow *row)
{
  loom_page_content_set_place (sheet, element, range, (const LoomSpanId *) (gpointer) row->spans->data,
                               row->spans->len);
}

const LoomEfficiencyRow *
loom_page_roofline_find_excess (const LoomEfficiency *efficiency)
{
  for (guint i = 0; i < efficiency->rows->len; i++)
    if (loom_efficiency_get_ratio (get_row (efficiency, i)) > MOST_RATIO)
      return get_row (efficiency, i);
  return NULL;
}

/* Returns TRUE if another row with a label has the same name. */
static gboolean
is_named_alike (const LoomEfficiency *efficiency, const LoomEfficiencyRow *row)
{
  for (guint i = 0; i < MIN (efficiency->rows->len, N_LABELS); i++)
    if (get_row (efficiency, i) != row && strcmp (get_row (efficiency, i)->name, row->name) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the label of a row: the name of the operator without its namespace; its shape, if another row with a label
 * has the same name; and its share of the kernel time. The first N_LABELS rows have labels. The row that
 * loom_page_roofline_find_excess() returns has one, too: its operator is faster than the device allows, and its label
 * also states the rate in percent of the limit. Returns NULL for all other rows. Owned by the caller. */
static char *
dup_label (const LoomEfficiency *efficiency, const LoomEfficiencyRow *row)
{
  const char *colon = g_strrstr (row->name, "::");
  double part = (double) row->kernel_ns / (double) MAX (efficiency->read_kernels_ns, 1);
  gboolean is_excess = row == loom_page_roofline_find_excess (efficiency);
  if (!is_excess && row >= get_row (efficiency, 0) + N_LABELS)
    return NULL;
  g_autofree char *share = dup_percent (part), *ratio = dup_percent (loom_efficiency_get_ratio (row));
  g_autofree char *limit =
    is_excess ? g_strdup_printf (/* Translators: a share in percent */ C_ ("chart", " · %s of the limit"), ratio)
              : g_strdup ("");
  /* The label contains the shape of the weight, because this shape differs most between the operators of a model. The
   * weight is the second input; in the backward pass of a convolution, it is the third. */
  guint weight = strstr (row->name, "convolution_backward") != NULL ? 2 : 1;
  g_autofree char *shape = is_named_alike (efficiency, row) ? loom_shape_text_dup_input (row->shape, weight) : NULL;
  return g_strdup_printf ("%s%s%s · %s%s", colon != NULL ? colon + 2 : row->name, shape != NULL ? " " : "",
                          shape != NULL ? shape : "", share, limit);
}

/* Returns the text of a row's tooltip: the name of the row, and its share of the kernel time. Owned by the caller. */
static char *
dup_point_name (const LoomEfficiency *efficiency, const LoomEfficiencyRow *row)
{
  g_autofree char *shape = loom_shape_text_dup (row->shape),
                  *share = dup_percent ((double) row->kernel_ns / (double) MAX (efficiency->read_kernels_ns, 1));
  return g_strdup_printf (/* Translators: an operator, the sizes of its inputs, and a share in percent */
                          C_ ("chart", "%s %s, %s of kernel time"), row->name, shape, share);
}

/* Adds a point for each operator of the given kind. The area of a point is proportional to the time of the operator's
 * kernels. Appends the rows of these operators to `shown`. */
static void
add_points (LoomChart *chart, const LoomEfficiency *efficiency, const GPtrArray *rows, LoomOperatorKind kind,
            GPtrArray *shown)
{
  double longest_ns = (double) MAX (get_row (efficiency, 0)->kernel_ns, 1);
  gboolean begun = FALSE;
  for (guint i = 0; i < rows->len; i++) {
    const LoomEfficiencyRow *row = rows->pdata[i];
    if (row->kind != kind || !isfinite (loom_efficiency_get_rate (row)))
      continue;
    if (!begun)
      loom_chart_add_line (chart, loom_page_roofline_get_kind_name (kind), kind);
    begun = TRUE;
    g_autofree char *name = dup_point_name (efficiency, row);
    loom_chart_add_named_point (chart, loom_efficiency_get_intensity (row), loom_efficiency_get_rate (row), name);
    g_autofree char *label = dup_label (efficiency, row);
    loom_chart_set_dot (chart, (double) row->kernel_ns / longest_ns, label);
    g_ptr_array_add (shown, (gpointer) row);
  }
}

/* Adds a note with the number of operators that the chart omits. */
static void
add_omitted (LoomPageContent *sheet, guint n)
{
  g_autofree char *text = g_strdup_printf (
    ngettext (
      "The chart omits %u operator that takes less than 0.2 %% of the time of all operators whose work is known; the table contains it.",
      "The chart omits %u operators that each take less than 0.2 %% of the time of all operators whose work is known; the table contains them.",
      n),
    n);
  if (n > 0)
    loom_page_content_add_note (sheet, text);
}

void
loom_page_roofline_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomEfficiency *efficiency)
{
  const char *device = get_row (efficiency, 0)->device;
  Shown chosen = choose_rows (efficiency, device);
  g_autoptr (GPtrArray) rows = chosen.rows, shown = g_ptr_array_new ();
  g_autofree char *title =
    device[0] != '\0' ? g_strdup_printf (/* Translators: the model of a GPU */
                                         _ ("Rate of operators on %s (area and labels: share of kernel time)"), device)
                      : g_strdup (_ ("Rate of operators (area and labels: share of kernel time)"));
  LoomChart *chart = loom_chart_new_log_dots (title, _ ("Operations per byte"), "FLOP/B", "FLOP/s");
  guint n_roofs = add_roofs (chart, rows);
  for (LoomOperatorKind kind = 0; kind < LOOM_N_OPERATOR_KINDS; kind++)
    add_points (chart, efficiency, rows, kind, shown);
  loom_page_content_take_chart (sheet, chart, TRUE);
  loom_page_content_set_places (sheet, n_roofs, input->range);
  for (guint i = 0; i < shown->len; i++)
    set_target (sheet, n_roofs + i, input->range, shown->pdata[i]);
  add_omitted (sheet, chosen.n_omitted);
}
