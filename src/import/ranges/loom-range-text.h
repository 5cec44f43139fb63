/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a small trace file in memory that contains a range of time of a large trace file. It consists of the text
 * before and after the events, the metadata events, and the events that touch the range, unchanged and in the same
 * order. The offsets of these events are found with the byte index of the file (LoomByteIndex). Blocks; may be called
 * on any thread.
 */
#pragma once

#include "loom-byte-index.h"
#include "loom-byte-source.h"
#include "loom-memory-budget.h"
#include "loom-progress.h"

typedef struct {
  gint64 begin_ns, end_ns;  /* range of times as stated in the file, in ns; both ends are included */
  guint64 most_bytes;       /* maximum number of bytes that may be read */
  LoomMemoryBudget *budget; /* limit on the memory of the process; NULL: no limit */
  LoomProgress *progress;   /* reports progress and says whether reading was cancelled; may be NULL */
} LoomRangeTextRequest;

/* The beginning of a part of the generated text: its offset in this text, and its offset in the file. */
typedef struct {
  guint64 offset, in_file;
} LoomRangeTextPlace;

/* Returns the text of a file that contains only the events of a range of time. Reads those blocks of the file that
 * contain such events, and the text before and after all events, which every range needs. Sets `n_read` to the number
 * of bytes read, and `places` (may be NULL) to an array of LoomRangeTextPlace, in the order of the text and owned by
 * the caller. Returns NULL with LOOM_ERROR_LIMIT, LOOM_ERROR_READ or G_IO_ERROR_CANCELLED; `places` is not set then. */
GBytes *loom_range_text_make (const LoomByteIndex *index, LoomByteSource *text, const LoomRangeTextRequest *request,
                              guint64 *n_read, GArray **places, GError **error);

/* Returns a byte source with the text of a range. Takes a reference to each of the two arguments. */
LoomByteSource *loom_range_text_new_source (GBytes *bytes, GArray *places);
/* Returns the offset in the trace file of the byte at `offset` in a byte source of loom_range_text_new_source(). For
 * any other byte source and for NULL, returns `offset` itself. O(log parts). */
guint64 loom_range_text_get_offset_in_file (LoomByteSource *text, guint64 offset);

/* Sets LOOM_ERROR_LIMIT with a message for a range that needs more memory than the budget. */
void loom_range_text_set_over_budget (const LoomMemoryBudget *budget, GError **error);
