/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the rank, the link and the work that determine most of the path, and makes the sentences about them.
 */
#include "loom-path-words.h"

#include "loom-cxx-name.h"
#include "loom-ellipsize.h"
#include "loom-late-ranks.h"
#include "loom-list-separator.h"
#include "loom-main-thread.h"
#include "loom-rank-order.h"
#include "loom-recording-advice.h"
#include "loom-sentence.h"
#include "loom-statistics.h"
#include "loom-transfers.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

#define MAX_LETTERS 40 /* maximum length of a name in the sentences at the top of the page, in characters */

/* The sentence at the top of the page names a rank if two conditions are met: at least MAIN_RANK_PERCENT of the path is
 * on this rank, and the other ranks wait for it, on average, for at least MAIN_WAIT_PERCENT of the path's time. If all
 * ranks are equally fast, the path is on one of them by chance; the second condition is not met in this case, because
 * the other ranks do not wait for this rank. */
#define MAIN_RANK_PERCENT 30
#define MAIN_WAIT_PERCENT 2

/* A slow link of a rank is named as the cause instead of the rank if the transfers on this link take longer than those
 * of comparable groups by at least this share of the mean wait for the rank. */
#define LINK_SHARE 0.5

#define MAX_NAMED 4 /* maximum number of late ranks that a sentence names */

/* The sentence at the top of the page names work that computes nothing if, without this work, the range would end
 * earlier by at least this percentage of the path. Such work (Removable) is data loading, pauses, or work of the host
 * other than operators and steps. */
#define REMOVABLE_PERCENT 5

/* If the host records nothing for at least this percentage of the path, the sentences do not state what would save
 * time. */
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

/* Appends a sentence to the note, and frees the sentence; NULL: does nothing. */
static void
append (GString *note, char *sentence)
{
  if (sentence != NULL)
    loom_sentence_append (note, sentence);
  g_free (sentence);
}

/* Returns the name of work, shortened for a sentence. Names of C++ kernels are written without template arguments and
 * parameters. If the name is still too long, an ellipsis replaces its middle. Owned by the caller. */
static char *
dup_name (const char *name)
{
  g_autofree char *brief = strpbrk (name, "<(") != NULL ? loom_cxx_name_dup_brief (name, MAX_LETTERS) : g_strdup (name);
  return loom_ellipsize_middle (brief, MAX_LETTERS);
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

/* Returns the name of the work that would save most time if it were faster; NULL if faster work would save no time. */
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
      return NULL; /* the following groups cannot match either, because slow groups come first */
    for (guint k = 0; k < group->n_ranks; k++)
      if (g_array_index (transfers->ranks, gint, group->first_rank + k) == rank)
        return group;
  }
  return NULL;
}

/* Sets words->answer for a path that runs mostly on a rank with a slow link: the other ranks wait for the link, not for
 * the rank. The note states how much shorter a step would be without slow links; the page "Stragglers" and the finding
 * about slow links state the same time. */
static void
set_link_words (LoomPathWords *words, GString *note, double percent, gint rank, const LoomTransfers *transfers,
                const LoomTransferGroup *link, const LoomSlowdown *slowdown)
{
  g_autofree char *ranks = loom_transfers_dup_ranks (transfers, link, ", "),
                  *median = loom_time_format_duration (link->median_ns),
                  *typical = loom_time_format_duration (link->typical_ns);
  gint64 loss_ns = slowdown != NULL && slowdown->missing == NULL ? slowdown->transfer_loss_ns : 0;
  words->answer = g_strdup_printf (
    /* Translators: a percentage, a rank, ranks such as “1, 5”, and two durations */
    _ (
      "%.0f %% of the critical path runs on rank %d, which has a slow link: transfers of ranks %s take a median of %s, comparable ones %s."),
    percent, rank, ranks, median, typical);
  if (loss_ns <= 0)
    return;
  g_autofree char *saved = loom_time_format_duration (loss_ns);
  append (note,
          g_strdup_printf (/* Translators: a duration and a percentage */
                           _ ("If all links were equally fast, each step would be up to %s (%.0f %%) shorter."), saved,
                           loom_statistics_percent ((double) loss_ns, (double) loom_slowdown_get_pace (slowdown))));
}

/* The rank on which most of the path runs, if other ranks wait for it. */
typedef struct {
  gint rank;      /* number of the rank; −1: no rank has most of the path, or other ranks do not wait for it */
  double percent; /* share of the path that runs on the rank */
  double wait_ns; /* how long other ranks wait for the rank on average, in ns */
} MainRank;

