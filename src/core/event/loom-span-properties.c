/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-properties.h: formats the properties of a span as texts.
 */
#include "loom-span-properties.h"

#include "loom-archive-path.h"
#include "loom-collective-flows.h"
#include "loom-ellipsize.h"
#include "loom-locale-number.h"
#include "loom-page-clocks.h"
#include "loom-range-text.h"
#include "loom-ruler.h"
#include "loom-span-children.h"
#include "loom-span-relations.h"
#include "loom-track-label.h"

#include <glib/gi18n.h>
#include <stdio.h>

#define MAX_PARENTS 64
#define MAX_FRAMES 64 /* maximum number of displayed functions of a stack */

void
loom_span_properties_free_property (LoomProperty *fact)
{
  g_free (fact->word);
  g_free (fact->value);
  g_free (fact->more);
  g_free (fact);
}

static void
add (GPtrArray *facts, const char *word, const char *value)
{
  if (value == NULL || *value == '\0')
    return;
  LoomProperty *fact = g_new0 (LoomProperty, 1);
  fact->word = g_strdup (word);
  fact->value = g_strdup (value);
  g_ptr_array_add (facts, fact);
}

static void
take (GPtrArray *facts, const char *word, char *value)
{
  add (facts, word, value);
  g_free (value);
}

/* Returns a text with the time since the start of the run and, if the run has steps, the time since the start of the
 * step on the track's rank. */
static char *
dup_start (LoomTimeline *timeline, LoomSteps *steps, LoomTrackId track, gint64 time_ns)
{
  g_autofree char *since = loom_ruler_format (timeline, NULL, LOOM_RULER_UNIT_SINCE_START, time_ns),
                  *step = loom_ruler_format_step (timeline, steps, &track, time_ns);
  return g_strjoin (" · ", since, step, NULL);
}

/* Returns the time in three units of the ruler (UTC, local time, and time since the start of the job), one per line.
 * Omits those that the ruler cannot show for this run; "" if it can show none of them. */
static char *
dup_other_readings (LoomTimeline *timeline, gint64 time_ns)
{
  GString *text = g_string_new (NULL);
  for (LoomRulerUnit reading = 0; reading < LOOM_N_RULER_UNITS; reading++) {
    if (reading == LOOM_RULER_UNIT_STEP || reading == LOOM_RULER_UNIT_SINCE_START ||
        !loom_ruler_can_show (timeline, NULL, reading))
      continue;
    g_autofree char *line = reading == LOOM_RULER_UNIT_UTC ? loom_time_format_date (time_ns)
                                                           : loom_ruler_format (timeline, NULL, reading, time_ns);
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
    if (reading == LOOM_RULER_UNIT_LOCAL)
      g_string_append_printf (text, " %s", C_ ("reading", "local time"));
    else if (reading == LOOM_RULER_UNIT_JOB)
      g_string_append_printf (text, " %s", _ ("since job start"));
  }
  return g_string_free (text, FALSE);
}

static void
add_times (GPtrArray *facts, LoomTimeline *timeline, LoomSteps *steps, LoomSpanId span, guint32 track_number)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  const LoomTrack *track = loom_trace_get_track (trace, track_number);
  gint64 start_ns, end_ns;
  loom_timeline_get_span (timeline, span, &start_ns, &end_ns);
  if (track->kind != LOOM_TRACK_INSTANTS) {
    take (facts, _ ("Duration"), loom_time_format_exact (end_ns - start_ns));
    gint64 self_ns = track->kind == LOOM_TRACK_SPANS ? loom_span_children_self_ns (trace, span.span) : -1;
    if (self_ns >= 0 && self_ns != end_ns - start_ns)
      take (facts, _ ("Self time"), loom_time_format_exact (self_ns));
  }
  take (facts, track->kind == LOOM_TRACK_INSTANTS ? _ ("Time") : _ ("Start"),
        dup_start (timeline, steps, (LoomTrackId) { span.trace, track_number }, start_ns));
  g_autofree char *more = dup_other_readings (timeline, start_ns);
  if (*more != '\0')
    ((LoomProperty *) facts->pdata[facts->len - 1])->more = g_steal_pointer (&more);
}

