/* SPDX-License-Identifier: Apache-2.0
 *
 * A Python profile: which functions ran, how often, for how long, called by whom; or the call tree a sampling profiler
 * saw (formats/python-profiles.md). It belongs to a source (LoomSource.profile), whose interval it covers.
 * Immutable once built, ref-counted atomically, readable from any thread without a lock.
 */
#pragma once

#include "loom-time.h"

G_BEGIN_DECLS

/* Limits, reported when hit by what reads the file. */
#define LOOM_PYTHON_PROFILE_MAX_FUNCTIONS (4u * 1024 * 1024)
#define LOOM_PYTHON_PROFILE_MAX_CALLS (8u * 1024 * 1024) /* caller and callee pairs */
#define LOOM_PYTHON_PROFILE_MAX_FRAMES (8u * 1024 * 1024)
#define LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH 4096 /* of a call tree; deeper frames count in the table only */

typedef enum {
  LOOM_PYTHON_PROFILE_CPROFILE, /* counted: calls and times per function, and per caller */
  LOOM_PYTHON_PROFILE_REPORT,   /* sampled: a tree of shares, its order is not that of time */
  LOOM_PYTHON_PROFILE_SESSION,  /* sampled: a tree in the order of time */
} LoomPythonProfileKind;

/* What the clock of a profile counted. The file does not say; the folder or the configuration does. */
typedef enum {
  LOOM_TIMER_UNKNOWN,
  LOOM_TIMER_ELAPSED,
  LOOM_TIMER_CPU,     /* user and system */
  LOOM_TIMER_OFF_CPU, /* elapsed without CPU; may be negative */
} LoomPythonProfileTimer;

const char *loom_python_profile_timer_to_string (
  LoomPythonProfileTimer timer); /* "unknown", "elapsed", "cpu", "off-cpu" */

typedef enum {
  LOOM_MODE_NONE,
  LOOM_MODE_TRAIN,
  LOOM_MODE_EVAL,
  LOOM_MODE_PREDICT,
  LOOM_MODE_GLOBAL,
  LOOM_MODE_PRE_STEP_ZERO,
  LOOM_MODE_POST_HOOK_CLOSE,
} LoomPythonProfileMode;

typedef enum {
  LOOM_PART_NONE,
  LOOM_PART_START,
  LOOM_PART_STEP_START,
  LOOM_PART_FORWARD_PASS_END,
  LOOM_PART_STEP_END,
  LOOM_PART_END,
} LoomStepPart;

/* The words of interval folders; "" for NONE. */
const char *loom_python_profile_mode_to_string (LoomPythonProfileMode mode);
const char *loom_python_profile_step_part_to_string (LoomStepPart part);
gboolean loom_python_profile_mode_from_string (const char *word, LoomPythonProfileMode *mode);
gboolean loom_python_profile_step_part_from_string (const char *word, LoomStepPart *part);

#define LOOM_STEP_BEFORE_FIRST (-1)
#define LOOM_STEP_AFTER_LAST G_MAXINT64
#define LOOM_STEP_NONE G_MININT64

typedef struct {
  gint64 time_ns; /* local time of the source; LOOM_TIME_NONE unknown */
  gint64 step;    /* or one of the above */
  LoomPythonProfileMode mode;
  LoomStepPart part;
} LoomPythonProfilePoint;

#define LOOM_PYTHON_PROFILE_POINT_NONE \
  ((LoomPythonProfilePoint) { LOOM_TIME_NONE, LOOM_STEP_NONE, LOOM_MODE_NONE, LOOM_PART_NONE })

#define LOOM_CALLS_UNKNOWN (-1)

typedef enum {
  LOOM_FUNCTION_BUILTIN = 1 << 0, /* no Python code: no file */
  LOOM_FUNCTION_CALLER = 1 << 1,  /* stands in the file as a caller only: it still ran when profiling stopped */
  LOOM_FUNCTION_LIBRARY = 1 << 2, /* the profiler says it is no application code */
} LoomFunctionFlags;

