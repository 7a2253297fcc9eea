import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /(?<!\.test)\.tsx?$/.test(file.name))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n');

/** What the page asks about under another operation's name, or leaves to the password that the BFF asks for. */
const askedElsewhere = new Set([
  // The same settings, in part.
  'secretMetadata.patch',
  // By what a move leaves behind (`harmOfMove`).
  'secretTransfers.transfer',
  // With its pin: one button does either.
  'plugins.unpin',
  // Its form says what the token gives away.
  'replicationSecondaries.createToken',
  // After the step of its provider.
  'publishUploads.begin',
  // The same delivery again: by the password alone, where an image came to its place meanwhile.
  'publishUploads.deliver',
  // By the password alone, where a move adds to versions that are released: its page says so beside the button.
  'moves.start',
  'moves.resume',
  'moves.retry',
]);

test('what can do harm is asked about: the page reads the harm of every such operation', () => {
  const silent = allEndpoints.filter(({ name, harm }) => {
    // Rights are asked for by the password alone, wherever they are changed.
    if (harm === undefined || harm === 'rights' || askedElsewhere.has(name)) return false;
    const [resource = '', operation = ''] = name.split('.');
    const isOfCollection = operation === 'delete' && sources.includes(`recordCalls(at.${resource}`);
    return !isOfCollection && !sources.includes(`${name}.harm`);
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});
