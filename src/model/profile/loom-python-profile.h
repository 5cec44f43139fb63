/* SPDX-License-Identifier: Apache-2.0
 *
 * A Python profile: which functions ran, how often, for how long, and their callers; or the call tree of a sampling
 * profiler. A profile belongs to a source (LoomSource.profile) and covers the interval of this source. It is immutable
 * after it was made, has an atomic reference count, and may be read on any thread without a lock.
 */
#pragma once

#include "loom-time.h"

/* Maximum number of elements of a profile; the importer reports if a file has more. */
#define LOOM_PYTHON_PROFILE_MAX_FUNCTIONS (4u * 1024 * 1024)
#define LOOM_PYTHON_PROFILE_MAX_CALLS (8u * 1024 * 1024) /* maximum number of pairs of caller and callee */
#define LOOM_PYTHON_PROFILE_MAX_FRAMES (8u * 1024 * 1024)
/* maximum number of levels of a call tree; deeper frames count only in the table of functions */
#define LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH 4096

typedef enum {
  /* the profiler counted calls: for each function and each of its callers, the number of calls and the time */
  LOOM_PYTHON_PROFILE_CPROFILE,
  LOOM_PYTHON_PROFILE_REPORT,  /* the profiler sampled: a call tree with shares of time, not in order of time */
  LOOM_PYTHON_PROFILE_SESSION, /* the profiler sampled: a call tree in order of time */
} LoomPythonProfileKind;

/* What kind of time the profiler measured. The file of the profile does not say this; it is read from the profiler's
 * configuration or from the name of the folder. */
typedef enum {
  LOOM_TIMER_UNKNOWN,
  LOOM_TIMER_ELAPSED,
  LOOM_TIMER_CPU,     /* processor time: user and system time */
  LOOM_TIMER_OFF_CPU, /* elapsed minus processor time; may be negative */
} LoomPythonProfileTimer;

/* Returns the untranslated name of a timer: "unknown", "elapsed", "cpu" or "off-cpu". */
const char *loom_python_profile_timer_to_string (LoomPythonProfileTimer timer);

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

/* The functions below convert modes and parts of steps to and from the words that names of interval folders contain;
 * the word is "" for LOOM_MODE_NONE and for LOOM_PART_NONE. */
const char *loom_python_profile_mode_to_string (LoomPythonProfileMode mode);
const char *loom_python_profile_step_part_to_string (LoomStepPart part);
gboolean loom_python_profile_mode_from_string (const char *word, LoomPythonProfileMode *mode);
gboolean loom_python_profile_step_part_from_string (const char *word, LoomStepPart *part);

#define LOOM_STEP_BEFORE_FIRST (-1)
#define LOOM_STEP_AFTER_LAST G_MAXINT64
#define LOOM_STEP_NONE G_MININT64

typedef struct {
  gint64 time_ns; /* time in local ns of the source; LOOM_TIME_NONE: unknown */
  gint64 step;    /* number of the step, or one of the constants LOOM_STEP_* */
  LoomPythonProfileMode mode;
  LoomStepPart part;
} LoomPythonProfilePoint;

#define LOOM_PYTHON_PROFILE_POINT_NONE \
  ((LoomPythonProfilePoint) { LOOM_TIME_NONE, LOOM_STEP_NONE, LOOM_MODE_NONE, LOOM_PART_NONE })

#define LOOM_CALLS_UNKNOWN (-1)

typedef enum {
  LOOM_FUNCTION_BUILTIN = 1 << 0, /* the function is not Python code and has no file */
  /* the function is in the file only as a caller, because it was still running when profiling stopped */
  LOOM_FUNCTION_CALLER = 1 << 1,
  LOOM_FUNCTION_LIBRARY = 1 << 2, /* the profiler classifies the function as library code */
} LoomFunctionFlags;

typedef struct {
  /* path of the function's file, as the profile states it; the file is never opened; "": none */
  const char *file;
  const char *name;       /* name for display: "{built-in method time.sleep}" */
  gint64 line;            /* line number in `file` that the profile states for the function; 0: none */
  gint64 calls;           /* number of calls; LOOM_CALLS_UNKNOWN in sampled profiles */
  gint64 primitive_calls; /* number of calls that are not recursive; LOOM_CALLS_UNKNOWN in sampled profiles */
  gint64 own_ns;
  gint64 cumulative_ns; /* time in ns in this function and in the functions that it called */
  guint flags;
} LoomPythonProfileFunction;

