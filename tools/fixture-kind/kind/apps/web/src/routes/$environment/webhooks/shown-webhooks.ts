/** What shows webhooks needs to know of them. */
import { Webhook as WebhookIcon } from 'lucide-react';
import { nameOrId } from '#components/record/record-kind.ts';
import { webhooks } from '#queries/webhooks.ts';

export const shownWebhooks = {
  calls: webhooks,
  noun: 'webhook',
  many: 'webhooks',
  title: 'Webhooks',
  path: 'webhooks',
  icon: WebhookIcon,
  nameOf: nameOrId,
};
