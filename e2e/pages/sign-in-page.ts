import type { Locator, Page } from '@playwright/test';

/** The page on which a session starts. */
export class SignInPage {
  readonly heading: Locator;
  readonly loginName: Locator;
  readonly password: Locator;
  readonly submit: Locator;
  readonly problem: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.heading = page.getByRole('heading', { name: 'Sign in to Gatehouse' });
    this.loginName = page.getByRole('textbox', { name: 'Login name' });
    this.password = page.getByLabel('Password', { exact: true });
    this.submit = page.getByRole('button', { name: /^(?:Sign in to|Wait)/ });
    this.problem = page.getByRole('alert');
  }

  async signIn(loginName: string, password: string): Promise<void> {
    await this.loginName.fill(loginName);
    await this.password.fill(password);
    await this.submit.click();
  }

  /**
   * Signs in, and waits for the answer to this attempt, because an earlier one may have been refused in the same words.
   */
  async signInAnswered(loginName: string, password: string): Promise<void> {
    const answered = this.#page.waitForResponse('**/api/session');
    await this.signIn(loginName, password);
    await answered;
  }
}
