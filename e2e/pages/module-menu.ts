import type { Locator, Page } from '@playwright/test';

/** What is done with a module and its versions, from the menu of its page. */
export class ModuleMenu {
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

  async open(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Actions for / }).click();
  }

  async choose(action: string): Promise<void> {
    await this.open();
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
