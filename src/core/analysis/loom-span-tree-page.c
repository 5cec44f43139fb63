/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-tree-page.h: lists the processes and threads of the run, from which the user chooses. A worker
 * thread makes the call tree of the chosen one.
 */
#include "loom-span-tree-page.h"

#include "loom-timeline-description.h"

#include <glib/gi18n.h>

#define MOST_CHOICES 2000

/* One entry of the list in which the user chooses the spans of the tree: all CPU threads, the CPU threads of one
 * process, or one track. */
typedef struct {
  guint trace;        /* index of the trace in the run; G_MAXUINT for all CPU threads of the run */
  guint32 process_id; /* process ID; G_MAXUINT32 if the choice is only the track `track` */
  guint track;
} Choice;

struct _LoomSpanTreePage {
  GObject parent;
  LoomAnalysisContext *analysis;
  LoomDebouncedTask task;
  GCancellable *finding; /* cancels the worker thread that finds spans; NULL if no such thread is running */
  /* the timeline that contains the tracks of the choices and of the tree; NULL if no run is open */
  LoomTimeline *timeline;
  LoomSpanTreeDirection direction, tree_direction;
  gboolean omits_waits;
  GArray *choices;  /* Choice: the entries of the list */
  GPtrArray *names; /* char *: names of the choices; the last element is NULL */
  guint chosen;
  gboolean is_chosen;  /* TRUE if the user selected `chosen`; FALSE if find_first_rank() selected it */
  gint preferred_rank; /* the rank that is selected until the user makes a choice; −1 for the first rank */
  LoomCallTree *tree;  /* the call tree that is shown; NULL if no run is open */
  GArray *tracks;      /* LoomTrackId: the tracks whose spans are in the tree; NULL for all CPU threads */
  LoomRange range;     /* time range of the spans in `tree` */
  char *summary;       /* the property "summary"; never NULL */
  gboolean is_wanted, is_working, is_outdated;
};

G_DEFINE_FINAL_TYPE (LoomSpanTreePage, loom_span_tree_page, G_TYPE_OBJECT)

enum { PROP_0, PROP_TREE, PROP_SUMMARY, PROP_WORKING, PROP_CHOICES, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { SPANS_FOUND, N_SIGNALS };
static guint signals[N_SIGNALS];

static LoomTimelineState *
view_of (LoomSpanTreePage *self)
{
  return loom_analysis_context_get_state (self->analysis);
}

/* --- input of a worker -------------------------------------------------------------------------------------------- */

/* The input of a worker thread, which owns it. If `tree` is NULL, the worker thread makes a new tree. If `tree` is not
 * NULL, the worker thread finds the spans of one node of `tree`. */
typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GArray *tracks; /* LoomTrackId: the tracks to read; NULL for all CPU threads */
  LoomSpanTreeDirection direction;
  gboolean omits_waits;
  LoomCallTree *tree; /* the tree that contains `node`; NULL if a new tree is to be made */
  guint32 node;
  guint64 n_all; /* number of all spans of `node`; set when its spans were found */
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->tracks, g_array_unref);
  loom_call_tree_unref (question->tree);
  g_free (question);
}

static LoomSpanTreeQuery
query_of (const Question *question)
{
  const GArray *tracks = question->tracks;
  return (LoomSpanTreeQuery) { question->timeline,
                               question->range,
                               tracks != NULL ? (const LoomTrackId *) (gpointer) tracks->data : NULL,
                               tracks != NULL ? tracks->len : 0,
                               question->direction,
                               question->omits_waits };
}

static gpointer
make_tree (gpointer input, GCancellable *cancellable, GError **error)
{
  LoomSpanTreeQuery query = query_of (input);
  return loom_span_tree_new (&query, cancellable);
}

