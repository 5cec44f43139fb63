/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: reads Chrome trace events (Google's “Trace Event Format”, with the leniency of Perfetto and
 * Catapult) into a LoomTraceBuilder. All importers of formats made of such events use it and implement the differences
 * of their format as hooks.
 */
#pragma once

#include "loom-chrome-carry-over.h"
#include "loom-importer.h"
#include "loom-parse-time.h"

typedef struct _LoomChromeImporter LoomChromeImporter;

/* Limit on the length of the array LoomSource.facts, in which each fact is two elements: key and value. */
#define LOOM_CHROME_IMPORTER_MAX_FACTS 200

/* Functions that an importer of a format based on Chrome's trace format provides, to handle the differences of its
 * format. Any of them may be NULL. */
typedef struct {
  /* Handles a metadata event. Returns FALSE if the event must be handled as in a plain Chrome trace instead. */
  gboolean (*metadata) (LoomChromeImporter *chrome, const LoomEvent *event);
  /* Sets the process and thread of an event; `thread` becomes LOOM_ID_NONE if the event has none. If the hook is NULL,
   * both are found by pid and tid. */
  void (*place) (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread);
  /* Adjusts the times of a complete span (or, with duration 0, of any other event) before they are stored. `flags`: the
   * LoomRefFlags of the event. */
  void (*adjust) (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags);
  /* If not 0, adjust() changes only events that start at or after this time in the file. */
  gint64 adjusts_from_ns;
  /* Handles a top-level member of the file. Never called for a piece, which is a part of the file that is read ahead in
   * parallel. */
  void (*member) (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
  /* Hooks for pieces: parts of the file that are read ahead in parallel. A format needs them if it keeps state between
   * events, and keeping this state as texts in LoomChromeImporter.carry would be slow. fork() returns the state that is
   * assumed at the start of a piece; it becomes the `data` of the piece. fits() checks, when the text before the piece
   * has been read, whether this assumption was right. pass_on() merges the state at the end of the piece into `whole`.
   * drop() frees the state. If `fork` is NULL, all pieces share one `data`, and metadata(), place() and adjust() must
   * not change it. */
  gpointer (*fork) (const LoomChromeImporter *whole);
  gboolean (*fits) (const LoomChromeImporter *whole, const LoomChromeImporter *piece);
  void (*pass_on) (const LoomChromeImporter *piece, LoomChromeImporter *whole);
  void (*drop) (gpointer data);
  /* Returns the literal of the name of a counter; a slice without text if the counter has the same name as its
   * events. */
  LoomJsonSlice (*counter_name) (const LoomEvent *event);
} LoomChromeImporterHooks;

struct _LoomChromeImporter {
  LoomImporter *import;
  const LoomFoundFile *file; /* the file that is read; borrowed */
  LoomTraceBuilder *builder;
  guint source;
  LoomSource *info; /* the source that is being read; it has the index `source` in the builder */
  const LoomChromeImporterHooks *hooks;
  gpointer data;  /* data of the format's importer, for its hooks */
  gint64 base_ns; /* added to every time in the file; may change during reading (in files of smdebug) */
  /* TRUE: a complete event (phase X) without dur becomes a point; FALSE: it becomes a span that never ended */
  gboolean open_x_is_point;
  /* n_timed: number of events with a time. This and the next two members are collected while scanning, from the times
   * in the file without `base_ns`. */
  guint64 n_timed;
  guint64 n_absolute; /* number of events whose ts is between 10^15 and 4·10^15 µs */
  gint64 max_end_ns;  /* latest end of those events whose ts is not between 10^15 and 4·10^15 µs */
  /* TRUE: the file ends inside an event, or before the bracket that closes the list of events */
  gboolean stopped_early;
  GString *scratch;
  LoomChromeState *carry; /* state that an event leaves for later events (loom-chrome-carry-over.h); may be NULL */
  /* top-level members that the reader of the whole file handles later; NULL unless this importer reads a piece of the
   * file ahead */
  GArray *deferred;
  guint64 n_seen; /* number of events that were received from the scanner */
  /* offset in the file at which the memory budget is checked again, even if the number of events since the last check
   * is less than LOOM_IMPORTER_LOOK_EVENTS */
  guint64 look_offset;
  gboolean has_long;                    /* TRUE if a text of the current event was too long and was truncated */
  guint64 n_reserved, n_reserved_flows; /* numbers of events and of flow events for which memory was reserved */
  gboolean full;                        /* TRUE if reading stopped because of the memory budget */
  /* TRUE: skip events and read only top-level members; set to read the last part of a file of which not all events were
   * read */
  gboolean only_members;
  /* offsets of events in the file, by which a range of it can be read later; NULL unless the load records them */
  LoomByteIndex *bytes;
  /* TRUE: this importer read a piece of the file ahead, and found content that only the reader of the whole file can
   * handle, so the piece must be read again */
  gboolean refused;
  struct _LoomNameCache *names;
  struct _LoomLaneCache *lanes;
  struct _LoomCounterCache *counters;
  /* array indexed by name id: a NameKind (loom-chrome-sync-events.c): whether an event with this name can be a sync
   * event (a collective, message or device wait) */
  GByteArray *meeting_kinds;
};

/* Describes how to read a file of one format. loom_chrome_importer_read() adds a source with the clock `clock` and
 * reads the file. It records a failure in import->failed and returns FALSE only if cancelled. */
typedef struct {
  const char *format;
  const LoomChromeImporterHooks *hooks;
  gpointer data;
  guint clock; /* the source's clock; G_MAXUINT: a new clock is added for the source */
  gint64 base_ns;
  gboolean open_x_is_point;
  /* TRUE: `adjust` does not change times; each time is the time in the file plus a base that is equal for all events */
  gboolean has_file_times;
  gboolean splittable; /* TRUE: pieces (parts) of the file may be read ahead in parallel */
  /* LoomChromeImporter.carry: state that an event leaves for later events; NULL: base_ns is the only state of this
   * kind */
  LoomChromeState *carry;
  /* TRUE: the hooks set node and rank of processes; FALSE: every process gets the node and rank of the source */
  gboolean keeps_places;
  /* Scans the text of the file and replaces loom_stream_reader_scan(). NULL: loom_stream_reader_scan() is used. */
  gboolean (*scan) (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error);
  /* Called after scanning and before the source is closed, to set ranks, labels, anchors. May be NULL. */
  void (*finish) (LoomChromeImporter *chrome, LoomStreamReader *reader);
} LoomChromeImporterJob;

gboolean loom_chrome_importer_read (LoomImporter *import, const LoomFoundFile *file, const LoomChromeImporterJob *job,
                                    GError **error);

/* Returns the process and thread of an event by its pid and tid. */
void loom_chrome_importer_place_by_ids (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process,
                                        guint32 *thread);

/* Sets the duration of Horovod's readiness ticks to 0. A readiness tick is a complete event whose name is the number
 * of a rank; in rotated files it has a meaningless duration. Logs durations other than 0. */
void loom_chrome_importer_adjust_tick (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *dur_ns);

/* A hook `adjust` for files that Traceloom has merged. Sets the flags of an event that its last member, "traceloom",
 * states: "open" if the span never ended, "suspect" if its times are implausible. Events without such flags do not have
 * this member. */
void loom_chrome_importer_adjust_marked (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns,
                                         gint64 *dur_ns, guint *flags);

/* Returns the key for an id literal: the literal itself, but the number 7.0 becomes 7, and null or an absent id becomes
 * "". */
LoomJsonSlice loom_chrome_importer_id_key (LoomJsonSlice id);

/* Sets the process and thread of an event, with the hook `place` if there is one. */
static inline void
loom_chrome_importer_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  if (chrome->hooks->place != NULL)
    chrome->hooks->place (chrome, event, process, thread);
  else
    loom_chrome_importer_place_by_ids (chrome, event, process, thread);
}

/* Returns TRUE if this importer reads a piece (a part of the file) before the text that precedes the piece has been
 * read. The state at the start of the piece is then an assumption. */
static inline gboolean
loom_chrome_importer_is_ahead (const LoomChromeImporter *chrome)
{
  return chrome->deferred != NULL;
}

/* Returns the decoded text of a slice, cut to the limit for names and labels; valid until the next call. */
const char *loom_chrome_importer_text (LoomChromeImporter *chrome, LoomJsonSlice slice);

/* Sets the state of the source's clock, and the base that is added to the times in the file. `basis`: where the base
 * was found. */
void loom_chrome_importer_set_clock (LoomChromeImporter *chrome, LoomClockState state, const char *basis,
                                     gint64 base_ns);

/* Warns in the log of the source that a date does not fit into 64-bit nanoseconds and was not used. `where`: words for
 * the place of the date, marked for translation with N_(). */
void loom_chrome_importer_note_far_date (LoomChromeImporter *chrome, const char *where);

/* Returns TRUE if more than half of the times are plausible microseconds since 1970. */
static inline gboolean
loom_chrome_importer_is_absolute (const LoomChromeImporter *chrome)
{
  return chrome->n_absolute * 2 > chrome->n_timed;
}
