import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** People of an environment, and the form of one. */
export class PeoplePage {
  readonly grid: Locator;
  readonly form: Locator;
  readonly save: Locator;
  /** What refused the whole form. */
  readonly problem: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'People' });
    this.form = page.getByRole('form', { name: 'Fields of the person' });
    const bar = this.form.getByRole('group', { name: 'Changes', exact: true });
    this.save = bar.getByRole('button', { name: /^(?:Save|Create) person$/ });
    this.problem = bar.getByRole('alert');
  }

  async open(environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/people`);
    await this.grid.getByRole('rowheader').first().waitFor();
  }

  /** Opens the form of somebody who is stored. */
  async openPerson(id: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/people/${id}`);
    await this.form.waitFor();
  }

  field(label: string): Locator {
    return this.form.getByRole('textbox', { name: label, exact: true });
  }

  /** Chooses a role as a person does who presses its card. */
  async chooseRole(service: string, role: string): Promise<void> {
    await this.role(service).getByText(role, { exact: true }).click();
  }

  role(service: string): Locator {
    return this.form.getByRole('radiogroup', { name: service });
  }
}