static gpointer
find_spans (gpointer input, GCancellable *cancellable, GError **error)
{
  Question *question = input;
  LoomSpanTreeQuery query = query_of (question);
  return loom_span_tree_find_spans (&query, question->tree, question->node, LOOM_SELECTED_MOST, &question->n_all,
                                    cancellable);
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

static void
add_choice (LoomSpanTreePage *self, Choice choice, char *name)
{
  g_array_append_val (self->choices, choice);
  g_ptr_array_add (self->names, name);
}

static char *
dup_process_name (const LoomTrack *track)
{
  if (track->rank < 0)
    return g_strdup (track->process);
  return (track->flags & LOOM_TRACK_PROCESS_ID) != 0 ? g_strdup_printf (_ ("process %d"), track->rank)
                                                     : g_strdup_printf (_ ("rank %d"), track->rank);
}

/* Adds two kinds of entries to the list of choices (Choice): one entry for the process that contains the track `first`,
 * and one for each CPU thread of this process. */
static void
add_process (LoomSpanTreePage *self, guint number, const LoomTrace *trace, guint first)
{
  const LoomTrack *track = loom_trace_get_track (trace, first);
  g_autofree char *process = dup_process_name (track);
  add_choice (self, (Choice) { number, track->process_id, first }, g_strdup (process));
  for (guint i = first; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *other = loom_trace_get_track (trace, i);
    if (!loom_span_tree_is_cpu (other) || other->process_id != track->process_id || self->choices->len >= MOST_CHOICES)
      continue;
    add_choice (self, (Choice) { number, G_MAXUINT32, i }, g_strdup_printf ("%s › %s", process, other->thread));
  }
}

static void
add_trace (LoomSpanTreePage *self, LoomRun *run, guint number)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const LoomTrace *trace = loom_run_get_trace (run, number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace) && self->choices->len < MOST_CHOICES; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (loom_span_tree_is_cpu (track) && g_hash_table_add (seen, GUINT_TO_POINTER (track->process_id)))
      add_process (self, number, trace, i);
  }
}

static const LoomTrack *
get_track (LoomRun *run, const Choice *choice)
{
  return loom_trace_get_track (loom_run_get_trace (run, choice->trace), choice->track);
}

/* Returns TRUE if the choice is all CPU threads of a rank. */
static gboolean
is_rank (LoomRun *run, const Choice *choice)
{
  if (choice->trace == G_MAXUINT || choice->process_id == G_MAXUINT32)
    return FALSE;
  const LoomTrack *track = get_track (run, choice);
  return track->rank >= 0 && (track->flags & LOOM_TRACK_PROCESS_ID) == 0;
}

/* Returns the number of events of the CPU threads of a process. */
static guint64
count_events (LoomRun *run, const Choice *choice)
{
  const LoomTrace *trace = loom_run_get_trace (run, choice->trace);
  guint64 n = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    n += track->process_id == choice->process_id && loom_span_tree_is_cpu (track) ? track->n_events : 0;
  }
  return n;
}

static gboolean
has_rank (LoomSpanTreePage *self, LoomRun *run, gint rank)
{
  for (guint i = 1; i < self->choices->len; i++)
    if (is_rank (run, &g_array_index (self->choices, Choice, i)) &&
        get_track (run, &g_array_index (self->choices, Choice, i))->rank == rank)
      return TRUE;
  return FALSE;
}

/* Returns the index of the choice (Choice) that is selected before the user selects one. If the run has several ranks,
 * it is a choice of the preferred rank or, if the run does not contain this rank, of the first rank, because a sum over
 * all ranks would hide what each rank does. If several files contain this rank, each file is a separate choice, and the
 * one with the most events is returned, because its file contains the operators. If the run does not have several
 * ranks, returns 0, which is the choice of all CPU threads. */
