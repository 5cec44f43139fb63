/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the packets of a Perfetto trace in order, including those in compressed packets. The interface is described in
 * loom-perfetto-packets.h.
 */
#include "loom-perfetto-packets.h"

#include "loom-limits.h"
#include "loom-perfetto-fields.h"
#include "loom-perfetto-unpacked.h"

#include <archive.h>
#include <gio/gio.h>

#define PACKET_FIELD 1
/* Maximum length in bytes of the unpacked content of one compressed packet. */
#define MOST_UNPACKED_BYTES (64u * 1024 * 1024)
/* Limit on the cost of unpacking compressed packets again (loom_perfetto_packets_can_reread()), in bytes of unpacked
 * content: REREAD_TIMES times the unpacked content of all compressed packets, plus REREAD_FREE_BYTES. */
#define REREAD_TIMES 2
#define REREAD_FREE_BYTES LOOM_LIMIT_GZIP_FREE_BYTES
/* Minimum cost of unpacking a compressed packet again, in bytes of unpacked content. */
#define LEAST_REREAD_BYTES 4096u
#define NONE G_MAXUINT

/* A compressed packet and its unpacked content. A place (see loom-perfetto-packets.h) is an offset in a virtual
 * text: the file with the unpacked content of each compressed packet inserted after this packet. */
typedef struct {
  guint64 place, n_bytes; /* place at which the unpacked content begins, and its length in bytes */
  guint64 offset;         /* offset of the compressed bytes in the file */
  gsize n_packed;
  /* for packets after this compressed packet and before the next compressed packet: their place minus their offset in
   * the file */
  guint64 shift;
  gboolean is_zstd, is_whole;
} Part;

struct _LoomPerfettoPackets {
  LoomByteSource *file;
  guint64 n_bytes;
  GArray *parts;                /* Part elements: the compressed packets that were unpacked, sorted by place */
  guint64 n_packed, n_unpacked; /* total bytes of the compressed packets and of their unpacked content */
  /* simulates the cache of a reader: lists the parts, without their content, that the cache would contain after the
   * reader has read all packets that loom_perfetto_packets_can_reread() has allowed */
  LoomPerfettoUnpacked *planned;
  /* cost, in bytes of unpacked content, of all packets that loom_perfetto_packets_can_reread() has allowed */
  guint64 n_reread;
};

struct _LoomPerfettoReader {
  LoomPerfettoPackets *packets;
  LoomProtoWindow *window;
  LoomPerfettoUnpacked *unpacked;
  const guint8 *content; /* unpacked content of the part with the index `part`; owned by `unpacked` */
  guint part;            /* index in LoomPerfettoPackets.parts; NONE: `content` is not set */
  guint64 cost;          /* cost of all searches after damage so far (see COST_PER_BYTE) */
  /* a search has found that no packet begins at or after this offset in the file; G_MAXUINT64: no search has failed
   * yet */
  guint64 none_from;
};

LoomPerfettoPackets *
loom_perfetto_packets_new (LoomByteSource *file, guint64 n_bytes)
{
  LoomPerfettoPackets *self = g_new0 (LoomPerfettoPackets, 1);
  self->file = file;
  self->n_bytes = n_bytes;
  self->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  self->planned = loom_perfetto_unpacked_new ();
  return self;
}

void
loom_perfetto_packets_free (LoomPerfettoPackets *self)
{
  if (self == NULL)
    return;
  loom_byte_source_unref (self->file);
  g_array_unref (self->parts);
  loom_perfetto_unpacked_free (self->planned);
  g_free (self);
}

LoomPerfettoReader *
loom_perfetto_packets_new_reader (LoomPerfettoPackets *packets)
{
  LoomPerfettoReader *self = g_new0 (LoomPerfettoReader, 1);
  self->packets = packets;
  self->window = loom_proto_window_new (loom_byte_source_ref (packets->file));
  self->unpacked = loom_perfetto_unpacked_new ();
  self->part = NONE;
  self->none_from = G_MAXUINT64;
  return self;
}

void
loom_perfetto_packets_read_ahead (LoomPerfettoReader *self)
{
  loom_proto_window_read_ahead (self->window);
}

void
loom_perfetto_packets_free_reader (LoomPerfettoReader *self)
{
  if (self == NULL)
    return;
  loom_proto_window_free (self->window);
  loom_perfetto_unpacked_free (self->unpacked);
  g_free (self);
}

/* Returns the index of the last part (compressed packet) whose content begins at or before `place`; NONE: there is no
 * such part. */
