/* SPDX-License-Identifier: Apache-2.0
 *
 * The page "Efficiency": how fast operators compute and transfer data, compared with the peak rates of their device,
 * and which share of the peak the steps use (MFU).
 */
#include "loom-page-private.h"

#include "loom-efficiency.h"
#include "loom-page-roofline.h"
#include "loom-sentence.h"
#include "loom-shape-text.h"

#include <glib/gi18n.h>
#include <math.h>

static const LoomEfficiencyRow *
get_row (const LoomEfficiency *efficiency, guint i)
{
  return &g_array_index (efficiency->rows, LoomEfficiencyRow, i);
}

/* --- the sentence at the top and the main figures ----------------------------------------------------------------- */

/* Returns the kind of operators whose kernels take longest. */
static LoomOperatorKind
find_main_kind (const LoomEfficiency *efficiency)
{
  LoomOperatorKind main = get_row (efficiency, 0)->kind;
  gint64 longest_ns = -1;
  for (LoomOperatorKind kind = 0; kind < LOOM_N_OPERATOR_KINDS; kind++) {
    LoomEfficiencySum sum = loom_efficiency_sum (efficiency, 1u << kind);
    if (isfinite (sum.rate) && sum.kernel_ns > longest_ns) {
      main = kind;
      longest_ns = sum.kernel_ns;
    }
  }
  return main;
}

static gboolean
is_matrix_kind (LoomOperatorKind kind)
{
  return (1u << kind & LOOM_OPERATOR_MATRIX_KINDS) != 0;
}

/* Returns the rate of a kind of operators as text: the rate of computing for matrix products, convolutions and
 * attention; the memory throughput for other kinds. Sets `limit` to the device's peak of this rate (NaN: unknown), and
 * `ratio` to rate ÷ limit. Owned by the caller. */
static char *
dup_rate (LoomOperatorKind kind, const LoomEfficiencySum *sum, double *limit, double *ratio)
{
  double rate = is_matrix_kind (kind) ? sum->rate : sum->throughput;
  *limit = is_matrix_kind (kind) ? sum->peak : sum->bandwidth;
  *ratio = rate / *limit;
  return loom_chart_format (rate, is_matrix_kind (kind) ? "FLOP/s" : "B/s");
}

/* Returns a sentence about the rate of a kind of operators. Owned by the caller. */
static char *
dup_reached (LoomOperatorKind kind, const char *rate, const char *limit, const char *percent, const char *share)
{
  switch (kind) {
  case LOOM_OPERATOR_KIND_PRODUCT:
    return g_strdup_printf (
      /* Translators: a rate, the peak of the device, the share of it in percent, and a share in percent */
      _ ("Matrix products reach %s of %s (%s) and take %s of the time of kernels and copies."), rate, limit, percent,
      share);
  case LOOM_OPERATOR_KIND_CONVOLUTION:
    return g_strdup_printf (
      /* Translators: a rate, the peak of the device, the share of it in percent, and a share in percent */
      _ ("Convolutions reach %s of %s (%s) and take %s of the time of kernels and copies."), rate, limit, percent,
      share);
  case LOOM_OPERATOR_KIND_ATTENTION:
    return g_strdup_printf (
      /* Translators: a rate, the peak of the device, the share of it in percent, and a share in percent */
      _ ("Attention reaches %s of %s (%s) and takes %s of the time of kernels and copies."), rate, limit, percent,
      share);
  case LOOM_OPERATOR_KIND_REDUCTION:
    return g_strdup_printf (
      /* Translators: a rate, the memory bandwidth, the share of it in percent, and a share in percent */
      _ ("Reductions transfer %s of %s (%s) and take %s of the time of kernels and copies."), rate, limit, percent,
      share);
  default:
    return g_strdup_printf (
      /* Translators: a rate, the memory bandwidth, the share of it in percent, and a share in percent */
      _ ("Elementwise operators transfer %s of %s (%s) and take %s of the time of kernels and copies."), rate, limit,
      percent, share);
  }
}

static char *
dup_percent (double ratio)
{
  return loom_chart_format (100 * ratio, "%");
}

/* Returns the share (0 to 1) of the time of compute kernels that is taken by kernels of operators whose operations were
 * counted. Considers only kernels of operators that were read. */