static guint
find_first_rank (LoomSpanTreePage *self, LoomRun *run)
{
  guint first = 0;
  guint64 most = 0;
  gint rank = has_rank (self, run, self->preferred_rank) ? self->preferred_rank : -1;
  gboolean several = FALSE;
  for (guint i = 1; i < self->choices->len; i++) {
    const Choice *choice = &g_array_index (self->choices, Choice, i);
    if (!is_rank (run, choice))
      continue;
    several |= rank >= 0 && get_track (run, choice)->rank != rank;
    rank = rank < 0 ? get_track (run, choice)->rank : rank;
    guint64 n = get_track (run, choice)->rank == rank ? count_events (run, choice) : 0;
    if (n > most) {
      first = i;
      most = n;
    }
  }
  return several ? first : 0;
}

/* If several choices of the list have the same name, appends the format of their file to each of these names: "rank 0
 * (kineto)". */
static void
tell_apart (LoomSpanTreePage *self, LoomRun *run)
{
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 1; i < self->names->len; i++) {
    const char *name = self->names->pdata[i];
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, name));
    g_hash_table_insert (counts, g_strdup (name), GUINT_TO_POINTER (n + 1));
  }
  for (guint i = 1; i < self->names->len; i++) {
    char *name = self->names->pdata[i];
    const Choice *choice = &g_array_index (self->choices, Choice, i);
    const LoomSource *source = loom_run_get_source (run, loom_run_get_first_source (run, choice->trace));
    if (GPOINTER_TO_UINT (g_hash_table_lookup (counts, name)) < 2)
      continue;
    self->names->pdata[i] = g_strdup_printf ("%s (%s)", name, source->format);
    g_free (name);
  }
}

static void
list_choices (LoomSpanTreePage *self)
{
  g_array_set_size (self->choices, 0);
  g_ptr_array_set_size (self->names, 0);
  self->chosen = 0;
  self->is_chosen = FALSE;
  add_choice (self, (Choice) { G_MAXUINT, G_MAXUINT32, 0 }, g_strdup (_ ("All CPU Threads")));
  LoomRun *run = self->timeline != NULL ? loom_timeline_get_run (self->timeline) : NULL;
  for (guint i = 0; run != NULL && i < loom_run_get_n_traces (run); i++)
    add_trace (self, run, i);
  if (run != NULL)
    tell_apart (self, run);
  g_ptr_array_add (self->names, NULL);
  self->chosen = run != NULL ? find_first_rank (self, run) : 0;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHOICES]);
}

static GArray *
dup_tracks (LoomSpanTreePage *self)
{
  const Choice *choice = &g_array_index (self->choices, Choice, self->chosen);
  if (choice->trace == G_MAXUINT)
    return NULL;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), choice->trace);
  GArray *tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    LoomTrackId id = { choice->trace, i };
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (choice->process_id == G_MAXUINT32 ? i == choice->track : track->process_id == choice->process_id)
      g_array_append_val (tracks, id);
  }
  return tracks;
}

/* Changes to the present timeline of the view. If it has the same run as the previous timeline, for example because
 * only a clock was moved, the list of choices stays. */
static void
use_timeline (LoomSpanTreePage *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (view_of (self));
  if (timeline == self->timeline)
    return;
  gboolean same = timeline != NULL && self->timeline != NULL &&
                  loom_timeline_get_run (timeline) == loom_timeline_get_run (self->timeline);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  self->timeline = timeline != NULL ? loom_timeline_ref (timeline) : NULL;
  if (!same)
    list_choices (self);
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

static void
take_summary (LoomSpanTreePage *self, char *summary)
{
  g_free (self->summary);
  self->summary = summary;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
}

static void
set_tree (LoomSpanTreePage *self, LoomCallTree *tree)
{
  loom_call_tree_unref (self->tree);
  self->tree = tree;
  self->is_outdated = FALSE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TREE]);
}

static void
show_work (gboolean working, gpointer page)
{
  LoomSpanTreePage *self = page;
  if (working)
    take_summary (self, loom_timeline_description_working (loom_debounced_task_get_fraction (&self->task)));
  if (self->is_working == working)
    return;
  self->is_working = working;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WORKING]);
}

