import type { Locator, Page } from '@playwright/test';
import type { SecretEngine } from '../fixtures/secret-engine.ts';
import { openScreen } from '../fixtures/vocabulary.ts';

/** A folder of an engine, or the engine itself: its names, its tree, and the search below it. */
export class SecretFolderPage {
  readonly names: Locator;
  readonly found: Locator;
  readonly tree: Locator;
  readonly search: Locator;
  /** The progress of a search or walk. */
  readonly progress: Locator;
  readonly create: Locator;
  readonly #page: Page;
  readonly #engine: SecretEngine;

  constructor(page: Page, engine: SecretEngine) {
    this.#page = page;
    this.#engine = engine;
    this.names = page.getByRole('grid', { name: 'Folder contents' });
    this.found = page.getByRole('grid', { name: 'Search results' });
    this.tree = page.getByRole('tree', { name: `Folders of ${engine.mount}` });
    this.search = page.getByRole('searchbox', { name: /^Search names below / });
    this.progress = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /Searched|Stopped after|Failed after/ });
    this.create = page.getByRole('link', { name: 'New secret', exact: true });
  }

  async open(path = ''): Promise<void> {
    await openScreen(this.#page, this.#engine.place('folder', path));
  }

  /** The first cells of a grid's rows, in the shown order. */
  rows(grid: Locator): Locator {
    return grid.getByRole('rowheader');
  }

  link(name: string): Locator {
    return this.names.getByRole('link', { name, exact: true });
  }

  /** An entry of the menu of further actions. */
  async choose(action: string): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for / }).click();
    await this.#page.getByRole('menuitem', { name: action, exact: true }).click();
  }
}
