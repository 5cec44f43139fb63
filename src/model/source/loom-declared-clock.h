/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source declares about its own clock. The importer fills the struct, and src/clock checks whether it is
 * plausible. “Local” time means the time in the file plus `base_ns`, the start time that the file states for all its
 * times. Local times are ns since 1970 (UTC) unless the state is LOOM_CLOCK_NONE.
 */
#pragma once

#include "loom-time.h"

typedef enum {
  LOOM_CLOCK_NONE, /* the times in the file are relative to an unknown start time */
  /* the start time, to which the times in the file are relative, is known to about a second, or its time zone is
   * unknown */
  LOOM_CLOCK_APPROXIMATE,
  /* the start time, to which the times in the file are relative, is derived from names of files or from a fixed rule */
  LOOM_CLOCK_DERIVED,
  /* the file states the start time to which its times are relative; the program that wrote the file has corrected this
   * start time by an offset that it measured. The file also states the maximum error */
  LOOM_CLOCK_SYNCHRONISED,
  LOOM_CLOCK_EXACT, /* the file states the exact start time to which its times are relative */
} LoomClockState;

/* Returns the name of a state, "none" … "exact"; static. */
const char *loom_declared_clock_state_to_string (LoomClockState state);

typedef struct {
  LoomClockState state;
  char *basis; /* text that says where base_ns was found: "baseTimeNanoseconds", "file name", …; never NULL */
  /* name of the clock from which the times were read, if this clock does not count from 1970 but, for example, from the
   * boot of a host. Times of files with the same domain are exact relative to each other. NULL: unknown, or the clock
   * counts from 1970 */
  char *domain;
  gint64 base_ns; /* added to the times in the file to get local time; 0: nothing is added */
  /* TRUE: the file states the time of this clock at a barrier of Composer, and the members below are valid. Equal
   * `sync_group` and `sync_cycle` in the files of several ranks mean the same barrier */
  gboolean has_sync;
  gint64 sync_ns;       /* local time of the barrier */
  gint64 sync_error_ns; /* maximum error of `sync_ns` in either direction, in ns; −1: unknown */
  char *sync_group;     /* identifies the run whose ranks met at the barrier, for example "composer:<run folder>"; NULL
                         * if has_sync is FALSE */
  /* name of the profiling cycle, for example "ep0-ba16"; NULL or "": only `sync_order` identifies the cycle */
  char *sync_cycle;
  gint sync_order; /* position among the cycles of this rank, from 0 */
} LoomDeclaredClock;

/* Returns the text of a LoomDeclaredClock.basis, translated for display; "" if `basis` is NULL or empty. Files
 * contain the untranslated text. */
const char *loom_declared_clock_describe_basis (const char *basis);

void loom_declared_clock_clear (LoomDeclaredClock *decl);
