import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The services' tokens, and the user's sessions. */
export class ConnectionsPage {
  readonly sessions: Locator;
  readonly endOthers: Locator;
  readonly checkNow: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.sessions = page.getByRole('group', { name: 'Your sessions' }).getByRole('listitem');
    this.endOthers = page.getByRole('button', { name: 'End all others' });
    this.checkNow = page.getByRole('button', { name: 'Check now' });
  }

  async open(environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/connections`);
  }

  /** The row of a service, in the current environment unless another place in the page is given. */
  service(label: string, place = 0): Locator {
    return this.#page
      .getByRole('listitem')
      .filter({ has: this.#page.getByRole('heading', { name: new RegExp(`^${label}`) }) })
      .nth(place);
  }
}
