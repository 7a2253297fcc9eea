import {
  startController,
  testPassword,
  type TestController,
} from '@gatehouse/access-controller/testing/controller';
import { listen, type Listening } from '@gatehouse/service-kit/service';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import type { Browser } from './browser.ts';
import { signInAs, startConsole, type TestConsole, type TestConsoleOptions } from './console.ts';

/** A console with the real embedded access controller behind a Unix socket; both have one clock. */
export interface EmbeddedConsole {
  readonly console: TestConsole;
  readonly controller: TestController;
  /** A browser in which somebody of this login name is signed in. */
  signedIn(loginName?: string): Promise<Browser>;
  /** Stops the controller's socket as an outage would, and begins again on it. */
  stopController(): Promise<void>;
  startController(): Promise<void>;
  close(): Promise<void>;
}

export async function startEmbedded(options: Partial<TestConsoleOptions> = {}): Promise<EmbeddedConsole> {
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
    async signedIn(loginName = 'admin') {
      const page = console.browser();
      await signInAs(page, loginName, testPassword);
      return page;
    },
    stopController: () => door.drain(0),
    async startController() {
      door = await listen(controller.service, { socketPath });
    },
    async close() {
      await console.close();
      await door.drain(0);
      await controller[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
