/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of threads and streams of devices. Many files give no names to the streams of a GPU. The LoomTrack.thread of
 * such a stream is "thread 7", and exported files contain this text. SQL, the command `info` and reports show "stream
 * 7" instead. The window shows a translation of "stream 7" (loom-track-label.h). The functions may be called on any
 * thread.
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
