import type { Locator, Page } from '@playwright/test';

/** One module, in one of its versions. */
export class ModulePage {
  readonly heading: Locator;
  readonly version: Locator;
  readonly folder: Locator;
  readonly required: Locator;
  readonly optional: Locator;
  /** The usage builder's block. */
  readonly block: Locator;
  readonly consumers: Locator;
  /** Chooses the version to compare with. */
  readonly from: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { level: 1 });
    this.version = page.getByRole('button', { name: /^Version / });
    this.folder = page.getByRole('button', { name: /Module or submodule/ });
    this.required = page.getByRole('list', { name: 'Required inputs' }).getByRole('listitem');
    this.optional = page.getByRole('list', { name: 'Optional inputs' }).getByRole('listitem');
    this.block = page.getByRole('tabpanel').getByRole('group', { name: 'Terraform', exact: true });
    this.consumers = page
      .getByRole('table', { name: 'Who downloads the module' })
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') });
    this.from = page.getByRole('combobox', { name: 'Upgrade from' });
  }

  tab(name: string): Locator {
    return this.#page.getByRole('tab', { name: new RegExp(`^${name}`) });
  }

  /** The value beside a name. */
  value(label: string): Locator {
    return this.#page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  async chooseVersion(number: string): Promise<void> {
    await this.version.click();
    await this.#page.getByRole('menuitem', { name: new RegExp(`^${RegExp.escape(number)}\\b`) }).click();
  }

  async chooseFolder(path: string): Promise<void> {
    await this.folder.click();
    await this.#page.getByRole('option', { name: path, exact: true }).click();
  }

  /** Chooses the version that the shown one is compared with. */
  async compareWith(number: string): Promise<void> {
    // A list closes when its field scrolls, and typing alone may open it before the field has come into view.
    await this.from.click();
    await this.from.fill(number);
    await this.#page.getByRole('option', { name: number, exact: true }).click();
  }

  /** Findings of the comparison, by severity: `Breaks`, `New`, `Worth knowing`. */
  findings(weight: string): Locator {
    return this.#page.getByRole('region', { name: new RegExp(`^${weight}`) }).getByRole('listitem');
  }
}
