/* SPDX-License-Identifier: Apache-2.0
 *
 * Imports files of pyinstrument, a sampling profiler for Python. A session becomes nested spans in the order of time. A
 * report contains only sums per frame; it becomes nested spans (an icicle) with a label that says that they are not in
 * the order of time.
 */
#include "loom-error.h"
#include "loom-pyinstrument.h"
#include "loom-python-profile-spans.h"

#include <glib/gi18n.h>
#include <string.h>

#define TREE_LABEL "order not chronological (call tree)"
#define SESSION_LABEL "samples"

typedef struct {
  LoomPythonProfileSpans *spans;
  const LoomPythonProfile *profile;
  const LoomPyinstrument *content;
  LoomPythonProfileText *texts; /* the texts of events, one for each function of the profile; a text is made at its
                                 * first use */
  guint next_extra;
} Tree;

/* --- texts -------------------------------------------------------------------------------------------------------- */

static void
append_text (GString *args, const char *key, const char *text)
{
  g_string_append_printf (args, "%s\"%s\":", args->len > 1 ? "," : "", key);
  loom_json_slice_append_string (args, text, strlen (text));
}

static GString *
new_args (const LoomPythonProfileFunction *function)
{
  GString *args = g_string_new ("{");
  if (function->file[0] != '\0')
    append_text (args, "file", function->file);
  if (function->line > 0)
    g_string_append_printf (args, "%s\"line\":%" G_GINT64_FORMAT, args->len > 1 ? "," : "", function->line);
  if (function->flags & LOOM_FUNCTION_LIBRARY)
    append_text (args, "code", "library");
  return args;
}

/* Compares two members (LoomPyinstrumentExtra) by the stack frames to which they belong, then by their positions in the
 * text. */
static gint
compare_extras (gconstpointer a, gconstpointer b)
{
  const LoomPyinstrumentExtra *first = a, *second = b;
  if (first->frame != second->frame)
    return first->frame < second->frame ? -1 : 1;
  return first->key.text < second->key.text ? -1 : first->key.text > second->key.text;
}

static const LoomPyinstrumentExtra *
next_extra (Tree *tree, guint32 frame)
{
  const GArray *extras = tree->content->extras;
  while (tree->next_extra < extras->len) {
    const LoomPyinstrumentExtra *extra = &g_array_index (extras, LoomPyinstrumentExtra, tree->next_extra);
    if (extra->frame > frame)
      return NULL;
    tree->next_extra++;
    if (extra->frame == frame)
      return extra;
  }
  return NULL;
}

static LoomPythonProfileText
text_of (Tree *tree, guint32 frame, guint32 number)
{
  const LoomPythonProfileFunction *function = loom_python_profile_get_function (tree->profile, number);
  const LoomPyinstrumentExtra *extra = next_extra (tree, frame);
  if (extra == NULL && tree->texts[number].ref != 0)
    return tree->texts[number];
  g_autoptr (GString) args = new_args (function);
  gboolean shared = extra == NULL;
  for (; extra != NULL; extra = next_extra (tree, frame)) {
    g_string_append (args, args->len > 1 ? "," : "");
    loom_json_slice_append_strict (args, extra->key.text, extra->key.length);
    g_string_append_c (args, ':');
    loom_json_slice_append_strict (args, extra->value.text, extra->value.length);
  }
  g_string_append_c (args, '}');
  LoomPythonProfileText text = loom_python_profile_spans_text (tree->spans, function->name, args->str);
  if (shared)
    tree->texts[number] = text;
  return text;
}

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Returns the end of a frame in ns. The root ends at the duration that the report states, if this is longer than the
 * root's own duration. */
static gint64
end_of (const Tree *tree, const LoomPythonProfileFrame *frame)
{
  gint64 end_ns = loom_time_add (frame->start_ns, frame->dur_ns);
  gboolean root = !tree->content->session && frame->parent == LOOM_FRAME_NONE;
  return root ? MAX (end_ns, tree->content->duration_ns) : end_ns;
}

/* Returns TRUE if a stack frame of a report must be skipped: it has no duration, and another frame with the same parent
 * starts at the same time. The timeline nests spans only by their times, so it would show the frame without a duration
 * inside the other frame. `left_out`: the results for all earlier frames. If the parent has no duration either, the
 * result of the parent is returned without a search; thus the total cost for all frames is linear. */
static gboolean
has_no_place (const Tree *tree, guint32 number, const guint8 *left_out)
{
  guint32 n, next = number + 1;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (tree->profile, &n), *frame = &frames[number];
  if (tree->content->session || frame->parent == LOOM_FRAME_NONE || frame->dur_ns > 0)
    return FALSE;
  if (frames[frame->parent].dur_ns == 0)
    return left_out[frame->parent];
  while (next < n && frames[next].depth > frame->depth)
    next++;
  return next < n && frames[next].parent == frame->parent;
}

