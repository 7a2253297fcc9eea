import type { Locator, Page } from '@playwright/test';

type Choice = 'Keep current' | 'Use mine' | 'Edit';

/** Above a form whose record was changed by someone else. */
export class ConflictView {
  readonly section: Locator;
  /** What happened. It has the focus when it appears. */
  readonly summary: Locator;
  readonly title: Locator;
  readonly decisions: Locator;
  readonly progress: Locator;
  /** The notice that the record is gone. */
  readonly deleted: Locator;

  constructor(page: Page) {
    this.section = page.getByRole('region', { name: 'Changed since you opened it' });
    this.summary = this.section.getByRole('group').first();
    this.title = this.summary.getByRole('heading');
    this.decisions = this.section.getByRole('navigation', { name: 'Decisions' });
    this.progress = this.summary.getByRole('status');
    this.deleted = page.getByRole('group', { name: 'Deleted since you opened it' });
  }

  /** The decision about one field. */
  decision(field: string): Locator {
    return this.section.getByRole('radiogroup', { name: field });
  }

  /** The surroundings of one field's decision: the values behind it, the editor. */
  card(field: string): Locator {
    return this.decision(field).locator('xpath=ancestor::*[@tabindex="-1"][1]');
  }

  option(field: string, choice: Choice): Locator {
    return this.decision(field).getByRole('radio', { name: new RegExp(`^${choice}`) });
  }

  /** Chooses by pressing the card, as a user does. */
  async choose(field: string, choice: Choice): Promise<void> {
    await this.decision(field).getByText(choice, { exact: true }).click();
  }
}
