/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hover-details.h"

#include "loom-event-args.h"
#include "loom-span-peers.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_ARGS 5
#define MOST_CHARS 48

/* --- choosing members of an event's args -------------------------------------------------------------------------- */

/* Words that select the args to show for a span, the most important words first. An arg is shown if its name
 * contains one of the words, ignoring case. */
static const char *const wanted[][4] = {
  { "step" },
  { "shape", "dims" },
  { "bytes", "nelems", "size" },
  { "collective", "process group name" },
  { "stream" },
  { "dtype", "type" },
  { "device" },
  { "grid", "block" },
};

/* Words that exclude an arg: an arg whose name contains one of them only links events to each other. */
static const char *const unwanted[] = { "external id", "ev idx", "record function id", "sequence number",
                                        "fwd thread",  "python", "correlation",        "hash" };

static guint
rank_of (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  for (guint i = 0; i < G_N_ELEMENTS (unwanted); i++)
    if (strstr (lower, unwanted[i]) != NULL)
      return G_N_ELEMENTS (wanted) + 1;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    for (guint k = 0; k < G_N_ELEMENTS (wanted[i]) && wanted[i][k] != NULL; k++)
      if (strstr (lower, wanted[i][k]) != NULL)
        return i;
  return G_N_ELEMENTS (wanted);
}

/* Appends the value of an arg in one line. Skips the last elements of a long array or object, because only
 * MOST_CHARS characters are shown. */
static void
append_value (GString *out, LoomArg *arg)
{
  GListModel *children = loom_event_args_get_children (arg);
  if (children == NULL) {
    g_string_append (out, loom_event_arg_get_value (arg));
    return;
  }
  gboolean array = loom_event_arg_get_value (arg)[0] == '[';
  g_string_append_c (out, array ? '[' : '{');
  for (guint i = 0; i < g_list_model_get_n_items (children) && out->len <= 4 * MOST_CHARS; i++) {
    g_autoptr (LoomArg) child = g_list_model_get_item (children, i);
    g_string_append (out, i > 0 ? ", " : "");
    if (!array)
      g_string_append_printf (out, "%s: ", loom_event_arg_get_name (child));
    append_value (out, child);
  }
  g_string_append_c (out, array ? ']' : '}');
}

static gboolean
says_nothing (const char *value)
{
  static const char *const nothing[] = { "", "[]", "{}", "null", "[[]]" };
  for (guint i = 0; i < G_N_ELEMENTS (nothing); i++)
    if (strcmp (value, nothing[i]) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the text without line feeds, truncated to MOST_CHARS characters. */
static char *
dup_short (const char *text)
{
  g_autofree char *line = g_strdelimit (g_utf8_make_valid (text, -1), "\n\r\t", ' ');
  if (g_utf8_strlen (line, -1) <= MOST_CHARS)
    return g_steal_pointer (&line);
  g_autofree char *cut = g_utf8_substring (line, 0, MOST_CHARS - 1);
  return g_strconcat (cut, "…", NULL);
}

static char *
dup_line (LoomArg *arg)
{
  g_autoptr (GString) value = g_string_new (NULL);
  append_value (value, arg);
  if (says_nothing (value->str))
    return NULL;
  g_autofree char *name = dup_short (loom_event_arg_get_name (arg)), *shown = dup_short (value->str);
  return g_strdup_printf ("%s: %s", name, shown);
}

char *
loom_hover_details_choose (GListModel *members)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (members), NULL);
  g_autoptr (GString) lines = g_string_new (NULL);
  guint n = 0;
  for (guint rank = 0; rank <= G_N_ELEMENTS (wanted) + 1; rank++)
    for (guint i = 0; i < g_list_model_get_n_items (members) && n < MOST_ARGS; i++) {
      g_autoptr (LoomArg) arg = g_list_model_get_item (members, i);
      g_autofree char *line = rank_of (loom_event_arg_get_name (arg)) == rank ? dup_line (arg) : NULL;
      if (line == NULL)
        continue;
      g_string_append_printf (lines, "%s%s", n++ > 0 ? "\n" : "", line);
    }
  return n > 0 ? g_string_free (g_steal_pointer (&lines), FALSE) : NULL;
}

/* --- comparing the duration --------------------------------------------------------------------------------------- */

/* The data of one hover card, shared by the timeline view and the callbacks of worker threads. */
typedef struct {
  LoomTimelineView *view; /* weak reference */
  LoomTimelineState *state;
  LoomSpanId under, asked;
  gboolean busy;
  /* text of the most important args of the span `asked`; NULL if they have not been read, or the span has no such
   * args */
  char *args;
  /* cancels the worker thread that compares the span with other spans; NULL if no comparison is running */
  GCancellable *comparing;
} HoverArgs;

