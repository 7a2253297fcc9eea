import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures/test.ts';
import { expectAskedAgain } from '../fixtures/vocabulary.ts';

/** The form of a new move, and the page of one. */
export class MovePage {
  readonly address: Locator;
  readonly token: Locator;
  readonly names: Locator;
  readonly plan: Locator;
  /** Its current state. */
  readonly state: Locator;
  readonly grid: Locator;
  readonly numbers: Locator;
  readonly start: Locator;
  readonly panel: Locator;
  readonly #page: Page;

  /** @param names label of the field for the names */
  constructor(page: Page, names = 'Owners and boxes') {
    this.#page = page;
    this.address = page.getByRole('textbox', { name: 'Registry address' });
    this.token = page.getByRole('textbox', { name: 'Token', exact: true });
    this.names = page.getByRole('textbox', { name: names });
    this.plan = page.getByRole('button', { name: 'Plan the import' });
    // A busy button beside it has a status of its own.
    this.state = page.getByRole('banner').or(page.locator('header')).getByRole('status').first();
    this.grid = page.getByRole('grid', { name: /of the move$/ });
    this.numbers = page.getByLabel('The plan in numbers');
    this.start = page.getByRole('button', { name: /^(?:Start copying|Copy what's missing)$/ });
    this.panel = page.getByRole('dialog');
  }

  button(name: string): Locator {
    return this.#page.getByRole('button', { name, exact: true });
  }

  /** Answers the question for the source's token. */
  async give(token: string, label: string): Promise<void> {
    const dialog = this.#page.getByRole('dialog');
    await dialog.getByLabel(/^Token for /).fill(token);
    await dialog.getByRole('button', { name: label, exact: true }).click();
  }

  /** Expects what the move reaches automatically, see `expectAskedAgain`. */
  async becomes(state: string): Promise<void> {
    await expectAskedAgain(this.#page, () => expect(this.state).toHaveText(state, { timeout: 250 }));
  }

  /** A number of the plan, by its label. */
  number(label: string): Locator {
    return this.numbers
      .locator('div')
      .filter({ has: this.#page.getByText(label, { exact: true }) })
      .locator('dd');
  }
}
