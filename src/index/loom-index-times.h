/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/index: a set of known times (the starts and ends of the spans written so far). The end of a later span
 * can be written as the number of a known time, if the span ends exactly at this time. This is frequent: the wait of a
 * stream for another stream, or a span of the host that was summed up between two collectives, ends exactly when
 * another span starts or ends. Such an end takes one byte, and consecutive ends are often the same byte. A duration
 * takes several bytes, which rarely repeat. The writer and the reader of an index add the same spans in the same order,
 * so that both know the same times. Not thread-safe.
 */
#pragma once

#include "loom-time.h"

typedef struct _LoomIndexTimes LoomIndexTimes;

LoomIndexTimes *loom_index_times_new (void);
void loom_index_times_free (LoomIndexTimes *times);

/* Adds the starts and ends of `n` spans, in ns. They become known times only when loom_index_times_learn() is
 * called. */
void loom_index_times_add (LoomIndexTimes *times, const LoomRange *spans, guint n);
/* Must be called after each track. Makes the added times known if they are at least a quarter as many as the known
 * times; otherwise leaves them to a later call. Thus sorting takes O(n log n) for all tracks together. */
void loom_index_times_learn (LoomIndexTimes *times);

/* The end of a span is searched for among this number of known times after its start. */
#define LOOM_INDEX_TIMES_REACH 127u

/* Returns n if `end_ns` is the nth known time after `start_ns`; 0 if it is not among the first LOOM_INDEX_TIMES_REACH
 * known times after `start_ns`. O(log times), and O(1) if `start_ns` is shortly after that of the previous call. */
guint loom_index_times_find (LoomIndexTimes *times, gint64 start_ns, gint64 end_ns);
/* Sets `end_ns` to the nth known time after `start_ns`; n > 0. Returns FALSE if there are fewer such times. O(log
 * times). */
gboolean loom_index_times_get (LoomIndexTimes *times, gint64 start_ns, guint n, gint64 *end_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexTimes, loom_index_times_free)
