import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures/test.ts';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The user's own tokens at the module registry. */
export class ModuleTokensPage {
  readonly newToken: Locator;
  readonly tokens: Locator;
  readonly dialog: Locator;
  readonly description: Locator;
  readonly password: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.newToken = page.getByRole('button', { name: 'New token' });
    this.tokens = page.getByRole('list', { name: 'Tokens' }).getByRole('listitem');
    this.dialog = page.getByRole('dialog');
    this.description = this.dialog.getByRole('textbox', { name: 'Description' });
    this.password = this.dialog.getByLabel('Password', { exact: true });
  }

  async open(environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/modules/tokens`);
  }

  token(description: string): Locator {
    return this.tokens.filter({ hasText: description });
  }

  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Reveals and reads the token that is shown once. */
  async readToken(): Promise<string> {
    await this.dialog.getByRole('button', { name: 'Reveal token' }).click();
    const value = this.dialog.getByRole('definition').first();
    await expect(value).not.toContainText('•');
    return (await value.innerText()).trim();
  }

  /** Revokes a token, and confirms. */
  async revoke(description: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Revoke token ${description}` }).click();
    await this.#page
      .getByRole('alertdialog', { name: /^Revoke token/ })
      .getByRole('button', { name: 'Revoke token' })
      .click();
  }
}
