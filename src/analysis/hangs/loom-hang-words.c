/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hang-words.h"

#include "loom-hang-private.h"
#include "loom-list-separator.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* Maximum number of ranks that are listed in a sentence or in a cell of a table. */
#define MAX_LISTED 8

void
loom_hang_words_append_rank (GString *text, guint n_before, gint rank)
{
  if (n_before < MAX_LISTED)
    g_string_append_printf (text, "%s%d", n_before > 0 ? loom_list_separator () : "", rank);
  else if (n_before == MAX_LISTED)
    g_string_append_printf (text, "%s…", loom_list_separator ());
}

char *
loom_hang_words_dup_ranks (const LoomHang *self, guint sign)
{
  GString *text = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < self->ranks->len; i++) {
    const LoomHangRank *rank = loom_hang_rank (self, i);
    if (sign == 0 ? rank->is_suspect : (rank->signs & sign) != 0)
      loom_hang_words_append_rank (text, n++, rank->rank);
  }
  return g_string_free (text, FALSE);
}

static char *
dup_unequal_sizes (const LoomHang *self, const LoomHangMismatch *mismatch)
{
  return g_strdup_printf (_ ("The program calls a collective with different sizes on different ranks: collective "
                             "number %" PRId64 " of %s, %s, has the sizes %s on rank %d and %s on rank %d."),
                          mismatch->sequence, loom_hang_group (self, mismatch->group)->purpose,
                          mismatch->entries[0]->name, mismatch->entries[0]->sizes,
                          loom_hang_rank (self, mismatch->ranks[0])->rank, mismatch->entries[1]->sizes,
                          loom_hang_rank (self, mismatch->ranks[1])->rank);
}

char *
loom_hang_words_dup_mismatch (const LoomHang *self)
{
  if (self->mismatches->len == 0)
    return NULL;
  const LoomHangMismatch *first = &g_array_index (self->mismatches, LoomHangMismatch, 0);
  if (strcmp (first->entries[0]->name, first->entries[1]->name) == 0)
    return dup_unequal_sizes (self, first);
  return g_strdup_printf (_ ("The program calls different collectives on different ranks: collective number %" PRId64
                             " of %s is %s on rank %d and %s on rank %d."),
                          first->sequence, loom_hang_group (self, first->group)->purpose, first->entries[0]->name,
                          loom_hang_rank (self, first->ranks[0])->rank, first->entries[1]->name,
                          loom_hang_rank (self, first->ranks[1])->rank);
}

static guint
get_most_waiting (const LoomHang *self)
{
  guint n = 0;
  for (guint i = 0; i < self->ranks->len; i++)
    n = MAX (n, loom_hang_rank (self, i)->n_waiting);
  return n;
}

/* Returns a list of suspects as text. Suspects are ranks with which the hang probably began (is_suspect). If `awaited`
 * is TRUE, lists only suspects for which other ranks wait; otherwise only suspects for which no rank waits. Sets `n` to
 * the number of listed ranks. Owned by the caller. */
static char *
dup_ranks_awaited (const LoomHang *self, gboolean awaited, guint *n)
{
  GString *text = g_string_new (NULL);
  *n = 0;
  for (guint i = 0; i < self->ranks->len; i++) {
    const LoomHangRank *rank = loom_hang_rank (self, i);
    if (rank->is_suspect && (rank->n_waiting > 0) == awaited)
      loom_hang_words_append_rank (text, (*n)++, rank->rank);
  }
  return g_string_free (text, FALSE);
}

static char *
dup_awaited (const LoomHang *self, const char *ranks, guint n)
{
  guint n_waiting = get_most_waiting (self);
  if (n == 1)
    return g_strdup_printf (ngettext ("The job waits for rank %s: %u other rank cannot go on without it.",
                                      "The job waits for rank %s: %u other ranks cannot go on without it.", n_waiting),
                            ranks, n_waiting);
  return g_strdup_printf (ngettext ("The job waits for ranks %s: %u other rank cannot go on without them.",
                                    "The job waits for ranks %s: %u other ranks cannot go on without them.", n_waiting),
                          ranks, n_waiting);
}

static char *
dup_suspects (const LoomHang *self)
{
  guint n_awaited, n_others;
  g_autofree char *awaited = dup_ranks_awaited (self, TRUE, &n_awaited),
                  *others = dup_ranks_awaited (self, FALSE, &n_others);
  if (n_awaited == 0)
    return g_strdup_printf (ngettext ("Rank %s has completed fewer collectives than the others.",
                                      "Ranks %s have completed fewer collectives than the others.", n_others),
                            others);
  g_autofree char *sentence = dup_awaited (self, awaited, n_awaited);
  if (n_others == 0)
    return g_steal_pointer (&sentence);
  g_autofree char *more =
    g_strdup_printf (ngettext ("Rank %s has completed fewer collectives, too, but no rank waits for it.",
                               "Ranks %s have completed fewer collectives, too, but no rank waits for them.", n_others),
                     others);
  return g_strjoin (" ", sentence, more, NULL);
}

