/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of threads and streams of devices. Many files give no names to the streams of a GPU; the label of such a track
 * (LoomTrack.thread) is "thread 7", which exported files keep. SQL, `info`, reports and, translated, the window
 * (loom-track-label.h) all name it "stream 7". The functions may be called on any thread.
 */
#pragma once

#include "loom-trace.h"

typedef enum {
  LOOM_TRACK_NAME_GIVEN,  /* LoomTrack.thread is the name from the file; "" for tracks of a whole process */
  LOOM_TRACK_NAME_STREAM, /* the file has only the number of a stream, LoomTrack.thread_key */
  LOOM_TRACK_NAME_THREAD, /* the file has only the number of a thread, LoomTrack.thread_key */
  LOOM_TRACK_NAME_NONE,   /* the file has neither a name nor a number; LoomTrack.thread is "(no thread)" */
} LoomTrackNameOrigin;

LoomTrackNameOrigin loom_track_name_get_origin (const LoomTrack *track);

/* Returns the name of a thread or stream in English, for programs: "stream 7", "thread 7", "(no thread)" or the name
 * from the file. Owned by the caller. */
char *loom_track_name_dup_thread (const LoomTrack *track);
