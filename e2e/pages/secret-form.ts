import type { Locator, Page } from '@playwright/test';
import type { SecretEngine } from '../fixtures/secret-engine.ts';
import { openScreen } from '../fixtures/vocabulary.ts';
import { RecordForm } from './record-form.ts';

/** The form of a secret, new or stored: fields one by one, or JSON. */
export class SecretForm extends RecordForm {
  readonly path: Locator;
  /** The JSON editor's text. */
  readonly json: Locator;
  /** Uncovers the text after the page was left, or if it contains someone else's values. */
  readonly showJson: Locator;
  /** The save bar's button, whatever the version's number. */
  readonly saveVersion: Locator;
  /** The refusal of the whole form. */
  readonly problem: Locator;
  readonly #page: Page;
  readonly #engine: SecretEngine;

  constructor(page: Page, engine: SecretEngine) {
    super(page, 'secret');
    this.#page = page;
    this.#engine = engine;
    this.path = this.field('Path');
    this.json = this.form.getByRole('textbox', { name: 'Fields as JSON' });
    this.showJson = this.form.getByRole('button', { name: 'Reveal the JSON' });
    this.saveVersion = this.bar.getByRole('button', {
      name: /^(?:Save as version \d+|Save these fields|Create secret)$/,
    });
    this.problem = this.bar.getByRole('alert');
  }

  /** Opens the form of a stored secret and waits for it. */
  async open(path: string): Promise<void> {
    await openScreen(this.#page, this.#engine.place('edit', path));
    await this.bar.waitFor();
  }

  /** Opens the form of a new secret in a folder. */
  async openNew(folder = ''): Promise<void> {
    await openScreen(this.#page, this.#engine.place('new', folder));
    await this.path.waitFor();
  }

  /** One field of the secret. */
  entry(name: string): Locator {
    return this.form
      .getByRole('list', { name: 'Fields', exact: true })
      .getByRole('listitem', { name, exact: true });
  }

  value(name: string): Locator {
    return this.form.getByRole('textbox', { name: `Value of ${name}`, exact: true });
  }

  /** Adds a field with a value. */
  async add(name: string, value: string): Promise<void> {
    await this.form.getByLabel('New field name', { exact: true }).fill(name);
    await this.form.getByRole('button', { name: 'Add', exact: true }).click();
    await this.value(name).fill(value);
  }

  /** Reveals a stored field and writes another value. */
  async change(name: string, value: string): Promise<void> {
    await this.form.getByRole('button', { name: `Reveal to edit ${name}`, exact: true }).click();
    await this.value(name).fill(value);
  }

  /** Writes another value without reading the stored one. */
  async replace(name: string, value: string): Promise<void> {
    await this.form.getByRole('button', { name: `Replace ${name}`, exact: true }).click();
    await this.value(name).fill(value);
  }

  async choose(action: 'Rename' | 'Remove', name: string): Promise<void> {
    await this.form.getByRole('button', { name: `More actions for ${name}`, exact: true }).click();
    await this.#page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  async remove(name: string): Promise<void> {
    await this.choose('Remove', name);
  }

  async editAs(mode: 'Fields' | 'JSON'): Promise<void> {
    await this.form.getByRole('radiogroup', { name: 'Edit as' }).getByText(mode, { exact: true }).click();
  }

  async saveAs(way: 'Replace all fields' | 'Patch changed fields'): Promise<void> {
    await this.form.getByRole('radiogroup', { name: 'Save mode' }).getByText(way, { exact: true }).click();
  }

  /** Replaces the JSON editor's text. */
  async writeJson(text: string): Promise<void> {
    await this.json.fill(text);
  }
}
