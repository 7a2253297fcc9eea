import type { Move, PieceCounts } from '@gatehouse/api-types/console/moves';

const pieces: PieceCounts = {
  missing: 0,
  'left-out': 0,
  here: 0,
  clash: 0,
  waiting: 0,
  copying: 0,
  copied: 0,
  linked: 0,
  'not-copied': 0,
  failed: 0,
};

const items = {
  total: 0,
  chosen: 0,
  finished: 0,
  usable: 0,
  unread: 0,
  to_copy: 0,
  copied: 0,
  with_clashes: 0,
};

type Given = Partial<Omit<Move, 'pieces' | 'items'>> & {
  pieces?: Partial<PieceCounts>;
  items?: Partial<Move['items']>;
};

/** A move for tests of words. */
export function testMove(given: Given): Move {
  return {
    id: 'mv_1',
    revision: '1',
    kind: 'boxes',
    state: 'planned',
    pause: null,
    waits_until: null,
    source: { address: 'https://vagrantcloud.com', has_token: false, used_token: false },
    wanted: ['acme'],
    owner: { person: 'alice', name: 'alice', is_you: true },
    choice: {
      items: { kind: 'all-but', ids: [] },
      versions: { kind: 'all' },
      providers: null,
      architectures: null,
      owners: [],
      links: 'keep',
      privacy: 'as-there',
    },
    planning: null,
    found: { owners: ['acme'], providers: [], architectures: [] },
    versions: 0,
    joined_releases: 0,
    bytes: { total: 0, copied: 0, unknown: 0 },
    rate: null,
    seconds_left: null,
    server_url: null,
    planned_time: null,
    created_time: '2026-11-23T13:00:00Z',
    updated_time: '2026-11-23T13:00:00Z',
    log: [],
    ...given,
    pieces: { ...pieces, ...given.pieces },
    items: { ...items, ...given.items },
  };
}
