import type { TestClock } from '@gatehouse/service-kit/clock';
import { expect } from 'vitest';
import { startController, textOf } from './controller.ts';
import type { Answer, Client, TestController, Wire } from './controller.ts';
import { SourceMaker, generatedProject } from './sources.ts';

/** The secrets server of the stores. */
interface Secrets extends AsyncDisposable {
  readonly url: string;
  readonly clock: TestClock;
  newToken(): Promise<string>;
}

/** Creates stores of type vault and their libraries, as an operator, and authorizes sessions with them. */
export class VaultStores<Server extends Secrets = Secrets> implements AsyncDisposable {
  readonly controller: TestController;
  readonly operator: Client;
  readonly make: SourceMaker;
  readonly secrets: Server;
  /** The default store of new libraries. */
  storeId = '';
  #names = 0;

  constructor(controller: TestController, operator: Client, secrets: Server) {
    this.controller = controller;
    this.operator = operator;
    this.make = new SourceMaker(controller, operator);
    this.secrets = secrets;
  }

  async createStore(attributes: Wire = {}, fields: Wire = {}): Promise<Answer> {
    return this.operator.post('/v1/credential-stores', {
      scope_id: generatedProject,
      type: 'vault',
      name: `store ${++this.#names}`,
      attributes: { address: this.secrets.url, token: await this.secrets.newToken(), ...attributes },
      ...fields,
    });
  }

  createLibrary(fields: Wire = {}, store = this.storeId): Promise<Answer> {
    return this.operator.post('/v1/credential-libraries', {
      credential_store_id: store,
      type: 'vault-generic',
      name: `library ${++this.#names}`,
      credential_type: 'username_password',
      ...fields,
      attributes: { path: 'secret/data/databases/orders', ...(fields['attributes'] as Wire | undefined) },
    });
  }

  /** Creates a target with a library as a source. */
  async targetWith(libraryId: string, purpose = 'brokered'): Promise<string> {
    const target = await this.make.target({ address: 'db.example' });
    const linked = await this.operator.post(`/v1/targets/${textOf(target, 'id')}:add-credential-sources`, {
      version: 1,
      [`${purpose}_credential_source_ids`]: [libraryId],
    });
    expect(linked.status, JSON.stringify(linked.body)).toBe(200);
    return textOf(target, 'id');
  }

  authorize(targetId: string): Promise<Answer> {
    return this.operator.post(`/v1/targets/${targetId}:authorize-session`, {});
  }

  /** Authorizes a session on a new target with a new library. */
  async authorizeWith(fields: Wire, store = this.storeId): Promise<Answer> {
    const library = await this.createLibrary(fields, store);
    expect(library.status, JSON.stringify(library.body)).toBe(200);
    return this.authorize(await this.targetWith(textOf(library.body, 'id')));
  }

  /** Advances the clocks of the controller and of the secrets server. */
  advance(ms: number): void {
    this.secrets.clock.advance(ms);
    this.controller.clock.advance(ms);
  }

  /** The status that the controller reports for a store's token. */
  async tokenStatus(id: string): Promise<unknown> {
    return attributesOf(await this.operator.get(`/v1/credential-stores/${id}`))['token_status'];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.controller[Symbol.asyncDispose]();
    await this.secrets[Symbol.asyncDispose]();
  }
}

/** Starts a controller with a store at a secrets server. Disposing of the result stops both. */
export async function startVaultStores<Server extends Secrets>(
  secrets: Server,
): Promise<VaultStores<Server>> {
  const controller = await startController({ upkeepMs: 10 });
  const vault = new VaultStores(controller, await controller.as('operator'), secrets);
  vault.storeId = textOf((await vault.createStore()).body, 'id');
  return vault;
}

export const attributesOf = (answer: Answer): Wire => answer.body['attributes'] as Wire;

/** The reason why a source returned no credential. */
export const reasonOf = (answer: Answer): unknown =>
  (answer.body['details'] as { credential_source?: Wire } | undefined)?.credential_source?.['reason'];
