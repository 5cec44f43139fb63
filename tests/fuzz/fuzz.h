/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzz targets share. A target is a program with LLVMFuzzerTestOneInput(): libFuzzer calls it with what it thinks
 * of, replay.c with the cases that were found before. Whatever else a target decides it takes from the input itself, so
 * that a case is one file.
 */
#pragma once

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Ends the program with a message: the input is a finding. */
void fuzz_fail (const char *place, const char *format, ...) G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN;

#define fuzz_check(condition, ...)                       \
  G_STMT_START                                           \
  {                                                      \
    if (G_UNLIKELY (!(condition)))                       \
      fuzz_fail (G_STRLOC ": " #condition, __VA_ARGS__); \
  }                                                      \
  G_STMT_END

/* Two texts of many lines have to be the same; said is the first line that is not. */
void fuzz_check_same (const char *got, const char *wanted, const char *place, const char *what);
#define fuzz_check_lines(got, wanted, what) fuzz_check_same (got, wanted, G_STRLOC, what)

/* Numbers that follow from the input. */
typedef struct {
  guint64 state;
} FuzzDice;

FuzzDice fuzz_dice (const guint8 *data, gsize size);
guint fuzz_below (FuzzDice *dice, guint n); /* 0 … n − 1 */

/* A copy that ends where the bytes end, so that reading beyond is seen. Freed by g_free(). */
char *fuzz_exact (const void *bytes, gsize size);

/* What is allocated in between may be lost: for faults of other people's libraries that are not ours to mend. */
void fuzz_leaks_are_known (gboolean known);

/* RFC 8259, read by nothing of the project's own. Deeper than `max_depth` is none. */
gboolean fuzz_is_json (const char *text, gsize length, guint max_depth);

/* A folder in memory that is removed at the end; files in it, by relative names. Paths are owned by the caller. */
const char *fuzz_folder (void);
char *fuzz_put (const char *name, const void *bytes, gsize size);
void fuzz_clear_folder (void);