static double
get_coverage (const LoomEfficiency *efficiency)
{
  return MIN ((double) efficiency->counted_compute_ns / (double) MAX (efficiency->read_compute_ns, 1), 1);
}

/* Returns TRUE if the page shows the MFU (model FLOPS utilization). Returns FALSE if the MFU is unknown, or if the
 * operations of too many operators are unknown: the MFU would then be too low by an unknown factor. */
static gboolean
shows_mfu (const LoomEfficiency *efficiency)
{
  return isfinite (loom_efficiency_get_mfu (efficiency, NULL)) &&
         loom_efficiency_get_formula_share (efficiency) >= LOOM_EFFICIENCY_LEAST_COVERAGE;
}

/* Adds a note with the reason why the page does not show the MFU (model FLOPS utilization). Adds no note if the page
 * shows the MFU, or if the reason is that the peak of the device is unknown. */
static void
add_missing_mfu (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  double known = loom_efficiency_get_formula_share (efficiency);
  g_autofree char *covered = dup_percent (known);
  g_autofree char *text = g_strdup_printf (
    /* Translators: a share in percent */
    _ (
      "The model FLOP utilization (MFU) is not known: only %s of the time of compute kernels belongs to operators with recorded shapes and a formula for their work."),
    covered);
  if (isfinite (loom_efficiency_get_mfu (efficiency, NULL)) && known < LOOM_EFFICIENCY_LEAST_COVERAGE)
    loom_page_content_add_note (sheet, text);
}

static void
add_answer (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  double limit, ratio;
  LoomOperatorKind kind = find_main_kind (efficiency);
  LoomEfficiencySum sum = loom_efficiency_sum (efficiency, 1u << kind);
  g_autofree char *rate = dup_rate (kind, &sum, &limit, &ratio),
                  *limit_text = loom_chart_format (limit, is_matrix_kind (kind) ? "FLOP/s" : "B/s"),
                  *percent = dup_percent (ratio),
                  *share = dup_percent ((double) sum.kernel_ns / (double) MAX (efficiency->read_kernels_ns, 1));
  g_autofree char *text =
    isfinite (limit) ? dup_reached (kind, rate, limit_text, percent, share)
                     : g_strdup_printf (/* Translators: a kind of operators, such as matrix products, and a rate */
                                        _ ("Rate of %s: %s; the peak of the GPU is not known."),
                                        loom_page_roofline_get_kind_name (kind), rate);
  loom_page_content_add_answer (sheet, text);
}

/* Returns the note below the MFU (model FLOPS utilization): the time over which it is computed, and the share of the
 * work that it includes. Owned by the caller. */
static char *
dup_mfu_note (const LoomEfficiency *efficiency)
{
  gboolean steps = g_array_index (efficiency->steps, LoomEfficiencyStep, 0).is_step;
  g_autofree char *covered = dup_percent (get_coverage (efficiency));
  if (steps)
    return g_strdup_printf (
      _ ("share of the peak in the time of the steps; counted operators take %s of the time of compute kernels"),
      covered);
  return g_strdup_printf (
    efficiency->has_steps
      ? _ (
          "share of the peak in the whole range, which contains no whole step; counted operators take %s of the time of compute kernels")
      : _ (
          "share of the peak in the whole range, because there are no steps; counted operators take %s of the time of compute kernels"),
    covered);
}

static void
add_mfu_figures (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  double hfu, mfu = loom_efficiency_get_mfu (efficiency, &hfu);
  if (!shows_mfu (efficiency))
    return;
  g_autofree char *text = dup_percent (mfu), *with_repeated = dup_percent (hfu), *note = dup_mfu_note (efficiency);
  loom_page_content_add_figure (sheet, C_ ("figure", "MFU"), text, note);
  if (hfu > mfu)
    loom_page_content_add_figure (sheet, C_ ("figure", "HFU"), with_repeated,
                                  _ ("with operators that activation checkpointing repeats"));
}

/* The rate of a kind of operators is shown as a number at the top of the page only if the kernels of this kind take at
 * least this share of the time of all counted kernels. */
#define LEAST_FIGURE_SHARE 0.01