static guint
find_part (const LoomPerfettoPackets *self, guint64 place)
{
  guint low = 0, high = self->parts->len;
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (self->parts, Part, middle).place <= place)
      low = middle + 1;
    else
      high = middle;
  }
  return low > 0 ? low - 1 : NONE;
}

static const Part *
get_part (const LoomPerfettoPackets *self, guint part)
{
  return part != NONE ? &g_array_index (self->parts, Part, part) : NULL;
}

static gboolean
is_inside (const Part *part, guint64 place)
{
  return part != NULL && place - part->place < part->n_bytes;
}

guint64
loom_perfetto_packets_find_offset (const LoomPerfettoPackets *self, guint64 place)
{
  const Part *part = get_part (self, find_part (self, place));
  if (is_inside (part, place))
    return part->offset + part->n_packed;
  return place - (part != NULL ? part->shift : 0);
}

guint64
loom_perfetto_packets_get_end (const LoomPerfettoPackets *self)
{
  const Part *last = self->parts->len > 0 ? &g_array_index (self->parts, Part, self->parts->len - 1) : NULL;
  return self->n_bytes + (last != NULL ? last->shift : 0);
}

guint64
loom_perfetto_packets_find_part_end (const LoomPerfettoPackets *self, guint64 place, gboolean *is_whole)
{
  const Part *part = get_part (self, find_part (self, place));
  *is_whole = is_inside (part, place) && part->is_whole;
  return is_inside (part, place) ? part->place + part->n_bytes : place;
}

/* --- unpacking ---------------------------------------------------------------------------------------------------- */

/* Unpacks zlib data and appends the result to `content`. Stops as soon as `content` has more than `most` bytes. Returns
 * FALSE if the data is damaged or its end is missing. */
static gboolean
inflate_bytes (const guint8 *bytes, gsize n_bytes, guint64 most, GByteArray *content)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  guint8 buffer[32 * 1024];
  GConverterResult result = G_CONVERTER_CONVERTED;
  while (result == G_CONVERTER_CONVERTED && content->len <= most) {
    gsize n_read = 0, n_written = 0;
    result = g_converter_convert (G_CONVERTER (zlib), bytes, n_bytes, buffer, sizeof buffer, G_CONVERTER_INPUT_AT_END,
                                  &n_read, &n_written, NULL);
    if (result == G_CONVERTER_ERROR)
      return FALSE;
    g_byte_array_append (content, buffer, (guint) n_written);
    bytes += n_read;
    n_bytes -= n_read;
  }
  return TRUE;
}

/* Unpacks Zstandard data with libarchive and appends the result to `content`. Stops as soon as `content` has more than
 * `most` bytes. Returns FALSE if the data is damaged. */
static gboolean
unpack_zstd (const guint8 *bytes, gsize n_bytes, guint64 most, GByteArray *content)
{
  struct archive *archive = archive_read_new ();
  struct archive_entry *entry;
  guint8 buffer[32 * 1024];
  la_ssize_t n = -1;
  archive_read_support_filter_zstd (archive);
  archive_read_support_format_raw (archive);
  gboolean is_open = archive_read_open_memory (archive, bytes, n_bytes) == ARCHIVE_OK &&
                     archive_read_next_header (archive, &entry) == ARCHIVE_OK;
  while (is_open && content->len <= most && (n = archive_read_data (archive, buffer, sizeof buffer)) > 0)
    g_byte_array_append (content, buffer, (guint) n);
  archive_read_free (archive);
  return n >= 0;
}

static gboolean
unpack (const guint8 *bytes, gsize n_bytes, gboolean is_zstd, guint64 most, GByteArray *content)
{
  g_byte_array_set_size (content, 0);
  return is_zstd ? unpack_zstd (bytes, n_bytes, most, content) : inflate_bytes (bytes, n_bytes, most, content);
}

/* Returns the maximum number of bytes that the unpacked content of the next compressed packet may have.
 * `self->n_packed` must already include the length of this packet. The limit applies to the sum for all packets,
 * because a small file may contain many packets, each with a huge content. */
static guint64
find_most_unpacked (const LoomPerfettoPackets *self)
{
  guint64 most = MAX (LOOM_LIMIT_GZIP_FREE_BYTES, self->n_packed * LOOM_LIMIT_GZIP_RATIO);
  return MIN (MOST_UNPACKED_BYTES, most - MIN (most, self->n_unpacked));
}

