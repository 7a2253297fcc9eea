import type { Locator, Page } from '@playwright/test';
import { openScreen } from '../fixtures/vocabulary.ts';

/** The page that publishes a version of a module. */
export class ModulePublishPage {
  readonly folder: Locator;
  readonly archive: Locator;
  readonly namespace: Locator;
  readonly name: Locator;
  readonly provider: Locator;
  readonly version: Locator;
  readonly description: Locator;
  readonly suggestions: Locator;
  readonly checks: Locator;
  readonly publish: Locator;
  /** The reason of a refusal. */
  readonly refusal: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.folder = page.getByLabel('Folder of the module');
    this.archive = page.getByLabel('Archive of the module');
    this.namespace = page.getByRole('textbox', { name: 'Namespace' });
    this.name = page.getByRole('textbox', { name: 'Name', exact: true });
    this.provider = page.getByRole('textbox', { name: 'Provider' });
    this.version = page.getByRole('textbox', { name: 'Version' });
    this.description = page.getByRole('textbox', { name: 'Description' });
    this.suggestions = page.getByRole('group', { name: 'Suggestions' }).getByRole('button');
    this.checks = page.getByRole('list', { name: 'Checks' }).getByRole('listitem');
    this.publish = page.getByRole('button', { name: 'Publish version' });
    this.refusal = page.getByRole('main').getByRole('alert');
  }

  async open(search = '', environment = 'local'): Promise<void> {
    await openScreen(this.#page, `/${environment}/modules/publish${search}`);
    await this.publish.waitFor();
  }

  /** Drops a file where a module is chosen. */
  async drop(name: string, bytes: Buffer): Promise<void> {
    const dropped = await this.#page.evaluateHandle(
      ([name = '', text = '']) => {
        const transfer = new DataTransfer();
        const bytes = Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);
        transfer.items.add(new File([bytes], name, { type: 'application/gzip' }));
        return transfer;
      },
      [name, bytes.toString('base64')],
    );
    const place = this.#page.getByRole('group', { name: 'Module', exact: true });
    await place.dispatchEvent('dragover', { dataTransfer: dropped });
    await place.dispatchEvent('drop', { dataTransfer: dropped });
  }

  /** Opens a list of what was read or packed. */
  async unfold(title: RegExp): Promise<void> {
    await this.#page.locator('summary').filter({ hasText: title }).click();
  }

  list(name: string): Locator {
    return this.#page.getByRole('list', { name, exact: true }).getByRole('listitem');
  }
}
