import type { Locator, Page } from '@playwright/test';
import { expect } from '../fixtures/test.ts';
import { question } from '../fixtures/vocabulary.ts';
import { isItYou } from './session-dialogs.ts';

/** Names that are typed in dialogs, and the password if it is required. */
class Asked {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Types a cluster's name and confirms; then the password, unless it still counts. */
  async confirm(name: string, label: string | RegExp, password?: string): Promise<void> {
    const dialog = question(this.page);
    await dialog.getByRole('textbox', { name: `Type ${name} to confirm` }).fill(name);
    await dialog.getByRole('button', { name: label }).click();
    if (password !== undefined) await isItYou(this.page).enter(password);
    await expect(dialog).toHaveCount(0);
  }

  /** The same by keyboard, with the focus in the field. */
  async confirmByKeys(name: string, password?: string): Promise<void> {
    await expect(this.#field(name)).toBeFocused();
    await this.typeName(name, password);
    await expect(question(this.page)).toHaveCount(0);
  }

  /** Types the name and Enter, whatever follows. */
  async typeName(name: string, password?: string): Promise<void> {
    await this.#field(name).focus();
    await this.page.keyboard.type(name);
    await this.page.keyboard.press('Enter');
    if (password === undefined) return;
    await expect(isItYou(this.page).password).toBeFocused();
    await this.page.keyboard.type(password);
    await this.page.keyboard.press('Enter');
  }

  #field(name: string): Locator {
    return question(this.page).getByRole('textbox', { name: `Type ${name} to confirm` });
  }
}

/** The clusters of all environments, and the actions on one. */
export class ReplicationPage extends Asked {
  readonly clusters: Locator;
  /** The available actions. */
  readonly acts: Locator;
  /** The unavailable actions, which may be folded. */
  readonly notNow: Locator;
  readonly secondaries: Locator;
  readonly transitions: Locator;
  /** Shows an activation token once. */
  readonly tokenShown: Locator;

  constructor(page: Page) {
    super(page);
    this.clusters = page.getByRole('figure', { name: 'Clusters' });
    this.acts = page.getByRole('list', { name: 'Actions' });
    this.notNow = page.getByRole('list', { name: 'Unavailable now' });
    this.secondaries = page.getByRole('list', { name: 'Secondaries', exact: true });
    this.transitions = page.getByRole('list', { name: 'Role changes' });
    this.tokenShown = page.getByRole('dialog', { name: /^(?:The )?activation token (?:is )?created$/i });
  }

  /** Refreshes until something is shown, which the page would do automatically every few seconds. */
  async refreshUntilVisible(seen: Locator): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press('r');
      await expect(seen).toBeVisible({ timeout: 500 });
    }).toPass();
  }

  /** Shows why the other actions are unavailable. */
  async unfold(): Promise<void> {
    await this.page.getByText(/more actions? unavailable now$/).click();
    await expect(this.notNow).toBeVisible();
  }

  /** An available action. */
  act(label: string): Locator {
    return this.acts.getByRole('button', { name: label, exact: true });
  }
}

/** A role change, step by step. */
export class FailoverPage extends Asked {
  readonly steps: Locator;

  constructor(page: Page) {
    super(page);
    this.steps = page.getByRole('list', { name: 'Steps' });
  }

  step(title: string): Locator {
    return this.steps.getByRole('listitem').filter({ has: this.page.getByRole('heading', { name: title }) });
  }

  /** The current step. */
  get next(): Locator {
    return this.steps.locator('[aria-current=step]');
  }

  /** The message after all steps. @param primary the new one */
  finished(primary: string): Locator {
    return this.page.getByText(new RegExp(`^${primary} is the primary, and`));
  }

  /** Waits until a step is next, and presses its button. */
  async run(title: string, label: string = title): Promise<void> {
    await expect(this.next).toContainText(title);
    await this.next.getByRole('button', { name: label, exact: true }).click();
  }
}