static void
answered (gpointer page, gpointer tree, const GError *error, gpointer input)
{
  LoomSpanTreePage *self = page;
  const Question *question = input;
  if (tree == NULL)
    return;
  g_clear_pointer (&self->tracks, g_array_unref);
  self->tracks = question->tracks != NULL ? g_array_ref (question->tracks) : NULL;
  self->range = question->range;
  self->tree_direction = question->direction;
  set_tree (self, tree);
  take_summary (self, loom_timeline_description_when (view_of (self), self->range));
}

static void
start (LoomDebouncedTask *task, gpointer page)
{
  static const LoomWorkerKind kind = { make_tree, question_free, (GDestroyNotify) loom_call_tree_unref };
  LoomSpanTreePage *self = page;
  Question *question = g_new0 (Question, 1);
  question->timeline = loom_timeline_ref (self->timeline);
  question->range = loom_analysis_context_get_asked_range (self->analysis);
  question->tracks = dup_tracks (self);
  question->direction = self->direction;
  question->omits_waits = self->omits_waits;
  loom_debounced_task_run (task, &kind, question);
}

static void
ask (LoomSpanTreePage *self)
{
  self->is_outdated = TRUE;
  if (!self->is_wanted)
    return;
  loom_worker_cancel (&self->finding);
  use_timeline (self);
  if (self->timeline != NULL) {
    loom_debounced_task_ask (&self->task);
    return;
  }
  loom_debounced_task_stop (&self->task);
  set_tree (self, NULL);
  take_summary (self, g_strdup (""));
}

void
loom_span_tree_page_set_wanted (LoomSpanTreePage *self, gboolean wanted)
{
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  self->is_wanted = wanted;
  if (!wanted)
    loom_debounced_task_stop (&self->task);
  else if (self->is_outdated)
    ask (self);
}

void
loom_span_tree_page_set_direction (LoomSpanTreePage *self, LoomSpanTreeDirection direction)
{
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  if (direction == self->direction)
    return;
  self->direction = direction;
  ask (self);
}

LoomSpanTreeDirection
loom_span_tree_page_get_direction (LoomSpanTreePage *self)
{
  return self->direction;
}

void
loom_span_tree_page_set_omits_waits (LoomSpanTreePage *self, gboolean omits)
{
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  if (omits == self->omits_waits)
    return;
  self->omits_waits = omits;
  ask (self);
}

const char *const *
loom_span_tree_page_get_choices (LoomSpanTreePage *self)
{
  return (const char *const *) self->names->pdata;
}

void
loom_span_tree_page_choose (LoomSpanTreePage *self, guint choice)
{
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  if (choice == self->chosen || choice >= self->choices->len)
    return;
  self->chosen = choice;
  self->is_chosen = TRUE;
  ask (self);
}

void
loom_span_tree_page_prefer_rank (LoomSpanTreePage *self, gint rank)
{
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  self->preferred_rank = rank;
  if (self->is_chosen || self->timeline == NULL)
    return;
  guint first = find_first_rank (self, loom_timeline_get_run (self->timeline));
  if (first == self->chosen)
    return;
  self->chosen = first;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CHOICES]);
  ask (self);
}

guint
loom_span_tree_page_get_chosen (LoomSpanTreePage *self)
{
  return self->chosen;
}

/* --- spans of a node ---------------------------------------------------------------------------------------------- */

static void
spans_found (gpointer page, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (GArray) spans = result;
  const Question *question = input;
  if (spans != NULL && spans->len > 0)
    g_signal_emit (page, signals[SPANS_FOUND], 0, spans, question->n_all);
}

