import { startController, testPassword } from '@gatehouse/access-controller/testing/controller';
import { listen, type Listening } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { Browser } from './browser.ts';
import { signInAs, startConsole, type TestConsoleOptions } from './console.ts';

/** A console with the real embedded access controller behind a Unix socket; both share a clock. */
export type EmbeddedConsole = Awaited<ReturnType<typeof startEmbedded>>;

export async function startEmbedded(options: Partial<TestConsoleOptions> = {}) {
  const controller = await startController();
  const folder = temporaryFolder();
  const socketPath = folder.file('access.sock');
  let door: Listening = await listen(controller.service, { socketPath });
  const console = await startConsole({
    access: { kind: 'socket', path: socketPath },
    clock: controller.clock,
    ...options,
  });
  return {
    console,
    controller,
    /** A browser of a signed-in user with this login name. */
    async signedIn(loginName: string = 'admin'): Promise<Browser> {
      const page = console.browser();
      await signInAs(page, loginName, testPassword);
      return page;
    },
    /** Closes the controller's socket like an outage, and opens it again. */
    stopController: (): Promise<void> => door.drain(0),
    async startController(): Promise<void> {
      door = await listen(controller.service, { socketPath });
    },
    async close(): Promise<void> {
      await console.close();
      await door.drain(0);
      await controller[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
