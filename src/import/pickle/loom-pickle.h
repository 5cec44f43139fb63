/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads Python pickles of plain data (numbers, texts, lists, tuples, dicts), protocols 0 to 5 (opcodes: CPython,
 * Lib/pickletools.py). Never executes or imports anything: reading ends at any opcode that is not one of plain data.
 * Does not use recursion. Memory is proportional to the bytes of the pickle, not to the lengths that it states, and is
 * limited by the budget. May be used on any thread.
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
  /* an opcode builds something other than plain data: the pickle contains a Python object, or is damaged */
  LOOM_PICKLE_FOREIGN,
  LOOM_PICKLE_FULL, /* the number of values exceeds LOOM_PICKLE_MAX_VALUES or the memory budget */
} LoomPickleStop;

/* The place at which reading a pickle ended, and the reason. */
typedef struct {
  LoomPickleStop stop;
  /* offset of the opcode at which reading ended; if all opcodes were read, but a frame is truncated, offset of this
   * frame */
  guint64 at;
  guint8 opcode;   /* the opcode at `at`, for LOOM_PICKLE_FOREIGN */
  guint64 n_after; /* number of bytes that follow a complete pickle */
} LoomPickleEnd;

/* Returns the values of a pickle; texts in them point into `bytes`, which must outlive them. If reading stops before
 * the end of the pickle, returns the values that were read until then, and sets `end` to the reason. If the bytes end
 * too early, the result may be empty. Returns NULL with the error of loom_pickle_fail() in two cases: reading stopped
 * at a Python class; or no value was read, and reading stopped for another reason than the end of the bytes. `budget`
 * may be NULL. O(n). */
LoomPlainValues *loom_pickle_read (const char *bytes, gsize n, LoomMemoryBudget *budget, LoomPickleEnd *end,
                                   GError **error);

/* Sets the error for a pickle that cannot be used at all: LOOM_ERROR_UNSUPPORTED for Python objects,
 * LOOM_ERROR_LIMIT for too many values, otherwise LOOM_ERROR_FORMAT. */
void loom_pickle_fail (const LoomPickleEnd *end, GError **error);
