/* SPDX-License-Identifier: Apache-2.0
 *
 * How much of anything is read, all in one place: the unit, the reason, and what an import log or a message says where
 * more was met (in quotes: the problem's code). A limit bounds memory or time; what can be read within it is kept, and
 * nothing goes without a word.
 *
 * What remains besides what is kept of a file: two events of LOOM_LIMIT_EVENT_BYTES at most, and some 64 MiB, for each file
 * that is read at the same time; never more than the memory budget allows (loom-memory-budget.h).
 *
 * Limits that depend on one structure alone stand with it: the values of a marshal dump (import/python/loom-python-marshal.h), functions,
 * calls and frames of a Python profile (model/profile/loom-python-profile.h), stack frames (model/source/loom-stack-frames.h), members of an archive, 2⁴⁶ bytes and 2¹⁴ files of one trace (model/source/loom-source.h).
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_MIB (G_GUINT64_CONSTANT (1) << 20)

/* Levels of brackets within one value. json-glib recurses, and sees nothing deeper: what lies deeper is shown and exported
 * as text. "deep-nesting" */
#define LOOM_LIMIT_DEPTH 512

/* Bytes of one event, or of one member beside the events: it is held in memory whole while it is read. One that is longer is
 * left out, and reading goes on behind its beginning. "event-too-large" */
#define LOOM_LIMIT_EVENT_BYTES (256 * LOOM_MIB)

/* Bytes of one name or label as kept in memory, cut at a character; the file has it whole, and details and export read it
 * there. "long-name" */
#define LOOM_LIMIT_NAME_BYTES (64 * 1024)

/* Threads of a trace; so many again of processes, of counters, of a counter's series and of names of async events. A track takes some 2 KB, and a list of
 * more serves nobody: the largest real ones have some thousand. What comes on others stands together on one more track of its
 * process. "too-many-tracks" */
#define LOOM_LIMIT_TRACKS 100000

/* Files found in folders, and folders inside one another: a home folder opened by mistake ends. In the list of what was not
 * loaded. */
#define LOOM_LIMIT_FILES 200000
#define LOOM_LIMIT_FOLDER_DEPTH 64

/* Bytes unpacked per byte of a compressed file, once so many were unpacked. Deflate can give 1,032, and at its quickest 229;
 * traces give 8 to 30. Nothing is read behind that. "gzip-ratio" */
#define LOOM_LIMIT_GZIP_RATIO 200
#define LOOM_LIMIT_GZIP_FREE_BYTES (256 * LOOM_MIB)

/* Bytes before the first event, or of the first event: so far a file is looked at to tell what it is. The reason why the file
 * is none says so. */
#define LOOM_LIMIT_SNIFF_BYTES (64 * LOOM_MIB)

/* Percent of the memory available when a load begins that it may take, unless somebody says another budget. "memory-budget" */
#define LOOM_LIMIT_MEMORY_PERCENT 75

/* Of one Python profile: it is read whole. Real ones have some megabytes. */
#define LOOM_LIMIT_PROFILE_BYTES (256 * LOOM_MIB)

/* Of a session file. */
#define LOOM_LIMIT_SESSION_BYTES (64 * LOOM_MIB)
#define LOOM_LIMIT_SESSION_DEPTH 64

/* Of a profiler configuration, and of the parameters of rules. */
#define LOOM_LIMIT_CONFIG_BYTES (1024 * 1024)

/* Of what was fetched from other places and is kept in the cache folder: beyond it goes what was not opened for the longest
 * time. What is open now may be larger. Nobody is told, for it is fetched again. */
#define LOOM_LIMIT_CACHE_BYTES (32 * 1024 * LOOM_MIB)

/* A limit by its name, or what the environment says for it (LOOM_LIMIT_FILES=3): how tests reach them with small files. Asks
 * each time: not for inner loops. Any thread. */
#define loom_limit(NAME) loom_limit_lowered (#NAME, NAME)
guint64 loom_limit_lowered (const char *name, guint64 limit);

G_END_DECLS
