/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Trace Health", which shows whether the records of each trace are consistent, how contradictions
 * affect the numbers on other pages, and how to record traces without them. Other pages show a note if they use a trace
 * with contradictions.
 */
#include "loom-page-private.h"

#include "loom-list-separator.h"
#include "loom-trace-health.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define MAX_NAMED 4 /* maximum number of ranks that a sentence names */

#define BIT(check) (1u << (check))
#define LOST (BIT (LOOM_HEALTH_KERNELS_WITHOUT_LAUNCH) | BIT (LOOM_HEALTH_LAUNCHES_WITHOUT_KERNEL))

/* For each page, a set of checks: if one of them finds contradictions, the numbers on the page are less reliable. */
static const struct {
  const char *page;
  guint checks;
} weakened[] = {
  { "utilization", LOST | BIT (LOOM_HEALTH_STREAM_OVERLAPS) },
  { "idle", LOST | BIT (LOOM_HEALTH_EARLY_KERNELS) | BIT (LOOM_HEALTH_EARLY_WORKS) | BIT (LOOM_HEALTH_LATE_ENDS) |
              BIT (LOOM_HEALTH_MIXED_RANKS) },
  { "work", LOST | BIT (LOOM_HEALTH_STREAM_OVERLAPS) | BIT (LOOM_HEALTH_NESTING) },
  { "operators", LOST | BIT (LOOM_HEALTH_NESTING) | BIT (LOOM_HEALTH_MIXED_RANKS) },
  { "steps", BIT (LOOM_HEALTH_CUT_OFF) | BIT (LOOM_HEALTH_CLOCK_JUMP) },
  { "stragglers", BIT (LOOM_HEALTH_CLOCK_JUMP) | BIT (LOOM_HEALTH_CUT_OFF) },
  { "collectives", BIT (LOOM_HEALTH_CLOCK_JUMP) | BIT (LOOM_HEALTH_CUT_OFF) },
  { "overview", ~0u },
};

static const LoomHealthRow *
get_row (const LoomTraceHealth *health, guint i)
{
  return &g_array_index (health->rows, LoomHealthRow, i);
}

/* Returns the name of the rank or file of a trace. Owned by the caller. */
static char *
dup_trace (const LoomPageInput *input, const LoomHealthRow *row)
{
  guint source = loom_run_get_first_source (loom_timeline_get_run (input->frame->timeline), row->trace);
  return loom_page_rank_name (input, NULL, row->rank, &source);
}

/* --- notes about trace health on other pages ---------------------------------------------------------------------- */

/* Returns the names of the traces in which the result of the check is alarming; NULL if there is no such trace. Owned
 * by the caller. */
static char *
dup_traces (const LoomPageInput *input, const LoomTraceHealth *health, guint check)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < health->n_traces; i++) {
    const LoomHealthRow *row = loom_trace_health_get (health, i, check);
    if (row->weighs)
      g_ptr_array_add (names, dup_trace (input, row));
  }
  return names->len > 0 ? loom_list_separator_join (names, MAX_NAMED) : NULL;
}

static guint
find_weakening (const char *page)
{
  for (guint i = 0; i < G_N_ELEMENTS (weakened); i++)
    if (strcmp (weakened[i].page, page) == 0)
      return weakened[i].checks;
  return 0;
}

void
loom_page_add_doubts (LoomPageContent *sheet, const LoomPageInput *input, const char *page, GCancellable *cancellable)
{
  guint checks = find_weakening (page);
  const LoomTraceHealth *health =
    checks != 0 ? loom_trace_health_get_shared (input->frame->timeline, NULL, cancellable) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; health != NULL && i < LOOM_N_HEALTH; i++) {
    g_autofree char *traces = (checks & BIT (i)) != 0 ? dup_traces (input, health, i) : NULL;
    if (traces != NULL)
      g_string_append_printf (text, "%s%s (%s)", text->len > 0 ? loom_list_separator () : "",
                              loom_trace_health_get_title (i), traces);
  }
  if (text->len == 0)
    return;
  g_autofree char *note = g_strdup_printf (
    _ ("These numbers may be wrong, because the recording contradicts itself: %s. “Trace Health” says more."),
    text->str);
  loom_page_content_add_note (sheet, note);
  loom_page_content_move_last_below_answer (sheet);
}

/* --- page of trace health ----------------------------------------------------------------------------------------- */

/* Returns the number of checks that found something, but nothing alarming. */
static guint
count_others (const LoomTraceHealth *health)
{
  guint checks = 0, n = 0;
  for (guint i = 0; i < health->rows->len; i++) {
    const LoomHealthRow *row = get_row (health, i);
    if (row->n > 0 && !row->is_alarming)
      checks |= BIT (row->check);
  }
  for (guint i = 0; i < LOOM_N_HEALTH; i++)
    n += (checks & BIT (i)) != 0;
  return n;
}

