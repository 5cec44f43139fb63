/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rank, the link and the work that matter most on the path, and words them.
 */
#include "loom-path-words.h"

#include "loom-cxx-name.h"
#include "loom-main-thread.h"
#include "loom-rank-order.h"
#include "loom-recording-advice.h"
#include "loom-slowdown.h"
#include "loom-statistics.h"
#include "loom-transfers.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

#define MAX_LETTERS 60 /* maximum length of a name in the sentence at the top of the page, in characters */

/* The sentence at the top of the page names a rank if two conditions are met: at least MAIN_RANK_PERCENT of the path is
 * on this rank, and the other ranks wait for this rank for at least MAIN_WAIT_PERCENT of the path's time on average.
 * The second condition excludes runs with equally fast ranks, in which the path is on one of the ranks by chance and no
 * rank waits for it. */
#define MAIN_RANK_PERCENT 30
#define MAIN_WAIT_PERCENT 2

/* The slow link of a rank, not the rank, is named as the cause if the transfers of the link exceed those of comparable
 * groups by at least this share of the mean wait for the rank. */
#define LINK_SHARE 0.5

/* Work that computes nothing (Removable: data loading, pauses, or work of the host other than operators and steps) is
 * named in the sentence at the top of the page if the range would end earlier without it, by at least this many percent
 * of the path. */
#define REMOVABLE_PERCENT 5

/* If the host records nothing for at least this share of the path, no advice is given. */
#define UNRECORDED_PERCENT 50

const char *
loom_path_words_get_kind (LoomPathKind kind)
{
  switch (kind) {
  case LOOM_PATH_KIND_HOST: return C_ ("critical path", "the host");
  case LOOM_PATH_KIND_DATA: return C_ ("critical path", "data loading");
  case LOOM_PATH_KIND_LAUNCH: return C_ ("critical path", "launching");
  case LOOM_PATH_KIND_PAUSE: return C_ ("critical path", "pauses");
  case LOOM_PATH_KIND_COMPUTE: return C_ ("critical path", "computation");
  case LOOM_PATH_KIND_MEMORY: return C_ ("critical path", "copies");
  case LOOM_PATH_KIND_TRANSFER: return C_ ("critical path", "transfers");
  case LOOM_PATH_KIND_COMMUNICATION: return C_ ("critical path", "communication");
  default: return C_ ("critical path", "synchronization");
  }
}

static double
get_percent (const LoomCriticalPath *path, gint64 part_ns)
{
  return loom_statistics_percent ((double) part_ns, (double) loom_critical_path_get_length (path));
}

/* Appends a sentence to the text, and frees the sentence. */
static void
append (GString *text, char *sentence)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

/* Returns the name of work, shortened for a sentence: C++ kernels without template arguments and parameters; other
 * names as in the table. Owned by the caller. */
static char *
dup_name (const char *name)
{
  if (strpbrk (name, "<(") == NULL && g_utf8_strlen (name, -1) <= MAX_LETTERS)
    return g_strdup (name);
  return loom_cxx_name_dup_brief (name, MAX_LETTERS);
}

static LoomPathKind
get_main_kind (const LoomCriticalPath *path)
{
  guint main = 0;
  for (guint i = 1; i < LOOM_N_PATH_KINDS; i++)
    if (path->kinds_ns[i] > path->kinds_ns[main])
      main = i;
  return main;
}

/* Returns the name whose work would save most time if it were faster; NULL: faster work would save no time. */
static const LoomPathName *
find_best (const LoomCriticalPath *path)
{
  const LoomPathName *best = NULL;
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    gint64 saving_ns = name->saving_ns[LOOM_PATH_CHANGE_FASTER];
    if (name->is_known && saving_ns > 0 && (best == NULL || saving_ns > best->saving_ns[LOOM_PATH_CHANGE_FASTER]))
      best = name;
  }
  return best;
}

/* Returns how long, in ns, other ranks wait for `rank` in collectives and messages, on average over all other ranks. */
static double
get_wait_for (gint rank, const LoomCollectives *collectives)
{
  g_autoptr (GHashTable) late = g_hash_table_new_full (NULL, NULL, NULL, g_free), ranks = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollective *one = &collectives->all[i];
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, one);
    loom_rank_order_add (late, collectives, one);
    for (guint k = 0; k < one->n; k++)
      g_hash_table_add (ranks, GINT_TO_POINTER (members[k].rank));
  }
  const double *waited_ns = g_hash_table_lookup (late, GINT_TO_POINTER (rank));
  guint n = g_hash_table_size (ranks); /* number of all ranks that take part in collectives, including those for which
                                        * no rank waits */
  return waited_ns != NULL && n > 1 ? *waited_ns / (n - 1) : 0;
}

