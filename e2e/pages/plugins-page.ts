import type { Locator, Page } from '@playwright/test';
import { question } from '../fixtures/vocabulary.ts';

/** The list of plugins, with the file check above it. */
export class PluginsPage {
  readonly #page: Page;
  readonly grid: Locator;
  readonly check: Locator;
  readonly hash: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Plugins' });
    this.check = page.getByRole('region', { name: 'Check a file' });
    this.hash = this.check.getByRole('textbox', { name: 'SHA-256' });
  }

  /** Drops a file on the rows, as a user who drags it does. */
  async drop(name: string, text: string): Promise<void> {
    const data = await this.#page.evaluateHandle(
      ([fileName, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], fileName));
        return transfer;
      },
      [name, text] as const,
    );
    await this.grid.dispatchEvent('drop', { dataTransfer: data });
  }
}

/** One registration. */
export class PluginPage {
  readonly #page: Page;
  readonly mounts: Locator;
  readonly versions: Locator;
  readonly dialog: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.mounts = page.getByRole('list', { name: 'Mounts' });
    this.versions = page.getByRole('list', { name: 'Versions' });
    this.dialog = question(page);
  }

  /** Opens the menu and chooses an action. */
  async choose(action: string): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for/ }).click();
    await this.#page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  async press(name: string): Promise<void> {
    await this.dialog.getByRole('button', { name, exact: true }).click();
  }
}

/** An upgrade: its form, and its steps while it runs. */
export class UpgradePage {
  readonly form: Locator;
  readonly steps: Locator;
  readonly back: Locator;

  constructor(page: Page) {
    this.form = page.locator('main form');
    this.steps = page.getByRole('list', { name: 'Upgrade', exact: true });
    this.back = page.getByRole('list', { name: 'Rollback' });
  }

  step(label: string | RegExp): Locator {
    return this.steps.getByRole('listitem').filter({ hasText: label });
  }
}
