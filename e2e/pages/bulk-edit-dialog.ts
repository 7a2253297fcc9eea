import type { Locator, Page } from '@playwright/test';

/** Edits many targets at once. */
export class BulkEditDialog {
  readonly dialog: Locator;
  readonly review: Locator;
  readonly run: Locator;
  readonly grid: Locator;
  /** The summary after writing. */
  readonly report: Locator;
  readonly problems: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.dialog = page.getByRole('dialog', { name: /^Edit \d+ targets?$/ });
    this.review = this.dialog.getByRole('button', { name: 'Review changes' });
    this.run = this.dialog.getByRole('button', { name: /^(?:Change|Retry|Continue with) [\d,]+/ });
    this.grid = this.dialog.getByRole('grid', { name: 'What changes' });
    this.report = this.dialog.getByRole('status').filter({ hasText: /changes (?:were not )?saved/ });
    this.problems = this.dialog.getByRole('list', { name: 'Problems' });
  }

  /** Adds a field and gives it a value. */
  async set(label: string, value: string): Promise<void> {
    await this.dialog.getByRole('button', { name: /Field to set|Add a field/ }).click();
    await this.#page.getByRole('option', { name: label, exact: true }).click();
    await this.dialog
      .getByLabel(label, { exact: true })
      .and(this.dialog.locator('input, textarea'))
      .fill(value);
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole('button', { name });
  }
}
