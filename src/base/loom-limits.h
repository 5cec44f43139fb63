/* SPDX-License-Identifier: Apache-2.0
 *
 * All limits on the amount of input, each with its unit and its reason. "Logged as" is followed by the code of the
 * problem in the import log that reports that the limit was exceeded. Limits restrict memory or time. Input within the
 * limits is kept completely, and exceeding a limit is always reported.
 *
 * In addition to the loaded data, each file that is being read needs memory for at most two events of
 * LOOM_LIMIT_EVENT_BYTES and some 64 MiB, but never more than the memory budget (loom-memory-budget.h).
 *
 * Other limits are declared with the structure to which they apply: values of a marshal dump
 * (import/python/loom-python-marshal.h); functions, calls and frames of a Python profile
 * (model/profile/loom-python-profile.h); stack frames (model/source/loom-stack-frames.h); members of an archive, 2⁴⁶
 * bytes and 2¹⁴ files of one trace (model/source/loom-source.h).
 */
#pragma once

#include <glib.h>

#define LOOM_MIB (G_GUINT64_CONSTANT (1) << 20)

/* Maximum nesting depth of brackets within one value. Deeper values are not parsed, because json-glib is recursive;
 * they are shown and exported as text. Logged as "deep-nesting". */
#define LOOM_LIMIT_DEPTH 512

/* Maximum size, in bytes, of an event or of another member of the trace, because each is read into memory as a whole. A
 * larger event or member is skipped: reading continues with its second byte. Logged as "event-too-large". */
#define LOOM_LIMIT_EVENT_BYTES (256 * LOOM_MIB)

/* Maximum length, in bytes, of a name or label in memory. A longer one is truncated between two characters; the
 * details pane and the export read the full text from the file. Logged as "long-name". */
#define LOOM_LIMIT_NAME_BYTES (64 * 1024)

/* Maximum number of threads of a trace. The same maximum applies to processes, to counters, to series of a counter,
 * and to names of async events. A track takes some 2 KB; the largest real traces have some thousand tracks. If there
 * are more tracks, their events are added to one extra track of their process. Logged as "too-many-tracks". */
#define LOOM_LIMIT_TRACKS 100000

/* Maximum number of files found in folders, and maximum depth of nested folders. Without these limits, opening a home
 * folder by mistake could search for a very long time. Skipped files and folders are in the list of files that were not
 * loaded. */
#define LOOM_LIMIT_FILES 200000
#define LOOM_LIMIT_FOLDER_DEPTH 64

/* Maximum ratio of unpacked to compressed bytes of a file. It is checked after LOOM_LIMIT_GZIP_FREE_BYTES bytes have
 * been unpacked. Deflate reaches a ratio of up to 1,032, and of up to 229 at its fastest level; traces have ratios
 * of 8 to 30. Reading stops at the limit. Logged as "gzip-ratio". */
#define LOOM_LIMIT_GZIP_RATIO 200
#define LOOM_LIMIT_GZIP_FREE_BYTES (256 * LOOM_MIB)

/* Maximum number of bytes that are searched for the end of the first event, to recognise the format. If no event
 * ends within these bytes, the file is rejected with a message that says so. */
#define LOOM_LIMIT_SNIFF_BYTES (64 * LOOM_MIB)

/* Maximum memory of a load, in percent of the memory that is available when the load starts. The user can set
 * another limit. Logged as "memory-budget". */
#define LOOM_LIMIT_MEMORY_PERCENT 75

/* Maximum size, in bytes, of a Python profile, because it is read as a whole. Real profiles have some megabytes. */
#define LOOM_LIMIT_PROFILE_BYTES (256 * LOOM_MIB)

/* Maximum size, in bytes, of a memory snapshot and of a dump of a flight recorder, because each is read as a whole.
 * Snapshots of large jobs have some hundred megabytes. */
#define LOOM_LIMIT_DUMP_BYTES (1024 * LOOM_MIB)

/* Maximum size, in bytes, of an index file, because it is read as a whole. An index file has at most a hundredth of
 * the size of its trace. */
#define LOOM_LIMIT_INDEX_BYTES (1024 * LOOM_MIB)

/* Maximum time, in seconds, in which a command that reads files on another machine must answer a request. The limit
 * does not apply to the start of the command, because it may ask the user for a password. */
#define LOOM_LIMIT_ANSWER_SECONDS 60

/* Maximum size, in bytes, and maximum nesting depth of a session file. */
#define LOOM_LIMIT_SESSION_BYTES (64 * LOOM_MIB)
#define LOOM_LIMIT_SESSION_DEPTH 64

/* Maximum size, in bytes, of a profiler configuration and of a file of rule parameters. */
#define LOOM_LIMIT_CONFIG_BYTES (1024 * 1024)

/* Maximum total size, in bytes, of the downloaded files in the cache folder. If it is exceeded, the files that were
 * not opened for the longest time are deleted. This is not reported, because they can be downloaded again. Files
 * that are open now are not deleted, even if the limit remains exceeded. */
#define LOOM_LIMIT_CACHE_BYTES (32 * 1024 * LOOM_MIB)

/* Maximum total size, in bytes, of the files in the cache folder that contain the events of ranges
 * (loom-range-task.h). */
#define LOOM_LIMIT_RANGES_BYTES (8 * 1024 * LOOM_MIB)

/* Returns the limit NAME. An environment variable of this name (LOOM_LIMIT_FILES=3) replaces it, so that tests can
 * reach limits with small files. Each call reads the environment, so don't use it in inner loops. Any thread. */
#define loom_limit(NAME) loom_limit_lowered (#NAME, NAME)
guint64 loom_limit_lowered (const char *name, guint64 limit);