/* The calls of one function by one caller. */
typedef struct {
  guint32 caller, callee;
  /* number of calls, and number of calls that are not recursive; LOOM_CALLS_UNKNOWN if unknown */
  gint64 calls, primitive_calls;
  /* time in ns that the callee took in these calls, without and with the functions that it called; LOOM_TIME_NONE: only
   * calls were counted */
  gint64 own_ns, cumulative_ns;
} LoomPythonProfileCall;

#define LOOM_FRAME_NONE G_MAXUINT32

/* A stack frame of a sampled call tree. */
typedef struct {
  guint32 parent; /* index of the calling frame; LOOM_FRAME_NONE: the frame is a root */
  guint32 function;
  guint32 depth; /* depth in the tree; 0: a root */
  /* time in ns since the start of the profile. In a profile of the kind LOOM_PYTHON_PROFILE_REPORT, this time was not
   * measured, but computed from the tree */
  gint64 start_ns;
  gint64 dur_ns; /* duration in ns, ≥ 0 */
  gint64 own_ns;
} LoomPythonProfileFrame;

typedef struct {
  LoomPythonProfileKind kind;
  LoomPythonProfileTimer timer;
  LoomPythonProfilePoint start, end; /* start and end of the interval; times are in the source's local time */
  char *framework, *node;            /* name of the training framework, and name of the host; NULL: unknown */
  gint64 n_samples;                  /* number of samples that a sampling profiler took; −1: unknown */
  gint64 total_ns;                   /* sum of the own times of all functions, in ns */
  gint64 n_calls;                    /* sum of the calls of all functions; LOOM_CALLS_UNKNOWN in sampled profiles */
  GArray *functions;                 /* LoomPythonProfileFunction: all functions */
  /* The members below are private: */
  gatomicrefcount refs;
  gint rank;
  GStringChunk *texts;
  GArray *callers; /* LoomPythonProfileCall, sorted by callee, then caller */
  GArray *callees; /* the elements of `callers`, sorted by caller, then callee */
  /* arrays indexed by function: index in `callers` or `callees` of the first call that belongs to this function; the
   * last element is the number of all calls */
  guint32 *first_caller;
  guint32 *first_callee;
  GArray *frames; /* LoomPythonProfileFrame: the call tree in pre-order */
} LoomPythonProfile;

LoomPythonProfile *loom_python_profile_ref (LoomPythonProfile *profile);
void loom_python_profile_unref (LoomPythonProfile *profile);

const LoomPythonProfileFunction *loom_python_profile_get_function (const LoomPythonProfile *profile, guint32 function);

/* The functions below return an array of `n` elements about the function with this index.
 * loom_python_profile_get_callers(): one element for each function that calls this function;
 * loom_python_profile_get_callees(): one element for each function that is called by it. Borrowed. */
const LoomPythonProfileCall *loom_python_profile_get_callers (const LoomPythonProfile *profile, guint32 function,
                                                              guint32 *n);
const LoomPythonProfileCall *loom_python_profile_get_callees (const LoomPythonProfile *profile, guint32 function,
                                                              guint32 *n);

/* Returns the frames of the call tree in pre-order; a profile of the kind LOOM_PYTHON_PROFILE_CPROFILE has none. */
const LoomPythonProfileFrame *loom_python_profile_get_frames (const LoomPythonProfile *profile, guint32 *n);

/* loom_python_profile_sum() returns the sum of several profiles, function by function. Profiles of different kinds or
 * timers cannot be added: loom_python_profile_can_add() returns FALSE, and loom_python_profile_sum() NULL. The interval
 * of the sum extends from the first start to the last end. The sum has a node and a rank only if they are equal in all
 * profiles. O(size of the profiles). */
gboolean loom_python_profile_can_add (const LoomPythonProfile *a, const LoomPythonProfile *b);
LoomPythonProfile *loom_python_profile_sum (LoomPythonProfile *const *profiles, guint n);

/* Converts seconds of a Python profile to ns. NaN becomes 0, and values that do not fit are clamped; in both cases
 * `odd` (may be NULL) is set to TRUE, otherwise it is not changed. */
gint64 loom_python_profile_ns_from_seconds (double seconds, gboolean *odd);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPythonProfile, loom_python_profile_unref)
