/** What a filter expression over targets can name. */
import { targetTypes } from '@gatehouse/api-types/console/target-values';
import type { FilterFieldName } from '#components/filter/filter-completion.ts';

export const targetFilterFields: readonly FilterFieldName[] = [
  { selector: '"/item/name"', detail: 'Name' },
  { selector: '"/item/description"', detail: 'Description' },
  { selector: '"/item/id"', detail: 'ID' },
  {
    selector: '"/item/type"',
    detail: 'Type',
    values: targetTypes.map((text) => ({ text })),
  },
  { selector: '"/item/address"', detail: 'Address' },
  { selector: '"/item/scope_id"', detail: 'ID of the project' },
  { selector: '"/item/scope/name"', detail: 'Name of the project' },
  { selector: '"/item/session_max_seconds"', detail: 'Maximum session duration, in seconds' },
  {
    selector: '"/item/session_connection_limit"',
    detail: 'Maximum connections per session',
    values: [{ text: '-1', detail: 'no limit' }],
    isBare: true,
  },
  {
    selector: '"/item/attributes/default_port"',
    detail: 'Default port',
    values: [
      { text: '22', detail: 'SSH' },
      { text: '3389', detail: 'remote desktop' },
    ],
    isBare: true,
  },
  { selector: '"/item/egress_worker_filter"', detail: 'Egress worker filter' },
  { selector: '"/item/ingress_worker_filter"', detail: 'Ingress worker filter' },
];
