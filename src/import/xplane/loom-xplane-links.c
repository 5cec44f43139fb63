/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds links between the events of an XSpace: from an event that launches work to this work, and from an event that
 * produces data to the event that consumes them. The interface is described in loom-xplane-links.h.
 */
#include "loom-xplane-links.h"

#include "loom-xplane-fields.h"

enum { EVENT_STAT = 4 };

#define MOST_EVENT_BYTES (16u * 1024 * 1024)

/* A statistic by which an event is linked. */
typedef struct {
  guint64 event, process, id;
} Link;

#define RECENT_PAIRS 128

/* The rows or the calls of a kind of links (Kind): numbers of the events and the ids that link them, in the order of
 * the file. */
typedef struct {
  GArray *pairs; /* guint64, id << 32 | number of the event, for each link whose id and event number fit into 32 bits */
  /* the last pairs, which are not in `pairs` yet: appending each to the array would take a third of the time of
   * reading an event */
  guint64 recent[RECENT_PAIRS];
  guint n_recent;
  GArray *large; /* Link elements: the other links, which are rare */
} Side;

/* A kind of links. Each of the `rows` is linked to one of the `calls`. The calls are complete only after all events
 * were read, so both sides are collected first. */
typedef struct {
  Side rows, calls;
} Kind;

struct _LoomXplaneLinks {
  Kind launches; /* links of device events (`rows`) to the host events that launched them (`calls`) */
  Kind tasks;    /* links of consumers (`rows`) to their producers (`calls`) */
};

static void
open_side (Side *side)
{
  side->pairs = g_array_new (FALSE, FALSE, sizeof (guint64));
  side->large = g_array_new (FALSE, FALSE, sizeof (Link));
}

static void
clear_side (Side *side)
{
  g_array_unref (side->pairs);
  g_array_unref (side->large);
}

static void
flush_recent (Side *side)
{
  g_array_append_vals (side->pairs, side->recent, side->n_recent);
  side->n_recent = 0;
}

static inline void
add_link (Side *side, guint64 event, guint64 process, guint64 id)
{
  const Link link = { event, process, id };
  if (G_UNLIKELY (process != 0 || (id | event) > G_MAXUINT32)) {
    g_array_append_val (side->large, link);
    return;
  }
  side->recent[side->n_recent++] = id << 32 | event;
  if (side->n_recent == RECENT_PAIRS)
    flush_recent (side);
}

LoomXplaneLinks *
loom_xplane_links_new (void)
{
  LoomXplaneLinks *self = g_new0 (LoomXplaneLinks, 1);
  open_side (&self->launches.rows);
  open_side (&self->launches.calls);
  open_side (&self->tasks.rows);
  open_side (&self->tasks.calls);
  return self;
}

typedef struct {
  /* values of the statistics that link an event to other events, in the order of the members of LoomXplaneLinkIds */
  guint64 number[5];
  gboolean has[5];
} Links;

/* Returns TRUE if the plane has statistics that link events. */
static gboolean
has_links (const LoomXplane *plane)
{
  const LoomXplaneLinkIds *ids = &plane->links;
  return plane->kind != LOOM_XPLANE_HIDDEN && (ids->correlation != 0 || ids->producer != 0 || ids->consumer != 0);
}

/* Stores the value of a statistic in `links` if the statistic links events. */
static inline void
note_link (const LoomXplane *plane, const LoomXplaneStat *stat, Links *links)
{
  const gint64 *ids = (const gint64 *) &plane->links;
  for (guint i = 0; i < G_N_ELEMENTS (links->has); i++)
    if (ids[i] == stat->id && stat->id != 0 && stat->value.wire == LOOM_PROTO_VARINT) {
      links->number[i] = stat->value.value;
      links->has[i] = TRUE;
    }
}

/* Reads the links of an event that has only the usual fields. Returns FALSE if the event has other fields or is
 * damaged. */
static inline gboolean
find_usual_links (const LoomXplane *plane, const guint8 *p, const guint8 *end, Links *links)
{
  guint64 number;
  const guint8 *content;
  LoomXplaneStat stat;
  while (p < end)
    switch (*p++) {
    case LOOM_XPLANE_KEY_EVENT_NAME:
    case LOOM_XPLANE_KEY_EVENT_OFFSET:
    case LOOM_XPLANE_KEY_EVENT_DURATION:
      if (!loom_proto_read_varint (&p, end, &number))
        return FALSE;
      break;
    case LOOM_XPLANE_KEY_EVENT_STAT:
      if (!loom_xplane_fields_read_bytes (&p, end, &content))
        return FALSE;
      if (loom_xplane_fields_read_stat (content, p, &stat))
        note_link (plane, &stat, links);
      break;
    default: return FALSE;
    }
  return TRUE;
}

