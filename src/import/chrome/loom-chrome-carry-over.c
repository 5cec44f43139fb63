/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of texts that an event leaves for later events of the file, such as the name that a metadata event gives to a
 * pid. The interface is described in loom-chrome-carry-over.h.
 */
#include "loom-chrome-carry-over.h"

struct _LoomChromeState {
  const LoomChromeState *before;
  GHashTable *set;   /* kind and key → text that was set in this table, not in `before` */
  GHashTable *asked; /* records each lookup in `before`: kind and key → the text found there, NULL if there was none */
  GString *key;      /* scratch buffer for the key being looked up */
};

LoomChromeState *
loom_chrome_carry_over_new (const LoomChromeState *before)
{
  LoomChromeState *carry = g_new0 (LoomChromeState, 1);
  carry->before = before;
  carry->set = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  carry->asked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  carry->key = g_string_new (NULL);
  return carry;
}

void
loom_chrome_carry_over_free (LoomChromeState *carry)
{
  if (carry == NULL)
    return;
  g_hash_table_unref (carry->set);
  g_hash_table_unref (carry->asked);
  g_string_free (carry->key, TRUE);
  g_free (carry);
}

static const char *
full_key (LoomChromeState *carry, char kind, LoomJsonSlice key)
{
  g_string_truncate (carry->key, 0);
  g_string_append_c (carry->key, kind);
  return g_string_append_len (carry->key, key.text, (gssize) key.length)->str;
}

const char *
loom_chrome_carry_over_get (LoomChromeState *carry, char kind, LoomJsonSlice key)
{
  const char *full = full_key (carry, kind, key);
  gpointer text;
  if (g_hash_table_lookup_extended (carry->set, full, NULL, &text))
    return text;
  if (carry->before == NULL)
    return NULL;
  if (g_hash_table_lookup_extended (carry->asked, full, NULL, &text))
    return text;
  char *answer = g_strdup (g_hash_table_lookup (carry->before->set, full));
  g_hash_table_insert (carry->asked, g_strdup (full), answer);
  return answer;
}

void
loom_chrome_carry_over_set (LoomChromeState *carry, char kind, LoomJsonSlice key, const char *text)
{
  g_hash_table_insert (carry->set, g_strdup (full_key (carry, kind, key)), g_strdup (text));
}

gboolean
loom_chrome_carry_over_fits (const LoomChromeState *carry, const LoomChromeState *before)
{
  GHashTableIter iter;
  gpointer key, text;
  g_hash_table_iter_init (&iter, carry->asked);
  while (g_hash_table_iter_next (&iter, &key, &text))
    if (g_strcmp0 (g_hash_table_lookup (before->set, key), text) != 0)
      return FALSE;
  return TRUE;
}

void
loom_chrome_carry_over_pass_on (const LoomChromeState *carry, LoomChromeState *before)
{
  GHashTableIter iter;
  gpointer key, text;
  g_hash_table_iter_init (&iter, carry->set);
  while (g_hash_table_iter_next (&iter, &key, &text))
    g_hash_table_insert (before->set, g_strdup (key), g_strdup (text));
}