static MainRank
find_main_rank (const LoomCriticalPath *path, const LoomCollectives *collectives)
{
  const MainRank none = { -1, 0, 0 };
  if (path->ranks->len == 0)
    return none;
  const LoomPathRank *first = &g_array_index (path->ranks, LoomPathRank, 0);
  MainRank rank = { first->rank, get_percent (path, first->path_ns), 0 };
  if (rank.rank < 0 || rank.percent < MAIN_RANK_PERCENT)
    return none;
  rank.wait_ns = get_wait_for (rank.rank, collectives);
  return 100 * rank.wait_ns < MAIN_WAIT_PERCENT * (double) loom_critical_path_get_length (path) ? none : rank;
}

/* Returns the ranks that are named on the page "Stragglers", as a list for a sentence: "2 and 3". NULL if the page
 * names no rank or only `rank`, or when cancelled. Sets `n` to the number of ranks in the list. Owned by the caller. */
static char *
dup_late (gint rank, LoomCollectives *collectives, guint *n, GCancellable *cancellable)
{
  g_autoptr (LoomStragglers) stragglers = loom_stragglers_new (collectives, cancellable);
  g_autoptr (GArray) late = stragglers != NULL ? loom_late_ranks_find (collectives, stragglers, cancellable) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  *n = late != NULL ? late->len : 0;
  for (guint i = 0; i < *n; i++)
    g_ptr_array_add (names, g_strdup_printf ("%d", g_array_index (late, LoomRankLateness, i).rank));
  gboolean is_only = *n == 1 && g_array_index (late, LoomRankLateness, 0).rank == rank;
  return *n > 0 && !is_only ? loom_list_separator_join_most (names, MAX_NAMED) : NULL;
}