static char *
clock_text (LoomTimeline *timeline, guint trace, guint clock)
{
  guint flat = loom_run_get_first_clock (loom_timeline_get_run (timeline), trace) + clock;
  const LoomClockFit *fit = loom_alignment_get (loom_timeline_get_alignment (timeline), flat);
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, "%s %s", loom_page_clocks_get_state_dot (fit->state),
                          loom_page_clocks_describe_state (fit->state));
  if (fit->basis != NULL && *fit->basis != '\0')
    g_string_append_printf (text, " (%s)", loom_declared_clock_describe_basis (fit->basis));
  if (fit->map.offset_ns != 0) {
    g_autofree char *offset = loom_time_format_exact (fit->map.offset_ns);
    g_string_append_printf (text,
                            /* Translators: added to the state of a clock; %s is the duration by which the times of the
                             * clock were shifted */
                            _ (", moved by %s"), offset);
  }
  if (fit->error_ns >= 0) {
    g_autofree char *error = loom_time_format_duration (fit->error_ns);
    g_string_append_printf (text, ", ±%s", error);
  }
  return g_string_free (text, FALSE);
}

static void
prepend_parent (GString *text, const LoomTrace *trace, guint trace_number, guint32 span)
{
  const LoomName *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span]);
  g_autofree char *escaped = loom_ellipsize_markup (*name->text != '\0' ? name->text : _ ("(no name)"));
  g_autofree char *link =
    g_strdup_printf ("<a href=\"span:%u:%u\">%s</a>%s", trace_number, span, escaped, text->len > 0 ? " › " : "");
  g_string_prepend (text, link);
}

static void
add_parents (GPtrArray *facts, const LoomTrace *trace, LoomSpanId span)
{
  GString *text = g_string_new (NULL);
  guint n = 0;
  for (guint32 at = loom_trace_get_parent (trace, span.span); at != G_MAXUINT32 && n < MAX_PARENTS; n++) {
    prepend_parent (text, trace, span.trace, at);
    at = loom_trace_get_parent (trace, at);
  }
  if (text->len > 0) {
    add (facts, _ ("Parent"), text->str);
    ((LoomProperty *) facts->pdata[facts->len - 1])->links = TRUE;
  }
  g_string_free (text, TRUE);
}

/* Appends a property whose value contains links; if `markup` is NULL, appends nothing. Takes ownership of `markup`. */
static void
take_links (GPtrArray *facts, const char *word, char *markup)
{
  take (facts, word, markup);
  if (markup != NULL)
    ((LoomProperty *) facts->pdata[facts->len - 1])->links = TRUE;
}

static void
add_kin (GPtrArray *facts, LoomTimeline *timeline, LoomSpanId span)
{
  take_links (facts, _ ("Children"), loom_span_relations_dup_inner (timeline, span));
  take_links (facts, _ ("Flow from"), loom_span_relations_dup_arrows (timeline, span, FALSE));
  take_links (facts, _ ("Flow to"), loom_span_relations_dup_arrows (timeline, span, TRUE));
}

static void
add_source (GPtrArray *facts, LoomTimeline *timeline, const LoomTrace *trace, LoomSpanId span, const LoomTrack *track)
{
  LoomRef ref = loom_trace_get_spans (trace)->ref[span.span];
  guint number = ref != LOOM_REF_NONE ? loom_source_ref_source (ref) : track->source;
  const LoomSource *source = loom_trace_get_source (trace, number);
  g_autofree char *base = g_path_get_basename (source->path);
  g_autofree char *name = loom_archive_path_dup_printable (base);
  g_autofree char *offset = loom_locale_number_group (
    ref != LOOM_REF_NONE ? loom_range_text_get_offset_in_file (source->text, loom_source_ref_offset (ref)) : 0);
  if (ref != LOOM_REF_NONE) {
    g_autofree char *place = g_strdup_printf (
                      /* Translators: the name of a file and a position in it */
                      _ ("%s, byte %s"), name, offset),
                    *escaped = loom_ellipsize_markup (place);
    take_links (facts, _ ("Source"), g_strdup_printf ("<a href=\"" LOOM_SOURCE_LINK "\">%s</a>", escaped));
  } else
    add (facts, _ ("Source"), name);
  take (facts, _ ("Clock"), clock_text (timeline, span.trace, track->clock));
  if (ref != LOOM_REF_NONE && loom_source_ref_flags (ref) & LOOM_REF_OPEN)
    add (facts, _ ("Note"),
         _ ("The file does not contain the end of this span, which is drawn up to the last event on its track."));
  if (ref != LOOM_REF_NONE && loom_source_ref_flags (ref) & LOOM_REF_SUSPECT)
    add (facts, _ ("Note"), _ ("The timestamps of this span are not plausible."));
}

