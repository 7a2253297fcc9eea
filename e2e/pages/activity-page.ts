import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The audit trail. */
export class ActivityPage {
  readonly grid: Locator;
  /** Rows with entries, without the header. */
  readonly rows: Locator;
  readonly panel: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Activity' });
    this.rows = this.grid.getByRole('row').filter({ has: page.getByRole('rowheader') });
    this.panel = page.getByRole('dialog');
  }

  async open(search = '', environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/activity${search}`);
    await this.rows.first().waitFor();
  }
}
