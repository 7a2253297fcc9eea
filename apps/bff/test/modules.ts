import type { Client } from '@gatehouse/module-registry/testing/client';
import { startServer, testPassword, type TestServer } from '@gatehouse/module-registry/testing/server';
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