char *
loom_span_properties_dup_place (LoomTimeline *timeline, const LoomSourceOverrides *names, LoomSpanId span)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span.span, &track, &row);
  return loom_track_label_dup_path (trace, loom_trace_get_track (trace, track), names);
}

GPtrArray *
loom_span_properties (LoomTimeline *timeline, LoomSteps *steps, const LoomCollectives *collectives, LoomSpanId span)
{
  GPtrArray *facts = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_span_properties_free_property);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), span.trace);
  guint32 track_number, row_number;
  loom_trace_locate_span (trace, span.span, &track_number, &row_number);
  const LoomTrack *track = loom_trace_get_track (trace, track_number);
  const LoomName *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span.span]);
  add_times (facts, timeline, steps, span, track_number);
  take (facts, _ ("Collective"), loom_collective_flows_dup_words (collectives, timeline, span));
  add (facts, _ ("Category"), name->category);
  if (track->kind == LOOM_TRACK_SPANS)
    add_parents (facts, trace, span);
  add_kin (facts, timeline, span);
  add_source (facts, timeline, trace, span, track);
  return facts;
}

void
loom_span_properties_add_path (GPtrArray *facts, const LoomPathOverlay *path, LoomSpanId span)
{
  if (path != NULL)
    take (facts, _ ("Critical path"), loom_path_overlay_dup_words (path, span));
}

/* Returns the text of the tooltip that says which call of the step a span is. */
static char *
dup_call (const LoomSpanPeers *peers)
{
  g_autofree char *call = loom_locale_number_group (peers->call), *n = loom_locale_number_group (peers->n_calls);
  /* Translators: "Call 37 of 128 with this name in the step" */
  return g_strdup_printf (_ ("Call %s of %s with this name in the step"), call, n);
}

int
loom_span_properties_add_peers (GPtrArray *facts, const LoomSpanPeers *peers)
{
  guint at = 0;
  char *text = peers != NULL ? loom_span_peers_describe (peers) : NULL;
  if (text == NULL)
    return -1;
  LoomProperty *fact = g_new0 (LoomProperty, 1);
  fact->word = g_strdup (peers->n_calls > 0 ? _ ("Same call") : _ ("Same name"));
  fact->value = text;
  fact->more = peers->n_calls > 0 ? dup_call (peers) : NULL;
  while (at < facts->len && !g_str_equal (((LoomProperty *) facts->pdata[at])->word, _ ("Start")))
    at++;
  g_ptr_array_insert (facts, (int) at, fact);
  return (int) at;
}

void
loom_span_properties_add_stack (GPtrArray *facts, const char *word, const GPtrArray *names)
{
  guint n = names != NULL ? MIN (names->len, MAX_FRAMES) : 0;
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < n; i++) {
    const char *name = names->pdata[i];
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", *name != '\0' ? name : _ ("(no name)"));
  }
  if (n > 0 && names->len > n) {
    g_autofree char *more = loom_locale_number_group (names->len - n);
    g_string_append_c (text, '\n');
    g_string_append_printf (text,
                            /* Translators: last line of a list of links to spans; %s is the number of spans that the
                             * list omits */
                            ngettext ("and %s more", "and %s more", names->len - n), more);
  }
  add (facts, word, text->str);
}

gboolean
loom_span_properties_from_link (const char *uri, LoomSpanId *span)
{
  return sscanf (uri, "span:%u:%u", &span->trace, &span->span) == 2;
}
