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
 *   bound        by computing if intensity ≥ peak ÷ bandwidth, else by memory
 *   MFU          of a step: FLOP ÷ (step time × peak × devices of the rank), without work that is repeated (activation
 *                checkpointing)
 *   HFU          like MFU, but including repeated work (Chowdhery et al., PaLM)
 *
 * As in the source of HFU, only matrix products, convolutions and attention count for MFU and HFU. Each operator has
 * the peak of its number type; so both are computed as the time that the work takes at the peak ÷ (step time ×
 * devices). Work whose peak is unknown is not counted if it is at most LOOM_EFFICIENCY_MOST_UNKNOWN of all work; if it
 * is more, MFU and HFU are unknown.
 *
 * A call belongs to the range and to the step in which it begins, with all of its kernels. Two things are not counted,
 * so that shares are too low: operators without a formula, and kernels of CUDA graphs, which no operator launches.
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
/* Maximum number of calls of a run whose inputs are read, because each takes about 1 µs. The first traces are read
 * first. If a trace has too many products, convolutions and attention calls, only those before a certain time are read,
 * and steps that end later are not counted. */
#define LOOM_EFFICIENCY_MOST_CALLS 200000
/* A rate or an MFU is compared with the peak only if the peak is known for all but this share of its FLOP. */
#define LOOM_EFFICIENCY_MOST_UNKNOWN 0.01

/* All calls of an operator whose inputs have the same sizes and types, on devices of one model. */
typedef struct {
  const char *name;  /* borrowed from the run */
  const char *shape; /* sizes of the inputs: "[141, 512], [512, 512]" */
  /* type of the first input that is a tensor, such as "bfloat16"; "float32 (TF32)" or "float32 (16 bit)" if the name of
   * a kernel says that it multiplies float32 in TF32, XF32, float16 or bfloat16 (loom-kernel-format.h). Products,
   * convolutions and attention of float32 that are faster than the peak of float32 count as TF32. All other calls with
   * float32 inputs are compared with the peak of float32, which is lower. */
  const char *type;
  const char *device; /* name of the device: "NVIDIA H100 80GB HBM3"; "": not recorded */
  LoomOperatorKind kind;
  LoomOperatorWork work; /* work of a single call */
  guint64 calls, n_kernels;
  guint64 n_recomputed; /* number of calls that repeat work of the forward pass; part of `calls` */
  gint64 kernel_ns;
  double peak, bandwidth; /* FLOP/s and B/s of the device; 0: unknown */
  LoomSpanId longest;     /* the call with the longest kernels */
  gint64 longest_ns;      /* time of the kernels of the call `longest` */
  GArray *spans;          /* LoomSpanId: the first LOOM_EFFICIENCY_MOST_SPANS calls */
} LoomEfficiencyRow;

/* A step of a rank or, if the rank has no steps, the whole time of the rank in the range. */
typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown */
  guint trace;
  gboolean is_step; /* FALSE: the rank has no steps, and this is its whole time in the range */
  gint64 number;    /* −1: not stated, or not a step */
  LoomRange range;  /* on the timeline */
  LoomSpanId span;  /* LOOM_SPAN_ID_NONE if it is not a step */
  guint n_devices;
  /* Work of products, convolutions and attention. `flop`: the work without repeated work; `recomputed_flop`: the
   * repeated work; `unknown_flop`: the part of both for which the peak of the device is unknown. */
  guint64 flop, recomputed_flop, unknown_flop;
  double mfu, hfu; /* as ratios, not in percent; NaN: the peak is unknown for too much of the work */
} LoomEfficiencyStep;

typedef struct {
  GArray *rows;  /* LoomEfficiencyRow, sorted by kernel time, longest first */
  GArray *steps; /* LoomEfficiencyStep, sorted by trace, by the first track of the rank, then by begin */
  /* total time of the kernels and copies that were launched by calls in the range, including calls that were not read,
   * and of those in the range whose launch is not in the file */
  gint64 kernels_ns;
  /* the part of kernels_ns in the ranks and times whose calls were read (LOOM_EFFICIENCY_MOST_CALLS) */
  gint64 read_kernels_ns;
  gint64 counted_ns; /* the part of read_kernels_ns that belongs to the rows */
  /* read_compute_ns: the part of read_kernels_ns in which kernels compute; counted_compute_ns: the part of counted_ns
   * in which they compute. Copies and communication do no floating-point work that a formula could count. */
  gint64 read_compute_ns, counted_compute_ns;
  /* the part of read_compute_ns that belongs to operators whose inputs were not read although they have a formula:
   * products, convolutions and attention are read first, and the number of calls that are read is limited */
  gint64 unread_ns;
  /* n_calls: number of calls of operators with a formula; n_read: number of those calls whose inputs were read */
  guint64 n_calls, n_read;
  gboolean has_operators; /* TRUE if the run has operators with a formula */
  gboolean has_steps;     /* TRUE if the run has steps, inside or outside the range */
  gboolean has_shapes;    /* TRUE if the work of at least one call is known */
  LoomRecorder recorder;  /* the profiler that recorded the run */
  gboolean has_index;     /* TRUE if a source of the run is an index file, which keeps no operators */
  LoomStringPool *texts;  /* private: owns the texts of the rows */
} LoomEfficiency;

