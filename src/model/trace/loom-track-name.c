/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-track-name.h"

#include <string.h>

#define THREAD "thread "

LoomTrackNameOrigin
loom_track_name_get_origin (const LoomTrack *track)
{
  if (strcmp (track->thread, "(no thread)") == 0)
    return LOOM_TRACK_NAME_NONE;
  if (track->thread_key[0] == '\0' || !g_str_has_prefix (track->thread, THREAD) ||
      strcmp (track->thread + strlen (THREAD), track->thread_key) != 0)
    return LOOM_TRACK_NAME_GIVEN;
  return (track->flags & LOOM_TRACK_DEVICE) != 0 ? LOOM_TRACK_NAME_STREAM : LOOM_TRACK_NAME_THREAD;
}

char *
loom_track_name_dup_thread (const LoomTrack *track)
{
  return loom_track_name_get_origin (track) == LOOM_TRACK_NAME_STREAM ? g_strconcat ("stream ", track->thread_key, NULL)
                                                                      : g_strdup (track->thread);
}
