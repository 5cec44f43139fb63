/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: writes the translated sentences of a custom rule's result into self->result. One thread at a
 * time for each evaluation.
 */
#pragma once

#include "loom-custom-rule-evaluation.h"

/* Sets the message of a rule that fired. The message is the rule's own sentence, in which placeholders are replaced by
 * numbers and names of the group with the worst value (self->first, which must not be NULL). */
void loom_custom_rule_message_say_found (LoomCustomRuleEvaluation *self);
/* If a notable part of the lost time was spent waiting for late ranks, states this in the sentence of the result and at
 * the beginning of its advice. There are two reasons: the rule's own advice would not shorten these waits, and other
 * findings about late ranks count only these waits. */
void loom_custom_rule_message_say_waiting (LoomCustomRuleEvaluation *self);
/* Sets the message of a rule that passed. The message states the limit and `worst`, the value that came closest to it.
 * NAN: there is no such value; the message is not set. */
void loom_custom_rule_message_say_passed (LoomCustomRuleEvaluation *self, double worst);