LoomPerfettoUnpacking
loom_perfetto_packets_unpack (LoomPerfettoPackets *self, const LoomPerfettoPacket *packet, guint64 next,
                              const LoomProtoField *field, gboolean is_zstd)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();
  self->n_packed += field->value;
  guint64 most = find_most_unpacked (self);
  gboolean is_whole = most > 0 && unpack (field->bytes, (gsize) field->value, is_zstd, most, content);
  self->n_unpacked += content->len;
  if (most == 0 || content->len > most)
    return LOOM_PERFETTO_PACKED_TOO_LARGE;
  guint64 shift = loom_perfetto_packets_get_end (self) - self->n_bytes;
  Part part = { .place = next,
                .n_bytes = content->len,
                .offset = next - shift - (guint64) (packet->bytes + packet->n_bytes - field->bytes),
                .n_packed = (gsize) field->value,
                .shift = shift + content->len,
                .is_zstd = is_zstd,
                .is_whole = is_whole };
  g_array_append_val (self->parts, part);
  return is_whole ? LOOM_PERFETTO_UNPACKED : LOOM_PERFETTO_PACKED_DAMAGED;
}

/* Returns the content of a part, and unpacks it if the reader does not have it in memory. Returns NULL if the file has
 * changed since the part was first read. */
static const guint8 *
hold_part (LoomPerfettoReader *self, guint part)
{
  const Part *wanted = get_part (self->packets, part);
  if (self->part == part)
    return self->content;
  self->part = NONE;
  /* Examines the cache before the file is read: if the cache contains the unpacked content, the packed bytes need not
   * be read, which would take a time proportional to their number. */
  gboolean is_known = loom_perfetto_unpacked_use (self->unpacked, part, wanted->n_bytes);
  GByteArray *content = loom_perfetto_unpacked_get (self->unpacked);
  const guint8 *packed = is_known ? NULL : loom_proto_window_get (self->window, wanted->offset, wanted->n_packed);
  if (packed != NULL)
    unpack (packed, wanted->n_packed, wanted->is_zstd, wanted->n_bytes, content);
  if ((!is_known && packed == NULL) || content->len != wanted->n_bytes) {
    loom_perfetto_unpacked_forget (self->unpacked);
    return NULL;
  }
  self->part = part;
  return self->content = content->data;
}