static void
add_tree (Tree *tree)
{
  guint32 n;
  guint64 n_deep = 0, n_left_out = 0;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (tree->profile, &n);
  gboolean session = tree->content->session;
  gint64 base_ns = tree->content->start_ns;
  if (n == 0 || base_ns == LOOM_TIME_NONE)
    return;
  guint32 thread = loom_python_profile_spans_thread (tree->spans, session ? "samples" : "tree",
                                                     session ? SESSION_LABEL : TREE_LABEL, 1);
  g_autofree guint8 *left_out = g_new0 (guint8, n);
  for (guint32 i = 0; i < n; i++) {
    left_out[i] = has_no_place (tree, i, left_out);
    n_left_out += left_out[i];
    if (left_out[i])
      continue;
    if (frames[i].depth >= LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH) {
      n_deep++;
      continue;
    }
    loom_python_profile_spans_add (tree->spans, thread, loom_time_add (base_ns, frames[i].start_ns),
                                   loom_time_add (base_ns, end_of (tree, &frames[i])),
                                   text_of (tree, i, frames[i].function));
  }
  if (n_left_out > 0)
    loom_import_log_add_n (tree->spans->info->log, LOOM_SEVERITY_INFO, "no-width", LOOM_OFFSET_NONE, n_left_out,
                           "A frame that took no time is shown only in the table, not on the timeline");
  if (n_deep > 0)
    loom_import_log_add_n (tree->spans->info->log, LOOM_SEVERITY_WARNING, "deep-tree", LOOM_OFFSET_NONE, n_deep,
                           "The call tree is deeper than 4,096 frames; deeper frames are shown only in the table");
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void
set_interval (LoomPyinstrument *content, const LoomPythonProfilePath *path)
{
  LoomPythonProfilePoint start = path->start, end = path->end;
  if (!path->has_interval && content->start_ns != LOOM_TIME_NONE) {
    start.time_ns = content->start_ns;
    end.time_ns = loom_time_add (content->start_ns, MAX (content->duration_ns, 0));
  }
  loom_python_profile_builder_set_interval (content->builder, start, end);
}

static char *
dup_interval_facts (const LoomPythonProfile *profile)
{
  g_autoptr (GString) facts = g_string_new (NULL);
  g_string_append_printf (facts, ",\"timer\":\"elapsed\",\"functions\":%u", profile->functions->len);
  if (profile->n_samples >= 0)
    g_string_append_printf (facts, ",\"samples\":%" G_GINT64_FORMAT, profile->n_samples);
  return g_string_free (g_steal_pointer (&facts), FALSE);
}

static LoomPythonProfile *
put_on_timeline (LoomPythonProfileSpans *spans, LoomPyinstrument *content)
{
  const LoomPythonProfilePath *path = spans->path;
  loom_python_profile_builder_set_timer (content->builder, LOOM_TIMER_ELAPSED);
  loom_python_profile_builder_set_place (content->builder, path->framework, path->node, spans->info->rank);
  set_interval (content, path);
  LoomPythonProfile *profile = loom_python_profile_builder_finish (g_steal_pointer (&content->builder));
  g_autofree char *facts = dup_interval_facts (profile);
  g_autofree LoomPythonProfileText *texts = g_new0 (LoomPythonProfileText, profile->functions->len + 1);
  Tree tree = { spans, profile, content, texts, 0 };
  g_array_sort (content->extras, compare_extras);
  for (guint i = 0; i + 1 < content->members->len; i += 2)
    loom_source_add_fact (spans->info, content->members->pdata[i], content->members->pdata[i + 1]);
  loom_python_profile_spans_add_interval (spans, facts);
  add_tree (&tree);
  return profile;
}

static LoomPythonProfile *
read_profile (LoomPythonProfileSpans *spans, gpointer user_data, guint64 *error_offset, GError **error)
{
  gsize length;
  LoomPyinstrument content;
  g_autofree char *text = loom_python_profile_spans_read_file (spans, &length, error);
  if (text == NULL || !loom_pyinstrument_read (&content, text, length, spans->info->log, error))
    return NULL;
  spans->info->incomplete |= content.incomplete;
  if (content.no_samples)
    loom_import_log_add (spans->info->log, LOOM_SEVERITY_WARNING, "no-samples", 0,
                         "No samples (profiler session corrupted)");
  LoomDeclaredClock *clock = loom_trace_builder_get_clock (spans->builder, spans->info->clock);
  if (clock->state == LOOM_CLOCK_NONE && content.start_ns != LOOM_TIME_NONE) {
    g_free (clock->basis);
    clock->state = LOOM_CLOCK_EXACT;
    clock->basis = g_strdup ("start_time");
  }
  LoomPythonProfile *profile = put_on_timeline (spans, &content);
  loom_pyinstrument_clear (&content);
  return profile;
}

gboolean
loom_importer_pyinstrument (LoomImporter *import, GError **error)
{
  return loom_python_profile_spans_import (import, "pyinstrument", read_profile, NULL, error);
}
