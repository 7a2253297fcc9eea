import type { Locator, Page } from '@playwright/test';

/** A dialog over the page that asks for what a request lacks. The page below stays unchanged. */
class CredentialsDialog {
  readonly dialog: Locator;
  readonly loginName: Locator;
  readonly password: Locator;
  readonly problem: Locator;
  readonly submit: Locator;

  constructor(dialog: Locator, submit: string) {
    this.dialog = dialog;
    this.loginName = dialog.getByRole('textbox', { name: 'Login name' });
    this.password = dialog.getByLabel(/^(?:Password|Token)$/);
    this.problem = dialog.getByRole('alert');
    this.submit = dialog.getByRole('button', { name: submit, exact: true });
  }

  async enter(password: string): Promise<void> {
    await this.password.fill(password);
    await this.submit.click();
  }
}

/** The session has ended: sign in again in place. */
export function signInAgain(page: Page): CredentialsDialog {
  return new CredentialsDialog(page.getByRole('dialog', { name: 'Sign in again' }), 'Sign in');
}

/** A service's token has ended: connect in place. */
export function connectAgain(
  page: Page,
  service = 'access controller',
  submit = 'Connect',
): CredentialsDialog {
  return new CredentialsDialog(page.getByRole('dialog', { name: `Connect to the ${service}` }), submit);
}

/** A dangerous operation requires the password again. */
export function isItYou(page: Page): CredentialsDialog {
  return new CredentialsDialog(page.getByRole('alertdialog', { name: 'Confirm your password' }), 'Confirm');
}
