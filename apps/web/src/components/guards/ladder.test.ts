import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allEndpoints } from '@gatehouse/api-types/console/endpoints';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && /(?<!\.test)\.tsx?$/.test(file.name))
  .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
  .join('\n');

/** Operations that are confirmed under another's name, or only by the password that the BFF requires. */
const askedElsewhere = new Set([
  // A part of the same settings.
  'secretMetadata.patch',
  // Depends on what a move leaves behind (`harmOfMove`).
  'secretTransfers.transfer',
  // Depends on the kind of the new primary (`harmOfNewPrimary`).
  'replication.updatePrimary',
  // Like pinning: one button does both.
  'plugins.unpin',
  // Its form says what the token grants.
  'replicationSecondaries.createToken',
  // After its provider's step.
  'publishUploads.begin',
  // The same delivery again: confirmed by the password if another image is in its place.
  'publishUploads.deliver',
  // Confirmed by the password if a move adds to released versions: its page says so beside the button.
  'moves.start',
  'moves.resume',
  'moves.retry',
]);

test('every operation that can do harm is confirmed: the page reads its declared harm', () => {
  const silent = allEndpoints.filter(({ name, harm }) => {
    // Changes of rights are always confirmed by the password.
    if (harm === undefined || harm === 'rights' || askedElsewhere.has(name)) return false;
    const [resource = '', operation = ''] = name.split('.');
    const isOfCollection = operation === 'delete' && sources.includes(`recordCalls(at.${resource}`);
    return !isOfCollection && !sources.includes(`${name}.harm`);
  });
  expect(silent.map(({ name }) => name)).toEqual([]);
});
