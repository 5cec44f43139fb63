/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-label.h"

#include <glib/gi18n.h>

static void
add_word (GString *text, const char *word)
{
  if (word != NULL && word[0] != '\0')
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", word);
}

static char *
dup_words (const LoomCustomRuleGroup *group, const char *who, const char *device)
{
  GString *words = g_string_new (NULL);
  add_word (words, group->host);
  add_word (words, who);
  add_word (words, device);
  return g_string_free (words, FALSE);
}

void
loom_custom_rule_label_set (LoomCustomRuleGroup *group, gint rank, const char *device)
{
  g_autofree char *number = rank >= 0 ? g_strdup_printf (group->is_process ? "process %d" : "rank %d", rank) : NULL;
  g_autofree char *said =
    rank >= 0 ? g_strdup_printf (group->is_process ? _ ("process %d") : _ ("rank %d"), rank) : NULL;
  g_free (group->label);
  g_free (group->key);
  group->label = dup_words (group, said != NULL ? said : group->writer, device);
  group->key = dup_words (group, number != NULL ? number : group->writer, device);
}
