/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import/pickle: orders the records of a memory history by device, and computes what the snapshot does
 * not state: the allocated and reserved bytes after each record, and the times at which blocks were freed. Only one
 * thread at a time may process a history.
 */
#pragma once

#include "loom-memory-reader.h"

/* Fills `history->records`, which must be empty. For each device of history->pools, adds first the blocks that were
 * allocated before the first event: those that an event frees but none allocates, and those of `existing` that no event
 * allocates. If the history is partial and the device has events, the blocks of `existing` are omitted, because an
 * event that is missing may have allocated them. Then adds the events of the device. Both arrays contain
 * LoomMemoryRecord; the events are in the order of the pools. The bytes allocated before the first event are computed
 * from the level at the end and the events, and a note is logged if they differ from the sum of the sizes of the blocks
 * that existed before the first event. In a partial history, this sum is used instead. Returns how many blocks were
 * allocated at an address at which another block was still allocated. O(records). */
guint64 loom_memory_records_arrange (LoomMemoryHistory *history, const GArray *existing, const GArray *events,
                                     LoomImportLog *log);

/* Hides all blocks except the LOOM_MEMORY_MAX_BLOCKS with the largest product of size and duration, and logs how many
 * blocks are hidden. O(blocks · log blocks). */
void loom_memory_records_hide_small_blocks (LoomMemoryHistory *history, LoomImportLog *log);