/* Of the slow links of the rank, returns the one that costs most time; NULL if there is none, or if it costs less than
 * LINK_SHARE of the mean wait for the rank. */
static const LoomTransferGroup *
find_slow_link (const LoomTransfers *transfers, gint rank, double wait_ns)
{
  for (guint i = 0; transfers != NULL && i < transfers->groups->len; i++) {
    const LoomTransferGroup *group = &g_array_index (transfers->groups, LoomTransferGroup, i);
    if (!group->slow || (double) group->lost_ns < LINK_SHARE * wait_ns)
      return NULL; /* no later group can match: slow groups come first, sorted by lost time */
    for (guint k = 0; k < group->n_ranks; k++)
      if (g_array_index (transfers->ranks, gint, group->first_rank + k) == rank)
        return group;
  }
  return NULL;
}

/* Appends a sentence for a path that runs mostly on a rank with a slow link: the other ranks wait for the link, not for
 * the rank. Also appends how much shorter a step would be without slow links; the page "Stragglers" and the finding
 * about slow links state the same time. */
static void
add_link_words (GString *text, double percent, gint rank, const LoomTransfers *transfers, const LoomTransferGroup *link,
                const LoomSlowdown *slowdown)
{
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, link, ", "),
                  *median = loom_time_format_duration (link->median_ns),
                  *typical = loom_time_format_duration (link->typical_ns);
  gint64 loss_ns = slowdown != NULL && slowdown->missing == NULL ? loom_slowdown_get_transfer_loss (slowdown) : 0;
  append (
    text,
    g_strdup_printf (
      /* Translators: a percentage, a rank, ranks such as “1, 5”, and two durations */
      _ (
        "%.0f %% of the critical path runs on rank %d, which has a slow link: transfers of ranks %s take a median of %s, comparable ones %s."),
      percent, rank, ranks, median, typical));
  if (loss_ns <= 0)
    return;
  g_autofree char *saved = loom_time_format_duration (loss_ns);
  append (text,
          g_strdup_printf (/* Translators: a duration and a percentage */
                           _ ("If all links were equally fast, each step would be up to %s (%.0f %%) shorter."), saved,
                           loom_statistics_percent ((double) loss_ns, (double) loom_slowdown_get_pace (slowdown))));
}

/* Appends the rank on which most of the path runs, if other ranks wait for it. Returns TRUE if a slow link of this rank
 * is the cause; the caller then gives no other advice. */
static gboolean
add_rank_words (GString *text, const LoomCriticalPath *path, const LoomCollectives *collectives,
                GCancellable *cancellable)
{
  if (path->ranks->len == 0)
    return FALSE;
  const LoomPathRank *rank = &g_array_index (path->ranks, LoomPathRank, 0);
  double percent = get_percent (path, rank->path_ns);
  if (rank->rank < 0 || percent < MAIN_RANK_PERCENT)
    return FALSE;
  double wait_ns = get_wait_for (rank->rank, collectives);
  if (100 * wait_ns < MAIN_WAIT_PERCENT * (double) loom_critical_path_get_length (path))
    return FALSE;
  const LoomTransfers *transfers = loom_transfers_get (collectives, cancellable);
  const LoomTransferGroup *link = find_slow_link (transfers, rank->rank, wait_ns);
  if (link != NULL)
    add_link_words (text, percent, rank->rank, transfers, link, loom_slowdown_get (collectives, cancellable));
  else
    append (text,
            g_strdup_printf (_ ("%.0f %% of the critical path runs on rank %d: the other ranks wait for this rank."),
                             percent, rank->rank));
  return link != NULL;
}

/* A kind of work on the critical path that computes nothing, such as waiting for data, and could be removed. */
typedef struct {
  const char *words; /* name of the work for the sentence; NULL: there is no such work on the path */
  gint64 saving_ns;  /* time in ns by which the range would end earlier without this work */
} Removable;

static void
take_larger (Removable *largest, const char *words, gint64 saving_ns)
{
  if (saving_ns > largest->saving_ns)
    *largest = (Removable) { words, saving_ns };
}

/* Returns TRUE if the work of the host with this name cannot simply be removed: it is an operator, which computes or
 * launches kernels, or a step, which encloses all other work. */
