import type { Locator, Page } from '@playwright/test';

/** One box, or one version of it. */
export class BoxPage {
  readonly heading: Locator;
  readonly edit: Locator;
  readonly release: Locator;
  /** The rendered Markdown. */
  readonly text: Locator;
  /** The grid of versions and providers. */
  readonly versions: Locator;
  readonly providers: Locator;
  /** The confirmation. */
  readonly ask: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { level: 1 });
    this.edit = page.getByRole('main').getByRole('button', { name: 'Edit', exact: true });
    this.release = page.getByRole('main').getByRole('button', { name: 'Release', exact: true });
    this.text = page.getByRole('group', { name: /^(?:Description|What's new)$/ });
    this.versions = page.getByRole('region', { name: /^Versions and providers of / });
    this.providers = page.getByRole('list', { name: 'Providers' }).getByRole('listitem');
    // Notifications have the role too.
    this.ask = page.getByRole('alertdialog', {
      name: /^(?:Change|Create|Delete|Release|Rename|Renumber|Revoke) .*\?$/,
    });
  }

  /** The value beside a name. */
  value(label: string): Locator {
    return this.#page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]');
  }

  /** A row of the versions. */
  version(number: string): Locator {
    return this.versions.getByRole('row').filter({
      has: this.#page.getByRole('rowheader', { name: number, exact: true }),
    });
  }

  provider(name: string): Locator {
    return this.providers.filter({ has: this.#page.getByText(name, { exact: true }) });
  }

  /** Opens the menu of further actions. */
  async openMenu(): Promise<void> {
    await this.#page.getByRole('button', { name: /^More actions for / }).click();
  }

  /** An entry of that menu, or of a provider's open menu. */
  entry(action: string): Locator {
    // The reason why it is disabled is part of its name.
    return this.#page.getByRole('menuitem', { name: new RegExp(`^${action}`) });
  }

  async choose(action: string): Promise<void> {
    await this.openMenu();
    await this.entry(action).click();
  }

  async chooseOf(provider: string, action: string): Promise<void> {
    await this.#page.getByRole('button', { name: `Actions for ${provider}`, exact: true }).click();
    await this.entry(action).click();
  }

  /** Types the name that a confirmation requires, then confirms. */
  async confirm(button: string, typed?: string): Promise<void> {
    if (typed !== undefined) await this.ask.getByRole('textbox').fill(typed);
    await this.ask.getByRole('button', { name: button, exact: true }).click();
  }
}
