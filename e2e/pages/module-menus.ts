import type { Locator, Page } from '@playwright/test';

/** What is done with a module and its versions, from the menus of its page. */
export class ModuleMenus {
  /** Asks for the message of a deprecated or revoked version. */
  readonly dialog: Locator;
  readonly message: Locator;
  readonly replacement: Locator;
  /** Asks before something is done. */
  readonly ask: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.dialog = page.getByRole('dialog');
    this.message = this.dialog.getByRole('textbox', { name: 'Message' });
    this.replacement = this.dialog.getByRole('combobox', { name: 'Replacement' });
    // Notifications have the role too.
    this.ask = page.getByRole('alertdialog', { name: /^(?:Delete|Restore) .*\?$/ });
  }

  /** An entry of a menu that is open; why it cannot be used is part of its name. */
  entry(action: string): Locator {
    return this.#page.getByRole('menuitem', { name: new RegExp(`^${action}`) });
  }

  async openVersion(version: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Manage ${version}`, exact: true }).click();
  }

  async openModule(): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for / }).click();
  }

  async chooseOfVersion(version: string, action: string): Promise<void> {
    await this.openVersion(version);
    await this.entry(action).click();
  }

  async chooseOfModule(action: string): Promise<void> {
    await this.openModule();
    await this.entry(action).click();
  }

  /** Presses a button of the dialog that is open. */
  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Types what a question asks for, then confirms. */
  async confirm(button: string, typed?: string): Promise<void> {
    if (typed !== undefined) await this.ask.getByRole('textbox').fill(typed);
    await this.ask.getByRole('button', { name: button, exact: true }).click();
  }
}
