import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The list of targets. */
export class TargetsPage {
  readonly grid: Locator;
  readonly search: Locator;
  readonly filterToggle: Locator;
  readonly filter: Locator;
  readonly applyFilter: Locator;
  readonly scopes: Locator;
  readonly recursive: Locator;
  readonly create: Locator;
  /** The announced number of targets. */
  readonly count: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Targets' });
    this.search = page.getByRole('searchbox', { name: 'Search name, ID, address, description' });
    this.filterToggle = page.getByRole('button', { name: 'Filter expression' });
    const filterForm = page.getByRole('search', { name: 'Filter expression' });
    this.filter = filterForm.getByRole('combobox', { name: 'Filter expression' });
    this.applyFilter = filterForm.getByRole('button', { name: 'Apply' });
    this.scopes = page.getByRole('tree', { name: 'Scopes' });
    this.recursive = page.getByRole('switch', { name: 'Include scopes below' });
    this.create = page.getByRole('link', { name: 'New target' });
    this.count = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /targets?\b/ });
  }

  /** Opens the list of a scope; of all scopes unless given. */
  async open(scope?: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/targets${scope === undefined ? '' : `?scope=${scope}`}`);
  }

  link(name: string): Locator {
    return this.grid.getByRole('link', { name, exact: true });
  }

  /** Names in the shown order. */
  get names(): Locator {
    return this.grid.getByRole('rowheader');
  }

  select(name: string): Locator {
    return this.grid.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  }

  header(name: string): Locator {
    return this.grid.getByRole('columnheader', { name, exact: true });
  }

  async sortBy(header: string): Promise<void> {
    await this.header(header).getByRole('button').click();
  }

  scope(name: string): Locator {
    return this.scopes.getByRole('treeitem', { name, exact: true });
  }

  async toggleRecursive(): Promise<void> {
    await this.#page.getByText('Include scopes below').click();
  }

  /** Shows or hides a column. */
  async toggleColumn(header: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'Columns', exact: true }).click();
    const columns = this.#page.getByRole('dialog', { name: 'Columns' });
    await columns.getByText(header, { exact: true }).click();
    await this.#page.keyboard.press('Escape');
  }

  /** Opens the filter row and applies an expression. */
  async filterBy(expression: string): Promise<void> {
    if (!(await this.filter.isVisible())) await this.filterToggle.click();
    await this.filter.fill(expression);
    await this.applyFilter.click();
  }
}