void
loom_span_tree_page_find_spans (LoomSpanTreePage *self, guint32 node)
{
  static const LoomWorkerKind kind = { find_spans, question_free, (GDestroyNotify) g_array_unref };
  g_return_if_fail (LOOM_IS_SPAN_TREE_PAGE (self));
  if (self->tree == NULL || node >= self->tree->n_nodes || self->timeline == NULL)
    return;
  Question *question = g_new0 (Question, 1);
  question->timeline = loom_timeline_ref (self->timeline);
  question->range = self->range;
  question->tracks = self->tracks != NULL ? g_array_ref (self->tracks) : NULL;
  question->direction = self->tree_direction;
  question->omits_waits = self->tree->omits_waits;
  question->tree = loom_call_tree_ref (self->tree);
  question->node = node;
  loom_worker_start (&self->finding, &kind, question, spans_found, self);
}

/* --- GObject class and public functions --------------------------------------------------------------------------- */

static void
dispose (GObject *object)
{
  LoomSpanTreePage *self = LOOM_SPAN_TREE_PAGE (object);
  loom_debounced_task_stop (&self->task);
  loom_worker_cancel (&self->finding);
  g_clear_object (&self->analysis);
  G_OBJECT_CLASS (loom_span_tree_page_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomSpanTreePage *self = LOOM_SPAN_TREE_PAGE (object);
  loom_call_tree_unref (self->tree);
  g_clear_pointer (&self->timeline, loom_timeline_unref);
  g_clear_pointer (&self->tracks, g_array_unref);
  g_array_unref (self->choices);
  g_ptr_array_unref (self->names);
  g_free (self->summary);
  G_OBJECT_CLASS (loom_span_tree_page_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  LoomSpanTreePage *self = LOOM_SPAN_TREE_PAGE (object);
  switch (id) {
  case PROP_TREE: g_value_set_pointer (value, self->tree); break;
  case PROP_SUMMARY: g_value_set_string (value, self->summary); break;
  case PROP_WORKING: g_value_set_boolean (value, self->is_working); break;
  default: g_value_set_boxed (value, self->names->pdata); break;
  }
}

static void
loom_span_tree_page_class_init (LoomSpanTreePageClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_TREE] = g_param_spec_pointer ("tree", NULL, NULL, flags);
  properties[PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, "", flags);
  properties[PROP_WORKING] = g_param_spec_boolean ("working", NULL, NULL, FALSE, flags);
  properties[PROP_CHOICES] = g_param_spec_boxed ("choices", NULL, NULL, G_TYPE_STRV, flags);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  signals[SPANS_FOUND] = g_signal_new ("spans-found", LOOM_TYPE_SPAN_TREE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT64);
}

static void
loom_span_tree_page_init (LoomSpanTreePage *self)
{
  self->is_outdated = TRUE;
  self->preferred_rank = -1;
  self->summary = g_strdup ("");
  self->choices = g_array_new (FALSE, FALSE, sizeof (Choice));
  self->names = g_ptr_array_new_with_free_func (g_free);
  list_choices (self);
  loom_debounced_task_init (&self->task, start, answered, show_work, self);
}

LoomSpanTreePage *
loom_span_tree_page_new (LoomAnalysisContext *analysis)
{
  LoomSpanTreePage *self = g_object_new (LOOM_TYPE_SPAN_TREE_PAGE, NULL);
  self->analysis = g_object_ref (analysis);
  g_signal_connect_object (analysis, "range-changed", G_CALLBACK (ask), self, G_CONNECT_SWAPPED);
  return self;
}

LoomCallTree *
loom_span_tree_page_get_tree (LoomSpanTreePage *self)
{
  return self->tree;
}

const char *
loom_span_tree_page_get_missing (LoomSpanTreePage *self)
{
  return self->timeline != NULL ? loom_span_tree_get_missing (loom_timeline_get_run (self->timeline)) : "";
}

const char *
loom_span_tree_page_get_summary (LoomSpanTreePage *self)
{
  return self->summary;
}

gboolean
loom_span_tree_page_is_working (LoomSpanTreePage *self)
{
  return self->is_working;
}

gboolean
loom_span_tree_page_is_outdated (LoomSpanTreePage *self)
{
  return self->is_outdated;
}
