/* SPDX-License-Identifier: Apache-2.0
 *
 * Small jobs made by hand: spans of an smdebug timeline and samples of the system, in seconds and percent, as a frame.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _FakeJob FakeJob;

/* Seconds since a plausible past, in ns. */
#define AT(s) (LOOM_TIME_PLAUSIBLE_MIN + (gint64) ((s) *1e9 + 0.5))

FakeJob *fake_job_new (void);

/* A span of a rank of "algo-<host>"; args as JSON. A new (host, rank) is a new source. */
void fake_job_span (FakeJob *job, int host, int rank, const char *process, const char *name, double begin_s,
                    double end_s, const char *args);
/* A training step with a number. */
void fake_job_step (FakeJob *job, int host, int rank, int number, double begin_s, double end_s);
/* A sample of "algo-<host>"; type by the name ("gpu0" is a gpu). */
void fake_job_sample (FakeJob *job, int host, const char *name, const char *dimension, double time_s, double value);
/* What the clock of the spans is worth; exact when not said. */
void fake_job_set_clock (FakeJob *job, LoomClockState state);

/* Consumes the job. Owned. */
LoomDataFrame *fake_job_frame (FakeJob *job, LoomNumberConvention numbers);
LoomTimeline *fake_job_timeline (FakeJob *job);
