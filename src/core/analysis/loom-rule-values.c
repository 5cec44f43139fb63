/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-rule-values.h: collects the changes of limits. A worker thread writes them to the user's parameter
 * file.
 */
#include "loom-rule-values.h"

#include "loom-rule-files.h"
#include "loom-worker.h"

#include <string.h>

struct _LoomRuleValues {
  GObject parent;
  GPtrArray *pending; /* Change *: the changes that the next worker thread will write */
  gboolean is_saving;
  char *problem;
};

G_DEFINE_FINAL_TYPE (LoomRuleValues, loom_rule_values, G_TYPE_OBJECT)

enum { PROP_0, PROP_PROBLEM, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

typedef struct {
  char *rule, *parameter;
  JsonNode *value; /* the value to save; NULL to remove the saved value, so that the default value is used */
} Change;

static void
change_free (gpointer data)
{
  Change *change = data;
  g_free (change->rule);
  g_free (change->parameter);
  g_clear_pointer (&change->value, json_node_unref);
  g_free (change);
}

/* Returns the value in the form that parameter files use. Returns NULL for the default value, which is not saved. */
static JsonNode *
new_value (const LoomRuleLimit *limit, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (value == limit->initial)
    return NULL;
  if (limit->is_whole)
    return json_node_init_int (json_node_alloc (), (gint64) value);
  if (strcmp (limit->unit, "ns") != 0)
    return json_node_init_double (json_node_alloc (), value);
  g_autofree char *time = g_strdup_printf ("%s ns", g_ascii_formatd (text, sizeof text, "%.15g", value));
  return json_node_init_string (json_node_alloc (), time);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void start (LoomRuleValues *self);

static gpointer
write_changes (gpointer input, GCancellable *cancellable, GError **error)
{
  GPtrArray *changes = input;
  for (guint i = 0; i < changes->len; i++) {
    const Change *change = changes->pdata[i];
    if (!loom_rule_files_write_parameter (change->rule, change->parameter, change->value, error))
      break;
  }
  return NULL;
}

static void
written (gpointer owner, gpointer result, const GError *error, gpointer changes)
{
  LoomRuleValues *self = owner;
  self->is_saving = FALSE;
  g_free (self->problem);
  self->problem = error != NULL ? g_strdup (error->message) : NULL;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
  if (self->pending->len > 0)
    start (self);
  else
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
start (LoomRuleValues *self)
{
  static const LoomWorkerKind kind = { write_changes, (GDestroyNotify) g_ptr_array_unref, NULL };
  GPtrArray *changes = self->pending;
  self->pending = g_ptr_array_new_with_free_func (change_free);
  self->is_saving = TRUE;
  loom_worker_run (NULL, &kind, changes, written, self);
}

void
loom_rule_values_set (LoomRuleValues *self, const char *rule, const LoomRuleLimit *limit, double value)
{
  g_return_if_fail (LOOM_IS_RULE_VALUES (self) && rule != NULL);
  Change change = { g_strdup (rule), g_strdup (limit->parameter), new_value (limit, value) };
  g_ptr_array_add (self->pending, g_memdup2 (&change, sizeof change));
  if (!self->is_saving)
    start (self);
}

gboolean
loom_rule_values_is_saving (LoomRuleValues *self)
{
  return self->is_saving;
}

/* --- GObject class and public functions --------------------------------------------------------------------------- */

static void
finalize (GObject *object)
{
  LoomRuleValues *self = LOOM_RULE_VALUES (object);
  g_ptr_array_unref (self->pending);
  g_free (self->problem);
  G_OBJECT_CLASS (loom_rule_values_parent_class)->finalize (object);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, LOOM_RULE_VALUES (object)->problem);
}

static void
loom_rule_values_class_init (LoomRuleValuesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL,
                                                  G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_RULE_VALUES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
loom_rule_values_init (LoomRuleValues *self)
{
  self->pending = g_ptr_array_new_with_free_func (change_free);
}

LoomRuleValues *
loom_rule_values_get_default (void)
{
  static LoomRuleValues *values;
  if (values == NULL)
    values = g_object_new (LOOM_TYPE_RULE_VALUES, NULL);
  return values;
}
