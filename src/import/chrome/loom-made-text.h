/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: Chrome trace events made of the items of a file that holds no text:
 * {"traceEvents":[ events of each item ]}. The text is made when it is read and never kept. The same offset always gives the
 * same bytes, so it serves like that of a file: events are parsed from it, and their args are read back from it later.
 *
 * Any thread may read; one at a time makes text, also ahead of a reader that reads in order. Before another thread uses what
 * the maker uses, it calls loom_made_text_wait(). Cost: reading elsewhere than before makes up to 16 KB of text again.
 * Memory: 32 bytes per 16 KB of text, and what the maker holds.
 */
#pragma once

#include "loom-byte-source.h"

#include <sys/stat.h>

/* A place between two items. The maker decides what the numbers mean; at the first place `part` and `number` are 0. */
typedef struct {
  gint64 at;
  guint64 number;
  guint part;
} LoomMadePlace;

typedef struct {
  /* Appends the events of the item at the place, each followed by ",\n", and moves the place behind it. Returns FALSE
   * after the last item. The bytes may depend on nothing but the item. `is_first`: these bytes are made for the first
   * time, so problems in the item are to be counted now. */
  gboolean (*make) (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text);
  void (*free) (gpointer maker);
} LoomMadeTextClass;

/* Takes over `maker`. Reading fails with LOOM_ERROR_READ if the file at `path` changed since `status` was read; with
 * `path` NULL this is not checked. */
LoomByteSource *loom_made_text_new (const LoomMadeTextClass *klass, gpointer maker, gint64 first_at, const char *path,
                                    const struct stat *status);

/* Waits until no text is being made. No other thread may read the text until the caller is done with the maker's data. */
void loom_made_text_wait (LoomByteSource *text);
