import type { Locator, Page } from '@playwright/test';

/** The form of any record, new or stored, with its save bar and pickers. */
export class RecordForm {
  readonly form: Locator;
  readonly bar: Locator;
  /** `2 changes`. */
  readonly count: Locator;
  readonly review: Locator;
  readonly changes: Locator;

  constructor(page: Page, noun: string) {
    this.form = page.getByRole('form', { name: `Fields of the ${noun}` });
    this.bar = this.form.getByRole('group', { name: 'Changes', exact: true });
    this.count = this.bar.getByRole('status');
    this.review = this.bar.getByRole('button', { name: 'Review' });
    this.changes = this.bar.getByRole('table', { name: 'Changes to save' });
  }

  field(label: string): Locator {
    return this.form
      .getByLabel(label, { exact: true })
      .and(this.form.locator('input:not([type=radio]), textarea'));
  }

  save(label: string): Locator {
    return this.bar.getByRole('button', { name: label, exact: true });
  }

  /** Saves with a new secret, for which the record's name is typed first. */
  async replaceSecret(label: string, name: string): Promise<void> {
    await this.save(label).click();
    const dialog = this.form.page().getByRole('alertdialog', { name: /^Replace the secret of / });
    await dialog.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
    await dialog.getByRole('button', { name: 'Replace secret' }).click();
  }

  /** The picker of a set. */
  picker(label: string): Locator {
    return this.form.getByRole('group', { name: label, exact: true });
  }

  /** A member in a picker, linked or offered. */
  member(label: string, name: string): Locator {
    return this.picker(label).getByRole('checkbox', { name: new RegExp(`^${name}`) });
  }

  /** Chooses a picker's member, or removes it, by pressing its label as a user does. */
  async toggle(label: string, name: string): Promise<void> {
    await this.picker(label).getByText(name, { exact: true }).click();
  }
}
