/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page "Hang", which shows for which ranks the other ranks of a hanging job wait. The data comes from the
 * dumps of the flight recorders, which list the collectives that each rank called.
 */
#include "loom-page-hang-private.h"

#include <glib/gi18n.h>

#define MAX_BARS 32
#define MAX_RANKS 1024 /* maximum number of rows in each table of the page */

static const LoomHangRank *
get_rank (const LoomHang *hang, guint i)
{
  return &g_array_index (hang->ranks, LoomHangRank, i);
}

static const LoomHangGroup *
get_group (const LoomHang *hang, guint i)
{
  return &g_array_index (hang->groups, LoomHangGroup, i);
}

static const LoomHangMember *
get_members (const LoomHang *hang, const LoomHangGroup *group)
{
  return &g_array_index (hang->members, LoomHangMember, group->first);
}

/* --- targets on the timeline -------------------------------------------------------------------------------------- */

void
loom_page_hang_set_place (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang, guint element,
                          guint rank, const LoomFlightEntry *entry)
{
  guint source = get_rank (hang, rank)->source;
  LoomSpanId span =
    entry != NULL && source != G_MAXUINT ? loom_hang_words_find_span (hang, source, entry) : LOOM_SPAN_ID_NONE;
  LoomRange range = input->range;
  if (!loom_timeline_span_id_is_none (span)) {
    loom_timeline_get_span (input->frame->timeline, span, &range.begin_ns, &range.end_ns);
    range.end_ns = MAX (range.end_ns, range.begin_ns + 1);
  }
  loom_page_content_set_place (sheet, element, range, &span, loom_timeline_span_id_is_none (span) ? 0 : 1);
}

/* --- sentence at the top of the page ------------------------------------------------------------------------------ */

static void
add_answer (LoomPageContent *sheet, const LoomHang *hang)
{
  g_autofree char *mismatch = loom_hang_words_dup_mismatch (hang), *answer = loom_hang_words_dup_answer (hang);
  if (mismatch != NULL)
    loom_page_content_add_answer (sheet, mismatch);
  if (answer != NULL)
    loom_page_content_add_answer (sheet, answer);
}

static void
add_notes (LoomPageContent *sheet, const LoomHang *hang)
{
  g_autofree char
    *missing = loom_hang_words_dup_ranks (hang, LOOM_HANG_MISSING),
    *text =
      hang->n_missing > 0
        ? g_strdup_printf (
            ngettext (
              "There is no dump of rank %s: the rank died or was not reached, or its file was not opened.",
              "There are no dumps of ranks %s: the ranks died or were not reached, or their files were not opened.",
              hang->n_missing),
            missing)
        : NULL;
  if (text != NULL)
    loom_page_content_add_note (sheet, text);
  if (hang->n_older > 0) {
    g_autofree char *older =
      g_strdup_printf (ngettext ("%u older dump of the same ranks is not used.",
                                 "%u older dumps of the same ranks are not used.", hang->n_older),
                       hang->n_older);
    loom_page_content_add_note (sheet, older);
  }
}

/* --- suspects ----------------------------------------------------------------------------------------------------- */

static const char *
get_sign_words (guint signs)
{
  if ((signs & LOOM_HANG_MISSING) != 0)
    return C_ ("hang", "no dump");
  if ((signs & LOOM_HANG_INCOMPLETE) != 0)
    return C_ ("hang", "the dump is incomplete");
  if ((signs & LOOM_HANG_SILENT) != 0)
    return C_ ("hang", "called no collective");
  if ((signs & LOOM_HANG_AWAITED) != 0)
    return C_ ("hang", "called fewer collectives");
  return C_ ("hang", "completed fewer collectives");
}

/* Examines the process groups in which the rank has a collective that never ended. In each of them, compares how many
 * collectives the rank and the most advanced member have called. Returns the index of the group in which the rank is
 * behind by the most collectives, and sets `behind` to this number. Returns G_MAXUINT if the rank is not behind in any
 * of these groups. */
