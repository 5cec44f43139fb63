/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the page "Hang" that show which ranks wait for which: a diagram and a table.
 */
#include "loom-page-hang-private.h"

#include <glib/gi18n.h>

/* maximum number of waits that are followed from rank to rank; a limit is necessary, because ranks may wait for each
 * other in a circle */
#define MAX_CHAIN 16
#define MAX_BOXES 24 /* maximum number of boxes of the diagram */

static const LoomHangRank *
get_rank (const LoomHang *hang, guint i)
{
  return &g_array_index (hang->ranks, LoomHangRank, i);
}

/* --- order of the ranks ------------------------------------------------------------------------------------------- */

/* Returns the index of the first rank for which `rank` waits; G_MAXUINT: it waits for none. O(log(waits)). */
static guint
find_awaited (const LoomHang *hang, guint rank)
{
  const GArray *const lists[] = { hang->waits, hang->message_waits };
  for (guint k = 0; k < G_N_ELEMENTS (lists); k++) {
    guint low = 0, high = lists[k]->len; /* the index of the rank's first wait is at least `low` and at most `high` */
    while (low < high) {
      guint middle = low + (high - low) / 2;
      if (g_array_index (lists[k], LoomHangWait, middle).rank < rank)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < lists[k]->len && g_array_index (lists[k], LoomHangWait, low).rank == rank)
      return g_array_index (lists[k], LoomHangWait, low).awaited;
  }
  return G_MAXUINT;
}

/* Follows the waits from rank to rank: from `rank` to the rank for which it waits, and so on, up to a rank that does
 * not wait. Returns the number of waits in this chain; 0 if `rank` does not wait. */
static guint
count_waits (const LoomHang *hang, guint rank)
{
  guint n = 0;
  while ((rank = find_awaited (hang, rank)) != G_MAXUINT && n < MAX_CHAIN)
    n++;
  return n;
}

/* Returns the sort key of a rank (LoomHangPlace.level). The order is: suspects for which other ranks wait; other
 * suspects; ranks that wait, sorted by the length of their chains of waits (count_waits()); ranks without a dump or
 * with collectives that never ended; all other ranks. */
static guint
get_level (const LoomHang *hang, guint index)
{
  const LoomHangRank *rank = get_rank (hang, index);
  if (rank->is_suspect)
    return rank->n_waiting > 0 ? 0 : 1;
  guint n = count_waits (hang, index);
  if (n > 0)
    return 1 + n;
  return 2 + MAX_CHAIN + ((rank->signs & LOOM_HANG_MISSING) != 0 || rank->n_open > 0 ? 0 : 1);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const LoomHangPlace *x = a, *y = b;
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->awaited != y->awaited)
    return x->awaited < y->awaited ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

GArray *
loom_page_hang_sort_ranks (const LoomHang *hang)
{
  GArray *places = g_array_sized_new (FALSE, FALSE, sizeof (LoomHangPlace), hang->ranks->len);
  for (guint i = 0; i < hang->ranks->len; i++) {
    LoomHangPlace place = { hang, i, get_level (hang, i), find_awaited (hang, i) };
    g_array_append_val (places, place);
  }
  g_array_sort (places, compare_places);
  return places;
}

/* --- ranks that wait in the same way ------------------------------------------------------------------------------ */

/* Returns the words for the state of a rank (loom_page_hang_get_state_words()). They do not contain the number of the
 * rank. */
static const char *
get_state (const LoomHang *hang, guint index)
{
  return loom_page_hang_get_state_words (get_rank (hang, index), find_awaited (hang, index) != G_MAXUINT);
}

/* Returns the ranks for which a rank waits, as a chain such as "13 → 12". The chain begins with the rank for which the
 * rank waits directly, and ends with a rank that does not wait. Owned by the caller. */
static char *
dup_chain (const LoomHang *hang, guint index)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < MAX_CHAIN && (index = find_awaited (hang, index)) != G_MAXUINT; i++)
    g_string_append_printf (text, "%s%d", i > 0 ? " → " : "", get_rank (hang, index)->rank);
  return g_string_free (text, FALSE);
}

static gboolean
is_alike (const LoomHang *hang, const LoomHangPlace *a, const LoomHangPlace *b)
{
  return a->level == b->level && a->awaited == b->awaited &&
         g_str_equal (get_state (hang, a->rank), get_state (hang, b->rank));
}