typedef enum {
  CHECK_FOUND,
  CHECK_PASSED,
  CHECK_NOT_MADE, /* the recording has no records that could be checked */
} CheckState;

/* Returns the result of a check over all traces, and sets `n_of` to the number of records that it examined. */
static CheckState
get_state (const LoomTraceHealth *health, guint check, guint64 *n_of)
{
  guint64 n = 0;
  *n_of = 0;
  for (guint i = 0; i < health->n_traces; i++) {
    n += loom_trace_health_get (health, i, check)->n;
    *n_of += loom_trace_health_get (health, i, check)->n_of;
  }
  return n > 0 ? CHECK_FOUND : *n_of > 0 ? CHECK_PASSED : CHECK_NOT_MADE;
}

static guint
count_checks (const LoomTraceHealth *health, CheckState state)
{
  guint64 n_of;
  guint n = 0;
  for (guint check = 0; check < LOOM_N_HEALTH; check++)
    n += get_state (health, check, &n_of) == state;
  return n;
}

/* Returns the sentence at the top of the page for a run without contradictions. It states how many checks were made,
 * and how many could not be made because the traces do not contain the necessary records. Owned by the caller. */
static char *
dup_answer_without_alarms (const LoomTraceHealth *health)
{
  guint n_passed = count_checks (health, CHECK_PASSED), n_not_made = count_checks (health, CHECK_NOT_MADE);
  if (health->n_unchecked == 0 && n_not_made == 0)
    return g_strdup (_ ("No contradictions were found in the recording: all checks passed."));
  if (health->n_unchecked == 0)
    return g_strdup_printf (
      /* Translators: two numbers of checks */
      ngettext (
        "No contradictions were found: %u checks passed; %u check could not be made, because it needs other records.",
        "No contradictions were found: %u checks passed; %u checks could not be made, because they need other records.",
        n_not_made),
      n_passed, n_not_made);
  return g_strdup_printf (ngettext ("No contradictions were found, but most checks were not made for %u of %u trace.",
                                    "No contradictions were found, but most checks were not made for %u of %u traces.",
                                    health->n_traces),
                          health->n_unchecked, health->n_traces);
}

/* Returns the number of alarming findings that are large enough to change the results of analyses noticeably. Sets
 * `worst_ns` to the largest deviation of all alarming findings, in ns. */
static guint
count_weighty (const LoomTraceHealth *health, gint64 *worst_ns)
{
  guint n = 0;
  *worst_ns = 0;
  for (guint i = 0; i < health->rows->len; i++) {
    n += get_row (health, i)->weighs;
    if (get_row (health, i)->is_alarming)
      *worst_ns = MAX (*worst_ns, get_row (health, i)->worst_ns);
  }
  return n;
}

/* Adds the sentence at the top of the page for a run in which clocks of host and devices contradict each other, but by
 * too little to matter. */
static void
add_light_answer (LoomPageContent *sheet, guint n_alarms, gint64 worst_ns)
{
  g_autofree char *worst = loom_time_format_duration (worst_ns);
  g_autofree char *text = g_strdup_printf (
    /* Translators: a number, and a duration */
    ngettext ("The recording contradicts itself in %u point, by at most %s: too little to change figures noticeably.",
              "The recording contradicts itself in %u points, by at most %s: too little to change figures noticeably.",
              n_alarms),
    n_alarms, worst);
  loom_page_content_add_answer (sheet, text);
}

/* Returns the longest overhead of a profiler in a trace, that is, the time that the profiler itself took, in ns. */
static gint64
get_overhead (const LoomTraceHealth *health)
{
  gint64 longest_ns = 0;
  for (guint i = 0; i < health->n_traces; i++)
    longest_ns = MAX (longest_ns, loom_trace_health_get (health, i, LOOM_HEALTH_OVERHEAD)->worst_ns);
  return longest_ns;
}

/* Adds the sentences at the top of the page for a run without contradictions, but with other observations. */
static void
add_mild_answer (LoomPageContent *sheet, const LoomTraceHealth *health, guint n_others)
{
  gint64 overhead_ns = get_overhead (health);
  g_autofree char *overhead = loom_time_format_duration (overhead_ns);
  g_autofree char *answer =
    overhead_ns > 0
      ? g_strdup_printf (
          /* Translators: a duration */
          _ (
            "No contradictions were found; the profiler itself took up to %s in a trace, by which host times are too long."),
          overhead)
      : g_strdup (_ ("No contradictions were found in the recording."));
  g_autofree char *counts = g_strdup_printf (
    /* Translators: three numbers of checks */
    ngettext ("%u checks passed, %u could not be made, and %u led to an observation, listed below.",
              "%u checks passed, %u could not be made, and %u led to observations, listed below.", n_others),
    count_checks (health, CHECK_PASSED), count_checks (health, CHECK_NOT_MADE), n_others);
  loom_page_content_add_answer (sheet, answer);
  loom_page_content_add_note (sheet, counts);
}

