/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast operators compute, compared with what their device can do: floating-point operations and bytes of each call
 * (loom-operator-work.h), divided by the time of the kernels that the call launched.
 *
 *   rate         FLOP ÷ kernel time (FLOP/s)
 *   intensity    FLOP ÷ bytes
 *   attainable   the lower of the device's peak and intensity × memory bandwidth (roofline: Williams, Waterman, Patterson,
 *                2009)
 *   efficiency   rate ÷ attainable
 *   bound        by computing if intensity ≥ peak ÷ bandwidth, else by memory
 *   MFU          of a step: FLOP ÷ (step time × peak × devices of the rank), without repeated work (activation
 *                checkpointing); HFU: with it (Chowdhery et al., PaLM). As there, only matrix products, convolutions and
 *                attention count. The peak of each operator is that of its type, so this is the time that the work takes
 *                at the peak ÷ step time × devices. Work whose peak is unknown is not counted if it is at most
 *                LOOM_EFFICIENCY_MOST_UNKNOWN of all; if it is more, the MFU is unknown.
 *
 * A call belongs to the range, and to the step, in which it begins, with all of its kernels. Operators without a formula,
 * and kernels of CUDA graphs, which are launched without operators, are not counted: shares are then too low.
 *
 * Immutable when made, freed by its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-device-peaks.h"
#include "loom-operator-work.h"
#include "loom-steps.h"
#include "loom-string-pool.h"

/* Maximum number of calls in LoomEfficiencyRow.spans. */
#define LOOM_EFFICIENCY_MOST_SPANS 512
/* Maximum number of calls of a run whose inputs are read, which takes about 1 µs each. The first traces come first. If
 * the products, convolutions and attention of a trace are too many, all of them are read up to a time, and this is also the
 * end of the trace's steps. */
#define LOOM_EFFICIENCY_MOST_CALLS 200000
/* Maximum share of the FLOP with an unknown peak in a rate that is compared with the peak, or in an MFU. */
#define LOOM_EFFICIENCY_MOST_UNKNOWN 0.01

/* The calls of an operator with the same sizes and types of inputs on devices of one model. */
typedef struct {
  const char *name;  /* borrowed from the run */
  const char *shape; /* sizes of the inputs: "[141, 512], [512, 512]" */
  /* "bfloat16": type of the first input that is a tensor; "float32 (TF32)" if a kernel multiplies float32 in TF32 or XF32,
   * which its name says. Other products of float32 are compared with the lower peak of float32 */
  const char *type;
  const char *device; /* name of the device: "NVIDIA H100 80GB HBM3"; "": not recorded */
  LoomOperatorKind kind;
  LoomOperatorWork work; /* of one call */
  guint64 calls, n_kernels;
  guint64 n_recomputed; /* number of calls that repeat work of the forward pass; part of `calls` */
  gint64 kernel_ns;
  double peak, bandwidth; /* FLOP/s and B/s of the device; 0: unknown */
  LoomSpanId longest;     /* the call with the longest kernels */
  gint64 longest_ns;      /* time of its kernels */
  GArray *spans;          /* LoomSpanId: the first LOOM_EFFICIENCY_MOST_SPANS calls */
} LoomEfficiencyRow;

/* A step of a rank; without steps, the time of the whole rank in the range. */
typedef struct {
  const char *node; /* borrowed from the run; NULL: unknown */
  gint rank;        /* −1: unknown */
  guint trace;
  gboolean is_step; /* FALSE: there are no steps */
  gint64 number;    /* −1: not stated, or not a step */
  LoomRange range;  /* timeline ns */
  LoomSpanId span;  /* LOOM_SPAN_ID_NONE if it is not a step */
  guint n_devices;
  /* work of products, convolutions and attention; `flop`: without the repeated work, `unknown_flop`: the part of both whose
   * peak is unknown */
  guint64 flop, recomputed_flop, unknown_flop;
  double mfu, hfu; /* ratios; NaN: the peak of too much of the work is unknown */
} LoomEfficiencyStep;

typedef struct {
  GArray *rows;  /* LoomEfficiencyRow, sorted by kernel time, longest first */
  GArray *steps; /* LoomEfficiencyStep, sorted by trace, then begin */
  /* time of all kernels and copies that calls in the range launched, also those that were not read, and of those in the
   * range without launch */
  gint64 kernels_ns;
  gint64 counted_ns;       /* the part of it that belongs to the rows */
  guint64 n_calls, n_read; /* number of calls of operators with a formula, and how many of them were read */
  gboolean has_operators;  /* TRUE if the run has operators with a formula */
  gboolean has_steps;      /* TRUE if the run has steps, also outside the range */
  gboolean has_shapes;     /* TRUE if the work of any call is known */
  gboolean has_index;      /* TRUE if a source of the run is an index, which keeps no operators */
  LoomStringPool *texts;   /* private */
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

/* Finds out what a run lacks, from a few calls of each trace. O(spans up to these calls), and some reads. */
LoomEfficiencyLack loom_efficiency_find_lack (LoomRun *run);

/* The next functions return figures of a row; NaN if they are unknown. */
double loom_efficiency_get_rate (const LoomEfficiencyRow *row);       /* FLOP/s */
double loom_efficiency_get_throughput (const LoomEfficiencyRow *row); /* B/s */
double loom_efficiency_get_intensity (const LoomEfficiencyRow *row);  /* FLOP/B */
double loom_efficiency_get_attainable (const LoomEfficiencyRow *row); /* FLOP/s */
double loom_efficiency_get_ratio (const LoomEfficiencyRow *row);      /* rate ÷ attainable */
/* Returns TRUE if memory bandwidth limits the row; FALSE if computing does, or if a peak is unknown. */
gboolean loom_efficiency_is_memory_bound (const LoomEfficiencyRow *row);

/* The sum of the rows of some kinds: rate in FLOP/s, and the peak that it is compared with. */
typedef struct {
  double rate; /* FLOP ÷ kernel time; NaN without rows */
  double
    peak; /* mean peak, such that rate ÷ peak is the share of the kernel time needed at the peak; NaN: too much of it
                * is unknown */
  gint64 kernel_ns;
} LoomEfficiencySum;

/* Adds up the rows of the kinds in `kinds`: a bit for each LoomOperatorKind. */
LoomEfficiencySum loom_efficiency_sum (const LoomEfficiency *efficiency, guint kinds);

/* Returns the MFU and HFU over all steps of all ranks: the time that the work takes at the peak ÷ the time of the steps.
 * `hfu` may be NULL. NaN: unknown. */
double loom_efficiency_get_mfu (const LoomEfficiency *efficiency, double *hfu);

/* Returns NULL if there are rows, else a translated sentence that names what is missing and how to record it. Static. */
const char *loom_efficiency_get_missing (const LoomEfficiency *efficiency);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomEfficiency, loom_efficiency_free)
