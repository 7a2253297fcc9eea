import type { Webhook } from '@gatehouse/api-types/console/webhooks';
import { webhook } from '@gatehouse/api-types/services/access-controller';
import { plainBodies } from './bodies.ts';
import { collection } from './collection.ts';
import { commonFieldsOf } from './record-wire.ts';

/** /v1/webhooks */
export const webhooks = collection({
  kind: 'webhook',
  container: 'scope_id',
  path: 'webhooks',
  wire: webhook,
  itemOf: (from): Webhook => ({
    ...commonFieldsOf(from),
    scope_id: from.scope_id,
    address: from.address,
    token_hmac: from.token_hmac,
    events: from.events,
  }),
  ...plainBodies<'webhooks'>(),
});
