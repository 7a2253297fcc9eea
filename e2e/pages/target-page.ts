import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The page of one target. */
export class TargetPage {
  readonly heading: Locator;
  readonly edit: Locator;
  readonly previous: Locator;
  readonly next: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { level: 1 });
    this.edit = page.getByRole('button', { name: 'Edit', exact: true });
    this.previous = page.getByRole('button', { name: 'Previous target' });
    this.next = page.getByRole('button', { name: 'Next target' });
  }

  async open(id: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/targets/${id}`);
  }

  /** The value beside a name. */
  value(label: string): Locator {
    return this.#page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  /** An entry of the menu of further actions. */
  async choose(action: string): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for / }).click();
    await this.#page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}
