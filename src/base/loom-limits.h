/* SPDX-License-Identifier: Apache-2.0
 *
 * All limits on the amount of input, each with its unit and its reason. The word in quotes after "Logged as" is the
 * code of the problem that is added to the import log when the limit is exceeded. Limits bound memory or time; input
 * within the limits is kept completely, and every excess is reported.
 *
 * In addition to the data that is kept, each file that is being read needs at most two events of
 * LOOM_LIMIT_EVENT_BYTES and some 64 MiB, and never more than the memory budget allows (loom-memory-budget.h).
 *
 * Limits of a single structure are declared with this structure: values of a marshal dump
 * (import/python/loom-python-marshal.h), functions, calls and frames of a Python profile
 * (model/profile/loom-python-profile.h), stack frames (model/source/loom-stack-frames.h), members of an archive, 2⁴⁶
 * bytes and 2¹⁴ files of one trace (model/source/loom-source.h).
 */
#pragma once

#include <glib.h>

#define LOOM_MIB (G_GUINT64_CONSTANT (1) << 20)

/* Maximum nesting depth of brackets within one value. json-glib recurses, so deeper values are not parsed with it: they
 * are shown and exported as text. Logged as "deep-nesting". */
#define LOOM_LIMIT_DEPTH 512

/* Maximum size of one event, or of one other member of the trace, in bytes. Each of these is read as a whole into
 * memory. A larger event or member is skipped; reading resumes just after its first byte. Logged as
 * "event-too-large". */
#define LOOM_LIMIT_EVENT_BYTES (256 * LOOM_MIB)

/* Maximum length of one name or label in memory, in bytes; longer ones are cut between characters. The details pane and
 * the export read the full text from the file. Logged as "long-name". */
#define LOOM_LIMIT_NAME_BYTES (64 * 1024)

/* Maximum number of threads of a trace. The same maximum applies separately to processes, counters, series of a
 * counter, and names of async events. A track takes some 2 KB, and the largest real traces have some thousand tracks.
 * Events of further tracks go to one extra track of their process. Logged as "too-many-tracks". */
#define LOOM_LIMIT_TRACKS 100000

/* Maximum number of files that are found in folders, and maximum depth of nested folders, so that opening a home folder
 * by mistake does not search for ever. The list of files that were not loaded names what was skipped. */
#define LOOM_LIMIT_FILES 200000
#define LOOM_LIMIT_FOLDER_DEPTH 64

/* Maximum ratio of unpacked bytes to compressed bytes of a file, checked as soon as LOOM_LIMIT_GZIP_FREE_BYTES were
 * unpacked. Deflate can reach a ratio of 1,032 and, at its fastest level, of 229; traces have ratios of 8 to 30.
 * Reading stops at the limit. Logged as "gzip-ratio". */
#define LOOM_LIMIT_GZIP_RATIO 200
#define LOOM_LIMIT_GZIP_FREE_BYTES (256 * LOOM_MIB)

/* Maximum number of bytes that are searched for the end of the first event, to recognise the format. If no event ends
 * within them, the message about the rejected file says so. */
#define LOOM_LIMIT_SNIFF_BYTES (64 * LOOM_MIB)

/* Memory that a load may use, in percent of the memory that is available when the load starts, unless the user sets
 * another budget. Logged as "memory-budget". */
#define LOOM_LIMIT_MEMORY_PERCENT 75

/* Maximum size of a Python profile, in bytes; a profile is read as a whole. Real profiles have some megabytes. */
#define LOOM_LIMIT_PROFILE_BYTES (256 * LOOM_MIB)

/* Maximum size of a memory snapshot, or of a dump of a flight recorder, in bytes; each is read as a whole. Snapshots of
 * large jobs have some hundred megabytes. */
#define LOOM_LIMIT_DUMP_BYTES (1024 * LOOM_MIB)

/* Maximum size of an index, in bytes; an index is read as a whole. It is at most a hundredth as large as its trace. */
#define LOOM_LIMIT_INDEX_BYTES (1024 * LOOM_MIB)

/* A command that reads files on another machine must send something within this number of seconds after a request. Its
 * start may take longer, because it may ask the user for a password. */
#define LOOM_LIMIT_ANSWER_SECONDS 60

/* Maximum size, in bytes, and maximum nesting depth of a session file. */
#define LOOM_LIMIT_SESSION_BYTES (64 * LOOM_MIB)
#define LOOM_LIMIT_SESSION_DEPTH 64

/* Maximum size of a profiler configuration, and of a file of rule parameters, in bytes. */
#define LOOM_LIMIT_CONFIG_BYTES (1024 * 1024)

/* Maximum size of all downloaded files in the cache folder together, in bytes. If they are larger, the files that were
 * not opened for the longest time are deleted. This is not reported, because they can be downloaded again. Files that
 * are open now are not deleted, even if the limit is exceeded. */
#define LOOM_LIMIT_CACHE_BYTES (32 * 1024 * LOOM_MIB)

/* Maximum total size, in bytes, of the files in the cache folder that contain the events of ranges
 * (loom-range-task.h). */
#define LOOM_LIMIT_RANGES_BYTES (8 * 1024 * LOOM_MIB)

/* Returns the limit, or the value that the environment gives for it (LOOM_LIMIT_FILES=3), so that tests reach limits
 * with small files. Reads the environment at every call, so don't use it in inner loops. Any thread. */
#define loom_limit(NAME) loom_limit_lowered (#NAME, NAME)
guint64 loom_limit_lowered (const char *name, guint64 limit);
