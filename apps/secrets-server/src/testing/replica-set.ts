import { until } from './killable-cluster.ts';
import type { KillableCluster } from './killable-cluster.ts';

/** The second key-value engine, which filters may exclude; the first is `secret`. */
export const filteredMount = 'other';

export interface SecretPlace {
  readonly mount: string;
  readonly path: string;
}

/** An acknowledged write. */
export interface Acknowledged extends SecretPlace {
  readonly version: number;
  readonly n: number;
}

/** A primary and its secondaries, with the acknowledged writes. */
export interface ReplicaSet {
  readonly primary: KillableCluster;
  readonly secondaries: readonly KillableCluster[];
  readonly acknowledged: readonly Acknowledged[];
  /** The ID by which the primary knows a secondary. */
  idOf(secondary: KillableCluster): string;
  /** Writes a version of a secret through a cluster; returns whether it was acknowledged. */
  write(through: KillableCluster, place: SecretPlace): Promise<boolean>;
  /** Waits until every secondary has all of the primary's writes. */
  settle(): Promise<void>;
  /** The planned change of the primary. */
  switchTo(next: KillableCluster): Promise<void>;
  /** A failover, after the primary is unreachable or gone. */
  failOverTo(next: KillableCluster): Promise<void>;
  /** Lets a former primary follow the new one. */
  rejoin(old: KillableCluster): Promise<void>;
  revoke(secondary: KillableCluster): Promise<void>;
  /** Gives a secondary a new activation token of the primary. */
  activateAgain(secondary: KillableCluster): Promise<void>;
}

const performance = 'sys/replication/performance';

/** Makes the first cluster the primary and the others its secondaries. */
export async function replicaSet(clusters: readonly KillableCluster[]): Promise<ReplicaSet> {
  let [primary, ...secondaries] = clusters;
  if (primary === undefined) throw new Error('there is no cluster');
  const first = primary;
  const ids = new Map<KillableCluster, string>();
  const acknowledged: Acknowledged[] = [];
  let count = 0;

  const idOf = (secondary: KillableCluster): string => ids.get(secondary) ?? '';
  const activate = async (from: KillableCluster, secondary: KillableCluster): Promise<string> => {
    count += 1;
    const id = `${secondary.name}-${count}`;
    const { body } = await from.must('POST', `${performance}/primary/secondary-token`, { id });
    ids.set(secondary, id);
    const wrapped: unknown = body['wrap_info'];
    return String(typeof wrapped === 'object' && wrapped !== null ? Reflect.get(wrapped, 'token') : '');
  };
  const follow = async (secondary: KillableCluster): Promise<void> => {
    const token = await activate(set.primary, secondary);
    await secondary.must('POST', `${performance}/secondary/update-primary`, { token });
  };
  const lastOf = async (cluster: KillableCluster): Promise<number> => {
    const { last_wal: written, last_remote_wal: received } = await cluster.status();
    return Number(written ?? received);
  };
  const promote = async (next: KillableCluster, force: boolean): Promise<void> => {
    const body = { primary_cluster_addr: next.link.address, force };
    // The secondary may still lack records that a filter excluded until now.
    await until(`${next.name} is promoted`, async () => {
      const { status, text } = await next.send('POST', `${performance}/secondary/promote`, body);
      return status < 300 || text;
    });
    secondaries = clusters.filter((cluster) => cluster !== next);
    primary = next;
  };

  const set: ReplicaSet = {
    get primary() {
      return primary ?? first;
    },
    get secondaries() {
      return secondaries;
    },
    acknowledged,
    idOf,
    async write(through, { mount, path }) {
      count += 1;
      const n = count;
      const answer = await through
        .send('POST', `${mount}/data/${path}`, { data: { n } })
        .catch(() => undefined);
      if (answer?.status !== 200) return false;
      acknowledged.push({ mount, path, version: Number(answer.data['version']), n });
      return true;
    },
    async settle() {
      const last = await lastOf(set.primary);
      for (const secondary of secondaries) {
        await until(`${secondary.name} has what ${set.primary.name} has (${last})`, async () => {
          const status = await secondary.status();
          const has = Number(status['last_remote_wal']) >= last && status['sync_state'] === 'stream';
          return has || JSON.stringify(status);
        });
      }
    },
    async switchTo(next) {
      const old = set.primary;
      // A secondary without all mounts can't be promoted.
      await old.must('DELETE', `${performance}/primary/paths-filter/${idOf(next)}`);
      await set.settle();
      await old.must('POST', `${performance}/primary/demote`);
      const last = await lastOf(old);
      await until(`${next.name} has all of ${old.name} (${last})`, async () => {
        const has = await lastOf(next);
        return has >= last || String(has);
      });
      await promote(next, false);
      for (const secondary of secondaries) await follow(secondary);
    },
    async failOverTo(next) {
      const old = set.primary;
      await promote(next, true);
      for (const secondary of secondaries) if (secondary !== old) await follow(secondary);
      // Not a secondary yet: the cluster still considers itself the primary.
      secondaries = secondaries.filter((secondary) => secondary !== old);
    },
    async rejoin(old) {
      await old.must('POST', `${performance}/primary/demote`);
      secondaries = [...secondaries, old];
      await follow(old);
    },
    async revoke(secondary) {
      await set.primary.must('POST', `${performance}/primary/revoke-secondary`, { id: idOf(secondary) });
      await until(`${secondary.name} is refused`, async () => {
        const { connection_state: state } = await secondary.status();
        return state === 'denied' || String(state);
      });
    },
    activateAgain: follow,
  };

  await first.must('POST', `${performance}/primary/enable`, { primary_cluster_addr: first.link.address });
  // Keeps enough versions that every version of the test can be checked at the end.
  await first.must('POST', `sys/mounts/${filteredMount}`, { type: 'kv', options: { version: '2' } });
  for (const mount of ['secret', filteredMount])
    await first.must('POST', `${mount}/config`, { max_versions: 10_000 });
  for (const secondary of secondaries) {
    const token = await activate(first, secondary);
    await secondary.must('POST', `${performance}/secondary/enable`, { token });
  }
  await set.settle();
  return set;
}
