/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: Chrome trace events into a builder, as formats/chrome-trace-events.md says. Every importer of
 * a format made of such events uses this and changes what its page says through the hooks.
 */
#pragma once

#include "loom-chrome-carry-over.h"
#include "loom-importer.h"
#include "loom-parse-time.h"

G_BEGIN_DECLS

typedef struct _LoomChromeImporter LoomChromeImporter;

/* Texts kept of metadata that has no other meaning: keys and values together. */
#define LOOM_CHROME_IMPORTER_MAX_FACTS 200

/* Any hook may be NULL. */
typedef struct {
  /* Metadata events; TRUE when dealt with, else the usual meaning applies. */
  gboolean (*metadata) (LoomChromeImporter *chrome, const LoomEvent *event);
  /* Where an event belongs; instead of pid and tid. LOOM_ID_NONE for an absent thread. */
  void (*place) (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread);
  /* Times of a complete span (or, with dur 0, of any other event) before they are stored. flags: LoomRefFlags. */
  void (*adjust) (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *start_ns, gint64 *dur_ns, guint *flags);
  /* A top-level member. Never called of a piece. */
  void (*member) (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value);
  /* Of pieces read ahead at the same time, for what `carry` is too slow for; without fork they share `data`, which then is
   * not to be written by the hooks above. What a piece starts with, whether it would have started so, and putting what it
   * learnt behind the whole's. */
  gpointer (*fork) (const LoomChromeImporter *whole);
  gboolean (*fits) (const LoomChromeImporter *whole, const LoomChromeImporter *piece);
  void (*pass_on) (const LoomChromeImporter *piece, LoomChromeImporter *whole);
  void (*drop) (gpointer data);
  /* The literal of the name of a counter; absent: that of its event. */
  LoomJsonSlice (*counter_name) (const LoomEvent *event);
} LoomChromeImporterHooks;

struct _LoomChromeImporter {
  LoomImporter *import;
  const LoomFoundFile *file; /* borrowed */
  LoomTraceBuilder *builder;
  guint source;
  LoomSource *info; /* of the source */
  const LoomChromeImporterHooks *hooks;
  gpointer data;            /* the importer's own */
  gint64 base_ns;           /* added to every time; may change while reading (smdebug) */
  gboolean open_x_is_point; /* X without dur: zero-length instead of unfinished */
  /* Read while scanning, in the file's own times: */
  guint64 n_timed;
  guint64 n_absolute;     /* ts between 10^15 and 4·10^15 µs */
  gint64 max_end_ns;      /* of those that are no epoch */
  gboolean stopped_early; /* unterminated or cut */
  GString *scratch;
  LoomChromeState *carry; /* may be NULL */
  GArray *deferred;    /* not NULL while reading ahead: members, for loom_chrome_parallel_parse_member() of the whole */
  guint64 n_seen;      /* events handed in */
  guint64 look_offset; /* where the budget is looked at anew, whatever their number */
  gboolean has_long;   /* a text of the event at hand was cut */
  guint64 n_reserved, n_reserved_flows; /* events that room was reserved for */
  gboolean full;                        /* stopped at the memory budget */
  gboolean only_members;                /* reads the end of a file it could not read whole */
  gboolean refused;                     /* read ahead what only the whole can read */
  struct _LoomNameCache *names;
  struct _LoomLaneCache *lanes;
  struct _LoomCounterCache *counters;
  GByteArray *meeting_kinds; /* by name id: loom-chrome-sync-events.c */
};

/* Adds a source with a clock of its own (clock G_MAXUINT) or on an existing one, and reads the file. On failure the
 * file is recorded as failed and *chrome_ok is FALSE; the return is FALSE only when cancelled. */
typedef struct {
  const char *format;
  const LoomChromeImporterHooks *hooks;
  gpointer data;
  guint clock; /* G_MAXUINT: a new one */
  gint64 base_ns;
  gboolean open_x_is_point;
  gboolean splittable;    /* pieces may be read at the same time */
  LoomChromeState *carry; /* what events take over from those before them; NULL: nothing but base_ns */
  gboolean keeps_places;  /* the hooks set node and rank of processes; else all get the source's */
  /* After scanning, before the source is closed: ranks, labels, anchors. May be NULL. */
  void (*finish) (LoomChromeImporter *chrome, LoomStreamReader *reader);
} LoomChromeImporterJob;

gboolean loom_chrome_importer_read (LoomImporter *import, const LoomFoundFile *file, const LoomChromeImporterJob *job,
                                    GError **error);

/* The process and thread of an event by its pid and tid. */
void loom_chrome_importer_place_by_ids (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process,
                                        guint32 *thread);

/* Horovod's readiness ticks, complete events named by a rank's number, get the duration 0: what rotated files say means
 * nothing. A duration that is lost by that is logged. */
void loom_chrome_importer_adjust_tick (LoomChromeImporter *chrome, const LoomEvent *event, gint64 *dur_ns);

/* The literal text of an id as a key: blanks cut, "7.0" → 7, null → "". */
LoomJsonSlice loom_chrome_importer_id_key (LoomJsonSlice id);

/* Where an event belongs, by the hooks. */
static inline void
loom_chrome_importer_place (LoomChromeImporter *chrome, const LoomEvent *event, guint32 *process, guint32 *thread)
{
  if (chrome->hooks != NULL && chrome->hooks->place != NULL)
    chrome->hooks->place (chrome, event, process, thread);
  else
    loom_chrome_importer_place_by_ids (chrome, event, process, thread);
}

/* TRUE in a piece: what stands before it is not known for certain. */
static inline gboolean
loom_chrome_importer_is_ahead (const LoomChromeImporter *chrome)
{
  return chrome->deferred != NULL;
}

/* Decoded text of a slice, cut where it is too long for a name or label; valid until the next call. */
const char *loom_chrome_importer_text (LoomChromeImporter *chrome, LoomJsonSlice slice);

/* Sets state and basis of the source's clock, and what was added to the file's readings. */
void loom_chrome_importer_set_clock (LoomChromeImporter *chrome, LoomClockState state, const char *basis,
                                     gint64 base_ns);

/* Warns in the log of the source that a date is outside what int64 nanoseconds can hold and was therefore not used.
 * `where` names the place of the date and is marked with N_(). */
void loom_chrome_importer_note_far_date (LoomChromeImporter *chrome, const char *where);

/* The anchor rule of files nobody claims: a median ts between 10^15 and 4·10^15 is an epoch. */
void loom_chrome_importer_guess_epoch (LoomChromeImporter *chrome);

/* TRUE when more than half of the times are epoch microseconds. */
static inline gboolean
loom_chrome_importer_is_absolute (const LoomChromeImporter *chrome)
{
  return chrome->n_absolute * 2 > chrome->n_timed;
}

G_END_DECLS
