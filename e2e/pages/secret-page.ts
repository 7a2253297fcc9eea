import type { Locator, Page } from '@playwright/test';
import type { SecretEngine } from '../fixtures/secret-engine.ts';
import { openScreen } from '../fixtures/vocabulary.ts';

/** One secret: its data, its versions, its metadata. */
export class SecretPage {
  readonly heading: Locator;
  readonly edit: Locator;
  /** The names of the fields, each with its value or a mask. */
  readonly fields: Locator;
  readonly revealAll: Locator;
  readonly timeline: Locator;
  readonly comparison: Locator;
  readonly #page: Page;
  readonly #engine: SecretEngine;

  constructor(page: Page, engine: SecretEngine) {
    this.#page = page;
    this.#engine = engine;
    this.heading = page.getByRole('heading', { level: 1 });
    this.edit = page.getByRole('button', { name: 'Edit', exact: true });
    this.fields = page.getByRole('list', { name: 'Fields', exact: true }).getByRole('listitem');
    this.revealAll = page.getByRole('button', { name: 'Reveal all', exact: true });
    this.timeline = page.getByRole('grid', { name: /^Versions of / });
    this.comparison = page.getByRole('dialog', { name: /^Version \d+ and version \d+$/ });
  }

  /** @param search such as `?tab=versions` */
  async open(path: string, search = ''): Promise<void> {
    await openScreen(this.#page, `${this.#engine.place('secret', path)}${search}`);
  }

  field(name: string): Locator {
    return this.#page
      .getByRole('list', { name: 'Fields', exact: true })
      .getByRole('listitem', { name, exact: true });
  }

  async reveal(name: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Reveal ${name}`, exact: true }).click();
  }

  tab(name: 'Data' | 'Versions' | 'Metadata'): Locator {
    return this.#page.getByRole('tab', { name, exact: true });
  }

  /** A version's row on the timeline. */
  version(number: number): Locator {
    return this.timeline.getByRole('row').filter({
      has: this.#page.getByRole('rowheader').filter({ hasText: new RegExp(`^Version ${number}(?!\\d)`) }),
    });
  }

  /** Chooses versions, newest first as on the timeline. */
  async select(...numbers: readonly number[]): Promise<void> {
    for (const number of numbers) {
      await this.timeline.getByRole('checkbox', { name: `Select Version ${number}`, exact: true }).click();
    }
  }

  /** The actions on the chosen versions. */
  bulk(action: 'Compare' | 'Undelete' | 'Delete' | 'Delete permanently'): Locator {
    return this.#page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${action}\\b(?! permanently)`) });
  }

  /** An entry of the menu of further actions. */
  async choose(action: string): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for / }).click();
    await this.#page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** The value beside a name. */
  value(label: string): Locator {
    return this.#page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  /** Checks whether a value is one of the secret's, and reads the answer. */
  async isThisIt(value: string): Promise<Locator> {
    await this.#page.getByLabel('Value', { exact: true }).fill(value);
    await this.#page.getByRole('button', { name: 'Compare', exact: true }).click();
    return this.#page.getByRole('status').filter({ hasText: /Equals|has this value/ });
  }
}
