/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-sample-list-task.h"

typedef struct {
  LoomTimeline *timeline;
  LoomSampleQuery query;
  LoomSourceOverrides *names; /* names that the user gave to sources; NULL: no source was renamed */
  GArray *tracks;
  char *text;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->tracks, g_array_unref);
  loom_source_overrides_free (question->names);
  g_free (question->text);
  g_free (question);
}

static LoomSampleList *
list_samples (const Question *question, GCancellable *cancellable, GError **error)
{
  return loom_sample_list_new (question->timeline, &question->query, cancellable);
}

void
loom_sample_list_task_run (LoomTimeline *timeline, const LoomSampleQuery *query, LoomDebouncedTask *task)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) list_samples, (GDestroyNotify) question_free,
                                       (GDestroyNotify) loom_sample_list_unref };
  Question *question = g_new0 (Question, 1);
  question->timeline = loom_timeline_ref (timeline);
  question->query = *query;
  question->query.tracks = question->tracks = query->tracks != NULL ? g_array_ref ((GArray *) query->tracks) : NULL;
  question->query.text = question->text = g_strdup (query->text);
  question->query.names = question->names = query->names != NULL ? loom_source_overrides_copy (query->names) : NULL;
  loom_debounced_task_run (task, &kind, question);
}
