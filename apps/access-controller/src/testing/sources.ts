import { expect } from 'vitest';
import { textOf } from './controller.ts';
import type { Answer, Client, TestController, Wire } from './controller.ts';

/** The project of every new controller. */
export const generatedProject = 'p_1234567890';

/** Creates the sources of targets, as one user. Expects every answer to be a success. */
export class SourceMaker {
  readonly #controller: TestController;
  readonly #client: Client;
  #names = 0;

  constructor(controller: TestController, client: Client) {
    this.#controller = controller;
    this.#client = client;
  }

  async create(path: string, body: Wire): Promise<Wire> {
    return this.#done(await this.#client.post(path, body));
  }

  target(fields: Wire = {}): Promise<Wire> {
    const name = `target ${++this.#names}`;
    return this.create('/v1/targets', { scope_id: generatedProject, type: 'ssh', name, ...fields });
  }

  async catalog(scopeId: string = generatedProject): Promise<string> {
    return textOf(await this.create('/v1/host-catalogs', { scope_id: scopeId, type: 'static' }), 'id');
  }

  async host(catalogId: string, address: string): Promise<string> {
    const body = { host_catalog_id: catalogId, attributes: { address } };
    return textOf(await this.create('/v1/hosts', body), 'id');
  }

  /** Creates a set with these hosts. */
  async set(catalogId: string, hostIds: readonly string[] = []): Promise<string> {
    const set = await this.create('/v1/host-sets', { host_catalog_id: catalogId });
    const path = `/v1/host-sets/${textOf(set, 'id')}:set-hosts`;
    this.#done(await this.#client.post(path, { version: 1, host_ids: hostIds }));
    return textOf(set, 'id');
  }

  async store(scopeId: string = generatedProject): Promise<string> {
    return textOf(await this.create('/v1/credential-stores', { scope_id: scopeId, type: 'static' }), 'id');
  }

  /** Creates a credential, by default of type `username_password`. */
  async credential(storeId: string, fields: Wire = {}): Promise<string> {
    const body = {
      credential_store_id: storeId,
      type: 'username_password',
      attributes: { username: 'root', password: 'secret' },
      ...fields,
    };
    return textOf(await this.create('/v1/credentials', body), 'id');
  }

  #done(answer: Answer): Wire {
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    this.#controller.clock.advance(1000);
    return answer.body;
  }
}
