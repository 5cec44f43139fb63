/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared code of the fuzz targets. A target is a program with LLVMFuzzerTestOneInput(): libFuzzer calls it with
 * generated inputs, replay.c with the stored cases. All decisions of a target depend on the input only, so that a case
 * is one file.
 */
#pragma once

#include <glib.h>

int LLVMFuzzerTestOneInput (const guint8 *data, size_t size);

/* Ends the program with a message; the input is a finding. */
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

/* Pseudo-random numbers derived from the input. */
typedef struct {
  guint64 state;
} FuzzDice;

FuzzDice fuzz_dice (const guint8 *data, gsize size);
guint fuzz_below (FuzzDice *dice, guint n); /* 0 … n − 1 */

/* Returns a copy in an exact-size allocation, so that sanitizers detect reads beyond its end. Freed with g_free(). */
char *fuzz_exact (const void *bytes, gsize size);

/* Leaks between TRUE and FALSE are ignored: for defects of other libraries that we cannot fix. */
void fuzz_leaks_are_known (gboolean known);

/* Checks RFC 8259 without using code of the project. Documents nested deeper than `max_depth` are refused. */
gboolean fuzz_is_json (const char *text, gsize length, guint max_depth);

/* A folder in memory that is removed at the end, and files in it by relative names. The caller owns returned paths. */
const char *fuzz_folder (void);
char *fuzz_put (const char *name, const void *bytes, gsize size);
void fuzz_clear_folder (void);
