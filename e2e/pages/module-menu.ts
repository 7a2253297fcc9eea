import type { Locator, Page } from '@playwright/test';

/** The actions on a module and its versions, in the menu of its page. */
export class ModuleMenu {
  /** Asks for the message of a deprecated or revoked version. */
  readonly dialog: Locator;
  readonly message: Locator;
  readonly replacement: Locator;
  /** The confirmation. */
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

  /** An entry of an open menu; the reason why it is disabled is part of its name. */
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

  /** Presses a button of the open dialog. */
  async press(button: string): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click();
  }

  /** Types what a confirmation requires, then confirms. */
  async confirm(button: string, typed?: string): Promise<void> {
    if (typed !== undefined) await this.ask.getByRole('textbox').fill(typed);
    await this.ask.getByRole('button', { name: button, exact: true }).click();
  }
}
