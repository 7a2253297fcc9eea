import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The people of an environment, and their form. */
export class PeoplePage {
  readonly grid: Locator;
  readonly form: Locator;
  readonly save: Locator;
  /** The refusal of the whole form. */
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

  /** Opens the form of a stored person. */
  async openPerson(id: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/people/${id}/edit`);
    await this.form.waitFor();
  }

  field(label: string): Locator {
    return this.form.getByRole('textbox', { name: label, exact: true });
  }

  /** Chooses a role by pressing its card, as a user does. */
  async chooseRole(service: string, role: string): Promise<void> {
    await this.role(service).getByText(role, { exact: true }).click();
  }

  role(service: string): Locator {
    return this.form.getByRole('radiogroup', { name: service });
  }
}
