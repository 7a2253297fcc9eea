import type { Locator, Page } from '@playwright/test';

/** The shell around all screens of a signed-in user. */
export class Shell {
  readonly navigation: Locator;
  readonly you: Locator;
  readonly environment: Locator;
  readonly notifications: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.navigation = page.getByRole('navigation', { name: 'Main' });
    this.you = page.getByRole('button', { name: /settings and sign out$/ });
    this.environment = page.getByRole('button', { name: /^Environment: .*Switch$/ });
    this.notifications = page.getByRole('region', { name: 'Notifications' });
  }

  /** A service's state in the navigation. */
  service(label: string): Locator {
    return this.navigation.getByRole('link', { name: new RegExp(`^${label}: `) });
  }

  screen(label: string): Locator {
    return this.navigation.getByRole('link', { name: label, exact: true });
  }

  async signOut(): Promise<void> {
    await this.you.click();
    await this.#page.getByRole('menuitem', { name: 'Sign out' }).click();
  }

  /** Goes to the same screen of another environment. */
  async switchTo(environment: string): Promise<void> {
    await this.environment.click();
    await this.#page.getByRole('menuitem', { name: environment }).click();
  }
}