static void
add_answer (LoomPageContent *sheet, const LoomTraceHealth *health)
{
  gint64 worst_ns;
  guint n_alarms = loom_trace_health_count_alarms (health);
  guint n_others = count_others (health);
  if (n_alarms == 0 && n_others == 0) {
    g_autofree char *none = dup_answer_without_alarms (health);
    loom_page_content_add_answer (sheet, none);
    return;
  }
  if (n_alarms == 0) {
    add_mild_answer (sheet, health, n_others);
    return;
  }
  if (count_weighty (health, &worst_ns) == 0) {
    add_light_answer (sheet, n_alarms, worst_ns);
    return;
  }
  g_autofree char *text =
    g_strdup_printf (ngettext ("The recording contradicts itself in %u point, so some numbers are wrong.",
                               "The recording contradicts itself in %u points, so some numbers are wrong.", n_alarms),
                     n_alarms);
  loom_page_content_add_answer (sheet, text);
}

static LoomResultTable *
new_table (const char *title)
{
  LoomResultTable *table = loom_result_table_new (title);
  loom_result_table_add_column (table, C_ ("column", "Finding"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Trace"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Number Examined"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Largest Deviation"), "ns",
                                _ ("Largest deviation; for profiler overhead, its total time"));
  return table;
}

static void
set_place (LoomPageContent *sheet, const LoomPageInput *input, guint element, const LoomHealthRow *row)
{
  LoomRange range = input->range;
  gboolean somewhere = !loom_timeline_span_id_is_none (row->span);
  if (somewhere) {
    loom_timeline_get_span (input->frame->timeline, row->span, &range.begin_ns, &range.end_ns);
    range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  }
  loom_page_content_set_place (sheet, element, range, &row->span, somewhere);
}

static void
add_rows (LoomPageContent *sheet, const LoomPageInput *input, const LoomTraceHealth *health, gboolean alarming)
{
  LoomResultTable *table =
    new_table (alarming ? _ ("Contradictions in the recording") : _ ("Other observations about the recording"));
  g_autoptr (GPtrArray) listed = g_ptr_array_new ();
  for (guint i = 0; i < health->rows->len; i++) {
    const LoomHealthRow *row = get_row (health, i);
    if (row->n == 0 || row->is_alarming != alarming)
      continue;
    g_autofree char *trace = dup_trace (input, row);
    loom_result_table_add_row (table, loom_trace_health_get_title (row->check));
    loom_result_table_set_text (table, 1, trace);
    loom_result_table_set_number (table, 2, (double) row->n);
    loom_result_table_set_number (table, 3, row->n_of > 0 ? (double) row->n_of : NAN);
    loom_result_table_set_number (table, 4, row->worst_ns > 0 ? (double) row->worst_ns : NAN);
    g_ptr_array_add (listed, (gpointer) row);
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < listed->len; i++)
    set_place (sheet, input, i, listed->pdata[i]);
}

/* Returns the result of the check in the trace with the most violations; if there are no violations, in the first
 * trace. */
static const LoomHealthRow *
find_worst (const LoomTraceHealth *health, guint check)
{
  const LoomHealthRow *worst = loom_trace_health_get (health, 0, check);
  for (guint i = 1; i < health->n_traces; i++)
    if (loom_trace_health_get (health, i, check)->n > worst->n)
      worst = loom_trace_health_get (health, i, check);
  return worst;
}

static gboolean
weighs (const LoomTraceHealth *health, guint check)
{
  for (guint i = 0; i < health->n_traces; i++)
    if (loom_trace_health_get (health, i, check)->weighs)
      return TRUE;
  return FALSE;
}

static void
add_check (LoomResultTable *table, const LoomTraceHealth *health, guint check, CheckState state, guint64 n_of)
{
  loom_result_table_add_row (table, loom_trace_health_get_title (check));
  loom_result_table_set_text (table, 1,
                              state == CHECK_PASSED    ? C_ ("check", "✓ passed")
                              : weighs (health, check) ? C_ ("check", "⚠ contradiction")
                                                       : C_ ("check", "• observation"));
  loom_result_table_set_number (table, 2, n_of > 0 ? (double) n_of : NAN);
}

/* Adds a note with the checks that could not be made, because the traces do not contain the necessary records. */
static void
add_not_made (LoomPageContent *sheet, const LoomTraceHealth *health)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint64 n_of;
  for (guint check = 0; check < LOOM_N_HEALTH; check++)
    if (get_state (health, check, &n_of) == CHECK_NOT_MADE)
      g_string_append_printf (names, "%s%s", names->len > 0 ? "; " : "", loom_trace_health_get_title (check));
  if (names->len == 0)
    return;
  /* Translators: a list of checks, such as “Warm-up steps; A clock that jumps” */
  g_autofree char *text = g_strdup_printf (_ ("Not checked, because there are no such records: %s."), names->str);
  loom_page_content_add_note (sheet, text);
}

