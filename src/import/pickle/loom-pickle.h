/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Python pickles that hold plain data only, protocols 0 to 5 (opcodes as in CPython's Lib/pickletools.py). Nothing is
 * ever executed or imported: the reader knows only the opcodes of plain values, and any other opcode ends it. Nothing
 * recurses. Memory is proportional to the bytes of the pickle, not to the lengths that it claims, and ends at the budget.
 * Any thread.
 */
#pragma once

#include "loom-memory-budget.h"
#include "loom-plain-values.h"

/* Maximum number of values in one pickle, and of entries in its memo; the values need up to 3 GB. A snapshot has about
 * five values per event. */
#define LOOM_PICKLE_MAX_VALUES (128u * 1024 * 1024)

typedef enum {
  LOOM_PICKLE_WHOLE,
  LOOM_PICKLE_CUT,     /* the bytes end within the pickle */
  LOOM_PICKLE_DAMAGED, /* an opcode does not fit the values before it */
  /* an opcode builds something else than plain data: the pickle contains a Python object, or is damaged */
  LOOM_PICKLE_FOREIGN,
  LOOM_PICKLE_FULL, /* more values than LOOM_PICKLE_MAX_VALUES, or than the memory budget allows */
} LoomPickleStop;

/* Where and why reading ended. */
typedef struct {
  LoomPickleStop stop;
  guint64 at;      /* offset of the opcode at which reading ended, or of the pickle frame that is cut off */
  guint8 opcode;   /* the opcode at `at`, for LOOM_PICKLE_FOREIGN */
  guint64 n_after; /* number of bytes that follow a complete pickle */
} LoomPickleEnd;

/* Returns the values of a pickle; texts in them point into `bytes`, which must outlive them. If reading stops before
 * the end of the pickle, returns the lists and dicts with the values that were read before, and `end` says why it
 * stopped. Returns NULL with the error of loom_pickle_fail() in two cases: reading stopped at a Python class; or it
 * stopped before anything was read, for another reason than that the bytes end too early. `budget` may be NULL.
 * O(n). */
LoomPlainValues *loom_pickle_read (const char *bytes, gsize n, LoomMemoryBudget *budget, LoomPickleEnd *end,
                                   GError **error);

/* Sets the error of a pickle of which nothing can be used: LOOM_ERROR_UNSUPPORTED for Python objects, LOOM_ERROR_LIMIT
 * for too many values, else LOOM_ERROR_FORMAT. */
void loom_pickle_fail (const LoomPickleEnd *end, GError **error);
