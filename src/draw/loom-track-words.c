/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-words.h"

#include <glib/gi18n.h>
#include <string.h>

char *
loom_track_dup_process_words (const LoomTrack *track)
{
  return g_strdup (strcmp (track->process, "(no process)") == 0 ? C_ ("track", "(no process)") : track->process);
}

char *
loom_track_dup_thread_words (const LoomTrack *track)
{
  g_autofree char *unnamed = g_strconcat ("thread ", track->thread_key, NULL);
  if (track->thread_key[0] != '\0' && strcmp (track->thread, unnamed) == 0)
    return g_strdup_printf (/* Translators: of a process; %s is its number */ C_ ("track", "thread %s"), track->thread_key);
  return g_strdup (strcmp (track->thread, "(no thread)") == 0 ? C_ ("track", "(no thread)") : track->thread);
}
