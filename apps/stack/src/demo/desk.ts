import type { BoxChanges, VersionFields } from '@gatehouse/api-types/console/boxes';
import { endpoints } from '@gatehouse/api-types/console/endpoints';
import type { NewPerson, PersonChanges } from '@gatehouse/api-types/console/people';
import type {
  CredentialSourcesChange,
  NewTarget,
  Target,
  TargetChanges,
} from '@gatehouse/api-types/console/targets';
import { ConsoleRefusal } from './console-client.ts';
import type { ConsoleClient } from './console-client.ts';
import { idOf } from './history.ts';
import type { EstateIds } from './history.ts';

/** A user's actions at the console, in the terms of the estate: targets and hosts have names. */
export type Desk = ReturnType<typeof deskOf>;

export function deskOf(console: ConsoleClient, environment: string, ids: EstateIds, password: string) {
  const at = (id: string) => ({ environment, id });
  const kept = (secret: string) => {
    const [mount = '', ...names] = secret.split('/');
    return { environment, mount, path: names.join('/') };
  };
  const box = (name: string) => {
    const [username = '', ...names] = name.split('/');
    return { environment, username, name: names.join('/') };
  };
  const boxVersion = async (name: string, version: string) => {
    const params = { ...box(name), version };
    const { revision, whole_revision: whole } = await console.call(endpoints.boxVersions.get, { params });
    return { params, revision, whole };
  };
  const revisionOf = async (secret: string): Promise<string> =>
    (await console.call(endpoints.secrets.get, { params: kept(secret), query: {} })).revision;
  const look = (name: string) => console.call(endpoints.targets.get, { params: at(idOf(ids.targets, name)) });
  return {
    /** The target as the console shows it now, for an edit based on it. */
    look,
    /** @param seen the target that the edit is based on; by default the present one */
    async edit(name: string, body: TargetChanges, seen?: Target): Promise<void> {
      const { id, revision } = seen ?? (await look(name));
      await console.call(endpoints.targets.update, { params: at(id), body, revision });
    },
    async create(project: string, target: Omit<NewTarget, 'scope_id'>): Promise<void> {
      const body = { ...target, scope_id: idOf(ids.projects, project) };
      const { id } = await console.call(endpoints.targets.create, { params: { environment }, body });
      ids.targets.set(target.name, id);
    },
    async remove(name: string): Promise<void> {
      const { id, revision } = await look(name);
      await console.call(endpoints.targets.delete, { params: at(id), revision });
    },
    /** @param names of credentials, as `project/name` */
    async link(name: string, names: readonly string[]): Promise<void> {
      const { id, revision } = await look(name);
      const brokered = names.map((credential) => idOf(ids.credentials, credential));
      const body: CredentialSourcesChange = { action: 'set', brokered_credential_source_ids: brokered };
      await console.call(endpoints.targets.changeCredentialSources, { params: at(id), body, revision });
    },
    /** @param host of the target's host sets; missing if the target has an address @returns the session's ID */
    async authorize(name: string, host?: string): Promise<string> {
      const body = host === undefined ? {} : { host_id: idOf(ids.hosts, host) };
      const answer = await console.call(endpoints.accessSessions.authorize, {
        params: at(idOf(ids.targets, name)),
        body,
      });
      return answer.session_id;
    },
    async cancel(session: string): Promise<void> {
      const { id, revision } = await console.call(endpoints.accessSessions.get, { params: at(session) });
      await console.call(endpoints.accessSessions.cancel, { params: at(id), revision });
    },
    /** Reveals the values of a secret. @param secret its engine and path, such as `secret/platform/ci/signing` */
    async reveal(secret: string): Promise<void> {
      await console.call(endpoints.secrets.reveal, { params: kept(secret), body: {} });
    },
    async patch(secret: string, fields: Readonly<Record<string, unknown>>): Promise<void> {
      await console.call(endpoints.secrets.patch, {
        params: kept(secret),
        body: { data: JSON.stringify(fields) },
        revision: await revisionOf(secret),
      });
    },
    /** Writes the values of an older version as a new version. */
    async restore(secret: string, version: number): Promise<void> {
      await console.call(endpoints.secrets.restore, {
        params: kept(secret),
        body: { version },
        revision: await revisionOf(secret),
      });
    },
    async drop(secret: string): Promise<void> {
      await console.call(endpoints.secrets.delete, {
        params: kept(secret),
        revision: await revisionOf(secret),
      });
    },
    /** @param name the box's owner and name, such as `base/debian-12` */
    async editBox(name: string, body: BoxChanges): Promise<void> {
      const params = box(name);
      const { revision } = await console.call(endpoints.boxes.get, { params });
      await console.call(endpoints.boxes.update, { params, body, revision });
    },
    /** Creates an unreleased version of a box. */
    async beginVersion(name: string, body: VersionFields): Promise<void> {
      await console.call(endpoints.boxVersions.create, { params: box(name), body });
    },
    async describeVersion(name: string, version: string, description: string): Promise<void> {
      const { params, revision } = await boxVersion(name, version);
      await console.call(endpoints.boxVersions.update, { params, revision, body: { description } });
    },
    async releaseVersion(name: string, version: string): Promise<void> {
      const { params, whole } = await boxVersion(name, version);
      await console.call(endpoints.boxVersions.release, { params, revision: whole });
    },
    async createBoxToken(description: string): Promise<void> {
      await console.call(endpoints.boxTokens.create, {
        params: { environment },
        body: { password, description },
      });
    },
    /** Confirms the password. */
    async confirm(): Promise<void> {
      await console.call(endpoints.session.confirm, { body: { environment, secret: password } });
    },
    /** @returns the user's ID */
    async invite(person: Omit<NewPerson, 'password'>): Promise<string> {
      const { id } = await console.call(endpoints.people.create, {
        params: { environment },
        body: { ...person, password },
      });
      return id;
    },
    async changePerson(id: string, body: PersonChanges): Promise<void> {
      const { revision } = await console.call(endpoints.people.get, { params: at(id) });
      await console.call(endpoints.people.update, { params: at(id), body, revision });
    },
  };
}

/** Waits for a call that the console must refuse. @throws Error if it isn't refused, or for another reason */
export async function refused(code: string, work: Promise<unknown>): Promise<void> {
  const refusal = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal instanceof ConsoleRefusal && refusal.code === code) return;
  throw new Error(`the story expected ${code}`, { cause: refusal });
}
