/** Webhooks of the access controller: addresses that hear of what happens in a project. */
import { set } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineResource } from '../contract.ts';
import * as at from './addresses/access.ts';
import { asSecret, asTrace, policyOf } from './field-kinds.ts';
import { defineCollection, description, nameOf, projectId, storedSource } from './record-fields.ts';

/** What a webhook can hear of. */
export const webhookEvents = ['session-started', 'session-ended', 'target-changed'] as const;

export const webhook = z.object({
  ...storedSource,
  scope_id: z.string(),
  address: z.string(),
  token_hmac: z.string(),
  events: z.array(z.string()),
});
export type Webhook = z.output<typeof webhook>;

/** What a person edits. A token that is '' is kept as it is; its HMAC goes along so that two new ones conflict. */
export const webhookFields = z.strictObject({
  name: nameOf('A webhook'),
  description,
  address: z.string().check(z.trim(), z.url('Enter a URL such as https://hooks.example.')),
  token: asSecret(z.string()),
  token_hmac: asTrace(z.string()),
  events: z.array(z.string()).check(z.maxLength(100, 'Choose at most 100 events.')),
});
export type WebhookFields = z.output<typeof webhookFields>;

export const webhookPolicy = policyOf(webhookFields, {
  groups: [{ name: 'token', fields: ['token', 'token_hmac'] }],
  more: { events: set },
});

/** The editable fields of a stored webhook. */
export function fieldsOfWebhook(from: Webhook): WebhookFields {
  const { name, description, address, token_hmac, events } = from;
  return { name, description, address, token: '', token_hmac, events };
}

const written = z.extend(z.omit(webhookFields, { token_hmac: true }), {
  token: asSecret(z.string().check(z.minLength(1, 'Enter the token.'))),
});
export const newWebhook = z.extend(written, {
  scope_id: projectId('Choose the project that the webhook hears of.'),
});

export const webhooks = defineResource(() =>
  defineCollection(at.webhooks, {
    record: webhook,
    fields: newWebhook,
    changes: z.partial(written),
    list: { summary: 'A page of the webhooks in a scope' },
    get: { summary: 'One webhook, without its token' },
    create: { summary: 'Create a webhook in a project' },
    update: { summary: 'Change fields of a webhook, or replace its token' },
    delete: { summary: 'Delete a webhook' },
  }),
);