typedef struct {
  const char *file;       /* as it stands in the profile, never opened; "" for none */
  const char *name;       /* for people: "{built-in method time.sleep}" */
  gint64 line;            /* 0: none */
  gint64 calls;           /* LOOM_CALLS_UNKNOWN where samples were taken */
  gint64 primitive_calls; /* those not from within itself; LOOM_CALLS_UNKNOWN likewise */
  gint64 own_ns;
  gint64 cumulative_ns; /* with what it called */
  guint flags;
} LoomPythonProfileFunction;

/* What one function had from one caller. */
typedef struct {
  guint32 caller, callee;
  gint64 calls, primitive_calls; /* LOOM_CALLS_UNKNOWN where not known */
  gint64 own_ns, cumulative_ns;  /* of the callee; LOOM_TIME_NONE where only calls were counted */
} LoomPythonProfileCall;

#define LOOM_FRAME_NONE G_MAXUINT32

/* A frame of a sampled call tree. */
typedef struct {
  guint32 parent; /* LOOM_FRAME_NONE: a root */
  guint32 function;
  guint32 depth;   /* from 0 */
  gint64 start_ns; /* from the start of the profile; of a report laid out, not measured */
  gint64 dur_ns;   /* ≥ 0 */
  gint64 own_ns;
} LoomPythonProfileFrame;

typedef struct _LoomPythonProfile LoomPythonProfile;

LoomPythonProfile *loom_python_profile_ref (LoomPythonProfile *profile);
void loom_python_profile_unref (LoomPythonProfile *profile);

LoomPythonProfileKind loom_python_profile_get_kind (const LoomPythonProfile *profile);
LoomPythonProfileTimer loom_python_profile_get_timer (const LoomPythonProfile *profile);
/* Where the interval began and ended; times in the source's local time. */
const LoomPythonProfilePoint *loom_python_profile_get_start (const LoomPythonProfile *profile);
const LoomPythonProfilePoint *loom_python_profile_get_end (const LoomPythonProfile *profile);
const char *loom_python_profile_get_node (const LoomPythonProfile *profile);      /* NULL unknown */
const char *loom_python_profile_get_framework (const LoomPythonProfile *profile); /* NULL unknown */
gint64 loom_python_profile_get_n_samples (const LoomPythonProfile *profile);      /* −1 unknown */

guint32 loom_python_profile_get_n_functions (const LoomPythonProfile *profile);
const LoomPythonProfileFunction *loom_python_profile_get_function (const LoomPythonProfile *profile, guint32 function);

/* Calls into a function, and out of it, by index; the same calls in two orders. */
const LoomPythonProfileCall *loom_python_profile_get_callers (const LoomPythonProfile *profile, guint32 function,
                                                              guint32 *n);
const LoomPythonProfileCall *loom_python_profile_get_callees (const LoomPythonProfile *profile, guint32 function,
                                                              guint32 *n);

/* In pre-order; none in a profile that was counted. */
const LoomPythonProfileFrame *loom_python_profile_get_frames (const LoomPythonProfile *profile, guint32 *n);

/* Sum of all own times. */
gint64 loom_python_profile_get_total_ns (const LoomPythonProfile *profile);
/* Sum of all calls; LOOM_CALLS_UNKNOWN where samples were taken. */
gint64 loom_python_profile_get_n_calls (const LoomPythonProfile *profile);

/* The sum of several, key by key: never of different kinds or timers (FALSE from `can_add`, NULL from `sum`). The
 * interval is that from the first start to the last end; node and rank where all agree. Works in time. */
gboolean loom_python_profile_can_add (const LoomPythonProfile *a, const LoomPythonProfile *b);
LoomPythonProfile *loom_python_profile_sum (LoomPythonProfile *const *profiles, guint n);

/* Seconds as Python has them. What is no number becomes 0, what does not fit the nearest that does; then `odd` (may be
 * NULL) is set, else left. */
gint64 loom_python_profile_ns_from_seconds (double seconds, gboolean *odd);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonProfile, loom_python_profile_unref)

G_END_DECLS
