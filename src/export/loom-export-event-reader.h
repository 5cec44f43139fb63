/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the event of a merge item: its text in the file, its name as drawn, its args as exported. One reader per
 * thread; results are valid until its next call.
 */
#pragma once

#include "loom-block-cache.h"
#include "loom-event-stack.h"
#include "loom-kway-merge.h"
#include "loom-shared-block-cache.h"

typedef struct {
  gboolean has_event;
  LoomEvent event;
  gboolean clean;    /* the text is strict JSON on one line */
  gboolean repaired; /* the text or the args were repaired: they were not strict JSON on one line */
  const char *name;  /* the name that is drawn; "": none */
  const char *category;
  char phase;          /* the phase in the export: X, C, b e, S F, s t f, or an instant's own phase */
  char scope;          /* the scope of an instant; else '\0' */
  const GString *args; /* replaces the event's args; NULL: use the event's args, if any */
  gboolean no_args;    /* no args, even if the event's text has some */
  /* the stack that the E event of a begin/end pair states, in the entries LOOM_EVENT_STACK_BEGIN, because E states it
   * as its own begin stack; else absent */
  LoomEventStack end;
} LoomExportEvent;

typedef struct _LoomExportEventReader LoomExportEventReader;

/* Makes a reader. `split_async`: the begin and end events of an async span keep separate args, because both are
 * written; otherwise their args are merged, like the args of a begin/end pair. */
LoomExportEventReader *loom_export_event_reader_new (LoomTimeline *timeline, gboolean split_async);
void loom_export_event_reader_free (LoomExportEventReader *reader);

/* Makes the reader search texts in `window` first, so that it needs little memory of its own. */
void loom_export_event_reader_set_window (LoomExportEventReader *reader, LoomSharedBlockWindow *window);

/* Reads the event of an item. `sweep` is the merge that returned the item; it has the samples of a counter. An item
 * without text gets the members that the drawn event has. Returns FALSE if the source cannot be read any more
 * (LOOM_ERROR_READ, LOOM_ERROR_FORMAT). */
gboolean loom_export_event_reader_read (LoomExportEventReader *reader, const LoomKwayMerge *sweep,
                                        const LoomMergeItem *item, LoomExportEvent *drawn, GError **error);

/* Like loom_export_event_reader_read(), but without the merge: `samples` are those of the item if it is a counter
 * event. */
gboolean loom_export_event_reader_read_sampled (LoomExportEventReader *reader, const LoomMergeSample *samples,
                                                guint n_samples, const LoomMergeItem *item, LoomExportEvent *drawn,
                                                GError **error);

/* Fills in only name, category, phase and scope, which need no text. `phase`: phase in the event's text, '\0': none. */
void loom_export_event_reader_describe (LoomExportEvent *drawn, const LoomTrace *trace, const LoomMergeItem *item,
                                        char phase);

/* Appends the args as strict JSON on one line; nothing if there are none. */
void loom_export_event_reader_append_args (const LoomExportEvent *drawn, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExportEventReader, loom_export_event_reader_free)
