/* SPDX-License-Identifier: Apache-2.0
 *
 * Checks whether a trace can be trusted: finds records that contradict each other, or that are missing. The checks of
 * waits, collectives and the backward pass are those of PyTorch's validator (torch/profiler/_trace_validator.py).
 *
 * Each check counts its violations for each trace. A finding is alarming if numbers computed from the trace are wrong
 * by more than the limits below. Other findings only state which data a trace lacks. Most checks are only for files in
 * the Chrome trace format, as PyTorch writes them. Late ends are checked in files of all formats; kernels without a
 * launch are checked in all files except merged ones. For checks that need args, at most LOOM_TRACE_HEALTH_MOST_READ
 * events of each kind are read from all files together. Immutable; any thread. Times are ns of the trace's own clock.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

#define LOOM_TRACE_HEALTH_MOST_READ 50000
/* tolerance when times are compared, because files round times to microseconds */
#define LOOM_TRACE_HEALTH_TOLERANCE_NS 1000
/* tolerated overlap of two kernels of a stream: newer GPUs begin a kernel a few µs before the end of the kernel on
 * which it depends */
#define LOOM_TRACE_HEALTH_OVERLAP_NS 10000
/* tolerated share of kernels without a launch, and of launches without a kernel */
#define LOOM_TRACE_HEALTH_MOST_LOST 0.01
#define LOOM_TRACE_HEALTH_MOST_WRONG 0.005 /* tolerated share of spans that overlap or are not properly nested */
#define LOOM_TRACE_HEALTH_JUMP_NS 1000000  /* smallest jump of a clock that is reported */
/* steps at the start of a trace count as warm-up if they take longer than this multiple of the median of all steps
 * after the first one */
#define LOOM_TRACE_HEALTH_WARM_UP 1.5
/* Contradictions between the clocks of host and devices make computed numbers wrong by at most n · worst_ns (n: number
 * of contradictions; worst_ns: size of the greatest one). If this product is less than this share of the recorded time,
 * pages do not warn. For a number that is a tenth of the recorded time, this share is an error of 5 %. */
#define LOOM_TRACE_HEALTH_LEAST_WEIGHT 0.005
#define LOOM_TRACE_HEALTH_OVERHEAD 0.01 /* tolerated share of the recorded time that the profiler itself takes */

typedef enum {
  LOOM_HEALTH_EARLY_KERNELS, /* kernels that begin before the call of cudaLaunchKernel with the same External id */
  /* kernels (except those of LOOM_HEALTH_EARLY_KERNELS) and copies that begin before the call with the same correlation
   * id */
  LOOM_HEALTH_EARLY_WORKS,
  LOOM_HEALTH_LATE_ENDS,               /* kernels and copies that end after the call that waited for them */
  LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH,  /* kernels for which the host has no call with the same correlation id */
  LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL, /* launches that launched no kernel, although other launches of the same name did
                                        */
  LOOM_HEALTH_STREAM_OVERLAPS,         /* work of a stream that begins before the previous work of the stream ends */
  LOOM_HEALTH_NESTING,                 /* spans of a thread that begin inside of another span but end after that span */
  /* calls that have the same correlation id as a call of another process in the same file */
  LOOM_HEALTH_MIXED_RANKS,
  /* at some time, the difference between the ends of collectives in this trace and on other ranks changes: the clock of
   * the trace jumped */
  LOOM_HEALTH_CLOCK_JUMP,
  /* the file is incomplete; LoomHealthRow.n is the number of steps that the file lacks */
  LOOM_HEALTH_CUT_OFF,
  LOOM_HEALTH_WAITS_WITHOUT_RECORD, /* waits that do not state for which event they wait */
  LOOM_HEALTH_RECORDS_MISSING,      /* waits for an event whose recording call is not in the file */
  LOOM_HEALTH_RECORDS_LATER,        /* waits for an event that is recorded only after the wait */
  LOOM_HEALTH_KERNELS_AT_SYNC,      /* synchronizations that begin while a kernel of their stream still runs */
  LOOM_HEALTH_COLLECTIVE_FIELDS,    /* collectives without kind, type, sizes or group */
  LOOM_HEALTH_BACKWARD_NUMBERS,     /* sequence numbers that several backward functions have */
  LOOM_HEALTH_WARM_UP,              /* first steps that take longer than the other steps */
  LOOM_HEALTH_OVERHEAD,             /* time that the profiler itself took */
  LOOM_N_HEALTH,
} LoomHealthCheck;

typedef struct {
  LoomHealthCheck check;
  guint trace;
  gint rank;       /* rank of the trace; −1: unknown */
  guint64 n, n_of; /* `n`: number of violations of the check; `n_of`: number of records that were examined */
  gint64 worst_ns; /* size of the greatest violation; 0: the check does not measure times */
  /* span of the greatest violation or, if the check does not measure times, of the first violation; LOOM_SPAN_ID_NONE:
   * there is none */
  LoomSpanId span;
  gboolean is_alarming;
  /* TRUE if the row is alarming and its weight is not below LOOM_TRACE_HEALTH_LEAST_WEIGHT; pages then warn that their
   * numbers may be wrong */
  gboolean weighs;
} LoomHealthRow;

typedef struct {
  GArray *rows; /* LoomHealthRow: all checks of each trace, sorted by trace, then by check */
  guint n_traces;
  /* number of traces for which most checks were skipped: traces in other formats than the Chrome trace format, merged
   * files and index files. These checks need the events and ids of a file as a profiler wrote it. */
  guint n_unchecked;
  guint64 n_left; /* number of events whose args were not read, because the run has too many events */
} LoomTraceHealth;

/* Returns the health of the timeline's run. The first call performs all checks of all traces in O(spans + args that are
 * read), and the run keeps the result. `late_ends`: LoomCriticalPath.late_ends of a critical path of the whole run, so
 * that these need not be computed again; NULL: not available. Borrowed. NULL only when cancelled. */
const LoomTraceHealth *loom_trace_health_get_shared (LoomTimeline *timeline, const GArray *late_ends,
                                                     GCancellable *cancellable);
void loom_trace_health_free (LoomTraceHealth *health);

/* Returns TRUE if the importer found that a file of the trace ends early. */
gboolean loom_trace_health_is_cut_off (const LoomTrace *trace);

const LoomHealthRow *loom_trace_health_get (const LoomTraceHealth *health, guint trace, LoomHealthCheck check);
/* Returns the number of rows whose is_alarming is TRUE. */
guint loom_trace_health_count_alarms (const LoomTraceHealth *health);

/* Returns the untranslated name of a check for JSON and CSV output, for example "early-kernels". The names never
 * change. Static. */
const char *loom_trace_health_to_string (LoomHealthCheck check);
/* The next two functions return translated texts for the user. The title states the result of a check. The meaning
 * states how the result affects the displayed numbers, and how to record better. Static. */
const char *loom_trace_health_get_title (LoomHealthCheck check);
const char *loom_trace_health_get_meaning (LoomHealthCheck check);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTraceHealth, loom_trace_health_free)
