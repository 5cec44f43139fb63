/* SPDX-License-Identifier: Apache-2.0
 *
 * The effect of a profiler configuration: what the program in the training container does when it reads the
 * configuration (smdebug/profiler/profiler_config_parser.py). That program converts the configuration to lower case,
 * and has its own truth tests and defaults. A note is added for each case in which the effect is not the obvious
 * meaning of the configuration. The functions have no side effects. They may be called on any thread, as long as no
 * other thread changes the configuration.
 */
#pragma once

#include "loom-profiler-config.h"

/* Default sampling interval of the SageMaker service for system metrics, used if a request states none; and the
 * intervals that the service accepts. All in ms. */
#define LOOM_CONFIG_INTERVAL_DEFAULT_MS 500
extern const guint loom_profiler_config_effect_intervals_ms[6];
gboolean loom_profiler_config_effect_allows_interval (gint64 interval_ms);

typedef enum {
  LOOM_EFFECT_OFF,
  /* The metric is profiled for n_steps steps. The first one is start_step or, if it is not set, the step in which the
   * training script first checks whether to profile. */
  LOOM_EFFECT_STEPS,
  /* Profiling begins at start_s or, if it is not set, when the training script first checks whether to profile.
   * Profiling ends after duration_s or, if that is not set, with the next step. */
  LOOM_EFFECT_TIME,
  LOOM_EFFECT_NEVER, /* the metric is enabled but never starts, because the configuration gives neither times nor at
                      * least one step */
} LoomProfilerEffectState;

typedef struct {
  LoomProfilerEffectState state;
  gboolean has_start, has_duration; /* `has_start`: start_s or start_step is set; `has_duration`: duration_s is set */
  gint64 start_step, n_steps;
  gint64 start_s; /* time at which profiling begins, in seconds since 1970 */
  double duration_s;
  /* regular expression that selects the data loader metrics to record; NULL: the configuration states no expression */
  char *regex;
  char *profiler; /* profiler of Python code: "cprofile" or "pyinstrument"; NULL: no Python profiling */
  char *timer;    /* timer that cprofile uses; NULL: the configuration states no timer */
  char *reason;   /* the reason why the metric is off or never starts; NULL: it starts */
} LoomProfilerMetricEffect;

typedef struct {
  gboolean system; /* TRUE if the SageMaker service samples the metrics of the machine */
  gint64 interval_ms;
  gboolean framework; /* TRUE if the container records the metrics of the framework */
  char *reason;       /* the reason why `framework` is FALSE; NULL: `framework` is TRUE */
  /* The next four members are the values that the container uses. They are valid even if `framework` is FALSE. */
  char *local_path;
  gint64 rotate_bytes;
  double rotate_s;
  gint64 fail_threshold;
  LoomProfilerMetricEffect metrics[LOOM_N_PROFILER_METRICS];
  /* LoomProfilerConfigNote about the effect; notes about reading the file are in LoomProfilerConfig.notes */
  GPtrArray *notes;
} LoomProfilerConfigEffect;

LoomProfilerConfigEffect *loom_profiler_config_effect_new (const LoomProfilerConfig *config);
void loom_profiler_config_effect_free (LoomProfilerConfigEffect *effect);

/* Returns the name of a state: "off", "steps", "time" or "never". Static. */
const char *loom_profiler_config_effect_state_to_string (LoomProfilerEffectState state);
/* Returns a description of when a metric is profiled: "steps 3 and 4", "from 1932984000 until the next step", "off: …";
 * without a full stop. Owned by the caller. */
char *loom_profiler_config_effect_describe_metric (const LoomProfilerMetricEffect *metric);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomProfilerConfigEffect, loom_profiler_config_effect_free)
