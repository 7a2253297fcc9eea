import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The search of the registry's boxes, or the list of one owner's. */
export class BoxesPage {
  readonly grid: Locator;
  readonly search: Locator;
  readonly provider: Locator;
  readonly architecture: Locator;
  readonly next: Locator;
  readonly previous: Locator;
  readonly publish: Locator;
  readonly #page: Page;

  /** @param owner whose list it is; the search of all boxes unless given */
  constructor(page: Page, owner?: string) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: owner === undefined ? 'Boxes' : `Boxes of ${owner}` });
    this.search = page.getByRole('searchbox');
    this.provider = page.getByRole('combobox', { name: 'Provider' });
    this.architecture = page.getByRole('combobox', { name: 'Architecture' });
    const pages = page.getByRole('navigation', { name: 'Pages' });
    this.next = pages.getByRole('button', { name: 'Next page' });
    this.previous = pages.getByRole('button', { name: 'Previous page' });
    this.publish = page.getByRole('link', { name: 'Publish a box' });
  }

  /** @param search such as `?q=base` */
  async open(search = '', environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/boxes${search}`);
  }

  /** Tags in the shown order. */
  get tags(): Locator {
    return this.grid.getByRole('rowheader');
  }

  link(tag: string): Locator {
    return this.grid.getByRole('link', { name: tag, exact: true });
  }

  header(name: string): Locator {
    return this.grid.getByRole('columnheader', { name, exact: true });
  }

  async sortBy(header: string): Promise<void> {
    await this.header(header).getByRole('button').click();
  }

  /** An entry of the menu with the user's account and the registry's management. */
  async choose(entry: string): Promise<void> {
    await this.#page.getByRole('button', { name: 'Registry', exact: true }).click();
    await this.#page.getByRole('menuitem', { name: entry, exact: true }).click();
  }
}
