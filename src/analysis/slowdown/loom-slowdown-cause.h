/* SPDX-License-Identifier: Apache-2.0
 *
 * States why a straggler (loom-slowdown.h) computes longer: its device is slower, some of its kernels take longer, or
 * it runs more kernels. Compares the straggler with the other ranks of its pipeline stage, in those steps in which it
 * is slow (loom_slowdown_list_slow_steps()). Own definition; times are in ns:
 *
 *   kernel           computation on a device; neither communication, which waits for other ranks, nor copies
 *   time per call    total time of the kernels of one name ÷ their number
 *   usual            median over the other ranks
 *   comparable name  the straggler, and at least half of the other ranks, run kernels of this name at least
 *                    LOOM_SLOWDOWN_CAUSE_LEAST_CALLS times
 *   longer           for a name: calls of the straggler · (its time per call − the usual time per call)
 *   factor           for a name: time per call ÷ usual time per call. For the rank: the same for all comparable names
 *                    together, Σ time ÷ Σ calls · usual time per call
 *   alike            a name is alike if factor − 1 is LOOM_SLOWDOWN_CAUSE_LEAST_ALIKE … LOOM_SLOWDOWN_CAUSE_MOST_ALIKE
 *                    times as large as for the rank
 *   more             for a name: (calls − usual calls) · usual time per call; if the usual time per call is unknown,
 *                    the straggler's time per call
 *
 * If there are no stragglers, one other rank may have a cause: the rank whose kernels and idle times together take
 * longest, compared with the usual times. They must take at least LOOM_SLOWDOWN_CAUSE_LEAST_STEP of a step longer
 * (LoomSlowdownCause.late_ns). All steps are then compared.
 *
 * Immutable; owned by the LoomSlowdown. Any thread.
 */
#pragma once

#include <glib.h>

/* Causes are found for so many stragglers at most: those that lose most time. Each takes two passes over all
 * kernels. */
#define LOOM_SLOWDOWN_CAUSE_MOST 4
/* Limits. They were tried on generated runs of 8 and 64 ranks. If all kernels of a rank take 1.05 … 1.4 times as long,
 * 100 % of its time is alike, in four names. If only its matrix products take 1.4 times as long, 84 % of its time is
 * alike, in one name; if only its attention takes 1.5 times as long, nothing is alike. In runs without a planted cause
 * (also with slow links, unequal experts and bubbles), no rank takes 0.1 % of a step longer; 16 % with a third more
 * kernels, 11 % with a stalled host. */
#define LOOM_SLOWDOWN_CAUSE_LEAST_CALLS 3
#define LOOM_SLOWDOWN_CAUSE_LEAST_ALIKE 0.5
#define LOOM_SLOWDOWN_CAUSE_MOST_ALIKE 1.5
#define LOOM_SLOWDOWN_CAUSE_LEAST_STEP 0.05
/* The kernels of two ranks take equally long if the factor is at most this, and at least 1 ÷ this. */
#define LOOM_SLOWDOWN_CAUSE_MOST_EQUAL 1.03

typedef enum {
  LOOM_SLOWDOWN_CAUSE_UNKNOWN,
  /* at least 90 % of the time of all kernels is in names that are alike, and these are at least three; the factor is at
   * least 1.02 */
  LOOM_SLOWDOWN_CAUSE_DEVICE,
  /* at least 60 %, but less than 90 %, of the time of all kernels is in names that are alike, and these are at
   * least three; the factor is at least 1.02. A lower clock of the device hardly slows down kernels that are limited by
   * memory, and larger inputs do not slow down the optimizer */
  LOOM_SLOWDOWN_CAUSE_MOST_KERNELS,
  /* at most three of the comparable names explain at least half of longer_ns, the additional time of all comparable
   * names */
  LOOM_SLOWDOWN_CAUSE_KERNELS,
  /* only for ranks that are not stragglers: at least half of late_ns is time of additional kernels (more_ns, per step);
   * the other kernels take equally long (LOOM_SLOWDOWN_CAUSE_MOST_EQUAL), and `calls` is more than 1 */
  LOOM_SLOWDOWN_CAUSE_CALLS,
  /* the same as LOOM_SLOWDOWN_CAUSE_CALLS, but without the limits of the factor and of `calls`: the rank may run fewer,
   * but other kernels, for example fused ones */
  LOOM_SLOWDOWN_CAUSE_OTHER,
  /* only for ranks that are not stragglers: at least half of late_ns is additional idle time of the devices (idle_ns);
   * the kernels take equally long (LOOM_SLOWDOWN_CAUSE_MOST_EQUAL) */
  LOOM_SLOWDOWN_CAUSE_IDLE,
} LoomSlowdownCauseKind;

