import { expectAccessible } from '../../fixtures/accessible.ts';
import { password } from '../../fixtures/stack.ts';
import { expect, test } from '../../fixtures/test.ts';
import { expectToast, visit } from '../../fixtures/vocabulary.ts';
import { ConflictView } from '../../pages/conflict-view.ts';
import { RecordForm } from '../../pages/record-form.ts';
import { isItYou } from '../../pages/session-dialogs.ts';

const read = { Sid: 'Read', Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::builds/*' };
const list = { Sid: 'List', Effect: 'Allow', Action: 's3:ListBucket', Resource: 'arn:aws:s3:::builds' };
const deny = { Sid: 'NoDelete', Effect: 'Deny', Action: 's3:Delete*', Resource: '*' };

const policy = (...Statement: object[]): string => JSON.stringify({ Version: '2012-10-17', Statement });
const user = (...statements: object[]) => ({
  credential_type: 'iam_user',
  policy_document: policy(...statements),
});

test('a policy document is checked while it is typed, and merged by statement', async ({
  signedIn: page,
  cloud,
}) => {
  test.slow();
  await test.step('a policy document is checked while it is typed, and each finding leads to its line', async () => {
    await cloud.writeRole('deploy', user(read));
    await page.goto(cloud.place('/roles/deploy/edit'));
    const editor = page.getByRole('textbox', { name: 'Policy document' });
    const findings = page.getByRole('list', { name: 'Findings in policy document' }).getByRole('listitem');
    await expect(page.getByText('No mistake or known risk found.')).toBeVisible();
    await expect(page.getByText(/Actions are checked with the provider's table of 20\d\d-/)).toBeVisible();
    await editor.fill(policy({ ...read, Action: ['iam:Put*', 's3:GetObjct'], Resource: '*' }));
    await expect(findings).toHaveText([
      /^Risk, line 1: iam:Put\* includes .*iam:PutUserPolicy.* any right/,
      /^Warning, line 1: .* no action "s3:GetObjct"\. Did you mean s3:GetObject\?$/,
    ]);
    await expect(page.getByText('1 risk, 1 warning.')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Policy document in words' })).toContainText('iam:Put*');
    await expectAccessible(page, 'a policy document with risks');
    // What is typed over marked text must not get its style, which the content security policy refuses.
    await editor.fill('"a word"');
    await expect(findings).toHaveText([/^Error, line 1: /]);
    await editor.press('ControlOrMeta+A');
    await page.keyboard.type('{}');
    await expect(editor).toHaveText('{}');
    await editor.fill(policy({ ...read, Action: 'GetObject', Principal: '*' }));
    await page.getByRole('button', { name: 'Format' }).click();
    await expect(findings).toHaveText([
      /^Error, line 7: "GetObject" is not an action\./,
      /^Error, line 9: Principal belongs in resource policies/,
    ]);

    await findings.first().getByRole('button').focus();
    await page.keyboard.press('Enter');
    await expect(editor).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('s3:');
    await expect(findings).toHaveCount(1);
    await editor.fill(policy(read));
    await page.getByRole('button', { name: 'Add statement' }).click();
    await page.getByRole('menuitem', { name: /^Push images/ }).click();
    await expect(editor).toBeFocused();
    // At the first word to replace.
    for (let index = 0; index < 'REGION'.length; index++) await page.keyboard.press('Delete');
    await page.keyboard.type('eu-central-1');
    await expect(editor).toContainText('arn:aws:ecr:eu-central-1:ACCOUNT:repository/REPOSITORY');

    const form = new RecordForm(page, 'role');
    await form.save('Save role').click();
    await isItYou(page).enter(password);
    await expectToast(page, 'Role deploy saved');
    await expect(
      page.getByRole('list', { name: 'The policy document grants' }).getByRole('listitem'),
    ).toHaveText([
      /May read \(s3:GetObject\) on every object in the bucket builds/,
      /May read \(ecr:GetAuthorizationToken\) on every resource/,
      /May .*ecr:PutImage.* on arn:aws:ecr:eu-central-1:ACCOUNT:repository\/REPOSITORY/,
    ]);
  });
  await test.step("two users' edits of a policy document merge by statement, and only a statement that both edited is decided", async () => {
    await cloud.writeRole('shared', user(read, list));
    const stored = async (): Promise<unknown> =>
      JSON.parse(String((await cloud.readRole('shared'))['policy_document']));
    const form = new RecordForm(page, 'role');
    const editor = page.getByRole('textbox', { name: 'Policy document' });
    const conflict = new ConflictView(page);
    await visit(page, cloud.place('/roles/shared/edit'));
    await editor.fill(policy({ ...read, Resource: 'arn:aws:s3:::mine/*' }, list));
    await cloud.writeRole('shared', user(read, { ...list, Resource: 'arn:aws:s3:::theirs' }, deny));
    await form.save('Save role').click();
    await expect(conflict.summary).toContainText("don't overlap");
    await form.save('Save role').click();
    await expectToast(page, 'Role shared saved');
    const mine = { ...read, Resource: 'arn:aws:s3:::mine/*' };
    const theirs = { ...list, Resource: 'arn:aws:s3:::theirs' };
    expect(await stored()).toEqual({ Version: '2012-10-17', Statement: [mine, theirs, deny] });

    await visit(page, cloud.place('/roles/shared/edit'));
    await expect(editor).toContainText('NoDelete');
    await editor.fill(policy({ ...mine, Action: 's3:Get*' }, theirs));
    await cloud.writeRole(
      'shared',
      user({ ...mine, Action: 's3:GetObject*' }, { ...theirs, Effect: 'Deny' }, deny),
    );
    await form.save('Save role').click();
    await expect(conflict.title).toHaveText('1 field has conflicting changes');
    const decision = conflict.decision('Policy document: Read');
    await expect(decision).toContainText('"s3:GetObject*"');
    await expect(decision).not.toContainText('s3:ListBucket');
    await expect(decision).toHaveAccessibleDescription(
      /All other statements are merged, whichever you choose/,
    );
    await expectAccessible(page, 'a statement to decide about');
    await conflict.choose('Policy document: Read', 'Use mine');
    await form.save('Save role').click();
    await expectToast(page, 'Role shared saved');
    expect(await stored()).toEqual({
      Version: '2012-10-17',
      Statement: [
        { ...mine, Action: 's3:Get*' },
        { ...theirs, Effect: 'Deny' },
      ],
    });
  });
});