void
loom_page_hang_add_chains (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  g_autoptr (GArray) places = loom_page_hang_sort_ranks (hang), firsts = g_array_new (FALSE, FALSE, sizeof (guint));
  LoomResultTable *table = loom_result_table_new (_ ("Which ranks wait for which"));
  loom_result_table_add_column (table, C_ ("column", "State"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Ranks"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Number of Ranks"), "", NULL);
  loom_result_table_add_column (
    table, C_ ("column", "Wait for"), NULL,
    _ ("The rank for which these ranks wait; after each arrow, the rank for which the previous one waits"));
  for (guint i = 0, end; i < places->len; i = end) {
    const LoomHangPlace *first = &g_array_index (places, LoomHangPlace, i);
    g_autoptr (GString) ranks = g_string_new (NULL);
    for (end = i; end < places->len && is_alike (hang, first, &g_array_index (places, LoomHangPlace, end)); end++)
      loom_hang_words_append_rank (ranks, end - i,
                                   get_rank (hang, g_array_index (places, LoomHangPlace, end).rank)->rank);
    g_autofree char *chain = dup_chain (hang, first->rank);
    g_autofree char *state = first->level == 0 ? g_strdup_printf ("● %s", get_state (hang, first->rank))
                                               : g_strdup (get_state (hang, first->rank));
    loom_result_table_add_row (table, state);
    loom_result_table_set_text (table, 1, ranks->str);
    loom_result_table_set_number (table, 2, end - i);
    loom_result_table_set_text (table, 3, chain);
    g_array_append_val (firsts, first->rank);
  }
  loom_page_content_take_table (sheet, table);
  for (guint i = 0; i < firsts->len; i++) {
    guint rank = g_array_index (firsts, guint, i);
    loom_page_hang_set_place (sheet, input, hang, i, rank, loom_hang_words_find_oldest (hang, rank));
  }
}

/* --- diagram of waits --------------------------------------------------------------------------------------------- */

typedef struct {
  const LoomHang *hang;
  LoomChart *chart;
  /* array indexed by element of the chart: index (guint) of the first rank in the box that the element draws */
  GArray *firsts;
  guint *box_of;   /* array indexed by rank: element of the chart; LOOM_CHART_NONE: the rank is not in the diagram */
  guint n_skipped; /* number of ranks that wait but have no box in the diagram */
} Diagram;

/* If the oldest unfinished collectives of all ranks of a box have the same name, returns this name; otherwise "". */
static const char *
get_shared_collective (const LoomHang *hang, const LoomHangPlace *places, guint n)
{
  const char *shared = NULL;
  for (guint i = 0; i < n; i++) {
    const LoomFlightEntry *oldest = loom_hang_words_find_oldest (hang, places[i].rank);
    if (oldest == NULL || (shared != NULL && !g_str_equal (shared, oldest->name)))
      return "";
    shared = oldest->name;
  }
  return shared;
}

/* Adds a box for `n` ranks that wait for the same rank, or that do not wait. */
static void
add_box (Diagram *diagram, const LoomHangPlace *places, guint n)
{
  const LoomHang *hang = diagram->hang;
  g_autoptr (GString) ranks = g_string_new (NULL);
  for (guint i = 0; i < n; i++)
    loom_hang_words_append_rank (ranks, i, get_rank (hang, places[i].rank)->rank);
  g_autofree char *label = g_strdup_printf (ngettext ("rank %s", "ranks %s", n), ranks->str);
  gboolean is_cause = get_rank (hang, places[0].rank)->is_suspect;
  LoomChartWait wait = { label, is_cause ? get_state (hang, places[0].rank) : get_shared_collective (hang, places, n),
                         n, places[0].awaited != G_MAXUINT ? diagram->box_of[places[0].awaited] : LOOM_CHART_NONE,
                         is_cause };
  if (diagram->chart->waits->len >= MAX_BOXES || (!is_cause && wait.awaited == LOOM_CHART_NONE)) {
    diagram->n_skipped += n;
    return;
  }
  for (guint i = 0; i < n; i++)
    diagram->box_of[places[i].rank] = diagram->chart->waits->len;
  g_array_append_val (diagram->firsts, places[0].rank);
  loom_chart_add_wait (diagram->chart, &wait);
}

/* Adds a box for each set of ranks that has a row in the table of waits. A rank gets no box if it does not wait and no
 * other rank waits for it. */
static void
add_boxes (Diagram *diagram)
{
  g_autoptr (GArray) places = loom_page_hang_sort_ranks (diagram->hang);
  for (guint i = 0, end; i < places->len; i = end) {
    const LoomHangPlace *first = &g_array_index (places, LoomHangPlace, i);
    for (end = i; end < places->len && is_alike (diagram->hang, first, &g_array_index (places, LoomHangPlace, end));)
      end++;
    if (first->level == 0 || first->awaited != G_MAXUINT)
      add_box (diagram, first, end - i);
  }
}

void
loom_page_hang_add_diagram (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang)
{
  g_autofree guint *box_of = g_new (guint, hang->ranks->len);
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (LoomChart) chart = loom_chart_new_waits (_ ("Who waits for whom"), C_ ("hang", "ranks"));
  Diagram diagram = { hang, chart, firsts, box_of, 0 };
  for (guint i = 0; i < hang->ranks->len; i++)
    box_of[i] = LOOM_CHART_NONE;
  add_boxes (&diagram);
  if (chart->waits->len < 2)
    return;
  loom_page_content_take_chart (sheet, loom_chart_ref (chart), TRUE);
  for (guint i = 0; i < firsts->len; i++) {
    guint rank = g_array_index (firsts, guint, i);
    loom_page_hang_set_place (sheet, input, hang, i, rank, loom_hang_words_find_oldest (hang, rank));
  }
  if (diagram.n_skipped > 0) {
    g_autofree char *text =
      g_strdup_printf (ngettext ("%u more rank waits; the table of waits contains it.",
                                 "%u more ranks wait; the table of waits contains them.", diagram.n_skipped),
                       diagram.n_skipped);
    loom_page_content_add_note (sheet, text);
  }
}