static void
add_kind_figure (LoomPageContent *sheet, const LoomEfficiency *efficiency, LoomOperatorKind kind)
{
  double limit, ratio;
  LoomEfficiencySum sum = loom_efficiency_sum (efficiency, 1u << kind);
  if (!isfinite (sum.rate) || (double) sum.kernel_ns < LEAST_FIGURE_SHARE * (double) efficiency->counted_ns)
    return;
  g_autofree char *rate = dup_rate (kind, &sum, &limit, &ratio), *time = loom_time_format_duration (sum.kernel_ns),
                  *percent = dup_percent (ratio),
                  *name = loom_sentence_dup_capital (loom_page_roofline_get_kind_name (kind));
  g_autofree char *note = !isfinite (limit) ? g_strdup_printf (_ ("in %s of kernels"), time)
                          : is_matrix_kind (kind)
                            ? g_strdup_printf (_ ("%s of the peak, in %s of kernels"), percent, time)
                            : g_strdup_printf (_ ("%s of the memory bandwidth, in %s of kernels"), percent, time);
  loom_page_content_add_figure (sheet, name, rate, note);
}

static void
add_figures (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  loom_page_content_add_figures (sheet, _ ("Efficiency"));
  add_mfu_figures (sheet, efficiency);
  for (LoomOperatorKind kind = 0; kind < LOOM_N_OPERATOR_KINDS; kind++)
    add_kind_figure (sheet, efficiency, kind);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

enum { NAME, SHAPES, TYPE, DEVICE, CALLS, KERNELS, RATE, RATIO, BOUND, THROUGHPUT, INTENSITY, FLOP, BYTES };

/* maximum length of a shape in characters; enough for the sizes of the input and the weight of a convolution */
#define SHAPE_CHARS 30

static void
set_target (LoomPageContent *sheet, guint element, LoomRange range, const LoomEfficiencyRow *row)
{
  loom_page_content_set_place (sheet, element, range, (const LoomSpanId *) (gpointer) row->spans->data,
                               row->spans->len);
}

static LoomResultTable *
new_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Operators by shape, type and device"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  guint shapes = loom_result_table_add_column (table, C_ ("column", "Shapes"), NULL,
                                               _ ("Sizes of the inputs; of convolutions also the size of the output"));
  loom_result_table_set_chars (table, shapes, SHAPE_CHARS);
  loom_result_table_add_column (table, C_ ("column", "Type"), NULL, NULL);
  loom_result_table_set_detail (table, loom_result_table_add_column (table, C_ ("column", "Device"), NULL, NULL));
  loom_result_table_add_column (table, C_ ("column", "Calls"), "", NULL);
  guint kernels = loom_result_table_add_column (table, C_ ("column", "Kernels"), "ns",
                                                _ ("Kernels and copies launched during the calls"));
  loom_result_table_add_column (table, C_ ("column", "Rate"), "FLOP/s",
                                _ ("Floating-point operations divided by the running time of their kernels"));
  loom_result_table_add_share_column (table, C_ ("column", "Of Limit"),
                                      _ ("Share of the rate that the peak and the memory bandwidth of the GPU allow"));
  loom_result_table_add_column (table, C_ ("column", "Limit"), NULL,
                                _ ("What limits the rate: the peak of the GPU, or the bandwidth of its memory"));
  loom_result_table_add_column (table, C_ ("column", "Memory"), "B/s",
                                _ ("Bytes of inputs and outputs, divided by the running time of the kernels"));
  loom_result_table_set_detail (
    table, loom_result_table_add_column (table, C_ ("column", "Intensity"), "FLOP/B",
                                         _ ("Floating-point operations for each byte of inputs and outputs")));
  guint work = loom_result_table_add_column (table, C_ ("column", "Work of a Call"), "FLOP", NULL);
  loom_result_table_set_detail (table, work);
  loom_result_table_set_detail (table,
                                loom_result_table_add_column (table, C_ ("column", "Data of a Call"), "B", NULL));
  loom_result_table_set_order (table, kernels, TRUE);
  return table;
}