static void
find_links (const LoomXplane *plane, const guint8 *p, const guint8 *end, Links *links)
{
  LoomProtoField field;
  LoomXplaneStat stat;
  *links = (Links) { 0 };
  while (loom_proto_next (&p, end, &field))
    if (field.number == EVENT_STAT && field.wire == LOOM_PROTO_BYTES &&
        loom_xplane_fields_read_stat (field.bytes, field.bytes + field.value, &stat))
      note_link (plane, &stat, links);
}

static inline void
add (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 *bytes, gsize n_bytes)
{
  enum { CORRELATION, PRODUCER, PRODUCER_TYPE, CONSUMER, CONSUMER_TYPE };
  Links links = { 0 };
  if (!find_usual_links (plane, bytes, bytes + n_bytes, &links))
    find_links (plane, bytes, bytes + n_bytes, &links);
  if (links.has[CORRELATION] && links.number[CORRELATION] != 0)
    add_link (plane->kind == LOOM_XPLANE_DEVICE ? &self->launches.rows : &self->launches.calls, number, 0,
              links.number[CORRELATION]);
  if (links.has[CONSUMER])
    add_link (&self->tasks.rows, number, links.number[CONSUMER_TYPE], links.number[CONSUMER]);
  if (links.has[PRODUCER])
    add_link (&self->tasks.calls, number, links.number[PRODUCER_TYPE], links.number[PRODUCER]);
}

void
loom_xplane_links_add (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 *bytes,
                       gsize n_bytes)
{
  if (has_links (plane))
    add (self, plane, number, bytes, n_bytes);
}

guint
loom_xplane_links_add_run (LoomXplaneLinks *self, const LoomXplane *plane, guint64 number, const guint8 **p,
                           const guint8 *end, guint most)
{
  gboolean is_read = has_links (plane);
  guint64 length;
  guint n = 0;
  for (; n < most && *p < end && **p == LOOM_XPLANE_KEY_LINE_EVENT; n++) {
    const guint8 *content = *p + 1;
    if (!loom_proto_read_varint (&content, end, &length) || length > (guint64) (end - content) ||
        length > MOST_EVENT_BYTES)
      break;
    if (is_read)
      add (self, plane, number + n, content, (gsize) length);
    *p = content + length;
  }
  return n;
}

static void
add_row (LoomLaunchLinks *links, const Link *link)
{
  loom_launch_links_add_row (links, link->event, link->process, link->id);
}

static void
add_call (LoomLaunchLinks *links, const Link *link)
{
  loom_launch_links_add_call (links, link->event, link->process, link->id, 0);
}

/* Calls `func` for all links of a side, in the order of the file. */
static void
add_side (LoomLaunchLinks *links, const Side *side, void (*func) (LoomLaunchLinks *links, const Link *link))
{
  guint n_large = 0;
  for (guint i = 0; i <= side->pairs->len; i++) {
    guint64 pair = i < side->pairs->len ? g_array_index (side->pairs, guint64, i) : 0;
    const Link link = { i < side->pairs->len ? pair & G_MAXUINT32 : G_MAXUINT64, 0, pair >> 32 };
    for (; n_large < side->large->len && g_array_index (side->large, Link, n_large).event < link.event; n_large++)
      func (links, &g_array_index (side->large, Link, n_large));
    if (i < side->pairs->len)
      func (links, &link);
  }
}

static LoomLaunchLinks *
finish (Kind *kind)
{
  LoomLaunchLinks *links;
  flush_recent (&kind->rows);
  flush_recent (&kind->calls);
  if (kind->rows.large->len == 0 && kind->calls.large->len == 0) {
    links = loom_launch_links_new_from_pairs (kind->rows.pairs, kind->calls.pairs);
  } else {
    links = loom_launch_links_new ();
    add_side (links, &kind->rows, add_row);
    add_side (links, &kind->calls, add_call);
    loom_launch_links_finish (links);
  }
  clear_side (&kind->rows);
  clear_side (&kind->calls);
  return links;
}

void
loom_xplane_links_finish (LoomXplaneLinks *self, LoomLaunchLinks **launches, LoomLaunchLinks **tasks)
{
  *launches = finish (&self->launches);
  *tasks = finish (&self->tasks);
  g_free (self);
}