static gboolean
is_needed (const LoomPathName *name, const LoomCriticalPath *path, const LoomTimeline *timeline)
{
  LoomSpanId id = g_array_index (path->stretches, LoomPathStretch, name->longest).span;
  if (loom_timeline_span_id_is_none (id))
    return FALSE;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id.trace);
  const LoomName *own = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span]);
  return loom_main_thread_is_step (own->text) ||
         loom_work_kind_classify (own->text, own->category, FALSE) == LOOM_WORK_KIND_OPERATOR;
}

/* Finds the work that computes nothing and whose removal would save most time: data loading, pauses, or one kind of
 * work of the host. */
static Removable
find_removable (const LoomCriticalPath *path, const LoomTimeline *timeline)
{
  static const LoomPathKind kinds[] = { LOOM_PATH_KIND_DATA, LOOM_PATH_KIND_PAUSE };
  Removable largest = { NULL, 0 };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    take_larger (&largest, loom_path_words_get_kind (kinds[i]), path->kind_saving_ns[kinds[i]][LOOM_PATH_CHANGE_FREE]);
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    if (name->is_known && name->kind == LOOM_PATH_KIND_HOST && name->name[0] != '\0' &&
        !is_needed (name, path, timeline))
      take_larger (&largest, name->name, name->saving_ns[LOOM_PATH_CHANGE_FREE]);
  }
  return largest;
}

/* Appends a sentence that says what would save most time: removing work that computes nothing, or making the work with
 * one name faster. The removal is named if it saves more, and at least REMOVABLE_PERCENT of the path. */
static void
add_saving_words (GString *text, const LoomCriticalPath *path, const LoomTimeline *timeline)
{
  const LoomPathName *best = find_best (path);
  Removable removable = find_removable (path, timeline);
  gint64 faster_ns = best != NULL ? best->saving_ns[LOOM_PATH_CHANGE_FASTER] : 0;
  gboolean removes = removable.saving_ns > faster_ns && get_percent (path, removable.saving_ns) >= REMOVABLE_PERCENT;
  if (!removes && best == NULL)
    return;
  g_autofree char *saved = loom_time_format_duration (removes ? removable.saving_ns : faster_ns),
                  *name = dup_name (removes ? removable.words : best->name);
  if (removes)
    /* Translators: what is missing from the run (data loading, pauses, or a name from the file), and the time saved. */
    append (text, g_strdup_printf (_ ("Without %s, %s would be saved (%.0f %%)."), name, saved,
                                   get_percent (path, removable.saving_ns)));
  else
    /* Translators: the name of a function or kernel from the file, and the time saved */
    append (text, g_strdup_printf (_ ("If %s were 20 %% faster, %s would be saved."), name, saved));
}

/* Returns the share of the path in percent during which no span is recorded on the host. */
static double
get_unrecorded (const LoomCriticalPath *path)
{
  gint64 sum_ns = 0;
  for (guint i = 0; i < path->names->len; i++) {
    const LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    sum_ns += name->kind == LOOM_PATH_KIND_HOST && name->name[0] == '\0' ? name->path_ns : 0;
  }
  return get_percent (path, sum_ns);
}

char *
loom_path_words_dup_answer (const LoomCriticalPath *path, const LoomCollectives *collectives, GCancellable *cancellable)
{
  GString *text = g_string_new (NULL);
  LoomPathKind kind = get_main_kind (path);
  double unrecorded = get_unrecorded (path);
  g_autofree char *length = loom_time_format_duration (loom_critical_path_get_length (path));
  if (unrecorded >= UNRECORDED_PERCENT) {
    LoomRun *run = loom_timeline_get_run (collectives->timeline);
    append (
      text,
      g_strdup_printf (/* Translators: a percentage, and the duration of the path */
                       _ (
                         "For %.0f %% of the critical path of %s, no span of the host is recorded, so what would make the run faster is not known."),
                       unrecorded, length));
    append (text, g_strdup (loom_recording_advice_get (loom_recording_advice_find_recorder (run), LOOM_LACKS_HOST)));
    return g_string_free (text, FALSE);
  }
  if (!add_rank_words (text, path, collectives, cancellable))
    add_saving_words (text, path, collectives->timeline);
  /* Translators: a share, the duration of the path, and a kind of time of the context “critical path”: "data loading" */
  append (text, g_strdup_printf (_ ("%.0f %% of the critical path of %s is %s."),
                                 get_percent (path, path->kinds_ns[kind]), length, loom_path_words_get_kind (kind)));
  return g_string_free (text, FALSE);
}