static guint
find_slowest_group (const LoomHang *hang, guint rank, gint64 *behind)
{
  guint found = G_MAXUINT;
  *behind = 0;
  for (guint i = 0; i < hang->groups->len; i++) {
    const LoomHangGroup *group = get_group (hang, i);
    const LoomHangMember *members = get_members (hang, group);
    for (guint k = 0; k < group->n; k++) {
      gboolean is_known =
        group->completed != LOOM_FLIGHT_UNKNOWN && members[k].completed != LOOM_FLIGHT_UNKNOWN && members[k].n_open > 0;
      if (members[k].rank != rank || !is_known || group->completed - members[k].completed <= *behind)
        continue;
      *behind = group->completed - members[k].completed;
      found = i;
    }
  }
  return found;
}

/* Returns TRUE if the dump of at least one suspect contains call stacks. */
static gboolean
has_call_sites (const LoomHang *hang)
{
  for (guint i = 0; i < hang->ranks->len; i++) {
    g_autofree char *site = get_rank (hang, i)->is_suspect ? loom_hang_words_dup_call_site (hang, i) : NULL;
    if (site != NULL)
      return TRUE;
  }
  return FALSE;
}

static LoomResultTable *
new_suspect_table (gboolean with_call_sites)
{
  LoomResultTable *table = loom_result_table_new (_ ("Ranks to look at first"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Why"), NULL, NULL);
  guint waiting = loom_result_table_add_column (table, C_ ("column", "Ranks Waiting"), "",
                                                _ ("Ranks that wait for this rank, directly or through other ranks"));
  loom_result_table_add_column (table, C_ ("column", "Furthest Behind in Group"), NULL, NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Collectives Behind"), "",
    _ (
      "How many fewer collectives the rank has called than another member of the group; if both have called the same number, how many fewer it has completed"));
  loom_result_table_add_column (table, C_ ("column", "Oldest Unfinished Collective"), NULL,
                                _ ("Oldest collective that the rank called and that never ended"));
  guint sizes = loom_result_table_add_column (table, C_ ("column", "Input and Output Sizes"), NULL, NULL);
  /* hide the column on the screen, so that the column with the reason has more space */
  loom_result_table_set_detail (table, sizes);
  loom_result_table_set_order (table, waiting, TRUE);
  if (with_call_sites)
    loom_result_table_add_column (
      table, C_ ("column", "Called From"), NULL,
      _ ("Where the program called the oldest collective that never ended or, if all ended, the last collective"));
  return table;
}

static void
add_suspect (LoomResultTable *table, const LoomHang *hang, guint rank, gboolean with_call_sites)
{
  const LoomHangRank *of = get_rank (hang, rank);
  const LoomFlightEntry *oldest = loom_hang_words_find_oldest (hang, rank);
  g_autofree char *name = g_strdup_printf ("%d", of->rank);
  loom_result_table_add_row (table, name);
  loom_result_table_set_text (table, 1, get_sign_words (of->signs));
  loom_result_table_set_number (table, 2, of->n_waiting);
  gint64 behind = of->behind;
  guint group = of->group != G_MAXUINT && behind > 0 ? of->group : find_slowest_group (hang, rank, &behind);
  if (group != G_MAXUINT) {
    loom_result_table_set_text (table, 3, get_group (hang, group)->purpose);
    loom_result_table_set_number (table, 4, (double) behind);
  }
  loom_result_table_set_text (table, 5, oldest != NULL ? oldest->name : "");
  loom_result_table_set_text (table, 6, oldest != NULL ? oldest->sizes : "");
  g_autofree char *site = with_call_sites ? loom_hang_words_dup_call_site (hang, rank) : NULL;
  if (with_call_sites)
    loom_result_table_set_text (table, 7, site != NULL ? site : "");
}

static void
add_suspects (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  guint n = 0;
  gboolean with_call_sites = has_call_sites (hang);
  LoomResultTable *table = new_suspect_table (with_call_sites);
  for (guint i = 0; i < hang->ranks->len; i++)
    if (get_rank (hang, i)->is_suspect)
      add_suspect (table, hang, i, with_call_sites);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < hang->ranks->len; i++)
    if (get_rank (hang, i)->is_suspect)
      loom_page_hang_set_place (sheet, input, hang, n++, i, loom_hang_words_find_oldest (hang, i));
}

/* --- ranks -------------------------------------------------------------------------------------------------------- */

/* Adds a chart of the number of collectives that never ended, by rank. A suspect (a rank to examine first) that called
 * no collective has a bar of length 0. */
static void
add_bars (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  guint n = MIN (hang->ranks->len, MAX_BARS);
  LoomChart *chart = loom_chart_new_bars (_ ("Collectives that never ended, by rank"), "", TRUE);
  loom_chart_add_bar_series (chart, C_ ("hang", "other ranks"), 0);
  loom_chart_add_bar_series (chart, C_ ("hang", "ranks to look at first"), LOOM_CHART_ALARM);
  for (guint i = 0; i < n; i++) {
    const LoomHangRank *rank = get_rank (hang, i);
    g_autofree char *name = g_strdup_printf (_ ("rank %d"), rank->rank);
    const double values[] = { rank->is_suspect ? 0 : rank->n_open, rank->is_suspect ? rank->n_open : 0 };
    loom_chart_add_bar_group (chart, name, values);
  }
  loom_page_content_take_chart (sheet, chart, TRUE);
  for (guint i = 0; i < 2 * n; i++)
    loom_page_hang_set_place (sheet, input, hang, i, i / 2, loom_hang_words_find_oldest (hang, i / 2));
}

/* Appends the numbers of the ranks for which `rank` waits, according to `waits` (array of LoomHangWait). `n`: number of
 * ranks that the text already contains. Returns the number of ranks in the text now. */
static guint
append_awaited (const LoomHang *hang, const GArray *waits, guint rank, guint n, GString *text)
{
  for (guint i = 0; i < waits->len; i++) {
    const LoomHangWait *wait = &g_array_index (waits, LoomHangWait, i);
    if (wait->rank == rank)
      loom_hang_words_append_rank (text, n++, get_rank (hang, wait->awaited)->rank);
  }
  return n;
}

const char *
loom_page_hang_get_state_words (const LoomHangRank *rank, guint n_awaited)
{
  /* this case comes first: a suspect is described as such, even if it also waits or has no complete dump */
  if (rank->is_suspect)
    return rank->n_waiting > 0 ? C_ ("hang", "the job waits for this rank") : get_sign_words (rank->signs);
  if ((rank->signs & LOOM_HANG_MISSING) != 0)
    return C_ ("hang", "no dump");
  if (n_awaited > 0)
    return C_ ("hang", "waits");
  if ((rank->signs & LOOM_HANG_INCOMPLETE) != 0)
    return C_ ("hang", "the dump is incomplete");
  return rank->n_open > 0 ? C_ ("hang", "has collectives that never ended") : C_ ("hang", "is not involved");
}

static void
add_rank (LoomResultTable *table, const LoomHang *hang, guint index)
{
  const LoomHangRank *rank = get_rank (hang, index);
  const LoomFlightEntry *oldest = loom_hang_words_find_oldest (hang, index);
  g_autoptr (GString) awaited = g_string_new (NULL);
  guint n = append_awaited (hang, hang->waits, index, 0, awaited);
  if (n == 0)
    n = append_awaited (hang, hang->message_waits, index, 0, awaited);
  g_autofree char *name = g_strdup_printf ("%d", rank->rank);
  loom_result_table_add_row (table, name);
  loom_result_table_set_text (table, 1, loom_page_hang_get_state_words (rank, n));
  loom_result_table_set_text (table, 2, awaited->str);
  loom_result_table_set_text (table, 3, oldest != NULL ? oldest->name : "");
  loom_result_table_set_text (table, 4, oldest != NULL ? get_group (hang, rank->group)->purpose : "");
  loom_result_table_set_number (table, 5, rank->n_open);
}

/* Adds a table with the state of each rank. It also contains ranks for which no rank waits, so that readers see what
 * these ranks do. */
static void
add_ranks (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  guint n = MIN (hang->ranks->len, MAX_RANKS);
  g_autoptr (GArray) places = loom_page_hang_sort_ranks (hang);
  LoomResultTable *table = loom_result_table_new (_ ("What each rank is doing"));
  loom_result_table_add_column (table, C_ ("column", "Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "State"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Waits for Ranks"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Oldest Unfinished Collective"), NULL,
                                _ ("Oldest collective that the rank called and that never ended"));
  loom_result_table_add_column (table, C_ ("column", "Group"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Unfinished"), "", _ ("Collectives that never ended"));
  for (guint i = 0; i < n; i++)
    add_rank (table, hang, g_array_index (places, LoomHangPlace, i).rank);
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < n; i++) {
    guint rank = g_array_index (places, LoomHangPlace, i).rank;
    loom_page_hang_set_place (sheet, input, hang, i, rank, loom_hang_words_find_oldest (hang, rank));
  }
  loom_page_add_rows_left_out (sheet, _ ("What each rank is doing"), hang->ranks->len - n);
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static LoomResultTable *
new_group_table (void)
{
  LoomResultTable *table = loom_result_table_new (_ ("Process groups with unfinished collectives"));
  loom_result_table_add_column (table, C_ ("column", "Group"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks Behind"), NULL, _ ("Ranks that called fewer collectives"));
  loom_result_table_add_column (table, C_ ("column", "Collectives Called"), "",
                                _ ("Largest number of collectives that a member called"));
  loom_result_table_add_column (table, C_ ("column", "Collectives Completed"), "",
                                _ ("Largest number of collectives that a member completed"));
  loom_result_table_add_column (table, C_ ("column", "Oldest Unfinished Collective"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Number"), "", _ ("Number of the collective in its group"));
  return table;
}

/* Compares the oldest unfinished collectives of the group's members. Returns the index of the member whose collective
 * has the lowest number; G_MAXUINT if every collective of the group ended. */
static guint
find_oldest_member (const LoomHang *hang, const LoomHangGroup *group)
{
  const LoomHangMember *members = get_members (hang, group);
  guint found = G_MAXUINT;
  for (guint i = 0; i < group->n; i++)
    if (members[i].oldest != NULL &&
        (found == G_MAXUINT || members[i].oldest->sequence < members[found].oldest->sequence))
      found = i;
  return found;
}

static void
add_group (LoomResultTable *table, const LoomHang *hang, const LoomHangGroup *group)
{
  const LoomHangMember *members = get_members (hang, group);
  g_autoptr (GString) all = g_string_new (NULL), behind = g_string_new (NULL);
  guint n_behind = 0, oldest = find_oldest_member (hang, group);
  for (guint i = 0; i < group->n; i++) {
    gint rank = get_rank (hang, members[i].rank)->rank;
    loom_hang_words_append_rank (all, i, rank);
    if (members[i].enqueued < group->enqueued || (members[i].enqueued == LOOM_FLIGHT_UNKNOWN && members[i].n_open == 0))
      loom_hang_words_append_rank (behind, n_behind++, rank);
  }
  loom_result_table_add_row (table, group->purpose);
  loom_result_table_set_text (table, 1, all->str);
  loom_result_table_set_text (table, 2, behind->str);
  if (group->enqueued != LOOM_FLIGHT_UNKNOWN)
    loom_result_table_set_number (table, 3, (double) group->enqueued);
  if (group->completed != LOOM_FLIGHT_UNKNOWN)
    loom_result_table_set_number (table, 4, (double) group->completed);
  loom_result_table_set_text (table, 5, oldest != G_MAXUINT ? members[oldest].oldest->name : "");
  if (oldest != G_MAXUINT && members[oldest].oldest->sequence != LOOM_FLIGHT_UNKNOWN)
    loom_result_table_set_number (table, 6, (double) members[oldest].oldest->sequence);
}

static void
add_groups (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  LoomResultTable *table = new_group_table ();
  for (guint i = 0; i < hang->groups->len; i++)
    add_group (table, hang, get_group (hang, i));
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < hang->groups->len; i++) {
    const LoomHangGroup *group = get_group (hang, i);
    guint oldest = find_oldest_member (hang, group);
    if (oldest != G_MAXUINT)
      loom_page_hang_set_place (sheet, input, hang, i, get_members (hang, group)[oldest].rank,
                                get_members (hang, group)[oldest].oldest);
  }
}

/* --- mismatches --------------------------------------------------------------------------------------------------- */

static void
add_mismatches (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  LoomResultTable *table = loom_result_table_new (_ ("Collectives that differ between ranks"));
  loom_result_table_add_column (table, C_ ("column", "Group"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Number"), "", _ ("Number of the collective in its group"));
  loom_result_table_add_column (table, C_ ("column", "Call of One Rank"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Call of Another Rank"), NULL, NULL);
  for (guint i = 0; i < hang->mismatches->len; i++) {
    const LoomHangMismatch *mismatch = &g_array_index (hang->mismatches, LoomHangMismatch, i);
    loom_result_table_add_row (table, get_group (hang, mismatch->group)->purpose);
    loom_result_table_set_number (table, 1, (double) mismatch->sequence);
    for (guint k = 0; k < 2; k++) {
      g_autofree char *call = g_strdup_printf (
        /* Translators: the number of a rank, the name of a collective, and the sizes and types of its input and output */
        _ ("rank %d: %s %s"), get_rank (hang, mismatch->ranks[k])->rank, mismatch->entries[k]->name,
        mismatch->entries[k]->sizes);
      loom_result_table_set_text (table, 2 + k, call);
    }
  }
  loom_page_content_take_table_if_any (sheet, table);
  for (guint i = 0; i < hang->mismatches->len; i++) {
    const LoomHangMismatch *mismatch = &g_array_index (hang->mismatches, LoomHangMismatch, i);
    loom_page_hang_set_place (sheet, input, hang, i, mismatch->ranks[1], mismatch->entries[1]);
  }
}

/* --- page of the hang --------------------------------------------------------------------------------------------- */

static void
fill (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  add_answer (sheet, hang);
  add_notes (sheet, hang);
  add_mismatches (sheet, input, hang);
  if (hang->ranks->len > 1)
    loom_page_hang_add_diagram (sheet, input, hang);
  if (hang->n_suspects > 0)
    add_suspects (sheet, input, hang);
  if (hang->ranks->len > 1)
    loom_page_hang_add_chains (sheet, input, hang);
  add_ranks (sheet, input, hang);
  add_bars (sheet, input, hang);
  add_groups (sheet, input, hang);
}

LoomPageContent *
loom_page_hang (const LoomPageInput *input, GCancellable *cancellable)
{
  g_autoptr (LoomHang) hang = loom_hang_new (loom_timeline_get_run (input->frame->timeline), cancellable);
  loom_page_count_part (input, cancellable);
  if (hang == NULL)
    return NULL;
  LoomPageContent *sheet = loom_page_content_new (input->range);
  if (hang->ranks->len == 0) {
    loom_page_content_add_missing (sheet, _ ("No dumps of flight recorders were found."));
    loom_page_add_advice (sheet, input, LOOM_LACKS_DUMPS);
  } else
    fill (sheet, input, hang);
  return loom_page_finish (sheet, cancellable);
}