static void
add_row (LoomResultTable *table, const LoomEfficiencyRow *row)
{
  loom_result_table_add_row (table, row->name);
  g_autofree char *shape = loom_shape_text_dup (row->shape);
  loom_result_table_set_text (table, SHAPES, shape);
  loom_result_table_set_text (table, TYPE, row->type);
  loom_result_table_set_text (table, DEVICE, row->device);
  loom_result_table_set_number (table, CALLS, (double) row->calls);
  loom_result_table_set_number (table, KERNELS, (double) row->kernel_ns);
  loom_result_table_set_number (table, RATE, loom_efficiency_get_rate (row));
  loom_result_table_set_number (table, THROUGHPUT, loom_efficiency_get_throughput (row));
  loom_result_table_set_number (table, INTENSITY, loom_efficiency_get_intensity (row));
  if (isfinite (loom_efficiency_get_attainable (row)))
    loom_result_table_set_text (table, BOUND,
                                loom_efficiency_is_memory_bound (row) ? C_ ("limit of a rate", "memory")
                                                                      : C_ ("limit of a rate", "computing"));
  loom_result_table_set_number (table, RATIO, 100 * loom_efficiency_get_ratio (row));
  loom_result_table_set_number (table, FLOP, (double) row->work.flop);
  loom_result_table_set_number (table, BYTES, (double) row->work.bytes);
}

static void
add_table (LoomPageContent *sheet, const LoomPageInput *input, const LoomEfficiency *efficiency)
{
  LoomResultTable *table = new_table ();
  for (guint i = 0; i < efficiency->rows->len; i++)
    add_row (table, get_row (efficiency, i));
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < efficiency->rows->len; i++)
    set_target (sheet, i, input->range, get_row (efficiency, i));
}

static const LoomEfficiencyStep *
get_step (const LoomEfficiency *efficiency, guint i)
{
  return &g_array_index (efficiency->steps, LoomEfficiencyStep, i);
}

static void
add_step_line (LoomResultTable *table, const LoomPageInput *input, const LoomEfficiency *efficiency,
               const LoomEfficiencyMean *line)
{
  const LoomEfficiencyStep *step = get_step (efficiency, line->first);
  guint source = loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), step->trace);
  g_autofree char *name = loom_page_rank_name (input, step->node, step->rank, &source);
  const double values[] = { line->n == 1 && step->number >= 0 ? (double) step->number : NAN,
                            line->time_ns,
                            line->flop,
                            100 * line->mfu,
                            100 * line->hfu,
                            (double) step->n_devices };
  loom_result_table_add_row (table, name);
  loom_result_table_set_numbers (table, 1, values, G_N_ELEMENTS (values));
}

static void
set_step_place (LoomPageContent *sheet, const LoomEfficiency *efficiency, guint row, const LoomEfficiencyMean *line)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  LoomRange range = { get_step (efficiency, line->first)->range.begin_ns,
                      get_step (efficiency, line->first + line->n - 1)->range.end_ns };
  for (guint i = line->first; i < line->first + line->n; i++)
    if (get_step (efficiency, i)->is_step)
      g_array_append_val (spans, get_step (efficiency, i)->span);
  loom_page_content_set_place (sheet, row, range, (const LoomSpanId *) (gpointer) spans->data, spans->len);
}

