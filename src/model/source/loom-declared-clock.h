/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source declares about its own clock. The importer sets it, and src/clock checks whether it is plausible.
 * “Local” time means: the time in the file plus `base_ns`, the base that the format of the file states. Local times are
 * ns since 1970 (UTC) unless the state is LOOM_CLOCK_NONE.
 */
#pragma once

#include "loom-time.h"

typedef enum {
  LOOM_CLOCK_NONE,        /* the times are only relative: the epoch time is unknown */
  LOOM_CLOCK_APPROXIMATE, /* the epoch time is known to about a second, or its time zone is unknown */
  LOOM_CLOCK_DERIVED,     /* the epoch time is derived from names of files or from a fixed rule */
  /* the producer shifted an exact epoch time by an offset that it measured, and stated the maximum error */
  LOOM_CLOCK_SYNCHRONISED,
  LOOM_CLOCK_EXACT, /* the producer stated the epoch time */
} LoomClockState;

/* Returns the name of a state, "none" … "exact"; static. */
const char *loom_declared_clock_state_to_string (LoomClockState state);

typedef struct {
  LoomClockState state;
  char *basis; /* text that says where base_ns was found: "baseTimeNanoseconds", "file name", …; never NULL */
  /* name of the clock without an epoch from which the times were read, for example the clock of a host that counts from
   * its boot. Times of files with the same domain are exact relative to each other. NULL: unknown, or the clock has an
   * epoch */
  char *domain;
  gint64 base_ns; /* added to the times in the file to get local time; 0: nothing is added */
  /* TRUE: the file states the time of this clock at a barrier of Composer, and the members below are valid. The files
   * of all ranks with the same `sync_group` and `sync_cycle` state the time of the same moment. */
  gboolean has_sync;
  gint64 sync_ns;       /* local time of the barrier */
  gint64 sync_error_ns; /* maximum error of `sync_ns` in either direction, in ns; −1: unknown */
  char *sync_group;     /* for example "composer:<run folder>"; NULL if has_sync is FALSE */
  /* name of the profiling cycle, for example "ep0-ba16"; NULL or "": the cycle is identified only by `sync_order` */
  char *sync_cycle;
  gint sync_order; /* position among the cycles of this rank, from 0 */
} LoomDeclaredClock;

/* Returns the text of a LoomDeclaredClock.basis, translated for display; "" if `basis` is NULL or empty. Files
 * contain the untranslated text. */
const char *loom_declared_clock_describe_basis (const char *basis);

void loom_declared_clock_clear (LoomDeclaredClock *decl);
