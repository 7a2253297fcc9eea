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

/** What a person does at the console, in the terms of the estate: targets and hosts by their names. */
export interface Desk {
  /** The target as it is shown now, to be edited by what was seen. */
  look(target: string): Promise<Target>;
  /** @param seen what the person looked at; the target as it is now unless given */
  edit(target: string, changes: TargetChanges, seen?: Target): Promise<void>;
  create(project: string, target: Omit<NewTarget, 'scope_id'>): Promise<void>;
  remove(target: string): Promise<void>;
  /** @param names of credentials, `project/name` */
  link(target: string, names: readonly string[]): Promise<void>;
  /** @param host of the target's host sets; left out where it has an address. @returns the session's id */
  authorize(target: string, host?: string): Promise<string>;
  cancel(session: string): Promise<void>;
  /** Looks at the values of a secret. @param secret its engine and its path: `secret/platform/ci/signing` */
  reveal(secret: string): Promise<void>;
  /** Changes fields of a secret. */
  patch(secret: string, fields: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes an older version's values as a new one. */
  restore(secret: string, version: number): Promise<void>;
  /** Deletes the newest version of a secret. */
  drop(secret: string): Promise<void>;
  /** Changes fields of a box. @param box its owner and its name: `base/debian-12` */
  editBox(box: string, changes: BoxChanges): Promise<void>;
  /** Begins a version of a box. */
  beginVersion(box: string, version: VersionFields): Promise<void>;
  /** Changes what a version of a box is said to be. */
  describeVersion(box: string, version: string, description: string): Promise<void>;
  releaseVersion(box: string, version: string): Promise<void>;
  /** Creates a token of the box registry for another client. */
  createBoxToken(description: string): Promise<void>;
  /** Enters the password again. */
  confirm(): Promise<void>;
  /** @returns the person's id */
  invite(person: Omit<NewPerson, 'password'>): Promise<string>;
  changePerson(id: string, changes: PersonChanges): Promise<void>;
}

/** The desk of somebody who is signed in. */
export function deskOf(console: ConsoleClient, environment: string, ids: EstateIds, password: string): Desk {
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
    look,
    async edit(name, body, seen) {
      const { id, revision } = seen ?? (await look(name));
      await console.call(endpoints.targets.update, { params: at(id), body, revision });
    },
    async create(project, target) {
      const body = { ...target, scope_id: idOf(ids.projects, project) };
      const { id } = await console.call(endpoints.targets.create, { params: { environment }, body });
      ids.targets.set(target.name, id);
    },
    async remove(name) {
      const { id, revision } = await look(name);
      await console.call(endpoints.targets.delete, { params: at(id), revision });
    },
    async link(name, names) {
      const { id, revision } = await look(name);
      const brokered = names.map((credential) => idOf(ids.credentials, credential));
      const body: CredentialSourcesChange = { action: 'set', brokered_credential_source_ids: brokered };
      await console.call(endpoints.targets.changeCredentialSources, { params: at(id), body, revision });
    },
    async authorize(name, host) {
      const body = host === undefined ? {} : { host_id: idOf(ids.hosts, host) };
      const answer = await console.call(endpoints.accessSessions.authorize, {
        params: at(idOf(ids.targets, name)),
        body,
      });
      return answer.session_id;
    },
    async cancel(session) {
      const { id, revision } = await console.call(endpoints.accessSessions.get, { params: at(session) });
      await console.call(endpoints.accessSessions.cancel, { params: at(id), revision });
    },
    async reveal(secret) {
      await console.call(endpoints.secrets.reveal, { params: kept(secret), body: {} });
    },
    async patch(secret, fields) {
      await console.call(endpoints.secrets.patch, {
        params: kept(secret),
        body: { data: JSON.stringify(fields) },
        revision: await revisionOf(secret),
      });
    },
    async restore(secret, version) {
      await console.call(endpoints.secrets.restore, {
        params: kept(secret),
        body: { version },
        revision: await revisionOf(secret),
      });
    },
    async drop(secret) {
      await console.call(endpoints.secrets.delete, {
        params: kept(secret),
        revision: await revisionOf(secret),
      });
    },
    async editBox(name, body) {
      const params = box(name);
      const { revision } = await console.call(endpoints.boxes.get, { params });
      await console.call(endpoints.boxes.update, { params, body, revision });
    },
    async beginVersion(name, body) {
      await console.call(endpoints.boxVersions.create, { params: box(name), body });
    },
    async describeVersion(name, version, description) {
      const { params, revision } = await boxVersion(name, version);
      await console.call(endpoints.boxVersions.update, { params, revision, body: { description } });
    },
    async releaseVersion(name, version) {
      const { params, whole } = await boxVersion(name, version);
      await console.call(endpoints.boxVersions.release, { params, revision: whole });
    },
    async createBoxToken(description) {
      await console.call(endpoints.boxTokens.create, {
        params: { environment },
        body: { password, description },
      });
    },
    async confirm() {
      await console.call(endpoints.session.confirm, { body: { environment, secret: password } });
    },
    async invite(person) {
      const { id } = await console.call(endpoints.people.create, {
        params: { environment },
        body: { ...person, password },
      });
      return id;
    },
    async changePerson(id, body) {
      const { revision } = await console.call(endpoints.people.get, { params: at(id) });
      await console.call(endpoints.people.update, { params: at(id), body, revision });
    },
  };
}

/**
 * Waits for something that the console must refuse.
 * @throws Error when it does not, or for another reason
 */
export async function refused(code: string, work: Promise<unknown>): Promise<void> {
  const refusal = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (refusal instanceof ConsoleRefusal && refusal.code === code) return;
  throw new Error(`the story expected ${code}`, { cause: refusal });
}
