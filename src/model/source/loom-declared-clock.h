/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source declares about its own clock. Import writes it, src/clock validates it. "Local" time is the source's
 * anchored time: its own readings plus the base that its format states, in UTC nanoseconds unless the state is NONE.
 */
#pragma once

#include "loom-time.h"

typedef enum {
  LOOM_CLOCK_NONE,         /* relative times only */
  LOOM_CLOCK_APPROXIMATE,  /* known to about a second, or the time zone is unknown */
  LOOM_CLOCK_DERIVED,      /* the epoch time is derived from names of files or from a fixed rule */
  LOOM_CLOCK_SYNCHRONISED, /* exact, then shifted by a measured offset with a stated error bound */
  LOOM_CLOCK_EXACT,        /* the producer stated the epoch time */
} LoomClockState;

const char *loom_declared_clock_state_to_string (LoomClockState state); /* "none" … "exact" */

typedef struct {
  LoomClockState state;
  char *basis;    /* from what base_ns is known: "baseTimeNanoseconds", "file name", …; never NULL */
  gint64 base_ns; /* added to the times in the file to get local time; 0: nothing is added */
  /* TRUE if the file states a reading of this clock at a moment when all clocks of equal group and cycle were read
   * (Composer's barrier), and the members below are valid */
  gboolean has_sync;
  gint64 sync_ns;       /* local time */
  gint64 sync_error_ns; /* half the width of the uncertainty interval, −1: unknown */
  char *sync_group;     /* for example "composer:<run folder>"; NULL if has_sync is FALSE */
  char *sync_cycle;     /* for example "ep0-ba16"; NULL or "": only the order identifies the cycle */
  gint sync_order;      /* position among the cycles of this rank, from 0 */
} LoomDeclaredClock;

/* Returns the text of a LoomDeclaredClock.basis, translated for display; "" if `basis` is NULL or empty. Files
 * contain the untranslated text. */
const char *loom_declared_clock_describe_basis (const char *basis);

void loom_declared_clock_clear (LoomDeclaredClock *decl);
