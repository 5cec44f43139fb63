/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast operators compute, compared with what their device can do: floating-point operations and bytes of each call
 * (loom-operator-work.h), divided by the time of the kernels that the call launched.
 *
 *   rate         FLOP ÷ kernel time (FLOP/s)
 *   intensity    FLOP ÷ bytes
 *   attainable   the lower of the device's peak and intensity × memory bandwidth (roofline: Williams, Waterman,
 *                Patterson, 2009)
 *   efficiency   rate ÷ attainable
 *   bound        bound by computing if intensity ≥ peak ÷ bandwidth, else bound by memory
 *   MFU          model FLOP utilization of a step: FLOP ÷ (step time × peak × devices of the rank), without work that
 *                is repeated (activation checkpointing)
 *   HFU          hardware FLOP utilization: like MFU, but including repeated work (Chowdhery et al., PaLM)
 *
 * As in the source of HFU, only matrix products, convolutions and attention count for MFU and HFU. The peak depends on
 * the number type of the operator. Therefore both are computed as the time that the work would take at the peak ÷ (step
 * time × devices). Work whose peak is unknown is not counted if it is at most LOOM_EFFICIENCY_MOST_UNKNOWN of all work;
 * if it is more, MFU and HFU are unknown.
 *
 * A call and all its kernels belong to the range and to the step in which the call begins. Not counted are operators
 * for whose work there is no formula (loom_operator_work_find()), and kernels of CUDA graphs, because no operator
 * launches them. So MFU and HFU are lower than the real values.
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-device-peaks.h"
#include "loom-operator-work.h"
#include "loom-recording-advice.h"
#include "loom-steps.h"
#include "loom-string-pool.h"

/* Maximum number of calls in LoomEfficiencyRow.spans. */
#define LOOM_EFFICIENCY_MOST_SPANS 512
/* Maximum number of calls of a run whose inputs are read. There is a limit because reading a call takes about 1 µs.
 * Traces are read in their order. If a trace has too many products, convolutions and attention calls, only those before
 * a certain time are read, and steps that end later do not count. */
#define LOOM_EFFICIENCY_MOST_CALLS 200000
/* A rate or an MFU is compared with the peak only if the peak is unknown for at most this share of the FLOP. */
#define LOOM_EFFICIENCY_MOST_UNKNOWN 0.01

/* All calls of one operator with inputs of the same sizes and types, on devices of one model. */
typedef struct {
  const char *name;  /* borrowed from the run */
  const char *shape; /* sizes of the inputs, such as "[141, 512], [512, 512]" */
  /* Name of the number type whose peak the calls are compared with: the type of the first input that is a tensor, such
   * as "bfloat16". If this is float32, the kernels may multiply in a shorter type, which their names state
   * (loom-kernel-format.h): then "float32 (TF32)", also for XF32, or "float32 (16 bit)" for float16 and bfloat16. A row
   * of matrix products, convolutions or attention in float32 that is faster than the peak of float32 is also named
   * "float32 (TF32)", if the peak of TF32 is higher. */
  const char *type;
  const char *device; /* name of the device, such as "NVIDIA H100 80GB HBM3"; "": not recorded */
  LoomOperatorKind kind;
  LoomOperatorWork work; /* work of a single call */
  guint64 calls, n_kernels;
  guint64 n_recomputed; /* number of calls that repeat work of the forward pass; they are included in `calls` */
  gint64 kernel_ns;
  double peak, bandwidth; /* peak in FLOP/s and memory bandwidth in B/s of the device; 0: unknown */
  LoomSpanId longest;     /* the call whose kernels take longest */
  gint64 longest_ns;      /* time of the kernels of the call `longest` */
  GArray *spans;          /* LoomSpanId: the first LOOM_EFFICIENCY_MOST_SPANS calls */
} LoomEfficiencyRow;

/* A step of a rank or, if the rank has no steps, the whole time of the rank in the range. */
typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown */
  guint trace;
  gboolean is_step; /* FALSE: the rank has no steps, and this element is its whole time in the range */
  gint64 number;    /* number of the step; −1: not stated, or this element is not a step */
  LoomRange range;  /* on the timeline */
  LoomSpanId span;  /* LOOM_SPAN_ID_NONE if this element is not a step */
  guint n_devices;
  /* FLOP of products, convolutions and attention. `flop`: without repeated work; `recomputed_flop`: only repeated work;
   * `unknown_flop`: the part of both for which the peak of the device is unknown. */
  guint64 flop, recomputed_flop, unknown_flop;
  double mfu, hfu; /* as ratios, not in percent; NaN: the peak is unknown for too much of the work */
} LoomEfficiencyStep;

typedef struct {
  GArray *rows;  /* LoomEfficiencyRow, sorted by kernel time, longest first */
  GArray *steps; /* LoomEfficiencyStep, sorted by trace, by the first track of the rank, then by begin */
  /* total time of two kinds of kernels and copies: those launched by calls in the range, including calls whose inputs
   * were not read; and those in the range whose launch is not in the file */
  gint64 kernels_ns;
  /* Calls are read only up to a limit (LOOM_EFFICIENCY_MOST_CALLS): only of some ranks, and only in a part of the
   * range. `read_kernels_ns`: the part of kernels_ns on these ranks and in this part of the range. */
  gint64 read_kernels_ns;
  gint64 counted_ns; /* the part of read_kernels_ns that belongs to the rows */
  /* read_compute_ns: the part of read_kernels_ns in which kernels compute; counted_compute_ns: the part of counted_ns
   * in which kernels compute. Copies and communication are excluded, because they do no floating-point work. */
  gint64 read_compute_ns, counted_compute_ns;
  /* the part of read_compute_ns that belongs to operators whose work has a formula, but whose inputs were not read. The
   * number of calls that are read is limited; products, convolutions and attention are read first. */
  gint64 unread_ns;
  /* n_calls: number of calls of operators whose work has a formula; n_read: number of those calls whose inputs were
   * read */
  guint64 n_calls, n_read;
  gboolean has_operators; /* TRUE if the run has operators whose work has a formula */
  gboolean has_steps;     /* TRUE if the run has steps, inside or outside the range */
  gboolean has_shapes;    /* TRUE if the work of at least one call is known */
  LoomRecorder recorder;  /* the profiler that recorded the run */
  gboolean has_index;     /* TRUE if a source of the run is an index file, which does not contain operators */
  LoomStringPool *texts;  /* private: owns the texts of the rows */
} LoomEfficiency;

