import type { Store } from '@gatehouse/service-kit/store';
import type { Webhook } from '../domain/webhook.ts';
import { resourceStore } from './resources.ts';
import type { ResourceStore, ResourceTable } from './resources.ts';
import type { Schema } from './schema.ts';
import type { WebhookTable } from './webhook-schema.ts';

/** Webhooks on disk; their tokens as they were sealed. */
export type WebhookStore = ResourceStore<Webhook>;

/** How webhooks are stored. */
export const webhookTable: ResourceTable<WebhookTable, Webhook> = {
  table: 'webhook',
  what: 'Webhook',
  container: { table: 'scope', column: 'project_id', what: 'project', idOf: ({ projectId }) => projectId },
  toRow: (webhook, change) => ({
    id: webhook.id,
    project_id: webhook.projectId,
    name: webhook.name,
    description: webhook.description,
    created_time: webhook.createdTime,
    updated_time: webhook.updatedTime,
    version: webhook.version,
    address: webhook.address,
    events: JSON.stringify(webhook.events),
    fingerprint: webhook.fingerprint,
    sealed: webhook.sealed,
    change,
  }),
  toItems: (_reader, rows) =>
    rows.map((row) => ({
      id: row.id,
      projectId: row.project_id,
      name: row.name,
      description: row.description,
      createdTime: row.created_time,
      updatedTime: row.updated_time,
      version: row.version,
      address: row.address,
      events: JSON.parse(row.events) as string[],
      fingerprint: row.fingerprint,
      sealed: row.sealed,
    })),
};

/** Webhooks in the store of the access controller. */
export function webhookStore(store: Store<Schema>): WebhookStore {
  return resourceStore(store, webhookTable);
}
