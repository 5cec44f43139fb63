/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds small jobs by hand: spans of an smdebug timeline and system samples, with times in seconds and values in
 * percent, returned as a data frame.
 */
#pragma once

#include "loom-data-frame.h"

typedef struct _FakeJob FakeJob;

/* Converts seconds since LOOM_TIME_PLAUSIBLE_MIN to absolute ns. */
#define AT(s) (LOOM_TIME_PLAUSIBLE_MIN + (gint64) ((s) *1e9 + 0.5))

FakeJob *fake_job_new (void);

/* Adds a span to a rank of host "algo-<host>"; `args` is JSON. Each pair of host and rank has a source, which the first
 * call for it creates. */
void fake_job_span (FakeJob *job, int host, int rank, const char *process, const char *name, double begin_s,
                    double end_s, const char *args);
/* Adds a training step with the number `number`. */
void fake_job_step (FakeJob *job, int host, int rank, int number, double begin_s, double end_s);
/* Adds a system sample of host "algo-<host>"; the sample's type follows from `name` ("gpu0" is a GPU). */
void fake_job_sample (FakeJob *job, int host, const char *name, const char *dimension, double time_s, double value);
/* Sets how reliable the clock of the spans is. Default: exact. */
void fake_job_set_clock (FakeJob *job, LoomClockState state);

/* Frees the job and returns a frame that the caller owns. */
LoomDataFrame *fake_job_frame (FakeJob *job, LoomNumberConvention numbers);
LoomTimeline *fake_job_timeline (FakeJob *job);
