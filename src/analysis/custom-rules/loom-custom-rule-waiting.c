/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-waiting.h"

#include "loom-collectives.h"
#include "loom-list-separator.h"
#include "loom-wait-attribution.h"

/* Ranks whose share of the waits is below this part of the largest share are not named. */
#define WORTH_A_NAME 0.5

struct _LoomCustomRuleWaiting {
  LoomCollectives *collectives;
  GHashTable *seen;   /* numbers of the collectives already added, + 1 */
  GArray *late;       /* Late, one for each rank */
  GHashTable *places; /* rank → index in `late` */
  gint64 wait_ns;
};

typedef struct {
  gint rank;
  double share_ns;
} Late;

LoomCustomRuleWaiting *
loom_custom_rule_waiting_new (LoomTimeline *timeline, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = loom_collectives_new (timeline, NULL, cancellable);
  if (collectives == NULL)
    return NULL;
  LoomCustomRuleWaiting *waiting = g_new0 (LoomCustomRuleWaiting, 1);
  waiting->collectives = g_steal_pointer (&collectives);
  waiting->seen = g_hash_table_new (NULL, NULL);
  waiting->late = g_array_new (FALSE, FALSE, sizeof (Late));
  waiting->places = g_hash_table_new (NULL, NULL);
  return waiting;
}

void
loom_custom_rule_waiting_free (LoomCustomRuleWaiting *waiting)
{
  if (waiting == NULL)
    return;
  loom_collectives_unref (waiting->collectives);
  g_hash_table_unref (waiting->seen);
  g_hash_table_unref (waiting->places);
  g_array_unref (waiting->late);
  g_free (waiting);
}

void
loom_custom_rule_waiting_clear (LoomCustomRuleWaiting *waiting)
{
  g_hash_table_remove_all (waiting->seen);
  g_hash_table_remove_all (waiting->places);
  g_array_set_size (waiting->late, 0);
  waiting->wait_ns = 0;
}

static void
add_late (LoomCustomRuleWaiting *waiting, gint rank, double share_ns)
{
  gpointer place;
  if (g_hash_table_lookup_extended (waiting->places, GINT_TO_POINTER (rank), NULL, &place)) {
    g_array_index (waiting->late, Late, GPOINTER_TO_UINT (place)).share_ns += share_ns;
    return;
  }
  Late late = { rank, share_ns };
  g_hash_table_insert (waiting->places, GINT_TO_POINTER (rank), GUINT_TO_POINTER (waiting->late->len));
  g_array_append_val (waiting->late, late);
}

/* Adds the shares of one collective; called once per collective, however many of its members' spans were found. */
static void
add_shares (LoomCustomRuleWaiting *waiting, const LoomCollectiveMember *members, guint n)
{
  g_autofree double *shares = g_new (double, n);
  loom_wait_attribution (members, n, shares);
  for (guint i = 0; i < n; i++)
    if (members[i].rank >= 0 && shares[i] > 0)
      add_late (waiting, members[i].rank, shares[i]);
}

static void
add_item (LoomCustomRuleWaiting *waiting, const LoomCustomRuleItem *item)
{
  guint n, number = loom_timeline_span_id_is_none (item->span)
                      ? G_MAXUINT
                      : loom_collectives_find (waiting->collectives, item->span);
  if (number == G_MAXUINT)
    return;
  const LoomCollective *collective = &loom_collectives_get (waiting->collectives, &n)[number];
  const LoomCollectiveMember *members = loom_collectives_get_members (waiting->collectives, collective);
  for (guint i = 0; i < collective->n; i++)
    if (members[i].trace == item->span.trace &&
        loom_timeline_span_id_equal (loom_collectives_get_span (waiting->collectives, &members[i]), item->span))
      waiting->wait_ns = loom_time_add (waiting->wait_ns, MIN (members[i].wait_ns, item->end_ns - item->begin_ns));
  if (g_hash_table_add (waiting->seen, GUINT_TO_POINTER (number + 1)))
    add_shares (waiting, members, collective->n);
}

void
loom_custom_rule_waiting_add (LoomCustomRuleWaiting *waiting, const LoomCustomRuleItem *items, guint n)
{
  for (guint i = 0; i < n; i++)
    add_item (waiting, &items[i]);
}

gint64
loom_custom_rule_waiting_get_time (const LoomCustomRuleWaiting *waiting)
{
  return waiting->wait_ns;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const Late *x = a, *y = b;
  if (x->share_ns > y->share_ns || x->share_ns < y->share_ns)
    return x->share_ns > y->share_ns ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

char *
loom_custom_rule_waiting_dup_ranks (const LoomCustomRuleWaiting *waiting, guint *n)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GArray) order = g_array_copy (waiting->late);
  g_array_sort (order, compare);
  for (*n = 0; *n < MIN (order->len, LOOM_CUSTOM_RULE_WAITING_NAMED); (*n)++) {
    const Late *late = &g_array_index (order, Late, *n);
    if (late->share_ns < WORTH_A_NAME * g_array_index (order, Late, 0).share_ns)
      break;
    if (*n > 0)
      g_string_append (text, loom_list_separator ());
    g_string_append_printf (text, "%d", late->rank);
  }
  return g_string_free (text, FALSE);
}
