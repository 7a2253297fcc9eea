import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The form of a target, new or stored, with its save bar. */
export class TargetForm {
  readonly form: Locator;
  readonly name: Locator;
  readonly description: Locator;
  readonly address: Locator;
  readonly port: Locator;
  readonly longestSession: Locator;
  readonly project: Locator;
  readonly bar: Locator;
  /** `2 changes`. */
  readonly count: Locator;
  readonly save: Locator;
  readonly discard: Locator;
  readonly review: Locator;
  readonly changes: Locator;
  /** The refusal of the whole form. */
  readonly problem: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.form = page.getByRole('form', { name: 'Fields of the target' });
    this.name = this.field('Name');
    this.description = this.field('Description');
    this.address = this.field('Address');
    this.port = this.field('Default port');
    this.longestSession = this.field('Maximum session duration');
    this.project = this.form.getByRole('combobox', { name: 'Project' });
    this.bar = this.form.getByRole('group', { name: 'Changes', exact: true });
    this.count = this.bar.getByRole('status');
    this.save = this.bar.getByRole('button', { name: /^(?:Save|Create) target$/ });
    this.discard = this.bar.getByRole('button', { name: /^(?:Discard|Cancel)$/ });
    this.review = this.bar.getByRole('button', { name: 'Review' });
    this.changes = this.bar.getByRole('table', { name: 'Changes to save' });
    this.problem = this.bar.getByRole('alert');
  }

  field(label: string): Locator {
    return this.form
      .getByLabel(label, { exact: true })
      .and(this.form.locator('input:not([type=radio]), textarea'));
  }

  /** Opens the form of a stored target and waits for its values. */
  async open(id: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/targets/${id}/edit`);
    await this.name.waitFor();
  }

  /** Opens the form of a new target in a project. */
  async openNew(scope: string, environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/targets/new?scope=${scope}`);
    await this.name.waitFor();
  }

  type(label: 'TCP' | 'SSH' | 'RDP'): Locator {
    return this.form.getByRole('radio', { name: new RegExp(`^${label}`) });
  }

  /** The question before changes are lost. */
  get guard(): Locator {
    return this.#page.getByRole('alertdialog', { name: /^Discard \d+ changes?\?$/ });
  }
}