/* Returns a translated sentence about the first collective that all ranks of its group have called and no rank has
 * completed. Owned by the caller. */
static char *
dup_stuck (const LoomHang *self)
{
  const LoomHangStuck *stuck = &g_array_index (self->stuck, LoomHangStuck, 0);
  const LoomHangGroup *group = loom_hang_group (self, stuck->group);
  return g_strdup_printf (_ ("All %u ranks of %s are in collective number %" PRId64
                             " of this group, %s, and none has completed it: look at the network and the devices."),
                          group->n, group->purpose, stuck->entry->sequence, stuck->entry->name);
}

static char *
dup_incomplete (const LoomHang *self)
{
  g_autofree char *ranks = loom_hang_words_dup_ranks (self, LOOM_HANG_INCOMPLETE);
  return g_strdup_printf (
    ngettext ("It is unknown whether the job waits for rank %s, because its dump is incomplete.",
              "It is unknown whether the job waits for ranks %s, because their dumps are incomplete.",
              self->n_incomplete),
    ranks);
}

char *
loom_hang_words_dup_answer (const LoomHang *self)
{
  if (self->n_suspects > 0)
    return dup_suspects (self);
  if (self->n_missing >= self->n_dumps)
    return g_strdup (
      _ ("Too few dumps are open to tell which rank hangs: open the folder with the dumps of all ranks."));
  if (self->n_waiting > 0)
    return g_strdup (_ (
      "No rank is behind all others: ranks wait for each other, for example because collectives of two groups are called in different orders."));
  if (self->mismatches->len > 0)
    return NULL;
  if (self->stuck->len > 0)
    return dup_stuck (self);
  if (self->n_incomplete > 0)
    return dup_incomplete (self);
  return g_strdup (_ ("No rank waits for another: the dumps show no hang in collectives."));
}

const LoomFlightEntry *
loom_hang_words_find_oldest (const LoomHang *self, guint rank)
{
  const LoomHangRank *of = loom_hang_rank (self, rank);
  const LoomHangGroup *group = of->group != G_MAXUINT ? loom_hang_group (self, of->group) : NULL;
  for (guint i = 0; group != NULL && i < group->n; i++)
    if (loom_hang_member (self, group->first + i)->rank == rank)
      return loom_hang_member (self, group->first + i)->oldest;
  return NULL;
}

/* Returns the last entry in the dump of a rank; NULL: there is no dump, or it is empty. */
static const LoomFlightEntry *
find_last (const LoomHang *self, guint rank)
{
  guint source = loom_hang_rank (self, rank)->source;
  const LoomFlightDump *dump = source != G_MAXUINT ? loom_run_get_source (self->run, source)->flight : NULL;
  return dump != NULL && dump->entries->len > 0
           ? &g_array_index (dump->entries, LoomFlightEntry, dump->entries->len - 1)
           : NULL;
}

char *
loom_hang_words_dup_call_site (const LoomHang *self, guint rank)
{
  const LoomFlightEntry *oldest = loom_hang_words_find_oldest (self, rank),
                        *entry = oldest != NULL ? oldest : find_last (self, rank);
  if (entry == NULL || entry->frames[0] == '\0')
    return NULL;
  g_auto (GStrv) frames = g_strsplit (entry->frames, "\n", -1);
  for (guint i = 0; frames[i] != NULL; i++)
    if (strstr (frames[i], "/torch/") == NULL && strchr (frames[i], '(') != NULL)
      return g_strdup (frames[i]);
  return g_strdup (frames[0]);
}

LoomSpanId
loom_hang_words_find_span (const LoomHang *self, guint source, const LoomFlightEntry *entry)
{
  guint trace = loom_run_get_trace_of_source (self->run, source);
  LoomTrace *in = loom_run_get_trace (self->run, trace);
  const LoomSpans *spans = loom_trace_get_spans (in);
  for (guint32 i = 0; i < spans->n; i++)
    if (spans->start_ns[i] == entry->created_ns &&
        loom_source_ref_source (spans->ref[i]) == source - loom_run_get_first_source (self->run, trace) &&
        strcmp (loom_trace_get_name (in, spans->name_id[i])->text, entry->name) == 0)
      return (LoomSpanId) { trace, i };
  return LOOM_SPAN_ID_NONE;
}
