/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: orders the records of a memory history by device, and computes what the snapshot does
 * not state: the allocated and reserved bytes after each record, and the times at which blocks were freed. Only one
 * thread at a time may process a history.
 */
#pragma once

#include "loom-memory-reader.h"

/* Fills `history->records`, which must be empty, device by device in the order of history->pools. `existing` and
 * `events` contain LoomMemoryRecord; `events` is in the order of the pools, too. The records of a device are first the
 * blocks that were allocated before its first event, then its events. Two kinds of blocks were allocated before the
 * first event: blocks that an event frees but no event allocates, and blocks in `existing` that no event allocates. In
 * a partial history, the second kind is omitted for devices with events, because a missing event may have allocated
 * such a block. The number of bytes that were allocated before the first event is computed from the number at the end
 * and the events. If it differs from the sum of the sizes of the blocks before the first event, a note is logged. In a
 * partial history, this sum is used instead. Returns how many blocks were allocated at an address at which another
 * block was still allocated. O(records). */
guint64 loom_memory_records_arrange (LoomMemoryHistory *history, const GArray *existing, const GArray *events,
                                     LoomImportLog *log);

/* Hides all blocks except the LOOM_MEMORY_MAX_BLOCKS with the largest product of size and duration, and logs how many
 * blocks are hidden. O(blocks · log blocks). */
void loom_memory_records_hide_small_blocks (LoomMemoryHistory *history, LoomImportLog *log);
