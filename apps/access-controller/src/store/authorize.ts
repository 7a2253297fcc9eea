import { withParameters } from '@gatehouse/service-kit/store';
import type { Reader, Store } from '@gatehouse/service-kit/store';
import { sql } from 'kysely';
import type { Credential } from '../domain/credential/credential.ts';
import { notFound, Refusal } from '../domain/refusal.ts';
import type { OfferedHost, OfferedHosts } from '../domain/session/endpoint.ts';
import type { Session } from '../domain/session/session.ts';
import type { Target } from '../domain/target/target.ts';
import type { Lease } from '../domain/vault-store/lease.ts';
import { credentialTable } from './credentials.ts';
import { findResource, insertResources } from './resources.ts';
import type { Schema } from './schema.ts';
import { isPendingOrActive, pendingOrActive, sessionTable } from './sessions.ts';
import { targetTable } from './targets.ts';
import { insertLeases } from './vault-leases.ts';

/** The records that a session on a target is built from, all at the same moment. */
export interface SessionParts {
  readonly target: Target;
  /** The hosts of the target's host sets. A host counts once per set that contains it. */
  readonly hosts: OfferedHosts;
  credential(id: string): Credential | undefined;
}

/** Most live sessions of one user, and most leases of credentials issued for them. */
const mostKept = 5_000;

export interface SessionAuthorizer {
  /**
   * Stores the session that `make` builds from a target and its sources, together with the leases of its issued
   * credentials, in one transaction.
   * @throws Refusal `not found`, and the errors of `make`
   */
  authorize<Made extends { readonly session: Session; readonly leases: readonly Lease[] }>(
    targetId: string,
    make: (parts: SessionParts) => Made,
  ): Promise<Made>;
  /**
   * Call before issuing credentials.
   * @throws Refusal `failed precondition` if the user has too many sessions or leases
   */
  checkRoom(userId: string): void;
  /** The IDs of the targets with this name in a project, which its ID or name identifies. */
  named(name: string, project: { readonly id: string } | { readonly name: string }): string[];
}

export function sessionAuthorizer(store: Store<Schema>): SessionAuthorizer {
  const { build } = store;
  const counted = (rows: string) =>
    sql.raw<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM ${rows} LIMIT ?2)`).compile(build);
  const kept = [
    [counted(`${pendingOrActive('user_id')} WHERE user_id = ?1 AND ${isPendingOrActive}`), 'live sessions'],
    [counted('vault_lease WHERE user_id = ?1'), 'leases of credentials'],
  ] as const;
  const checkRoom = (reader: Reader<Schema>, userId: string): void => {
    for (const [counted, what] of kept) {
      if ((reader.get(withParameters(counted, userId, mostKept))?.n ?? 0) < mostKept) continue;
      throw new Refusal(
        'failed precondition',
        `You have ${mostKept} ${what}. Cancel sessions that you don't need, or wait until some end.`,
      );
    }
  };
  return {
    async authorize(targetId, make) {
      const { made } = await store.write((tx) => {
        const target = findResource(tx, targetTable, targetId);
        if (target === undefined) throw notFound();
        const made = make({
          target,
          hosts: offeredHosts(tx, targetId),
          credential: (id) => findResource(tx, credentialTable, id),
        });
        // Checks again: more sessions may have been created in the meantime.
        checkRoom(tx, made.session.userId);
        insertResources(tx, sessionTable, target.projectId, [made.session]);
        insertLeases(tx, made.leases);
        return { made };
      });
      return made;
    },

    checkRoom: (userId) => checkRoom(store, userId),

    named(name, project) {
      const named = build.selectFrom('target').select('id').where('name', '=', name);
      const query =
        'id' in project
          ? named.where('project_id', '=', project.id)
          : named.where('project_id', 'in', (scopes) =>
              scopes
                .selectFrom('scope')
                .select('id')
                .where('type', '=', 'project')
                .where('name', '=', project.name),
            );
      return store.all(query.compile()).map((row) => row.id);
    },
  };
}

function offeredHosts(reader: Reader<Schema>, targetId: string): OfferedHosts {
  type OfferedSet = ReturnType<OfferedHosts['sets']>[number];
  const all = sql
    .raw<OfferedSet>(
      `SELECT host_set_id AS hostSetId,
         (SELECT count(*) FROM host_set_member AS member WHERE member.host_set_id = source.host_set_id) AS hosts
       FROM target_host_source AS source WHERE target_id = ?1 ORDER BY host_set_id`,
    )
    .compile(reader.build);
  const withHost = sql
    .raw<OfferedSet>(
      `SELECT source.host_set_id AS hostSetId, 1 AS hosts
       FROM host_set_member AS member JOIN target_host_source AS source
         ON source.target_id = ?1 AND source.host_set_id = member.host_set_id
       WHERE member.host_id = ?2 ORDER BY source.host_set_id`,
    )
    .compile(reader.build);
  const one = sql
    .raw<OfferedHost>(
      `SELECT host.id AS hostId, ?1 AS hostSetId, host.address
       FROM (SELECT host_id FROM host_set_member WHERE host_set_id = ?1 AND (?2 = '' OR host_id = ?2)
             ORDER BY host_id LIMIT 1 OFFSET ?3) AS found
       JOIN host ON host.id = found.host_id`,
    )
    .compile(reader.build);
  return {
    sets: (hostId) =>
      reader.all(hostId === '' ? withParameters(all, targetId) : withParameters(withHost, targetId, hostId)),
    at: (...place) => reader.get(withParameters(one, ...place)),
  };
}