static void
add_steps (LoomPageContent *sheet, const LoomPageInput *input, const LoomEfficiency *efficiency)
{
  g_autoptr (GArray) ranks = loom_efficiency_list_means (efficiency, TRUE);
  gboolean by_rank = ranks->len > 1;
  g_autoptr (GArray) lines = by_rank ? g_array_ref (ranks) : loom_efficiency_list_means (efficiency, FALSE);
  LoomResultTable *table =
    loom_result_table_new (by_rank ? _ ("Use of the peak by rank") : _ ("Use of the peak by step"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  guint number = loom_result_table_add_column (table, C_ ("column", "Step"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Time"), "ns", by_rank ? _ ("Mean of the steps") : NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Work"), "FLOP",
    _ ("Floating-point operations of the counted operators, without those that activation checkpointing repeats"));
  loom_result_table_add_share_column (
    table, C_ ("column", "MFU"), _ ("Work divided by the time of the step and by the peak of all GPUs of the rank"));
  guint hfu = loom_result_table_add_column (
    table, C_ ("column", "HFU"), "%",
    _ ("Like MFU, but also counts the operators that activation checkpointing runs again"));
  loom_result_table_set_detail (table, hfu);
  loom_result_table_set_detail (table, loom_result_table_add_column (table, C_ ("column", "GPUs"), "", NULL));
  if (by_rank)
    loom_result_table_set_detail (table, number);
  for (guint i = 0; i < lines->len; i++)
    add_step_line (table, input, efficiency, &g_array_index (lines, LoomEfficiencyMean, i));
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < lines->len; i++)
    set_step_place (sheet, efficiency, i, &g_array_index (lines, LoomEfficiencyMean, i));
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static void
add_coverage (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  g_autofree char *share = dup_percent (get_coverage (efficiency));
  g_autofree char *text =
    efficiency->n_read == efficiency->n_calls
      ? g_strdup_printf (
          _ (
            "The counted operators take %s of the time of all compute kernels. Operators for whose work there is no formula, such as fused or custom ones, and kernels of CUDA graphs are not counted, so the MFU may be too low."),
          share)
      : g_strdup_printf (
          _ (
            "In the ranks and times that were read, the counted operators take %s of the time of compute kernels. Operators for whose work there is no formula, such as fused or custom ones, and kernels of CUDA graphs are not counted, so the MFU may be too low."),
          share);
  loom_page_content_add_note (sheet, text);
}

/* Adds a note about an operator that is faster than the peak of its device allows. Possible reasons are a wrong peak,
 * or inputs that stay in caches. */
static void
add_excess (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  const LoomEfficiencyRow *row = loom_page_roofline_find_excess (efficiency);
  if (row == NULL)
    return;
  g_autofree char *percent = dup_percent (loom_efficiency_get_ratio (row)), *shape = loom_shape_text_dup (row->shape);
  g_autofree char *text =
    row->kind == LOOM_OPERATOR_KIND_CONVOLUTION
      ? g_strdup_printf (
          _ (
            "%s %s reaches %s of what the GPU allows: its algorithm, such as Winograd’s, needs fewer multiplications than are counted, or the peak is not that of this GPU."),
          row->name, shape, percent)
      : g_strdup_printf (
          _ (
            "%s %s reaches %s of what the GPU allows. Either the peak is not that of this GPU, or the inputs stay in its caches."),
          row->name, shape, percent);
  loom_page_content_add_note (sheet, text);
}

static void
add_notes (LoomPageContent *sheet, const LoomEfficiency *efficiency)
{
  LoomEfficiencySum sum = loom_efficiency_sum (efficiency, 1u << get_row (efficiency, 0)->kind);
  if (isnan (sum.peak))
    loom_page_content_add_missing (
      sheet,
      _ (
        "The peak of the GPU is not known. Set the peak and the memory bandwidth in Preferences, or with --peak-tflops and --peak-bandwidth on the command line."));
  if (shows_mfu (efficiency))
    add_coverage (sheet, efficiency);
  if (efficiency->n_read == efficiency->n_calls)
    return;
  g_autofree char *read = loom_chart_format ((double) efficiency->n_read, ""),
                  *all = loom_chart_format ((double) efficiency->n_calls, "");
  g_autofree char *text = g_strdup_printf (
    _ (
      "The inputs of %s of %s calls were read: those of the first ranks, up to a certain time, and matrix products before other kinds. Other calls are not counted."),
    read, all);
  loom_page_content_add_note (sheet, text);
}

/* --- page --------------------------------------------------------------------------------------------------------- */

LoomPageContent *
loom_page_efficiency (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomSteps) steps = loom_steps_new (input->frame->timeline, cancellable);
  g_autoptr (LoomEfficiency) efficiency =
    steps != NULL
      ? loom_efficiency_new (input->frame->timeline, steps, input->range, &input->thresholds.peaks, cancellable)
      : NULL;
  loom_page_count_part (input, cancellable);
  if (efficiency == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *missing = loom_efficiency_get_missing (efficiency);
  if (missing != NULL) {
    loom_page_add_missing (sheet, missing, loom_efficiency_get_advice (efficiency));
    return loom_page_finish (sheet, cancellable);
  }
  add_answer (sheet, efficiency);
  add_missing_mfu (sheet, efficiency);
  add_figures (sheet, efficiency);
  /* added before the chart, because the note explains why a point of the chart is above the limit */
  add_excess (sheet, efficiency);
  loom_page_roofline_add (sheet, input, efficiency);
  add_table (sheet, input, efficiency);
  if (shows_mfu (efficiency))
    add_steps (sheet, input, efficiency);
  add_notes (sheet, efficiency);
  return loom_page_finish (sheet, cancellable);
}
