/* SPDX-License-Identifier: Apache-2.0
 *
 * What is wanted is noted as blocks in a small hash table; reading sorts them, and neighbours become one run.
 */
#include "loom-text-window.h"

#include <string.h>

#include "loom-file-text.h"

#define BLOCK_BYTES 4096u
/* Blocks at most, and the slots of their table. */
#define MAX_BLOCKS 128u
#define N_SLOTS 256u
/* Want is called for a stretch of at most this many blocks. */
#define MAX_STRETCH 16u
/* Of a text that is in memory as a whole: a broken event is not looked for its end in all of it. */
#define MAX_PEEK (256u * 1024)

typedef struct {
  LoomText *text; /* NULL: the slot is free */
  guint64 number;
  const char *bytes;
  const char *end; /* of the run */
} Block;

struct _LoomTextWindow {
  Block slots[N_SLOTS];
  guint16 used[MAX_BLOCKS]; /* slots */
  guint n_used;
  Block *last;
  char *bytes;
};

LoomTextWindow *
loom_text_window_new (void)
{
  LoomTextWindow *window = g_new0 (LoomTextWindow, 1);
  window->bytes = g_malloc (MAX_BLOCKS * (gsize) (BLOCK_BYTES + LOOM_TEXT_WINDOW_PADDING));
  return window;
}

void
loom_text_window_free (LoomTextWindow *window)
{
  if (window == NULL)
    return;
  g_free (window->bytes);
  g_free (window);
}

/* The block's slot, or the free one where it belongs. */
static Block *
find (LoomTextWindow *window, LoomText *text, guint64 number)
{
  Block *last = window->last;
  if (G_LIKELY (last != NULL && last->number == number && last->text == text))
    return last;
  guint64 mixed = (number ^ (guint64) (gsize) text >> 4) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  guint slot = (guint) (mixed >> 40) % N_SLOTS;
  while (window->slots[slot].text != NULL && (window->slots[slot].number != number || window->slots[slot].text != text))
    slot = (slot + 1) % N_SLOTS;
  return &window->slots[slot];
}

gboolean
loom_text_window_want (LoomTextWindow *window, LoomText *text, guint64 offset, guint length)
{
  guint64 first = offset / BLOCK_BYTES, last = (offset + length) / BLOCK_BYTES;
  last = MIN (last, first + MAX_STRETCH - 1);
  gsize at_hand;
  if (loom_file_text_peek (text, offset, &at_hand) != NULL)
    return TRUE;
  if (window->n_used + MAX_STRETCH > MAX_BLOCKS)
    return FALSE;
  for (guint64 number = first; number <= last; number++) {
    Block *block = find (window, text, number);
    window->last = block;
    if (block->text != NULL)
      continue;
    *block = (Block) { text, number, NULL, NULL };
    window->used[window->n_used++] = (guint16) (block - window->slots);
  }
  return TRUE;
}

static int
compare_blocks (gconstpointer a, gconstpointer b, gpointer data)
{
  const LoomTextWindow *window = data;
  const Block *p = &window->slots[*(const guint16 *) a], *q = &window->slots[*(const guint16 *) b];
  if (p->text != q->text)
    return (gsize) p->text < (gsize) q->text ? -1 : 1;
  return p->number < q->number ? -1 : p->number > q->number;
}

/* Reads `n` blocks that follow one another to `to`; returns how many bytes there are. */
static gsize
read_run (const Block *first, guint n, char *to)
{
  gsize filled = 0, wanted = (gsize) n * BLOCK_BYTES;
  while (filled < wanted) {
    gssize got = loom_text_read (first->text, first->number * BLOCK_BYTES + filled, to + filled, wanted - filled, NULL);
    if (got <= 0)
      break;
    filled += (gsize) got;
  }
  return filled;
}

void
loom_text_window_read (LoomTextWindow *window)
{
  char *to = window->bytes;
  g_qsort_with_data (window->used, (gint) window->n_used, sizeof window->used[0], compare_blocks, window);
  for (guint i = 0; i < window->n_used;) {
    Block *first = &window->slots[window->used[i]];
    guint n = 1;
    for (; i + n < window->n_used; n++) {
      const Block *next = &window->slots[window->used[i + n]];
      if (next->text != first->text || next->number != first->number + n)
        break;
    }
    gsize filled = read_run (first, n, to);
    for (guint k = 0; k < n; k++) {
      Block *block = &window->slots[window->used[i + k]];
      block->bytes = to + (gsize) k * BLOCK_BYTES;
      block->end = to + filled;
    }
    memset (to + filled, 0, LOOM_TEXT_WINDOW_PADDING);
    to += filled + LOOM_TEXT_WINDOW_PADDING;
    i += n;
  }
}

const char *
loom_text_window_get (LoomTextWindow *window, LoomText *text, guint64 offset, gsize *length)
{
  const char *peeked = loom_file_text_peek (text, offset, length);
  if (G_LIKELY (peeked != NULL)) {
    *length = MIN (*length, MAX_PEEK);
    return peeked;
  }
  Block *block = find (window, text, offset / BLOCK_BYTES);
  if (block->text == NULL || block->bytes == NULL)
    return NULL;
  window->last = block;
  const char *bytes = block->bytes + offset % BLOCK_BYTES;
  if (bytes >= block->end)
    return NULL;
  *length = (gsize) (block->end - bytes);
  return bytes;
}

void
loom_text_window_clear (LoomTextWindow *window)
{
  for (guint i = 0; i < window->n_used; i++)
    window->slots[window->used[i]].text = NULL;
  window->n_used = 0;
  window->last = NULL;
}
