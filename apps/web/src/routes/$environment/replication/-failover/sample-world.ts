/** Servers for tests of role changes: they accept writes, stream, and carry out steps. */
import type { Cluster, PathsFilter } from '../-clusters/cluster.ts';
import { unknownLag } from '../-clusters/cluster.ts';
import {
  aloneCluster,
  caughtUp,
  knownSecondary,
  primaryCluster,
  secondaryCluster,
  unreadClusterOf,
} from '../-clusters/sample-clusters.ts';
import { pairKey, type Act, type Evidence } from './step.ts';

interface Server {
  readonly id: string;
  role: 'primary' | 'secondary';
  /** The primary that it follows; undefined for a primary or a demoted cluster. */
  leader: string | undefined;
  writes: string[];
  lost: string[];
  isDown: boolean;
  /** Filters for its secondaries, by ID. */
  readonly filters: Map<string, PathsFilter>;
}

export class World {
  readonly servers: readonly Server[];
  readonly acknowledged: string[] = [];
  readonly equal = new Set<string>();
  readonly confirmed = new Set<string>();

  /** The first is the primary of the others. */
  constructor(ids: readonly string[]) {
    const [first = ''] = ids;
    this.servers = ids.map((id) => ({
      id,
      role: id === first ? 'primary' : 'secondary',
      leader: id === first ? undefined : first,
      writes: [],
      lost: [],
      isDown: false,
      filters: new Map(),
    }));
  }

  at(id: string): Server {
    const server = this.servers.find((other) => other.id === id);
    if (server === undefined) throw new Error(`There is no server ${id}.`);
    return server;
  }

  /** A client's write, to any reachable primary. */
  write(text: string): void {
    const server = this.servers.find(({ role, isDown }) => role === 'primary' && !isDown);
    if (server === undefined) return;
    server.writes.push(text);
    this.acknowledged.push(text);
  }

  /** Streams up to `count` entries to a secondary. First, entries that its leader never had become lost writes. */
  stream(id: string, count = Infinity): void {
    const server = this.at(id);
    if (server.isDown || server.leader === undefined) return;
    const leader = this.at(server.leader);
    if (leader.isDown) return;
    const differs = server.writes.findIndex((text, index) => leader.writes[index] !== text);
    if (differs !== -1) server.lost.push(...server.writes.splice(differs));
    server.writes.push(...leader.writes.slice(server.writes.length, server.writes.length + count));
  }

  evidence(): Evidence {
    return {
      equal: this.equal,
      confirmed: this.confirmed,
      filterAt: (environment, id) => ({ revision: id, filter: this.at(environment).filters.get(id) ?? null }),
      receivedAt: () => undefined,
    };
  }

  clusters(): readonly Cluster[] {
    return this.servers.map(({ id, role, leader, isDown, writes }): Cluster => {
      if (isDown) return unreadClusterOf(id);
      const seq = writes.length;
      if (role === 'primary') return primaryCluster(id, { seq, secondaries: this.knownAt(id) });
      if (leader === undefined) return aloneCluster(id, { seq });
      const isThere = !this.at(leader).isDown;
      const entries = Math.max(0, this.at(leader).writes.length - seq);
      return secondaryCluster(id, leader, {
        seq,
        connection: isThere ? 'ready' : 'disconnected',
        lag: isThere ? { ...caughtUp, entries, appliedSeq: seq } : { ...unknownLag, appliedSeq: seq },
      });
    });
  }

  /** Carries out a step. @throws Error if a server would refuse it */
  act(act: Act, id: string): void {
    switch (act.kind) {
      case 'look':
      case 'elsewhere':
        return;
      case 'compare':
        for (const pair of act.pairs) {
          const same = this.at(pair.primary).writes.join() === this.at(pair.secondary).writes.join();
          if (same) this.equal.add(pairKey(pair));
        }
        return;
      case 'confirm':
      case 'read-lost':
        this.confirmed.add(id);
        return;
      case 'demote':
        this.demote(this.at(act.at));
        return;
      case 'promote':
        this.promote(this.at(act.at));
        return;
      case 'save-filter':
        this.at(act.at).filters.set(act.secondaryId, act.filter);
        return;
      case 'update-primary':
        this.follow(this.at(act.at), this.at(act.primary));
    }
  }

  private knownAt(primary: string) {
    return this.servers
      .filter(({ leader }) => leader === primary)
      .map(({ id, isDown, writes }) =>
        knownSecondary(id, {
          connection: isDown ? 'disconnected' : 'ready',
          filter: this.at(primary).filters.get(id) ?? null,
          lag: {
            ...caughtUp,
            entries: Math.max(0, this.at(primary).writes.length - writes.length),
            appliedSeq: writes.length,
          },
        }),
      );
  }

  private demote(server: Server): void {
    if (server.isDown || server.role !== 'primary') throw new Error('It is not a primary.');
    server.role = 'secondary';
    server.leader = undefined;
  }

  private promote(server: Server): void {
    if (server.isDown || server.role !== 'secondary') throw new Error('It is not a secondary.');
    server.role = 'primary';
    server.leader = undefined;
  }

  private follow(server: Server, primary: Server): void {
    if (server.isDown || server.role !== 'secondary') throw new Error('It is not a secondary.');
    if (primary.isDown || primary.role !== 'primary') throw new Error('It has no token to give.');
    server.leader = primary.id;
  }
}
