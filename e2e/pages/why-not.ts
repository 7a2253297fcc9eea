import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The panel that says why a target is missing from the list. */
export class WhyNot {
  readonly panel: Locator;
  readonly target: Locator;
  readonly verdict: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.panel = page.getByRole('dialog', { name: 'Why is a target missing?' });
    this.target = this.panel.getByRole('combobox', { name: 'Target' });
    this.verdict = this.panel.getByRole('status').filter({ hasText: /is (?:missing|in the list)/ });
  }

  /** Opens the list of a scope with a filter, and asks about a target. */
  async open(scope: string, filter: string, id: string): Promise<void> {
    await openScreen(
      this.#page,
      `/local/targets?${new URLSearchParams({ scope, filter, why: id }).toString()}`,
    );
    await this.verdict.waitFor();
    // The verdict about the list is true only for a loaded list.
    await this.#page.locator('[role=grid][aria-busy=false]').waitFor();
  }

  /** Searches for a target and picks it. */
  async pick(name: string): Promise<void> {
    await this.target.fill(name);
    await this.#page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
  }

  /** One condition of the list: `Scope`, `Filter expression`, `Search words`. */
  reason(title: string): Locator {
    return this.panel.getByRole('region', { name: title });
  }

  /** A clause's row, with the compared value. */
  clause(text: string): Locator {
    return this.panel.getByRole('listitem').filter({ hasText: text }).last();
  }
}
