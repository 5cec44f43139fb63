/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the contents of an XSpace file except its events (tsl/profiler/protobuf/xplane.proto). Names are
 * read once before the events, because they may follow the events that use them.
 */
#pragma once

#include "loom-launch-links.h"
#include "loom-memory-budget.h"
#include "loom-progress.h"
#include "loom-proto-window.h"

typedef enum {
  LOOM_XPLANE_HOST,   /* the plane contains threads of the host */
  LOOM_XPLANE_DEVICE, /* the plane contains work of a device */
  LOOM_XPLANE_HIDDEN, /* the plane contains no times */
} LoomXplaneKind;

/* What all events with one name have in common. */
typedef struct {
  char *name; /* the name in the form it has in JSON, without quotes */
  /* the fields of the metadata message that are statistics, which apply to all events of this name; NULL: it has none.
   * Kept, because the message is far away in the file from the events */
  guint8 *stats;
  gsize n_stats; /* length of `stats` in bytes */
} LoomXplaneName;

/* Ids of the kinds of statistics that link events to each other. Ids are valid within one plane; 0: the plane lacks
 * this kind. */
typedef struct {
  gint64 correlation, producer, producer_type, consumer, consumer_type;
} LoomXplaneLinkIds;

typedef struct {
  char *name; /* name of the plane in the form it has in JSON, without quotes */
  LoomXplaneKind kind;
  GHashTable *names; /* id of event metadata → LoomXplaneName */
  GHashTable *stats; /* id of a kind of statistic → its name in the form it has in JSON, without quotes */
  LoomXplaneLinkIds links;
} LoomXplane;

typedef struct {
  guint plane;       /* index of the plane to which the line belongs */
  gboolean is_first; /* TRUE if the line is the first one of its plane */
  gint64 id;
  char *name;         /* name of the line in the form it has in JSON, without quotes */
  char *place;        /* JSON text with the members pid and tid of the events of the line */
  gint64 start_ns;    /* start of the line in ns; the times of its events count from it */
  guint64 begin, end; /* the bytes `begin` to `end` of the file are the message of this line */
  guint64 n_events;
  guint64 first_event; /* number of events in all earlier lines */
} LoomXplaneLine;

typedef struct {
  LoomProtoWindow *file;
  GArray *planes;              /* LoomXplane */
  GArray *lines;               /* LoomXplaneLine: the lines that have events */
  GPtrArray *hosts, *problems; /* char * */
  gint64 start_ns;             /* start of the profile, UTC; 0: unknown */
  guint64 n_programs;          /* number of programs in the file, which are not shown */
  guint64 n_hidden;            /* number of events of planes that are not shown */
  gboolean is_converted;       /* bytes that are not UTF-8 were replaced, for example by a text editor */
  guint64 damage;              /* offset of the first damage; G_MAXUINT64: none */
  /* links from calls (events of the host) to rows (events of devices); an event is identified by its number, counted
   * over all lines in `lines` */
  LoomLaunchLinks *launches;
  /* links from producers (calls) to consumers (rows); each event has the same number whether it is a producer or a
   * consumer */
  LoomLaunchLinks *tasks;
  /* numbers of problems of each kind; counted while the text of events is made */
  guint64 n_backwards, n_aggregated, n_unnamed, n_damaged;
  LoomMemoryBudget *budget; /* used only by loom_xplane_space_new() */
  guint64 n_fields;         /* number of fields read so far; the budget is checked now and then */
} LoomXplaneSpace;

/* Reads everything in the file except the events. Takes ownership of `file`, which has `n_bytes` bytes. Of the events,
 * only the statistics that link them are read. Stops early if the memory budget is used up. Returns NULL only if
 * cancelled. */
LoomXplaneSpace *loom_xplane_space_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress,
                                        LoomMemoryBudget *budget);
void loom_xplane_space_free (LoomXplaneSpace *self);

/* A statistic of an event or of its metadata. */
typedef struct {
  gint64 id;
  /* `number`, the number of the field, gives the type: 2 double, 3 unsigned, 4 signed, 5 text, 6 bytes, 7 id of a name
   * in LoomXplane.stats */
  LoomProtoField value;
} LoomXplaneStat;

/* Parses a statistic. Returns FALSE if it has no value. */
gboolean loom_xplane_space_parse_stat (const LoomProtoField *message, LoomXplaneStat *stat);
