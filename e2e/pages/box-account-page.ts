import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures/test.ts';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The user's own account at the box registry: tokens for other clients, and the second factor. */
export class BoxAccountPage {
  readonly tokens: Locator;
  readonly newToken: Locator;
  readonly checkToken: Locator;
  /** The second factor's card. */
  readonly twoFactor: Locator;
  readonly dialog: Locator;
  readonly password: Locator;
  readonly code: Locator;
  readonly sendCode: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.tokens = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
    this.newToken = page.getByRole('button', { name: 'New token' });
    this.checkToken = page.getByRole('button', { name: 'Check a token' });
    this.twoFactor = page.getByRole('group', { name: 'Second factor' });
    this.dialog = page.getByRole('dialog');
    this.password = this.dialog.getByLabel('Password', { exact: true });
    this.code = this.dialog.getByRole('textbox', { name: 'Code' });
    this.sendCode = this.dialog.getByRole('button', { name: /^Send a code|^Send another code/ });
  }

  async open(environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/boxes/account`);
  }

  token(description: string): Locator {
    return this.tokens.filter({ hasText: description });
  }

  /** Presses a button of the open dialog. */
  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Reveals and reads a secret that is shown once. @param form matches the whole secret */
  async readSecret(label: string, form: RegExp): Promise<string> {
    await expect(this.dialog.getByText(form)).toHaveCount(0);
    await this.dialog.getByRole('button', { name: `Reveal ${label.toLowerCase()}` }).click();
    return this.dialog.getByText(form).innerText();
  }
}
