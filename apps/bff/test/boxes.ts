import { startServer, testPassword, type TestServer } from '@gatehouse/box-registry/testing/server';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { Client } from '@gatehouse/service-kit/testing/client';
import type { Browser } from './browser.ts';
import { signInAs, startConsole, type TestConsole, type TestConsoleOptions } from './console.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';

/** A console with the real embedded box registry and a fault proxy between them; both share a clock. */
export interface BoxesConsole extends AsyncDisposable {
  /** Replaced by `restart`. */
  console: TestConsole;
  readonly server: TestServer;
  readonly proxy: FaultProxy;
  /** The registry's own client, as an administrator. */
  readonly direct: Client;
  /** A browser of a signed-in user: `admin`, `operator`, `read-only`, `nobody`. */
  signedIn(loginName?: string): Promise<Browser>;
  /** Starts a second console with the first one's settings, except for these. The caller closes it. */
  another(changes: Partial<TestConsoleOptions>): Promise<TestConsole>;
  /** Stops the console and starts another one with its data. @returns the given browsers at the new console */
  restart(...before: readonly Browser[]): Promise<Browser[]>;
}

export async function startBoxes(options: Partial<TestConsoleOptions> = {}): Promise<BoxesConsole> {
  const server = await startServer();
  const proxy = await faultProxy(server.port);
  const folder = temporaryFolder();
  const settings: TestConsoleOptions = {
    boxes: { kind: 'url', url: new URL(`http://127.0.0.1:${proxy.port}`) },
    clock: server.clock,
    dataDir: folder.path,
    ...options,
    boxesSettings: { clientUrl: new URL(server.url), ...options.boxesSettings },
  };
  const direct = await server.as('administrator');
  const self: BoxesConsole = {
    console: await startConsole(settings),
    server,
    proxy,
    direct,
    async signedIn(loginName = 'admin') {
      const page = self.console.browser();
      await signInAs(page, loginName, testPassword, 'boxes');
      return page;
    },
    another: (changes) => startConsole({ ...settings, ...changes }),
    async restart(...before) {
      await self.console.close();
      self.console = await startConsole(settings);
      return before.map(({ cookie }) => {
        const page = self.console.browser();
        // Its name contains the port, which is another one now.
        const port = self.console.listening.port;
        page.cookie = cookie?.replace(/^gatehouse-\d+/, `gatehouse-${port}`);
        return page;
      });
    },
    async [Symbol.asyncDispose]() {
      await self.console.close();
      await proxy.close();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
  return self;
}

/** Path of the console's operations on boxes. */
export const boxesApi = '/api/environments/test/boxes';

/** The path of a box's operations. @param more below it, such as `/versions/1.0.0` */
export function boxAt(tag: string, more = ''): string {
  const [username = '', name = ''] = tag.split('/').map(encodeURIComponent);
  return `${boxesApi}/owners/${username}/boxes/${name}${more}`;
}