/* Computes the work of the calls in the range. `settings`: peaks that the user set; NULL: none. O(spans in the range +
 * kernels · log kernels), and about 1 µs for each call that is read. NULL only when cancelled. */
LoomEfficiency *loom_efficiency_new (LoomTimeline *timeline, LoomSteps *steps, LoomRange range,
                                     const LoomPeakSettings *settings, GCancellable *cancellable);
void loom_efficiency_free (LoomEfficiency *efficiency);

/* What a run lacks for an analysis of its efficiency. */
typedef enum {
  LOOM_EFFICIENCY_LACKS_NOTHING,
  LOOM_EFFICIENCY_LACKS_OPERATORS, /* no operator is called whose work can be computed (loom_operator_work_find()) */
  LOOM_EFFICIENCY_LACKS_SHAPES,
} LoomEfficiencyLack;

/* Finds out what a run lacks. Reads a few calls of each trace (loom-work-reader.h). O(spans up to these calls). */
LoomEfficiencyLack loom_efficiency_find_lack (LoomRun *run);

/* The next functions return figures of a row; NaN if they are unknown. */
double loom_efficiency_get_rate (const LoomEfficiencyRow *row);       /* FLOP/s */
double loom_efficiency_get_throughput (const LoomEfficiencyRow *row); /* B/s */
double loom_efficiency_get_intensity (const LoomEfficiencyRow *row);  /* FLOP/B */
double loom_efficiency_get_attainable (const LoomEfficiencyRow *row); /* FLOP/s */
double loom_efficiency_get_ratio (const LoomEfficiencyRow *row);      /* rate ÷ attainable */
/* Returns TRUE if memory bandwidth limits the row; FALSE if computing does, or if a peak is unknown. */
gboolean loom_efficiency_is_memory_bound (const LoomEfficiencyRow *row);

/* Totals over the rows of some kinds of operators: their rate and the peak with which it is compared, in FLOP/s; their
 * throughput and the memory bandwidth with which it is compared, in B/s. */
typedef struct {
  double rate;       /* FLOP ÷ kernel time; NaN without rows */
  double throughput; /* bytes ÷ kernel time; NaN without rows */
  /* mean peak of the rows, weighted so that rate ÷ peak is the share of the kernel time that the work would take at
   * the peak; NaN: the peak is unknown for too much of the work */
  double peak;
  /* mean bandwidth of the devices, weighted so that throughput ÷ bandwidth is the share of the kernel time that the
   * transfers would take at this bandwidth; NaN: the bandwidth is unknown for a row */
  double bandwidth;
  gint64 kernel_ns;
} LoomEfficiencySum;

/* Adds up the rows of some kinds. `kinds`: mask with the bit 1 << LoomOperatorKind for each kind. */
LoomEfficiencySum loom_efficiency_sum (const LoomEfficiency *efficiency, guint kinds);

/* Returns the MFU and HFU over all steps of all ranks: the time that the work takes at the peak ÷ the time of the
 * steps. `hfu` may be NULL. NaN: unknown. */
double loom_efficiency_get_mfu (const LoomEfficiency *efficiency, double *hfu);

/* Means over the elements [first, first + n) of LoomEfficiency.steps. */
typedef struct {
  guint first, n;
  double time_ns, flop; /* means of the time of a step in ns and of its FLOP, without repeated work */
  double mfu, hfu;      /* weighted by the time of the steps; NaN: unknown for a step */
} LoomEfficiencyMean;

/* Returns the means (LoomEfficiencyMean) of each rank or, if not `by_rank`, of each step. Owned by the caller. */
GArray *loom_efficiency_list_means (const LoomEfficiency *efficiency, gboolean by_rank);

/* Returns NULL if there are rows, else a translated sentence that names what is missing and how to record it.
 * Static. */
const char *loom_efficiency_get_missing (const LoomEfficiency *efficiency);
/* Returns how to record what is missing, as a translated text; NULL: nothing is missing, or recording would not help.
 * Static. */
const char *loom_efficiency_get_advice (const LoomEfficiency *efficiency);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEfficiency, loom_efficiency_free)