gboolean
loom_perfetto_packets_can_reread (LoomPerfettoPackets *self, guint64 place)
{
  guint number = find_part (self, place);
  const Part *part = get_part (self, number);
  if (!is_inside (part, place) || loom_perfetto_unpacked_has (self->planned, number)) {
    if (is_inside (part, place))
      loom_perfetto_unpacked_use (self->planned, number, part->n_bytes);
    return TRUE;
  }
  guint64 n_bytes = MAX (part->n_bytes, LEAST_REREAD_BYTES);
  if (self->n_reread + n_bytes > self->n_unpacked * REREAD_TIMES + REREAD_FREE_BYTES)
    return FALSE;
  self->n_reread += n_bytes;
  loom_perfetto_unpacked_use (self->planned, number, part->n_bytes);
  return TRUE;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Reads the field at `*place` in the unpacked content of the part with the index `number`, and moves `*place` to the
 * end of the field. Returns FALSE at the end of the content, at damage, and if the content cannot be read. */
static gboolean
next_unpacked (LoomPerfettoReader *self, guint number, guint64 *place, LoomProtoField *field)
{
  const Part *part = get_part (self->packets, number);
  const guint8 *content = hold_part (self, number);
  if (content == NULL)
    return FALSE;
  const guint8 *p = content + (*place - part->place);
  if (!loom_proto_next (&p, content + part->n_bytes, field))
    return FALSE;
  *place = part->place + (guint64) (p - content);
  return TRUE;
}

static gboolean
next_field (LoomPerfettoReader *self, guint64 *place, LoomProtoField *field, gboolean *is_unpacked)
{
  guint number = find_part (self->packets, *place);
  const Part *part = get_part (self->packets, number);
  *is_unpacked = is_inside (part, *place);
  if (*is_unpacked)
    return next_unpacked (self, number, place, field);
  guint64 shift = part != NULL ? part->shift : 0, at = *place - shift, content;
  if (!loom_proto_window_next (self->window, &at, self->packets->n_bytes, field, &content))
    return FALSE;
  if (field->wire == LOOM_PROTO_BYTES)
    field->bytes = loom_proto_window_get (self->window, content, (gsize) field->value);
  *place = at + shift;
  return TRUE;
}

/* --- searching for packets after damage --------------------------------------------------------------------------- */

/* Maximum length in bytes of a packet that a search after damage accepts. Hostile bytes could look like many long
 * packets that overlap, so that reading them would take very long. */
#define MOST_PROBED_BYTES (1024u * 1024)
/* Limit on the cost of all searches in a file: LEAST_COST, plus COST_PER_BYTE for each byte of the file. A search costs
 * the number of bytes that it reads, plus FIELD_COST for each field that it parses. Only a file that was made to waste
 * time exceeds the limit. */
#define COST_PER_BYTE 16
#define LEAST_COST (16u * 1024 * 1024)
#define FIELD_COST 8
#define SEARCH_BYTES (64u * 1024)
#define PACKET_KEY (PACKET_FIELD << 3 | LOOM_PROTO_BYTES)

/* Returns FALSE if the searches in the file have reached the limit of their cost. */
static gboolean
can_search (const LoomPerfettoReader *self)
{
  return self->cost <= LEAST_COST + self->packets->n_bytes * COST_PER_BYTE;
}

/* Reads the number, the type and the length of a field, but not its content. First adds to the cost of all searches:
 * FIELD_COST, plus the number of bytes that must be read to move the window to the field and back. Returns FALSE if the
 * limit of the cost is exceeded, at the end of the message, and at damage. */
static gboolean
probe_field (LoomPerfettoReader *self, guint64 *at, guint64 end, LoomProtoField *field, guint64 *content)
{
  self->cost += FIELD_COST + loom_proto_window_find_cost (self->window, *at, end);
  return can_search (self) && loom_proto_window_next (self->window, at, end, field, content);
}

/* Properties of bytes that may be a packet, found while their fields are parsed. */
typedef struct {
  guint n_fields;
  gboolean has_sequence, has_time;
  /* TRUE if a field is the content of a compressed packet; such a packet needs neither sequence nor time */
  gboolean has_packed;
} Likeness;

/* Adds a field to `likeness`, the record of the fields of a possible packet. Returns FALSE if a packet cannot contain a
 * field with this number and wire type. */
static gboolean
add_likeness (Likeness *likeness, const LoomProtoField *field)
{
  likeness->n_fields++;
  switch (field->number) {
  case LOOM_PERFETTO_PACKET_TIME:
  case LOOM_PERFETTO_PACKET_SEQUENCE:
  case LOOM_PERFETTO_PACKET_FLAGS:
  case LOOM_PERFETTO_PACKET_CLOCK:
    likeness->has_time |= field->number == LOOM_PERFETTO_PACKET_TIME;
    likeness->has_sequence |= field->number == LOOM_PERFETTO_PACKET_SEQUENCE;
    return field->wire == LOOM_PROTO_VARINT;
  case LOOM_PERFETTO_PACKET_COMPRESSED:
  case LOOM_PERFETTO_PACKET_ZSTD: likeness->has_packed = TRUE; return field->wire == LOOM_PROTO_BYTES;
  case LOOM_PERFETTO_PACKET_EVENT:
  case LOOM_PERFETTO_PACKET_INTERNED:
  case LOOM_PERFETTO_PACKET_DEFAULTS:
  case LOOM_PERFETTO_PACKET_TRACK: return field->wire == LOOM_PROTO_BYTES;
  default: return TRUE;
  }
}

/* Returns TRUE if the bytes from `at` to `end` are the fields of a packet that has a sequence, a time or compressed
 * content. Sets `is_strong` to TRUE if the packet has a time or compressed content, because other data rarely looks
 * like such a packet. */
static gboolean
looks_like_packet (LoomPerfettoReader *self, guint64 at, guint64 end, gboolean *is_strong)
{
  LoomProtoField field;
  guint64 content;
  Likeness likeness = { 0 };
  while (probe_field (self, &at, end, &field, &content))
    if (!add_likeness (&likeness, &field))
      return FALSE;
  gboolean is_packed = likeness.has_packed && likeness.n_fields == 1;
  *is_strong = likeness.has_time || is_packed;
  return at == end && (likeness.has_sequence || *is_strong);
}

/* Returns TRUE if a packet seems to begin at `*at`, and moves `*at` to the end of this packet. Otherwise returns FALSE;
 * `*at` may have moved then, too. */
static gboolean
probe (LoomPerfettoReader *self, guint64 *at, gboolean *is_strong)
{
  LoomProtoField field;
  guint64 content;
  return probe_field (self, at, self->packets->n_bytes, &field, &content) && field.number == PACKET_FIELD &&
         field.wire == LOOM_PROTO_BYTES && field.value >= 2 && field.value <= MOST_PROBED_BYTES &&
         looks_like_packet (self, content, *at, is_strong);
}

/* Returns TRUE if at least `n_packets` successive packets seem to begin at the offset. Fewer packets suffice if the
 * last one ends at the end of the file and has a time or compressed content. */
static gboolean
is_boundary (LoomPerfettoReader *self, guint64 offset, guint n_packets)
{
  guint64 at = offset;
  gboolean is_strong = FALSE;
  for (guint i = 0; i < n_packets; i++) {
    if (at == self->packets->n_bytes)
      return i > 0 && is_strong;
    if (!probe (self, &at, &is_strong))
      return FALSE;
  }
  return TRUE;
}

static guint64
get_shift (const LoomPerfettoPackets *self)
{
  return loom_perfetto_packets_get_end (self) - self->n_bytes;
}

gboolean
loom_perfetto_packets_is_boundary (LoomPerfettoReader *self, guint64 place, guint n_packets)
{
  guint64 offset = place - get_shift (self->packets);
  return offset == self->packets->n_bytes || is_boundary (self, offset, n_packets);
}

/* Returns the offset of the first byte, from `offset` on, with which a packet may begin; `end` if there is none. */
static guint64
find_key (LoomPerfettoReader *self, guint64 offset, guint64 end)
{
  while (offset < end) {
    gsize n = (gsize) MIN (SEARCH_BYTES, end - offset);
    const guint8 *bytes = loom_proto_window_get (self->window, offset, n);
    const guint8 *found = bytes != NULL ? memchr (bytes, PACKET_KEY, n) : NULL;
    if (found != NULL)
      return offset + (guint64) (found - bytes);
    offset = bytes != NULL ? offset + n : end;
  }
  return end;
}

gboolean
loom_perfetto_packets_find_boundary (LoomPerfettoReader *self, guint64 *place, LoomProgress *progress)
{
  guint64 shift = get_shift (self->packets), first = *place - shift,
          end = MIN (self->packets->n_bytes, self->none_from);
  for (guint64 at = first; (at = find_key (self, at, end)) < end; at++) {
    if (is_boundary (self, at, LOOM_PERFETTO_PACKETS_CERTAIN)) {
      *place = at + shift;
      return TRUE;
    }
    if (!can_search (self) || loom_progress_is_cancelled (progress))
      return FALSE;
  }
  self->none_from = MIN (self->none_from, first);
  return FALSE;
}

/* --- packets ------------------------------------------------------------------------------------------------------ */

gsize
loom_perfetto_packets_peek (const LoomPerfettoReader *self, guint64 place, const guint8 **bytes)
{
  *bytes = NULL;
  if (self->packets->parts->len > 0)
    return 0;
  gsize n_bytes = loom_proto_window_peek (self->window, place, bytes);
  return (gsize) MIN (n_bytes, self->packets->n_bytes - MIN (place, self->packets->n_bytes));
}

/* Reads the packet at `*place` if it is not inside a compressed packet, and is completely in the reader's window.
 * Otherwise returns FALSE without reading it. */
static inline gboolean
next_usual (LoomPerfettoReader *self, guint64 *place, LoomPerfettoPacket *packet)
{
  const guint8 *bytes;
  LoomProtoField field;
  gsize n_bytes = loom_perfetto_packets_peek (self, *place, &bytes);
  const guint8 *p = bytes, *end = bytes + n_bytes;
  if (p == end || *p != PACKET_KEY || !loom_proto_next (&p, end, &field))
    return FALSE;
  *packet = (LoomPerfettoPacket) { .place = *place, .bytes = field.bytes, .n_bytes = (gsize) field.value };
  *place += (guint64) (p - bytes);
  return TRUE;
}

gboolean
loom_perfetto_packets_next (LoomPerfettoReader *self, guint64 *place, LoomPerfettoPacket *packet)
{
  LoomProtoField field;
  if (G_LIKELY (next_usual (self, place, packet)))
    return TRUE;
  while (TRUE) {
    packet->place = *place;
    if (!next_field (self, place, &field, &packet->is_unpacked))
      return FALSE;
    if (field.number == PACKET_FIELD && field.wire == LOOM_PROTO_BYTES)
      break;
    if (!packet->is_unpacked &&
        !is_boundary (self, *place - get_shift (self->packets), LOOM_PERFETTO_PACKETS_CERTAIN)) {
      *place = packet->place;
      return FALSE;
    }
  }
  packet->bytes = field.bytes;
  packet->n_bytes = (gsize) field.value;
  return TRUE;
}

const guint8 *
loom_perfetto_packets_get (LoomPerfettoReader *self, guint64 place, gsize *n_bytes)
{
  LoomPerfettoPacket packet;
  if (!loom_perfetto_packets_next (self, &place, &packet))
    return NULL;
  *n_bytes = packet.n_bytes;
  return packet.bytes;
}