/* The inputs of the straggler's operators, compared with those of other ranks (loom-slowdown-inputs.h). */
typedef enum {
  LOOM_SLOWDOWN_INPUTS_UNKNOWN, /* shapes are not recorded, or they differ, but that does not explain the longer time */
  LOOM_SLOWDOWN_INPUTS_SAME,    /* the shapes are the same as on the other ranks */
  LOOM_SLOWDOWN_INPUTS_LARGER,  /* the inputs have more elements than on the other ranks */
} LoomSlowdownInputs;

/* A comparable name of kernels. */
typedef struct {
  const char *name; /* borrowed from the run */
  guint64 calls;    /* number of kernels with this name on the straggler */
  gint64 time_ns;   /* total time of these kernels */
  gint64 longer_ns; /* “longer” in the definitions at the top of this file */
  double factor;
} LoomSlowdownCauseName;

typedef struct {
  guint worker;             /* index in LoomSlowdown.workers */
  guint n_steps;            /* number of steps in which the straggler is slow */
  gboolean is_in_all_steps; /* TRUE if the straggler is slow in all steps */
  guint n_compared;         /* number of ranks with which the straggler was compared; 0: nothing was compared */
  LoomSlowdownCauseKind kind;
  double factor;       /* NAN: there are no comparable names */
  double alike;        /* share of the time of all kernels of the straggler in names that are alike, from 0 to 1 */
  double alike_factor; /* like `factor`, but only for the names that are alike; NAN: there are none */
  gint64 longer_ns;    /* sum of LoomSlowdownCauseName.longer_ns over all comparable names, in all slow steps */
  /* sum of “more” (see the top of this file) over all names, in all slow steps; may be negative */
  gint64 more_ns;
  gint64 idle_ns; /* idle time per step beyond the usual idle time; may be negative */
  /* by how much the kernels and the idle times of the rank, together, take longer per step than on the median rank; 0:
   * the rank is a straggler */
  gint64 late_ns;
  /* TRUE if the additional kernels explain at least a fifth of the time longer_ns + more_ns, and more_ns is positive */
  gboolean has_more;
  double calls; /* number of kernels of the straggler ÷ usual number; 1: it is less than 1.005, or has_more is FALSE */
  GArray *names; /* LoomSlowdownCauseName: the comparable names, largest longer_ns first */
  guint n_main;  /* number of elements of `names` that explain the longer time; 0 unless kind is LOOM_…_KERNELS */
  /* set only for LOOM_SLOWDOWN_CAUSE_DEVICE and LOOM_SLOWDOWN_CAUSE_MOST_KERNELS */
  LoomSlowdownInputs inputs;
  /* name of the operator whose larger inputs cost most time, borrowed from the run, and elements of its inputs per call
   * ÷ those on the other ranks; NULL: no operator has larger inputs */
  const char *larger_name;
  double larger;
} LoomSlowdownCause;

/* Returns more_ns per slow step. */
gint64 loom_slowdown_cause_get_more_time (const LoomSlowdownCause *cause);
/* Returns a few sentences about the cause, for example “Nearly all kernels of rank 3 take about 40 % longer …”.
 * `rank`: name of the rank, such as "rank 3". Returns NULL if nothing is known. Translated, owned by the caller. */
char *loom_slowdown_cause_dup_sentence (const LoomSlowdownCause *cause, const char *rank);
/* Returns the first n_main names, each with its additional time per call: "gemm (+40 %), gelu (+30 %)". n_main must be
 * at least 1. Owned by the caller. */
char *loom_slowdown_cause_dup_names (const LoomSlowdownCause *cause);
