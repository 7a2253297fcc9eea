import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The search of the registry's modules. */
export class ModulesPage {
  readonly grid: Locator;
  readonly search: Locator;
  readonly next: Locator;
  readonly filters: Locator;
  readonly panel: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Modules' });
    this.search = page.getByRole('searchbox');
    this.next = page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Next page' });
    this.filters = page.getByRole('button', { name: /^Filters/ });
    this.panel = page.getByRole('dialog', { name: 'Filters' });
  }

  /** @param search such as `?q=vpc` */
  async open(search = ''): Promise<void> {
    await openScreen(this.#page, `/local/modules${search}`);
  }

  /** Names in the shown order. */
  get names(): Locator {
    return this.grid.getByRole('rowheader');
  }

  /** Chooses a name that a filter offers, or types any. */
  async narrow(filter: 'Namespace' | 'Provider', name: string): Promise<void> {
    await this.panel.getByRole('combobox', { name: filter }).fill(name);
    await this.#page.getByRole('option', { name, exact: true }).click();
  }

  async choose(state: string): Promise<void> {
    await this.panel.getByRole('button', { name: /Latest version/ }).click();
    await this.#page.getByRole('option', { name: state, exact: true }).click();
  }

  /** The chosen filters, beside the panel. */
  async takeBack(filter: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Remove filter ${filter}` }).click();
  }
}
