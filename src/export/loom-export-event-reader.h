/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands behind an item of a sweep: its text in the file, its name as drawn, its args as they are exported. One
 * reader per thread; what it returns is valid until its next call.
 */
#pragma once

#include "loom-block-cache.h"
#include "loom-event-stack.h"
#include "loom-kway-merge.h"
#include "loom-shared-block-cache.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_event;
  LoomEvent event;
  gboolean clean;    /* the text is strict JSON on one line */
  gboolean repaired; /* … and was not, or the args were not */
  const char *name;  /* drawn; "" for none */
  const char *category;
  char phase;          /* as it is exported: X, C, b e, S F, s t f, or the instant's own */
  char scope;          /* of instants, else '\0' */
  const GString *args; /* in place of the event's own; NULL: those of the event, if any */
  gboolean no_args;    /* it has none, whatever the event's text says */
  LoomEventStack end;  /* BEGIN of it: what the E of a pair says it was in, that is where the pair ended; else absent */
} LoomExportEvent;

typedef struct _LoomExportEventReader LoomExportEventReader;

/* `split_async`: the begin of an async span has the args of its begin, the end those of its end (for writing both);
 * otherwise they are merged as those of a begin/end pair are. */
LoomExportEventReader *loom_export_event_reader_reader_new (LoomTimeline *timeline, gboolean split_async);
void loom_export_event_reader_reader_free (LoomExportEventReader *reader);

/* Texts are looked for in `window` first, and only few bytes are kept besides. */
void loom_export_event_reader_reader_set_window (LoomExportEventReader *reader, LoomSharedBlockWindow *window);

/* `sweep` is where the item comes from (its counter samples are looked at). An item without text is made up from what is
 * drawn. FALSE when the source cannot be read any more (LOOM_ERROR_READ, LOOM_ERROR_FORMAT). */
gboolean loom_export_event_reader_reader_read (LoomExportEventReader *reader, const LoomKwayMerge *sweep,
                                               const LoomMergeItem *item, LoomExportEvent *drawn, GError **error);

/* The same without the sweep: `samples` are those of the item where it is a counter's. */
gboolean loom_export_event_reader_reader_read_sampled (LoomExportEventReader *reader, const LoomMergeSample *samples,
                                                       guint n_samples, const LoomMergeItem *item,
                                                       LoomExportEvent *drawn, GError **error);

/* Only name, category, phase and scope, which take no text. `phase` is the one of the event's text, '\0' for none. */
void loom_export_event_reader_describe (LoomExportEvent *drawn, const LoomTrace *trace, const LoomMergeItem *item,
                                        char phase);

/* The args as strict JSON on one line, appended; nothing when there are none. */
void loom_export_event_reader_append_args (const LoomExportEvent *drawn, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomExportEventReader, loom_export_event_reader_reader_free)

G_END_DECLS
