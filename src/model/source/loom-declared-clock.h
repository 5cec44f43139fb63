/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source declares about its own clock. Import writes it, src/clock validates it. "Local" time is the source's
 * anchored time: its own readings plus the base that its format states, in UTC nanoseconds unless the state is NONE.
 */
#pragma once

#include "loom-time.h"

typedef enum {
  LOOM_CLOCK_NONE,         /* relative times only */
  LOOM_CLOCK_APPROXIMATE,  /* known to about a second, or time zone unknown */
  LOOM_CLOCK_DERIVED,      /* derived from names or a fixed rule */
  LOOM_CLOCK_SYNCHRONISED, /* exact, then shifted by a measured offset with a stated error bound */
  LOOM_CLOCK_EXACT,        /* epoch time stated by the producer */
} LoomClockState;

const char *loom_declared_clock_state_to_string (LoomClockState state); /* "none" … "exact" */

typedef struct {
  LoomClockState state;
  char *basis;    /* where base_ns was found: "baseTimeNanoseconds", "file name", …; never NULL */
  gint64 base_ns; /* added to the file's own readings to get local time; 0 if nothing was */
  /* A reading of this clock at the moment when every other clock of equal group and cycle was read, too (Composer's
   * barrier). has_sync is FALSE if there is none. */
  gboolean has_sync;
  gint64 sync_ns;       /* local time */
  gint64 sync_error_ns; /* half the width of the uncertainty interval, −1: unknown */
  char *sync_group;     /* e.g. "composer:<run folder>"; NULL if has_sync is FALSE */
  char *sync_cycle;     /* e.g. "ep0-ba16"; NULL or "" if only the order identifies the cycle */
  gint sync_order;      /* position among the cycles of this rank, from 0 */
} LoomDeclaredClock;

/* Returns the text of LoomDeclaredClock.basis translated for display; "" if it is NULL or empty. Files contain the
 * untranslated text. */
const char *loom_declared_clock_describe_basis (const char *basis);

void loom_declared_clock_clear (LoomDeclaredClock *decl);
