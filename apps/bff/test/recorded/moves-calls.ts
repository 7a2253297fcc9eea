import { canary, type RecordedCall } from './recorded-call.ts';

const record = 'mv_none';

/** Recorded calls of moves. */
export const movesCalls = {
  'moves.create': {
    paths: ['kind', 'address', 'token', 'wanted'],
    body: { kind: 'boxes', address: 'https://boxes.example', token: canary, wanted: [canary] },
  },
  'moves.choose': {
    record,
    paths: [
      'items.kind',
      'items.ids',
      'versions.kind',
      'providers',
      'architectures',
      'owners',
      'links',
      'privacy',
    ],
    body: {
      items: { kind: 'only', ids: [canary] },
      versions: { kind: 'all' },
      providers: [canary],
      architectures: null,
      owners: [],
      links: 'keep',
      privacy: 'private',
    },
  },
  'moves.start': { record, paths: ['token'], body: { token: canary } },
  'moves.pause': { record },
  'moves.resume': { record, paths: ['token'], body: { token: canary } },
  'moves.retry': { record, paths: ['item', 'token'], body: { item: null, token: canary } },
  'moves.compare': { record, paths: ['token'], body: { token: canary } },
  'moves.abandon': { record },
} as const satisfies Readonly<Record<string, RecordedCall>>;
