import { archive, smallModule } from '@gatehouse/module-archive/testing/archives';
import type { Client } from '@gatehouse/module-registry/testing/client';
import { startServer, testPassword, type TestServer } from '@gatehouse/module-registry/testing/server';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Browser, BrowserAnswer } from './browser.ts';
import { signInAs, startConsole, type TestConsole, type TestConsoleOptions } from './console.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';

/** A console with the real embedded module registry and a fault proxy between them; both share a clock. */
export interface ModulesConsole extends AsyncDisposable {
  readonly console: TestConsole;
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  /** The registry's own client, as an administrator. */
  readonly direct: Client;
  /** A browser of a signed-in user: `admin`, `operator`, `read-only`, `nobody`. */
  signedIn(loginName?: string): Promise<Browser>;
}

export async function startModules(options: Partial<TestConsoleOptions> = {}): Promise<ModulesConsole> {
  const server = await startServer();
  const proxy = await faultProxy(server.port);
  const console = await startConsole({
    modules: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
    clock: server.clock,
    ...options,
    modulesSettings: { clientUrl: new URL('https://modules.example'), ...options.modulesSettings },
  });
  return {
    console,
    server,
    proxy,
    direct: await server.as('administrator'),
    async signedIn(loginName = 'admin') {
      const page = console.browser();
      await signInAs(page, loginName, testPassword, 'modules');
      return page;
    },
    async [Symbol.asyncDispose]() {
      await console.close();
      await proxy.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What `useModules` has started for the tests of a file. */
export let modules: ModulesConsole;
/** A browser of an administrator in `modules`. */
export let admin: Browser;

/** Starts `modules` before a file's tests, and clears the proxy's fault after each. */
export function useModules(): void {
  beforeAll(async () => {
    modules = await startModules();
    admin = await modules.signedIn();
  });
  afterEach(() => {
    modules.proxy.fault = { kind: 'none' };
    delete modules.proxy.onRequest;
  });
  afterAll(() => modules[Symbol.asyncDispose]());
}

/** Path of the console's operations on modules. */
export const modulesApi = '/api/environments/test/modules';

/** The path of a module's operations, `acme/net/aws`. @param more below it, such as `/versions/1.0.0` */
export function moduleAt(path: string, more = ''): string {
  return `${modulesApi}/${path}${more}`;
}

/** Status and code of an answer. */
export function codeOf({ status, json }: BrowserAnswer): unknown[] {
  return [status, json['code']];
}

/** The page's request to publish an archive. */
export function publishing(archive: Uint8Array, fields: { description?: string; source?: string } = {}) {
  return {
    body: { archive: Buffer.from(archive).toString('base64'), description: '', source: '', ...fields },
  };
}

/** An archive with a submodule and a README. */
export const net = archive({
  'main.tf': 'variable "size" {\n  type = list(string)\n}\n\noutput "id" {\n  value = 1\n}\n',
  'modules/peer/main.tf': 'variable "name" {}\n',
  'README.md': '# Net\n\nA network of its own.\n',
});

/** Publishes a version. @param path such as `acme/net/aws/1.0.0` */
export async function publish(
  page: Browser,
  path: string,
  bytes: Uint8Array = smallModule(),
): Promise<BrowserAnswer> {
  const cut = path.lastIndexOf('/');
  const at = moduleAt(path.slice(0, cut), `/versions/${path.slice(cut + 1)}`);
  const answer = await page.send('POST', `${at}/publish`, publishing(bytes));
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
}

export const readArchive = (page: Browser, bytes: Uint8Array = net): Promise<BrowserAnswer> =>
  page.send('POST', `${modulesApi}/archive`, { body: { archive: Buffer.from(bytes).toString('base64') } });

/** Records the requests that reach the registry from now on, as `GET /v1/…`. */
export function asked({ proxy }: ModulesConsole): string[] {
  const lines: string[] = [];
  proxy.onRequest = (bytes) => {
    const line = /^((?:GET|POST|PUT|DELETE) \S+) HTTP/.exec(bytes.toString('latin1'))?.[1];
    if (line !== undefined) lines.push(line);
  };
  return lines;
}
