import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { loginNames } from '../fixtures/stack.ts';
import { expect } from '../fixtures/test.ts';
import { expectAskedAgain, question } from '../fixtures/vocabulary.ts';

/** A name that no other test's box has. */
export function newBoxName(): string {
  return `box-${randomUUID().slice(0, 8)}`;
}

/** `owner/name` of the administrator's box. */
export function tagOf(name: string): string {
  return `${loginNames.administrator}/${name}`;
}

/** The wizard that publishes a box. */
export class PublishPage {
  readonly page: Page;
  readonly name: Locator;
  readonly createBox: Locator;
  readonly number: Locator;
  readonly createVersion: Locator;
  readonly providersTitle: Locator;
  /** The browser's own file picker; its files become providers. */
  readonly images: Locator;
  readonly createProviders: Locator;
  readonly delivered: Locator;
  /** At the foot of all screens. */
  readonly tray: Locator;

  constructor(page: Page) {
    this.page = page;
    this.name = page.getByRole('textbox', { name: 'Name' });
    this.createBox = page.getByRole('button', { name: 'Create the box and continue' });
    this.number = page.getByRole('textbox', { name: 'Number' });
    this.createVersion = page.getByRole('button', { name: 'Create the version and continue' });
    this.providersTitle = page.getByRole('heading', { name: 'Choose providers' });
    this.images = page.getByLabel('Images to publish');
    this.createProviders = page.getByRole('button', { name: 'Create the providers and continue' });
    this.delivered = page.getByText('Delivered and verified', { exact: true });
    this.tray = page.getByRole('region', { name: 'Tasks' });
  }

  /** Where a step is shown. */
  step(label: string): Locator {
    return this.page.getByRole('group', { name: label, exact: true });
  }

  async open(): Promise<void> {
    await this.page.goto('/local/boxes/publish');
  }

  /** Makes the new box public; it is private otherwise. */
  async makePublic(): Promise<void> {
    const box = this.page.getByRole('checkbox', { name: 'Private' });
    await expect(box).toBeChecked();
    await this.page.getByText('Private', { exact: true }).click();
    await expect(box).not.toBeChecked();
  }

  /** Creates a public box and version 1.0.0, and continues to the providers. */
  async begin(name: string): Promise<void> {
    await this.open();
    await this.name.fill(name);
    await this.makePublic();
    await this.createBox.click();
    await this.page.getByRole('button', { name: '1.0.0' }).click();
    await this.createVersion.click();
    await this.providersTitle.waitFor();
  }

  /** Picks files, each for its own provider, and sends them. */
  async send(...files: readonly string[]): Promise<void> {
    await this.images.setInputFiles([...files]);
    await this.createProviders.click();
  }

  /** Expects that so many images arrive, for which the page polls every few seconds: see `expectAskedAgain`. */
  async expectDelivered(count = 1): Promise<void> {
    const seen = this.delivered.filter({ visible: true });
    await expectAskedAgain(this.page, () => expect(seen).toHaveCount(count, { timeout: 250 }));
  }

  /** The picker of the image step. */
  imageFor(provider: string): Locator {
    return this.page.getByLabel(`Image for ${provider}`);
  }

  async release(version = '1.0.0'): Promise<void> {
    await this.page.getByRole('link', { name: 'Review', exact: true }).click();
    await this.page.getByRole('button', { name: `Release ${version}` }).click();
    await this.confirmRelease.click();
  }

  /** Requests the release, after its effects are shown. */
  get confirmRelease(): Locator {
    return question(this.page).getByRole('button', { name: 'Release version' });
  }

  released(tag: string, version = '1.0.0'): Locator {
    return this.page.getByText(`${tag} ${version} is released`);
  }
}