static char *
dup_rank_words (const MainRank *rank, LoomCollectives *collectives, GCancellable *cancellable)
{
  guint n;
  if (rank->rank < 0)
    return NULL;
  g_autofree char *late = dup_late (rank->rank, collectives, &n, cancellable);
  if (late != NULL)
    return g_strdup_printf (
      /* Translators: a percentage, the number of a rank, and numbers of ranks such as “2 and 3” */
      ngettext ("%.0f %% of the critical path runs on rank %d; the others wait for rank %s.",
                "%.0f %% of the critical path runs on rank %d; the others wait for ranks %s.", n),
      rank->percent, rank->rank, late);
  return g_strdup_printf (/* Translators: a percentage and the number of a rank */
                          _ ("%.0f %% of the critical path runs on rank %d, for which other ranks wait."),
                          rank->percent, rank->rank);
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

/* Returns TRUE if the host's work with this name cannot be removed: it is an operator, which computes or launches
 * kernels, or a step, which encloses all other work. */
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

/* Of the work that computes nothing (data loading, pauses, or one kind of work of the host), finds the one whose
 * removal would save most time. */
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

/* The change that would save most time: removing work that computes nothing, or making the work with one name
 * faster. */
typedef struct {
  const char *name; /* complete name of the work; NULL: no change would save time */
  gint64 saving_ns;
  /* TRUE: `name` is work to be removed; this saves more time than making any work faster, and at least
   * REMOVABLE_PERCENT of the path. FALSE: `name` is work to be made faster */
  gboolean removes;
} Saving;

static Saving
find_saving (const LoomCriticalPath *path, const LoomTimeline *timeline)
{
  const LoomPathName *best = find_best (path);
  Removable removable = find_removable (path, timeline);
  gint64 faster_ns = best != NULL ? best->saving_ns[LOOM_PATH_CHANGE_FASTER] : 0;
  if (removable.saving_ns > faster_ns && get_percent (path, removable.saving_ns) >= REMOVABLE_PERCENT)
    return (Saving) { removable.words, removable.saving_ns, TRUE };
  return (Saving) { best != NULL ? best->name : NULL, faster_ns, FALSE };
}

/* Returns a sentence about the saving; NULL if no time can be saved. If the sentence contains a shortened name, sets
 * words->full_name to the complete name. Owned by the caller. */
static char *
dup_saving_words (LoomPathWords *words, const LoomCriticalPath *path, const Saving *saving)
{
  if (saving->name == NULL)
    return NULL;
  g_autofree char *saved = loom_time_format_duration (saving->saving_ns), *name = dup_name (saving->name);
  if (strcmp (name, saving->name) != 0)
    words->full_name = g_strdup (saving->name);
  if (saving->removes)
    return g_strdup_printf (
      /* Translators: what is missing from the run (data loading, pauses, or a name from the file), and the time saved. */
      _ ("Without %s, %s would be saved (%.0f %% of the critical path)."), name, saved,
      get_percent (path, saving->saving_ns));
  return g_strdup_printf (
    /* Translators: the name of a function or kernel from the file, and the time saved */
    _ ("If %s were 20 %% faster, %s would be saved."), name, saved);
}

/* Returns the percentage of the path during which no span is recorded on the host. */
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

/* Sets the texts for a path if the host recorded nothing during most of the time of the path. */
static void
set_unrecorded (LoomPathWords *words, GString *note, LoomRun *run, double unrecorded, const char *length)
{
  words->answer =
    g_strdup_printf (/* Translators: a percentage, and the duration of the path */
                     _ (
                       "For %.0f %% of the critical path of %s, no span of the host is recorded, so what would make the run faster is not known."),
                     unrecorded, length);
  loom_sentence_append (note, loom_recording_advice_get (loom_recording_advice_find_recorder (run), LOOM_LACKS_HOST));
}

/* Sets words->answer to the first sentence that is not NULL, and appends the other sentences to the note. Frees the
 * sentences. */
static void
take_sentences (LoomPathWords *words, GString *note, char *sentences[3])
{
  for (guint i = 0; i < 3; i++)
    if (words->answer == NULL)
      words->answer = sentences[i];
    else
      append (note, sentences[i]);
}

/* Sets the texts for a path on which work was recorded. If there is work that could be removed, words->answer is the
 * sentence about this work, because it explains both the duration of the run and how to reduce it; otherwise,
 * words->answer is about the rank on which the path runs. */
static void
set_words (LoomPathWords *words, GString *note, const LoomCriticalPath *path, LoomCollectives *collectives,
           const char *length, GCancellable *cancellable)
{
  LoomPathKind kind = get_main_kind (path);
  MainRank rank = find_main_rank (path, collectives);
  Saving saving = find_saving (path, collectives->timeline);
  const LoomTransfers *transfers = rank.rank >= 0 ? loom_transfers_get (collectives, cancellable) : NULL;
  const LoomTransferGroup *link = rank.rank >= 0 ? find_slow_link (transfers, rank.rank, rank.wait_ns) : NULL;
  gboolean says_kind = saving.removes && link == NULL && g_strcmp0 (saving.name, loom_path_words_get_kind (kind)) == 0;
  char *main_kind =
    says_kind
      ? NULL
      : g_strdup_printf (
          /* Translators: a share, the duration of the path, and a kind of time of the context “critical path”: "data
           * loading" */
          _ ("%.0f %% of the critical path of %s is %s."), get_percent (path, path->kinds_ns[kind]), length,
          loom_path_words_get_kind (kind));
  if (link != NULL) {
    set_link_words (words, note, rank.percent, rank.rank, transfers, link,
                    loom_slowdown_get (collectives, cancellable));
    append (note, main_kind);
    return;
  }
  char *saved = dup_saving_words (words, path, &saving), *runs_on = dup_rank_words (&rank, collectives, cancellable);
  words->is_in_answer = saving.removes || runs_on == NULL;
  take_sentences (words, note,
                  (char *[]) { saving.removes ? saved : runs_on, saving.removes ? runs_on : saved, main_kind });
}

LoomPathWords *
loom_path_words_new (const LoomCriticalPath *path, LoomCollectives *collectives, GCancellable *cancellable)
{
  LoomPathWords *words = g_new0 (LoomPathWords, 1);
  GString *note = g_string_new (NULL);
  double unrecorded = get_unrecorded (path);
  g_autofree char *length = loom_time_format_duration (loom_critical_path_get_length (path));
  if (unrecorded >= UNRECORDED_PERCENT)
    set_unrecorded (words, note, loom_timeline_get_run (collectives->timeline), unrecorded, length);
  else
    set_words (words, note, path, collectives, length, cancellable);
  words->note = g_string_free (note, FALSE);
  return words;
}

void
loom_path_words_free (LoomPathWords *words)
{
  g_free (words->answer);
  g_free (words->note);
  g_free (words->full_name);
  g_free (words);
}
