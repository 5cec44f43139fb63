/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared code of the fuzz targets. A target is a program with the function LLVMFuzzerTestOneInput(): libFuzzer calls it
 * with generated inputs, replay.c with inputs stored in files. All decisions of a target depend only on the input, so
 * that a file is enough to reproduce a failure.
 */
#pragma once

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Ends the program with a message, so that libFuzzer stores the input as a failure. */
void fuzz_fail (const char *place, const char *format, ...) G_GNUC_PRINTF (2, 3) G_GNUC_NORETURN;

#define fuzz_check(condition, ...)                       \
  G_STMT_START                                           \
  {                                                      \
    if (G_UNLIKELY (!(condition)))                       \
      fuzz_fail (G_STRLOC ": " #condition, __VA_ARGS__); \
  }                                                      \
  G_STMT_END

/* Fails if two multi-line texts differ, and prints the first line that differs. */
void fuzz_check_same (const char *got, const char *wanted, const char *place, const char *what);
#define fuzz_check_lines(got, wanted, what) fuzz_check_same (got, wanted, G_STRLOC, what)

/* Generates pseudo-random numbers whose seed is derived from the input. */
typedef struct {
  guint64 state;
} FuzzDice;

FuzzDice fuzz_dice (const guint8 *data, gsize size);
guint fuzz_below (FuzzDice *dice, guint n); /* returns a random number from 0 to n − 1 */

/* Returns a copy in an exact-size allocation, so that sanitizers detect reads beyond its end. Freed with g_free(). */
char *fuzz_exact (const void *bytes, gsize size);

/* Leaks of allocations between a call with TRUE and a call with FALSE are ignored. Only for leaks of other
 * libraries. */
void fuzz_leaks_are_known (gboolean known);

/* Returns TRUE if the text is JSON by RFC 8259; checked without code of the program. Documents nested deeper than
 * `max_depth` are refused. */
gboolean fuzz_is_json (const char *text, gsize length, guint max_depth);

/* fuzz_folder() returns a folder in memory that is removed at the end; the other functions write, read and remove files
 * in it, by names relative to the folder. The caller owns returned paths. */
const char *fuzz_folder (void);
char *fuzz_put (const char *name, const void *bytes, gsize size);
void fuzz_clear_folder (void);