/* Returns a line that compares the duration of a span; NULL if it cannot be compared. */
static char *
dup_comparison (const LoomSpanPeers *peers)
{
  g_autofree char *text = peers != NULL ? loom_span_peers_describe (peers) : NULL;
  if (text == NULL)
    return NULL;
  if (peers->n_calls > 0)
    /* Translators: %s compares the duration of a span with the durations of the same call in other steps: "1.40 × the
     * median of 71.0 µs in other steps" */
    return g_strdup_printf (_ ("Same call: %s"), text);
  /* Translators: %s compares the duration of a span with the durations of other spans of the same name: "0.99 × the
   * median of 34.7 ms" */
  return g_strdup_printf (_ ("Same name: %s"), text);
}

/* Called with a LoomSpanPeers. Shows the comparison above the args. Takes ownership of `result`. */
static void
compared (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  HoverArgs *self = owner;
  g_autofree LoomSpanPeers *peers = result;
  g_autofree char *line = dup_comparison (peers);
  if (self->view == NULL || line == NULL)
    return;
  g_autofree char *note = self->args != NULL ? g_strdup_printf ("%s\n%s", line, self->args) : g_strdup (line);
  loom_timeline_view_set_note (self->view, self->asked, note);
}

/* Starts a worker thread that reads all spans of the run and compares them with the span under the pointer. When the
 * pointer moves to another span, the comparison is cancelled. */
static void
compare (HoverArgs *self, LoomTimeline *timeline)
{
  loom_span_peers_measure_async (&self->comparing, timeline, loom_timeline_state_get_steps (self->state),
                                 loom_timeline_state_get_collectives (self->state), self->asked, compared, self);
}

/* --- reading the args --------------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomSpanId span;
} Input;

static void
input_free (Input *input)
{
  loom_timeline_unref (input->timeline);
  g_free (input);
}

/* Reads the args on a worker thread. If the args cannot be read, the hover card shows none; the details panel
 * reports the error. */
static char *
read_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  LoomEventArgs *args = loom_event_args_read (input->timeline, input->span, NULL);
  char *note = args != NULL ? loom_hover_details_choose (args->members) : NULL;
  g_clear_pointer (&args, loom_event_args_free);
  return note;
}

static void release (gpointer data);
static void read_done (gpointer owner, gpointer result, const GError *error, gpointer data);

static void
ask (HoverArgs *self)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
  if (timeline == NULL || loom_timeline_span_id_is_none (self->under))
    return;
  static const LoomWorkerKind kind = { (LoomWorkerFunc) read_in_thread, (GDestroyNotify) input_free, g_free };
  self->asked = self->under;
  self->busy = TRUE;
  loom_worker_run (NULL, &kind, LOOM_WORKER_INPUT (Input, loom_timeline_ref (timeline), self->under), read_done,
                   g_rc_box_acquire (self));
}

static void
read_done (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  HoverArgs *self = owner;
  const Input *input = data;
  g_autofree char *note = result;
  self->busy = FALSE;
  if (self->view != NULL) {
    LoomTimeline *timeline = loom_timeline_state_get_timeline (self->state);
    if (timeline == input->timeline) {
      loom_timeline_view_set_note (self->view, input->span, note);
      g_free (self->args);
      self->args = g_steal_pointer (&note);
    }
    if (!loom_timeline_span_id_equal (self->under, self->asked))
      ask (self);
    else if (timeline == input->timeline)
      compare (self, timeline);
  }
  release (self);
}

static void
hovered (LoomTimelineView *view, guint trace, guint span, HoverArgs *self)
{
  self->under = (LoomSpanId) { trace, span };
  loom_worker_cancel (&self->comparing);
  if (!self->busy)
    ask (self);
}

static void
clear (gpointer data)
{
  HoverArgs *self = data;
  loom_worker_cancel (&self->comparing);
  g_clear_weak_pointer (&self->view);
  g_object_unref (self->state);
  g_free (self->args);
}

static void
release (gpointer data)
{
  g_rc_box_release_full (data, clear);
}

void
loom_hover_details_attach (LoomTimelineView *view, LoomTimelineState *state)
{
  g_return_if_fail (LOOM_IS_TIMELINE_VIEW (view));
  HoverArgs *self = g_rc_box_new0 (HoverArgs);
  self->under = self->asked = LOOM_SPAN_ID_NONE;
  g_set_weak_pointer (&self->view, view);
  self->state = g_object_ref (state);
  g_signal_connect (view, "span-hovered", G_CALLBACK (hovered), self);
  g_object_set_data_full (G_OBJECT (view), "loom-hover-args", self, release);
}
