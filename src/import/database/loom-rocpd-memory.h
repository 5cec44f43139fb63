/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: adds counters of the memory that a session of a rocpd database has allocated on each GPU and
 * on the host. Each sample of a counter is the number of bytes that are allocated after an allocation or a release.
 */
#pragma once

#include "loom-chrome-importer.h"
#include "loom-rocm-private.h"

/* Reads the allocations in `table` and adds the samples to the trace. `gpus`: id of an agent → gint64 *, its GPU index.
 * `session`: text at the end of the pid that names the session; empty if there is only one session. Returns the number
 * of rows that are not shown: reserved addresses, scratch memory, and releases of memory whose allocation is not in the
 * file. O(rows · log rows); 56 bytes of memory per row. */
guint64 loom_rocpd_memory_add (LoomRocmReader *reader, const char *table, GHashTable *gpus, const char *session,
                               LoomChromeImporter *chrome);
