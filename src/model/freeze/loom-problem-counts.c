/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problem-counts.h"

#include <glib/gi18n.h>

typedef struct {
  LoomIssue issue;
  guint source;
  guint64 n, offset;
} Entry;

static const struct {
  const char *code;
  LoomSeverity severity;
  const char *message;
} issues[LOOM_N_ISSUES] = {
  [LOOM_ISSUE_ORPHAN_END] = { "orphan-end", LOOM_SEVERITY_INFO,
                              N_ ("An end event matches no open span and was ignored") },
  [LOOM_ISSUE_OPEN_SPAN] = { "open-span", LOOM_SEVERITY_INFO,
                             N_ ("A span never ends and was closed at the last instant of its thread") },
  [LOOM_ISSUE_CUT_AT_NEXT] = { "no-duration", LOOM_SEVERITY_INFO,
                               N_ (
                                 "A span has no duration; it was closed where the next span of its thread begins, or at the thread’s last instant") },
  [LOOM_ISSUE_NEGATIVE_DURATION] = { "negative-duration", LOOM_SEVERITY_WARNING,
                                     N_ ("A span ends before it starts and was skipped") },
  [LOOM_ISSUE_ORPHAN_ASYNC] = { "orphan-async", LOOM_SEVERITY_INFO, N_ ("An async event has no beginning") },
  [LOOM_ISSUE_OPEN_ASYNC] = { "open-async", LOOM_SEVERITY_INFO,
                              N_ (
                                "An async span never ends and was closed at the last event with its id, or at the end of the trace") },
  [LOOM_ISSUE_UNBOUND_FLOW] = { "unbound-flow", LOOM_SEVERITY_INFO, N_ ("A flow event connects nothing") },
  [LOOM_ISSUE_TOO_MANY_TRACKS] = { "too-many-tracks", LOOM_SEVERITY_WARNING,
                                   N_ (
                                     "Async events have too many different names for separate tracks. Further events of a process share one track. If names change with every event, record constant names") },
  [LOOM_ISSUE_DEEP_NESTING] = { "deep-nesting", LOOM_SEVERITY_WARNING,
                                N_ (
                                  "Spans overlap or nest too deeply to be shown as a stack; the remaining spans are packed into additional rows") },
};

static Entry *
find_entry (LoomProblemCounts *tally, LoomIssue issue, guint source)
{
  for (guint i = tally->entries->len; i-- > 0;) {
    Entry *entry = &g_array_index (tally->entries, Entry, i);
    if (entry->issue == issue && entry->source == source)
      return entry;
  }
  Entry fresh = { issue, source, 0, LOOM_OFFSET_NONE };
  g_array_append_val (tally->entries, fresh);
  return &g_array_index (tally->entries, Entry, tally->entries->len - 1);
}

void
loom_problem_counts_add (LoomProblemCounts *tally, LoomIssue issue, LoomRef ref, guint owner)
{
  if (tally->entries == NULL)
    tally->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  gboolean has_ref = ref != LOOM_REF_NONE;
  Entry *entry = find_entry (tally, issue, has_ref ? loom_source_ref_source (ref) : owner);
  entry->n++;
  if (has_ref)
    entry->offset = MIN (entry->offset, loom_source_ref_offset (ref));
}

void
loom_problem_counts_join (LoomProblemCounts *tally, const LoomProblemCounts *other)
{
  if (tally->entries == NULL && other->entries != NULL)
    tally->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; other->entries != NULL && i < other->entries->len; i++) {
    const Entry *theirs = &g_array_index (other->entries, Entry, i);
    Entry *entry = find_entry (tally, theirs->issue, theirs->source);
    entry->n += theirs->n;
    entry->offset = MIN (entry->offset, theirs->offset);
  }
}

void
loom_problem_counts_clear (LoomProblemCounts *tally)
{
  g_clear_pointer (&tally->entries, g_array_unref);
}

void
loom_problem_counts_report (const LoomProblemCounts *tally, GPtrArray *sources)
{
  for (guint i = 0; tally->entries != NULL && i < tally->entries->len; i++) {
    const Entry *entry = &g_array_index (tally->entries, Entry, i);
    if (entry->source >= sources->len)
      continue;
    LoomSource *source = sources->pdata[entry->source];
    loom_import_log_add_n (source->log, issues[entry->issue].severity, issues[entry->issue].code, entry->offset,
                           entry->n, issues[entry->issue].message);
  }
}
