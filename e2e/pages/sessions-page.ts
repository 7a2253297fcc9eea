import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** Sessions of the access controller. */
export class SessionsPage {
  readonly grid: Locator;
  readonly quiet: Locator;
  readonly panel: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Sessions' });
    this.quiet = page.getByText(/^(?:No open sessions|If no new sessions start)/);
    this.panel = page.getByRole('dialog', { name: /^Session/ });
  }

  async open(search = '', environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/sessions${search}`);
    await this.grid.waitFor();
  }
}

/** The dialog that authorizes a session, with its result, which is shown once. */
export class AuthorizeDialog {
  readonly dialog: Locator;
  readonly submit: Locator;
  readonly host: Locator;
  readonly command: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.dialog = page.getByRole('dialog');
    this.submit = this.dialog.getByRole('button', { name: 'Authorize session' });
    this.host = this.dialog.getByRole('combobox', { name: 'Host' });
    this.command = this.dialog.getByRole('group', { name: 'Command' });
  }

  /** Opens it from a target's page. */
  async open(target: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/targets/${target}`);
    await this.#page.getByRole('button', { name: 'Authorize session' }).click();
    await this.submit.waitFor();
  }

  /** The value beside a name in the result. */
  value(label: string): Locator {
    return this.dialog
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }
}
