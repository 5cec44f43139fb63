/* SPDX-License-Identifier: Apache-2.0
 *
 * What a source declares of its own clock. Import writes it, src/clock judges it. "Local" time is the source's
 * anchored time: its own readings plus the base its format states, in UTC nanoseconds when the state is not NONE.
 */
#pragma once

#include "loom-time.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_CLOCK_NONE,         /* relative times only */
  LOOM_CLOCK_APPROXIMATE,  /* known to about a second, or time zone unknown */
  LOOM_CLOCK_DERIVED,      /* worked out from names or a fixed rule */
  LOOM_CLOCK_SYNCHRONISED, /* exact, then shifted by a measured offset with a stated error bound */
  LOOM_CLOCK_EXACT,        /* epoch time stated by the producer */
} LoomClockState;

const char *loom_declared_clock_state_to_string (LoomClockState state); /* "none" … "exact" */

typedef struct {
  LoomClockState state;
  char *basis;    /* in a few words: "baseTimeNanoseconds", "file name", …; never NULL */
  gint64 base_ns; /* what was added to the file's own readings to get local time; 0 when nothing */
  /* A reading of this clock taken at the same moment as that of every other clock with equal group and cycle
   * (Composer's barrier). has_sync is FALSE where there is none. */
  gboolean has_sync;
  gint64 sync_ns;       /* local time */
  gint64 sync_error_ns; /* half width of the uncertainty, −1 unknown */
  char *sync_group;     /* e.g. "composer:<run folder>"; NULL without sync */
  char *sync_cycle;     /* e.g. "ep0-ba16"; NULL or "" when only the order tells */
  gint sync_order;      /* position among the cycles of this rank, from 0 */
} LoomDeclaredClock;

/* A basis as people read it: translated, "" for none. Its plain words stand in files. */
const char *loom_declared_clock_describe_basis (const char *basis);

void loom_declared_clock_clear (LoomDeclaredClock *decl);

G_END_DECLS
