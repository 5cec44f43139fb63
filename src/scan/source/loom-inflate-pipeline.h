/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: unpacks on one thread while another scans. At most a few blocks are in use.
 */
#pragma once

#include "loom-stream-reader.h"

/* Like loom_stream_reader_scan(), for a compressed reader. */
gboolean loom_inflate_pipeline_scan (LoomStreamReader *reader, LoomEventScanner *scanner, GError **error);
