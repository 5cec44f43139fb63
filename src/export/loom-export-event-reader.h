/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the event of an item that a merge by time returns (LoomMergeItem): its text in the file, its name on the
 * timeline, and its args as they are exported. Each thread needs a reader of its own. Results are valid until the next
 * call with the same reader.
 */
#pragma once

#include "loom-block-cache.h"
#include "loom-event-stack.h"
#include "loom-kway-merge.h"
#include "loom-shared-block-cache.h"

typedef struct {
  gboolean has_event;
  LoomEvent event;
  gboolean clean;    /* the text of the event is strict JSON on one line */
  gboolean repaired; /* the text or the args of the event were not strict JSON on one line, and have been repaired */
  const char *name;  /* the name with which the event is drawn on the timeline; "": none */
  const char *category;
  char phase; /* the phase to write: X, C, b, e, S, F, s, t or f; for an instant, the phase that it has in its file */
  char scope; /* the scope of an instant; else '\0' */
  const GString *args; /* args to write instead of those in `event`; NULL: those in `event`, if there are any */
  gboolean no_args;    /* TRUE: no args are to be written, even if `event` has some */
  /* for a begin/end pair: the call stack of the E event; else absent. The E event states its stack in the members sf or
   * stack, not esf or estack, so the stack is at the index LOOM_EVENT_STACK_BEGIN of `end`. loom_event_stack_take_end()
   * makes it the end stack of the pair */
  LoomEventStack end;
} LoomExportEvent;

typedef struct _LoomExportEventReader LoomExportEventReader;

/* Makes a reader. `keeps_all` TRUE: for files from which a run can be loaded again. Both events of an async span are
 * written, so that each keeps its own args. If args of the E event of a begin/end pair replace args of the B event, the
 * replaced args are kept in LOOM_MEMBER_BEGIN_ARGS. `keeps_all` FALSE: the args of both events of a span are merged, as
 * in chrome://tracing. */
LoomExportEventReader *loom_export_event_reader_new (LoomTimeline *timeline, gboolean keeps_all);
void loom_export_event_reader_free (LoomExportEventReader *reader);

/* Makes the reader take the texts of events from the blocks of `window`, which are in memory already. The reader then
 * needs little memory of its own. */
void loom_export_event_reader_set_window (LoomExportEventReader *reader, LoomSharedBlockWindow *window);

/* Makes the reader skip the check whether the text of an event is strict JSON, because this check takes half of the
 * time of reading. `clean` of the events is FALSE until loom_export_event_reader_check() is called. */
void loom_export_event_reader_set_unchecked (LoomExportEventReader *reader);
/* Sets the members `clean` and `repaired` of an event that was read without the check for strict JSON. */
void loom_export_event_reader_check (LoomExportEvent *drawn);

/* Reads the event of an item. `sweep`: the merge that returned the item; for a counter event, the reader takes the
 * samples from this merge. If the event has no text in a file, the members of `drawn` are made from what the timeline
 * shows. Returns FALSE if the source cannot be read any more (LOOM_ERROR_READ, LOOM_ERROR_FORMAT). */
gboolean loom_export_event_reader_read (LoomExportEventReader *reader, const LoomKwayMerge *sweep,
                                        const LoomMergeItem *item, LoomExportEvent *drawn, GError **error);

/* Like loom_export_event_reader_read(), but without a merge: the samples of a counter event are passed in `samples`. */
gboolean loom_export_event_reader_read_sampled (LoomExportEventReader *reader, const LoomMergeSample *samples,
                                                guint n_samples, const LoomMergeItem *item, LoomExportEvent *drawn,
                                                GError **error);

/* Sets only the members of `drawn` for which no file must be read: name, category, phase and scope. `phase`: phase in
 * the text of the event, '\0': none. */
void loom_export_event_reader_describe (LoomExportEvent *drawn, const LoomTrace *trace, const LoomMergeItem *item,
                                        char phase);

/* Appends the args as strict JSON on one line; nothing if there are none. */
void loom_export_event_reader_append_args (const LoomExportEvent *drawn, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExportEventReader, loom_export_event_reader_free)
