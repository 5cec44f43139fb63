/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads a dump of PyTorch's flight recorder from the values of a pickle or JSON file. The flight
 * recorder (torch/csrc/distributed/c10d/FlightRecorder) records collectives. Writes to the log how many values cannot
 * be used. May be used on any thread. Takes O(number of values).
 */
#pragma once

#include "loom-flight-dump.h"
#include "loom-import-log.h"
#include "loom-plain-values.h"

/* Maximum number of entries of a dump. By default, PyTorch's ring buffer holds 2,000 entries. */
#define LOOM_FLIGHT_MAX_ENTRIES (1024u * 1024)
#define LOOM_FLIGHT_MAX_GROUPS (64u * 1024)
#define LOOM_FLIGHT_MAX_MEMBERS (4u * 1024 * 1024) /* maximum number of members of all groups together */
/* maximum number of bytes of the call stacks of all entries together */
#define LOOM_FLIGHT_MAX_FRAME_BYTES (64u * 1024 * 1024)

/* Returns TRUE if the outermost value is the dict of a dump. */
gboolean loom_flight_reader_recognise (const LoomPlainValues *values);

LoomFlightDump *loom_flight_reader_read (const LoomPlainValues *values, LoomImportLog *log);

/* Returns the rank that wrote the dump: the only rank that is a member of every process group of the dump. Returns −1
 * if no rank or several ranks are members of every group. */
gint loom_flight_reader_find_rank (const LoomFlightDump *dump);
