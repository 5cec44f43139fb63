/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: writes and reads the section with the durations of spans (README.md, section 8), in the form
 * that takes least space. Not thread-safe.
 */
#pragma once

#include "loom-index-bytes.h"
#include "loom-index-contexts.h"
#include "loom-index-times.h"
#include "loom-time.h"

/* First number of the section, a sum of these flags. DIFFERENCE: durations are written as differences from the previous
 * span of the same name. ENDS: a span that ends at a known time (loom-index-times.h) has the number of this time
 * instead of a duration. CONTEXTS: durations are written as differences from the previous span that followed the same
 * names (loom-index-contexts.h); if there is none, from the previous span of the same name. CONTEXTS excludes
 * DIFFERENCE. */
enum {
  LOOM_INDEX_DURATIONS_DIFFERENCE = 1 << 0,
  LOOM_INDEX_DURATIONS_ENDS = 1 << 1,
  LOOM_INDEX_DURATIONS_CONTEXTS = 1 << 2
};

/* All spans of an index, in the order in which they are written. */
typedef struct {
  const LoomRange *ranges; /* start and end of each span, in ns */
  const guint32 *names;    /* for each span: the number that the index gives to its name */
  const guint8 *ends;      /* for each span: n if it ends at the nth known time after its start, otherwise 0 */
  guint32 n, n_names;
} LoomIndexDurationsSpans;

/* Returns the section; owned by the caller. `n_threads`: maximum number of threads; 0: one per processor. O(spans). */
GByteArray *loom_index_durations_write (const LoomIndexDurationsSpans *spans, guint n_threads);

/* Reads the section. If the section is damaged, the functions set `failed` of `ends` or `rest`. */
typedef struct {
  LoomIndexBytes ends, rest;
  gint64 *last_ns;          /* indexed by the number of a name: duration in ns of the previous span; owned */
  const LoomRange *ranges;  /* start and end of each span that was read; borrowed */
  gboolean are_differences; /* TRUE: durations are stored as differences from the duration of another span */
  /* starts and ends of spans of earlier tracks. If a span ends at one of these times, the section has the number of
   * this time instead of the duration of the span. Owned; NULL: the section has a duration for each span */
  LoomIndexTimes *times;
  /* finds the span whose duration must be added to the next stored difference; owned; NULL: it is the previous span
   * with the same name */
  LoomIndexContexts *contexts;
} LoomIndexDurations;

/* Begins to read the section `in`. The section counts as damaged if its form (the sum of the flags above) is `n_forms`
 * or greater. `ranges`: array of the spans' starts and ends; before the caller reads the next span, it must store the
 * start and the end of the previous span in this array. */
void loom_index_durations_begin (LoomIndexDurations *durations, LoomIndexBytes in, guint n_forms, guint32 n_names,
                                 const LoomRange *ranges);
/* Returns the duration in ns of the next span, which starts at `start_ns`. `name`: number of the name of the span. The
 * duration may be implausible if the file is damaged. */
gint64 loom_index_durations_get (LoomIndexDurations *durations, gint64 start_ns, guint32 name);
/* Adds the starts and ends of the spans of a track to the known times (loom-index-times.h), so that spans of later
 * tracks can refer to them. Must be called after the last span of each track. */
void loom_index_durations_end_track (LoomIndexDurations *durations);
void loom_index_durations_clear (LoomIndexDurations *durations);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomIndexDurations, loom_index_durations_clear)
