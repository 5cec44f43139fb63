/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises protobuf files. Protobuf does not state the type of a file, and both XSpace files
 * and Perfetto traces consist of messages in field 1, so they are distinguished by other fields.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if the bytes begin like a protobuf file that has messages in field 1, and are not text. `text` must end
 * with a zero byte. */
gboolean loom_protobuf_sniff_is_protobuf (const char *text, gsize n);

/* Returns TRUE if the bytes are the beginning of an XSpace file of JAX, TensorFlow or XLA. */
gboolean loom_protobuf_sniff_is_xspace (const char *text, gsize n);

/* Returns TRUE if the bytes are the beginning of a Perfetto trace. If no packet has a field that only Perfetto traces
 * have, the file name in `path` decides. */
gboolean loom_protobuf_sniff_is_perfetto (const char *path, const char *text, gsize n);

/* Returns TRUE if a file has the name of a Perfetto trace, compressed or not. */
gboolean loom_protobuf_sniff_is_perfetto_name (const char *path);
