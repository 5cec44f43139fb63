/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profile-private.h"

#include <math.h>

static const char *const timers[] = { "unknown", "elapsed", "cpu", "off-cpu" };
static const char *const modes[] = { "", "train", "eval", "predict", "global", "prestepzero", "posthookclose" };
static const char *const parts[] = { "", "start", "stepstart", "forwardpassend", "stepend", "end" };

const char *
loom_profile_timer_to_string (LoomProfileTimer timer)
{
  return timers[CLAMP ((int) timer, 0, (int) G_N_ELEMENTS (timers) - 1)];
}

const char *
loom_python_mode_to_string (LoomPythonMode mode)
{
  return modes[CLAMP ((int) mode, 0, (int) G_N_ELEMENTS (modes) - 1)];
}

const char *
loom_step_part_to_string (LoomStepPart part)
{
  return parts[CLAMP ((int) part, 0, (int) G_N_ELEMENTS (parts) - 1)];
}

static gboolean
find_word (const char *const *words, guint n, const char *word, guint *found)
{
  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (words[i], word) == 0) {
      *found = i;
      return TRUE;
    }
  return FALSE;
}

gboolean
loom_python_mode_from_string (const char *word, LoomPythonMode *mode)
{
  guint found;
  if (!find_word (modes, G_N_ELEMENTS (modes), word, &found))
    return FALSE;
  *mode = (LoomPythonMode) found;
  return TRUE;
}

gboolean
loom_step_part_from_string (const char *word, LoomStepPart *part)
{
  guint found;
  if (!find_word (parts, G_N_ELEMENTS (parts), word, &found))
    return FALSE;
  *part = (LoomStepPart) found;
  return TRUE;
}

LoomProfile *
loom_profile_ref (LoomProfile *profile)
{
  g_atomic_ref_count_inc (&profile->refs);
  return profile;
}

void
loom_profile_unref (LoomProfile *profile)
{
  if (profile == NULL || !g_atomic_ref_count_dec (&profile->refs))
    return;
  g_free (profile->framework);
  g_free (profile->node);
  g_string_chunk_free (profile->texts);
  g_array_unref (profile->functions);
  g_array_unref (profile->callers);
  g_array_unref (profile->callees);
  g_free (profile->first_caller);
  g_free (profile->first_callee);
  g_array_unref (profile->frames);
  g_free (profile);
}

LoomProfileKind
loom_profile_get_kind (const LoomProfile *profile)
{
  return profile->kind;
}

LoomProfileTimer
loom_profile_get_timer (const LoomProfile *profile)
{
  return profile->timer;
}

const LoomProfilePoint *
loom_profile_get_start (const LoomProfile *profile)
{
  return &profile->start;
}

const LoomProfilePoint *
loom_profile_get_end (const LoomProfile *profile)
{
  return &profile->end;
}

const char *
loom_profile_get_node (const LoomProfile *profile)
{
  return profile->node;
}

gint
loom_profile_get_rank (const LoomProfile *profile)
{
  return profile->rank;
}

const char *
loom_profile_get_framework (const LoomProfile *profile)
{
  return profile->framework;
}

gint64
loom_profile_get_n_samples (const LoomProfile *profile)
{
  return profile->n_samples;
}

guint32
loom_profile_get_n_functions (const LoomProfile *profile)
{
  return profile->functions->len;
}

const LoomProfileFunction *
loom_profile_get_function (const LoomProfile *profile, guint32 function)
{
  g_return_val_if_fail (function < profile->functions->len, NULL);
  return &g_array_index (profile->functions, LoomProfileFunction, function);
}

static const LoomProfileCall *
calls_of (const LoomProfile *profile, const GArray *calls, const guint32 *first, guint32 function, guint32 *n)
{
  *n = 0;
  g_return_val_if_fail (function < profile->functions->len, NULL);
  *n = first[function + 1] - first[function];
  return *n > 0 ? &g_array_index (calls, LoomProfileCall, first[function]) : NULL;
}

const LoomProfileCall *
loom_profile_get_callers (const LoomProfile *profile, guint32 function, guint32 *n)
{
  return calls_of (profile, profile->callers, profile->first_caller, function, n);
}

const LoomProfileCall *
loom_profile_get_callees (const LoomProfile *profile, guint32 function, guint32 *n)
{
  return calls_of (profile, profile->callees, profile->first_callee, function, n);
}

const LoomProfileFrame *
loom_profile_get_frames (const LoomProfile *profile, guint32 *n)
{
  *n = profile->frames->len;
  return (const LoomProfileFrame *) (gpointer) profile->frames->data;
}

gint64
loom_profile_get_total_ns (const LoomProfile *profile)
{
  return profile->total_ns;
}

gint64
loom_profile_get_n_calls (const LoomProfile *profile)
{
  return profile->n_calls;
}

gint64
loom_profile_ns_from_seconds (double seconds, gboolean *odd)
{
  const double limit = 9.2e9; /* of gint64, in seconds */
  if (seconds >= -limit && seconds <= limit)
    return (gint64) llround (seconds * 1e9);
  if (odd != NULL)
    *odd = TRUE;
  return isnan (seconds) ? 0 : seconds > 0 ? (gint64) (limit * 1e9) : (gint64) (-limit * 1e9);
}
