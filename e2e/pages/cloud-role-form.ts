import type { Locator, Page } from '@playwright/test';
import { pasteText } from '../fixtures/vocabulary.ts';
import { RecordForm } from './record-form.ts';

/** The form of a cloud role, new or stored. */
export class CloudRoleForm extends RecordForm {
  readonly #page: Page;

  constructor(page: Page) {
    super(page, 'role');
    this.#page = page;
  }

  /** Chooses what the role issues. */
  async choose(type: string): Promise<void> {
    await this.form.getByRole('radio', { name: type, exact: true }).check();
  }

  /** One entry of a list, from 1. */
  entry(label: string, position = 1): Locator {
    return this.form.getByRole('textbox', { name: `${label} ${String(position)}`, exact: true });
  }

  /** Pastes text into an entry, as from a file of ARNs. */
  async paste(label: string, text: string): Promise<void> {
    await this.entry(label).focus();
    await pasteText(this.#page, text);
  }

  /** The effective rung of the ladder of durations. */
  get winner(): Locator {
    return this.form
      .getByRole('list', { name: 'Lifetime limits' })
      .getByRole('listitem')
      .filter({ hasText: 'Applies' });
  }
}
