import { resource } from '#operation/operation.ts';
import { inAccess } from '#shared/access/caller.ts';
import { collectionOperations } from '#shared/access/records.ts';
import { webhooks } from '#upstreams/access-controller/webhooks.ts';

export const webhookOperations = resource(inAccess, collectionOperations('webhooks', webhooks));
