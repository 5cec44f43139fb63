/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the dump of a flight recorder from plain values (PyTorch,
 * torch/csrc/distributed/c10d/FlightRecorder). What cannot be used is counted in the log. Any thread. O(values).
 */
#pragma once

#include "loom-flight-dump.h"
#include "loom-import-log.h"
#include "loom-plain-values.h"

/* Limits of one dump; by default PyTorch's ring holds 2,000 entries. */
#define LOOM_FLIGHT_MAX_ENTRIES (1024u * 1024)
#define LOOM_FLIGHT_MAX_GROUPS (64u * 1024)
#define LOOM_FLIGHT_MAX_MEMBERS (4u * 1024 * 1024) /* maximum number of members of all groups together */
/* maximum number of bytes of the call stacks of all entries together */
#define LOOM_FLIGHT_MAX_FRAME_BYTES (64u * 1024 * 1024)

/* Returns TRUE if the outermost value is the dict of a dump. */
gboolean loom_flight_reader_recognise (const LoomPlainValues *values);

LoomFlightDump *loom_flight_reader_read (const LoomPlainValues *values, LoomImportLog *log);

/* Returns the only rank that is a member of every group of the dump; −1 if there is none, or several. */
gint loom_flight_reader_find_rank (const LoomFlightDump *dump);
