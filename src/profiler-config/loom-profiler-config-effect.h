/* SPDX-License-Identifier: Apache-2.0
 *
 * What a configuration does: as the reader in the training container understands it, with its lower-casing, its truth
 * tests and its defaults, formats/profiler-config-and-rules §A4. Not what it seems to say; where the two differ there is a
 * note. Pure: for any thread that owns the configuration meanwhile.
 */
#pragma once

#include "loom-profiler-config.h"

G_BEGIN_DECLS

/* What the service samples at when a request does not say, and what it accepts; milliseconds. */
#define LOOM_CONFIG_INTERVAL_DEFAULT_MS 500
extern const guint loom_profiler_config_effect_intervals_ms[6];
gboolean loom_profiler_config_effect_allows_interval (gint64 interval_ms);

typedef enum {
  LOOM_EFFECT_OFF,
  LOOM_EFFECT_STEPS, /* from start_step (the step of the first question without one), n_steps long */
  LOOM_EFFECT_TIME, /* from start_s (the first question without one), duration_s long, or until the next step without */
  LOOM_EFFECT_NEVER, /* on, but nothing starts it */
} LoomProfilerEffectState;

typedef struct {
  LoomProfilerEffectState state;
  gboolean has_start, has_duration; /* of the time, or a start step */
  gint64 start_step, n_steps;
  gint64 start_s; /* since 1970 */
  double duration_s;
  char *regex;    /* data loader; NULL */
  char *profiler; /* Python: "cprofile", "pyinstrument"; NULL */
  char *timer;    /* Python with cprofile; NULL */
  char *reason;   /* why it is off or never starts, NULL */
} LoomProfilerMetricEffect;

typedef struct {
  gboolean system; /* the service samples the machine */
  gint64 interval_ms;
  gboolean framework; /* the reader is on */
  char *reason;       /* why it is not; NULL */
  char *local_path;   /* as the reader has it; these four also where it is off */
  gint64 rotate_bytes;
  double rotate_s;
  gint64 fail_threshold;
  LoomProfilerMetricEffect metrics[LOOM_N_PROFILER_METRICS];
  GPtrArray *notes; /* LoomProfilerConfigNote: those of the configuration are not among them */
} LoomProfilerConfigEffect;

LoomProfilerConfigEffect *loom_profiler_config_effect_new (const LoomProfilerConfig *config);
void loom_profiler_config_effect_free (LoomProfilerConfigEffect *effect);

/* "off", "steps", "time", "never" */
const char *loom_profiler_config_effect_state_to_string (LoomProfilerEffectState state);
/* "steps 3 and 4", "from 1932984000 until the next step", "off: …": without a full stop. Owned. */
char *loom_profiler_config_effect_describe_metric (const LoomProfilerMetricEffect *metric);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProfilerConfigEffect, loom_profiler_config_effect_free)

G_END_DECLS
