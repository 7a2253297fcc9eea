import { boundaryController, boundaryPassword, type BoundaryController } from './boundary-controller.ts';
import type { Browser } from './browser.ts';
import { signInAs, startConsole, type TestConsole } from './console.ts';

export const minute = 60_000;

/** A console at a controller whose tokens are visible. */
export interface SessionConsole extends AsyncDisposable {
  readonly controller: BoundaryController;
  readonly console: TestConsole;
  /** A browser of a signed-in user. */
  signedIn(login?: string): Promise<Browser>;
}

/** Starts both. */
export async function startSessionConsole(): Promise<SessionConsole> {
  const controller = await boundaryController();
  const console = await startConsole({ access: { kind: 'url', url: new URL(controller.url) } });
  return {
    controller,
    console,
    async signedIn(login = 'admin') {
      const page = console.browser();
      await signInAs(page, login, boundaryPassword);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await console.close();
      await controller.close();
    },
  };
}

/** Credentials that sign in with a password. */
export const credentials = (password: string, login_name = 'admin') => ({
  environment: 'test',
  service: 'access',
  credentials: { method: 'password', login_name, password },
});