/* Computes the work of the calls in the range. `settings`: peaks that the user set, or NULL. O(spans in the range +
 * kernels · log kernels), and about 1 µs for each call that is read. NULL only when cancelled. */
LoomEfficiency *loom_efficiency_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range,
                                     const LoomPeakSettings *settings, GCancellable *cancellable);
void loom_efficiency_free (LoomEfficiency *efficiency);

/* The data that a run lacks for an analysis of its efficiency. */
typedef enum {
  LOOM_EFFICIENCY_LACKS_NOTHING,
  LOOM_EFFICIENCY_LACKS_OPERATORS, /* no operator is called whose work can be computed (loom_operator_work_find()) */
  LOOM_EFFICIENCY_LACKS_SHAPES,
} LoomEfficiencyLack;

/* Returns which data the run lacks for an analysis of its efficiency. Reads a few calls of each trace
 * (loom-work-reader.h). O(spans up to these calls). */
LoomEfficiencyLack loom_efficiency_find_lack (LoomRun *run);

/* The next functions return numbers of a row; NaN if they are unknown. */
double loom_efficiency_get_rate (const LoomEfficiencyRow *row);       /* FLOP/s */
double loom_efficiency_get_throughput (const LoomEfficiencyRow *row); /* B/s */
double loom_efficiency_get_intensity (const LoomEfficiencyRow *row);  /* FLOP/B */
double loom_efficiency_get_attainable (const LoomEfficiencyRow *row); /* FLOP/s */
double loom_efficiency_get_ratio (const LoomEfficiencyRow *row);      /* rate ÷ attainable */
/* Returns TRUE if memory bandwidth limits the row. Returns FALSE if computing limits it, or if a peak is unknown. */
gboolean loom_efficiency_is_memory_bound (const LoomEfficiencyRow *row);

/* Totals over the rows of some kinds of operators: their rate and the peak with which it is compared, in FLOP/s; their
 * throughput and the memory bandwidth with which it is compared, in B/s. */
typedef struct {
  double rate;       /* FLOP ÷ kernel time; NaN: there are no rows */
  double throughput; /* bytes ÷ kernel time; NaN: there are no rows */
  /* mean peak of the rows. It is weighted so that rate ÷ peak is a share of the kernel time: the share that the work
   * would take at the peak. NaN: the peak is unknown for too much of the work */
  double peak;
  /* mean bandwidth of the devices. It is weighted so that throughput ÷ bandwidth is a share of the kernel time: the
   * share that the transfers would take at this bandwidth. NaN: the bandwidth is unknown for a row */
  double bandwidth;
  gint64 kernel_ns;
} LoomEfficiencySum;

/* Adds up the rows of some kinds of operators. `kinds`: mask with the bit 1 << LoomOperatorKind for each kind. */
LoomEfficiencySum loom_efficiency_sum (const LoomEfficiency *efficiency, guint kinds);

/* Returns the share, 0 to 1, of the time of compute kernels that belongs to operators with a formula for their work.
 * Also counts operators whose inputs were not read because there are too many calls. Copies and communication do not
 * lower the share, because they do no floating-point work. */
double loom_efficiency_get_formula_share (const LoomEfficiency *efficiency);
/* If loom_efficiency_get_formula_share() is below this limit, the MFU is only a lower bound: it may be too low by an
 * unknown factor. */
#define LOOM_EFFICIENCY_LEAST_COVERAGE 0.5
/* Returns the MFU over all steps of all ranks: the time that their work would take at the peak ÷ the time of the steps.
 * Counts only the work of operators whose work has a formula and whose inputs are recorded. Sets `hfu`, which may be
 * NULL, to the HFU. NaN: unknown. */
double loom_efficiency_get_mfu (const LoomEfficiency *efficiency, double *hfu);

/* Means over the elements [first, first + n) of LoomEfficiency.steps. */
typedef struct {
  guint first, n;
  double time_ns, flop; /* mean time of a step in ns, and mean FLOP of a step without repeated work */
  double mfu, hfu;      /* means weighted by the time of the steps; NaN: unknown for at least one step */
} LoomEfficiencyMean;

/* Returns the means (LoomEfficiencyMean) of each rank if `by_rank` is TRUE, else of each step. Owned by the caller. */
GArray *loom_efficiency_list_means (const LoomEfficiency *efficiency, gboolean by_rank);

/* Returns NULL if there are rows, else a translated sentence that states which data is missing and how to record it.
 * Static. */
const char *loom_efficiency_get_missing (const LoomEfficiency *efficiency);
/* Returns a translated text that states how to record the missing data; NULL: nothing is missing, or recording would
 * not help. Static. */
const char *loom_efficiency_get_advice (const LoomEfficiency *efficiency);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEfficiency, loom_efficiency_free)
