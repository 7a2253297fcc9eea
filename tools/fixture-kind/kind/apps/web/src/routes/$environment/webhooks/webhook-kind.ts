/** The forms of webhooks. Tokens are written and never read. */
import {
  fieldsOfWebhook,
  newWebhook,
  webhook,
  webhookEvents,
  webhookFields,
  webhookPolicy,
  type Webhook,
  type WebhookFields,
} from '@gatehouse/api-types/console/webhooks';
import type { Choice, RecordFormSpec } from '#components/form/record-form.ts';
import { descriptionField, nameField, newForm, projectField } from '#components/record/label-fields.ts';
import type { RecordKind } from '#components/record/record-kind.ts';
import { shownWebhooks } from './shown-webhooks.ts';

const choiceOf = (value: string): Choice => ({ value, label: value.replaceAll('-', ' ') });
const form: RecordFormSpec<WebhookFields> = {
  noun: 'webhook',
  schema: webhookFields,
  policy: webhookPolicy,
  otherLabels: { token_hmac: 'Stored token' },
  sections: [
    { title: 'Identity', fields: [nameField('project'), descriptionField] },
    {
      title: 'Delivery',
      fields: [
        { path: 'address', label: 'Address', input: { kind: 'text', isMono: true }, isRequired: true },
        {
          path: 'token',
          label: 'Token',
          input: { kind: 'secret' },
          description: 'Sent with every call. One that is stored is kept while this is empty.',
          requiredBy: (_, stored) =>
            stored.token_hmac
              ? undefined
              : { description: 'Sent with every call.', error: 'Enter the token.' },
        },
        {
          path: 'events',
          label: 'Events',
          input: {
            kind: 'members',
            noun: { one: 'event', many: 'events' },
            emptyText: 'There is no such event.',
            member: choiceOf,
            search: (text) => ({
              queryKey: ['webhook-events', text],
              queryFn: () => {
                const choices = webhookEvents.filter((event) => event.includes(text)).map(choiceOf);
                return Promise.resolve({ choices, more: false });
              },
            }),
          },
        },
      ],
    },
  ],
};

/** The form of a new webhook, with the project that it hears of. */
export function newWebhookForm(projects: readonly Choice[]) {
  return newForm(form, newWebhook, projectField(projects, "It can't be moved later."));
}

export const webhookKind = {
  ...shownWebhooks,
  schema: webhook,
  fieldsOf: fieldsOfWebhook,
  formOf: () => form,
  bodyOf: ({ token = '', ...changed }) => {
    const { token_hmac: _, ...rest } = changed;
    return token === '' ? rest : { ...rest, token };
  },
} satisfies RecordKind<Webhook, WebhookFields, never, Partial<WebhookFields>>;