/* Adds a table of the checks with their results over all traces: first those that found something, then those that
 * passed. */
static void
add_checks (LoomPageContent *sheet, const LoomPageInput *input, const LoomTraceHealth *health)
{
  LoomResultTable *table = loom_result_table_new (_ ("What was checked"));
  loom_result_table_add_column (table, C_ ("column", "Check"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Result"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Number Examined"), "", NULL);
  guint order[LOOM_N_HEALTH], n = 0;
  guint64 n_of;
  for (CheckState state = 0; state < CHECK_NOT_MADE; state++)
    for (guint check = 0; check < LOOM_N_HEALTH; check++)
      if (get_state (health, check, &n_of) == state) {
        add_check (table, health, check, state, n_of);
        order[n++] = check;
      }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < n; i++)
    set_place (sheet, input, i, find_worst (health, order[i]));
  add_not_made (sheet, health);
}

/* Returns TRUE if a check found something, or compared at least one record with other records. CUT_OFF and WARM_UP do
 * not search for contradictions between records, so these two checks count only if they found something. */
static gboolean
has_examined (const LoomTraceHealth *health)
{
  for (guint i = 0; i < health->rows->len; i++) {
    const LoomHealthRow *row = get_row (health, i);
    if (row->n > 0 || (row->n_of > 0 && row->check != LOOM_HEALTH_CUT_OFF && row->check != LOOM_HEALTH_WARM_UP))
      return TRUE;
  }
  return FALSE;
}

/* Returns TRUE if the finding of a check has a harmless reason: the counterparts of some records, for example the
 * kernel of a launch, are missing because the recording ended before them, not because the profiler dropped them. */
static gboolean
follows_from_cut (const LoomTraceHealth *health, guint trace, guint check)
{
  return (BIT (check) & LOST) != 0 && loom_trace_health_get (health, trace, LOOM_HEALTH_CUT_OFF)->n > 0;
}

/* For each check that found something in a trace, adds a sentence that explains the meaning of the finding. */
static void
add_meanings (LoomPageContent *sheet, const LoomTraceHealth *health)
{
  guint n = 0;
  for (guint check = 0; check < LOOM_N_HEALTH; check++) {
    gboolean found = FALSE;
    for (guint i = 0; i < health->n_traces; i++)
      found |= loom_trace_health_get (health, i, check)->n > 0 && !follows_from_cut (health, i, check);
    if (!found)
      continue;
    if (n++ == 0)
      loom_page_content_add_facts (sheet, _ ("What the findings mean"));
    loom_page_content_add_fact (sheet, loom_trace_health_get_title (check), loom_trace_health_get_meaning (check));
  }
}

LoomPageContent *
loom_page_health (const LoomPageInput *input, GCancellable *cancellable)
{
  const LoomTraceHealth *health = loom_trace_health_get_shared (input->frame->timeline, NULL, cancellable);
  loom_page_count_part (input, cancellable);
  if (health == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (!has_examined (health)) {
    loom_page_content_add_missing (
      sheet,
      _ (
        "No records can be compared with each other, such as kernels with their launches, so nothing could be checked."));
    return loom_page_finish (sheet, cancellable);
  }
  add_answer (sheet, health);
  add_rows (sheet, input, health, TRUE);
  add_meanings (sheet, health);
  add_rows (sheet, input, health, FALSE);
  add_checks (sheet, input, health);
  if (health->n_unchecked > 0)
    loom_page_content_add_note (
      sheet,
      _ (
        "Not checked: merged files, index files, and formats other than Chrome’s trace format, such as Nsight’s. For merged files and index files, open the original files to check them."));
  if (health->n_left > 0)
    loom_page_content_add_note (
      sheet, _ ("Not all events were read, so checks that need their args cover only the first part of each file."));
  return loom_page_finish (sheet, cancellable);
}
