/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/scan: unpacking on one thread while another scans. A few blocks are under way at most.
 */
#pragma once

#include "loom-reader.h"

G_BEGIN_DECLS

/* As loom_reader_scan(), for a compressed reader. */
gboolean loom_pipeline_scan (LoomReader *reader, LoomScanner *scanner, GError **error);

G_END_DECLS
