/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: recognises protobuf files, which state no format: XSpace files and Perfetto traces, both a list
 * of messages in field 1.
 */
#pragma once

#include <glib.h>

/* Returns TRUE if the bytes begin like a protobuf file with messages in field 1, and not like text. `text` is
 * NUL-terminated. */
gboolean loom_protobuf_sniff_is_protobuf (const char *text, gsize n);

/* Returns TRUE for the beginning of an XSpace file of JAX, TensorFlow or XLA. */
gboolean loom_protobuf_sniff_is_xspace (const char *text, gsize n);

/* Returns TRUE for the beginning of a Perfetto trace. Packets that say nothing of a trace are one only if the name at the
 * end of `path` says so. */
gboolean loom_protobuf_sniff_is_perfetto (const char *path, const char *text, gsize n);

/* Returns TRUE for the names of Perfetto traces, packed or not. */
gboolean loom_protobuf_sniff_is_perfetto_name (const char *path);
