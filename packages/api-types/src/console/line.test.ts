import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { boxTokens } from './box-accounts.ts';
import { boxFields } from './boxes.ts';
import { cloudEngines } from './cloud-engines.ts';
import { moduleTokens } from './module-operations.ts';
import { publishFields } from './modules.ts';
import { secretEngines } from './secret-metadata.ts';

test.each([
  ['a secret engine', secretEngines.mount.body.shape.description],
  ['a cloud engine', cloudEngines.mount.body.shape.description],
  ['a module version', publishFields.shape.description],
  ['a module token', moduleTokens.create.body.shape.description],
  ['a box token', boxTokens.create.body.shape.description],
  ['a box', boxFields.shape.short_description],
])('a short description of %s is one line without control characters', (_what, description) => {
  expect(z.parse(description, ' Größe of a team ')).toBe('Größe of a team');
  for (const text of ['a\nb', 'a\u0000b', 'a\u001b[2Jb', 'a\u0085b', 'a\u2028b']) {
    const { error } = z.safeParse(description, text);
    expect(error?.issues, JSON.stringify(text)).toMatchObject([
      { message: expect.stringMatching(/^A (?:short )?description can't contain line breaks or control/) },
    ]);
  }
});
