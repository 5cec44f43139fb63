/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the contents of an XSpace file except its events (tsl/profiler/protobuf/xplane.proto). Names are
 * read once before the events, because they may follow the events that use them.
 */
#pragma once

#include "loom-launch-links.h"
#include "loom-progress.h"
#include "loom-proto-window.h"

typedef enum {
  LOOM_XPLANE_HOST,   /* threads of the host */
  LOOM_XPLANE_DEVICE, /* the plane of a device */
  LOOM_XPLANE_HIDDEN, /* the plane contains no times */
} LoomXplaneKind;

/* Metadata of all events with one name. */
typedef struct {
  char *name;     /* name as JSON without quotes */
  guint64 offset; /* offset in the file of the message with the statistics that these events have in common */
  guint64 n_bytes;
} LoomXplaneName;

/* Ids, valid within one plane, of the kinds of statistics that link events to each other; 0: the plane has no such
 * kind. */
typedef struct {
  gint64 correlation, producer, producer_type, consumer, consumer_type;
} LoomXplaneLinkIds;

typedef struct {
  char *name; /* name as JSON without quotes */
  LoomXplaneKind kind;
  GHashTable *names; /* id of event metadata → LoomXplaneName */
  GHashTable *stats; /* id of a statistic → its name as JSON without quotes */
  LoomXplaneLinkIds links;
} LoomXplane;

typedef struct {
  guint plane;       /* index of the plane */
  gboolean is_first; /* the first line of its plane */
  gint64 id;
  char *name;         /* name as JSON without quotes */
  gint64 start_ns;    /* start on the line's clock */
  guint64 begin, end; /* range of the message in the file */
  guint64 n_events;
  guint64 first_event; /* number of events in the lines before it */
} LoomXplaneLine;

typedef struct {
  LoomProtoWindow *file;
  GArray *planes;              /* LoomXplane */
  GArray *lines;               /* LoomXplaneLine; only those with events */
  GPtrArray *hosts, *problems; /* char * */
  gint64 start_ns;             /* start of the profile, UTC; 0: unknown */
  guint64 n_programs;          /* number of programs in the file, which are not shown */
  guint64 n_hidden;            /* number of events of planes that are not shown */
  gboolean is_converted;       /* bytes that are not UTF-8 were replaced, for example by a text editor */
  guint64 damage;              /* offset of the first damage; G_MAXUINT64: none */
  LoomLaunchLinks *launches;   /* rows: events of devices; calls: events of the host; both numbered over all lines */
  /* links from producers (calls) to consumers (rows); an event has the same number as producer and as consumer */
  LoomLaunchLinks *tasks;
  guint64 n_backwards, n_aggregated, n_unnamed, n_damaged; /* numbers of problems, counted while events are made */
} LoomXplaneSpace;

/* Reads everything except the events; takes over `file`. `n_bytes`: its length. Returns NULL only if cancelled. It
 * reads only the beginnings of fields, but searches the statistics of all events for links. */
LoomXplaneSpace *loom_xplane_space_new (LoomByteSource *file, guint64 n_bytes, LoomProgress *progress);
void loom_xplane_space_free (LoomXplaneSpace *self);

/* A statistic of an event or of its metadata. */
typedef struct {
  gint64 id;
  /* `number` is the number of the field: 2 double, 3 unsigned, 4 signed, 5 text, 6 bytes, 7 id of the name of a statistic */
  LoomProtoField value;
} LoomXplaneStat;

/* Parses a statistic. Returns FALSE if it has no value. */
gboolean loom_xplane_space_parse_stat (const LoomProtoField *message, LoomXplaneStat *stat);
