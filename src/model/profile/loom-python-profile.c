/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-python-profile.h"

#include <math.h>

static const char *const timers[] = { "unknown", "elapsed", "cpu", "off-cpu" };
static const char *const modes[] = { "", "train", "eval", "predict", "global", "prestepzero", "posthookclose" };
static const char *const parts[] = { "", "start", "stepstart", "forwardpassend", "stepend", "end" };

const char *
loom_python_profile_timer_to_string (LoomPythonProfileTimer timer)
{
  return timers[CLAMP ((int) timer, 0, (int) G_N_ELEMENTS (timers) - 1)];
}

const char *
loom_python_profile_mode_to_string (LoomPythonProfileMode mode)
{
  return modes[CLAMP ((int) mode, 0, (int) G_N_ELEMENTS (modes) - 1)];
}

const char *
loom_python_profile_step_part_to_string (LoomStepPart part)
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
loom_python_profile_mode_from_string (const char *word, LoomPythonProfileMode *mode)
{
  guint found;
  if (!find_word (modes, G_N_ELEMENTS (modes), word, &found))
    return FALSE;
  *mode = (LoomPythonProfileMode) found;
  return TRUE;
}

gboolean
loom_python_profile_step_part_from_string (const char *word, LoomStepPart *part)
{
  guint found;
  if (!find_word (parts, G_N_ELEMENTS (parts), word, &found))
    return FALSE;
  *part = (LoomStepPart) found;
  return TRUE;
}

LoomPythonProfile *
loom_python_profile_ref (LoomPythonProfile *profile)
{
  g_atomic_ref_count_inc (&profile->refs);
  return profile;
}

void
loom_python_profile_unref (LoomPythonProfile *profile)
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

const LoomPythonProfileFunction *
loom_python_profile_get_function (const LoomPythonProfile *profile, guint32 function)
{
  g_return_val_if_fail (function < profile->functions->len, NULL);
  return &g_array_index (profile->functions, LoomPythonProfileFunction, function);
}

static const LoomPythonProfileCall *
calls_of (const LoomPythonProfile *profile, const GArray *calls, const guint32 *first, guint32 function, guint32 *n)
{
  *n = 0;
  g_return_val_if_fail (function < profile->functions->len, NULL);
  *n = first[function + 1] - first[function];
  return *n > 0 ? &g_array_index (calls, LoomPythonProfileCall, first[function]) : NULL;
}

const LoomPythonProfileCall *
loom_python_profile_get_callers (const LoomPythonProfile *profile, guint32 function, guint32 *n)
{
  return calls_of (profile, profile->callers, profile->first_caller, function, n);
}

const LoomPythonProfileCall *
loom_python_profile_get_callees (const LoomPythonProfile *profile, guint32 function, guint32 *n)
{
  return calls_of (profile, profile->callees, profile->first_callee, function, n);
}

const LoomPythonProfileFrame *
loom_python_profile_get_frames (const LoomPythonProfile *profile, guint32 *n)
{
  *n = profile->frames->len;
  return (const LoomPythonProfileFrame *) (gpointer) profile->frames->data;
}

gint64
loom_python_profile_ns_from_seconds (double seconds, gboolean *odd)
{
  /* a number of seconds just below the greatest one that fits into gint64 when converted to ns */
  const double limit = 9.2e9;
  if (seconds >= -limit && seconds <= limit)
    return (gint64) llround (seconds * 1e9);
  if (odd != NULL)
    *odd = TRUE;
  return isnan (seconds) ? 0 : seconds > 0 ? (gint64) (limit * 1e9) : (gint64) (-limit * 1e9);
}
