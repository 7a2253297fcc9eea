import type { PublishRunSummary } from '@gatehouse/api-types/console/publish';
import type { Upload } from '@gatehouse/api-types/console/publish-uploads';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Sending } from '#lib/uploads/sending.ts';
import { uploadOf } from './test-upload.ts';
import { askAgainAfter, byRun, transferItem, transfersOf, type Transfer } from './tray-words.ts';

const done = { state: 'done', outcome: 'created', problem: null, time: '' } as const;

function runOf(id: string, ...uploads: readonly (Upload | null)[]): PublishRunSummary {
  const providers = uploads.map((upload, index): PublishRunSummary['providers'][number] => ({
    id: `p${String(index)}`,
    name: 'libvirt',
    architecture: 'unknown',
    is_default: true,
    source: { kind: 'image' },
    checksum: '',
    checksum_type: null,
    step: done,
    upload,
    ready: upload?.state === 'done',
  }));
  return {
    id,
    revision: '1',
    environment: 'local',
    state: 'open',
    created_time: '',
    updated_time: '',
    box: { username: 'acme', name: 'base', step: done },
    version: { version: '1.0.0', step: done },
    providers,
    release: { state: 'planned', outcome: null, problem: null, time: null },
  };
}

function sendingOf(fields: Partial<Sending>): Sending {
  return { id: 'pu_1', state: 'sending', sent: 0, size: 1000, samples: [], reason: undefined, ...fields };
}

const nothing = new Set<string>();

function only(run: PublishRunSummary, watched: ReadonlySet<string> = nothing): [Transfer, ...Transfer[]] {
  const [first, ...others] = transfersOf([run], watched);
  if (first === undefined) throw new Error('nothing is shown');
  return [first, ...others];
}

test('a transfer that has ended is shown only if the page saw it active', () => {
  const run = runOf('pr_1', uploadOf({ state: 'done' }), uploadOf({ id: 'pu_2', state: 'cancelled' }), null);
  expect(transfersOf([run], nothing)).toEqual([]);
  expect(transfersOf([run], new Set(['pu_1', 'pu_2'])).map(({ upload }) => upload.id)).toEqual(['pu_1']);
  expect(transfersOf([{ ...run, state: 'released' }], new Set(['pu_1']))).toEqual([]);
});

test('nothing is polled if nothing can change without the user', () => {
  const receiving = only(runOf('pr_1', uploadOf({})));
  expect(askAgainAfter([], [])).toBeUndefined();
  expect(askAgainAfter(only(runOf('pr_1', uploadOf({ state: 'failed' }))), [])).toBeUndefined();
  expect(askAgainAfter(receiving, [])).toBe(15);
  expect(askAgainAfter(receiving, [sendingOf({ state: 'paused' })])).toBe(15);
  expect(askAgainAfter(receiving, [sendingOf({})])).toBe(2);
  expect(askAgainAfter(only(runOf('pr_1', uploadOf({ state: 'delivering' }))), [])).toBe(2);
});

test('an image that the console has received counts as half transferred', () => {
  const item = transferItem(only(runOf('pr_1', uploadOf({ state: 'received', received: 1000 }))), []);
  expect(item).toMatchObject({
    title: 'Publish acme/base 1.0.0',
    text: '1 image, 50 %, waiting for delivery',
    spoken: '50 %, waiting for delivery',
    look: 'busy',
  });
  const sending = transferItem(only(runOf('pr_1', uploadOf({ received: 200 }))), [sendingOf({ sent: 600 })]);
  expect(sending.text).toBe('1 image, 30 %, sending');
  expect(sending.spoken).toBe('25 %, sending');
});

test('a failure takes precedence over progress, and progress over waiting', () => {
  const failed = uploadOf({ state: 'failed', retry: 'deliver' });
  const delivering = uploadOf({ id: 'pu_2', state: 'delivering' });
  const forgotten = uploadOf({ id: 'pu_3' });
  const look = (...uploads: readonly Upload[]) => transferItem(only(runOf('pr_1', ...uploads)), []).look;
  expect(look(delivering, failed, forgotten)).toBe('failed');
  expect(look(forgotten, delivering)).toBe('busy');
  expect(look(forgotten)).toBe('waiting');
});

test('images are grouped by run', () => {
  const first = runOf('pr_1', uploadOf({}), uploadOf({ id: 'pu_2' }));
  const second = runOf('pr_2', uploadOf({ id: 'pu_3' }));
  const groups = byRun(transfersOf([first, second], nothing));
  expect(groups.map((group) => group.map(({ upload }) => upload.id))).toEqual([['pu_1', 'pu_2'], ['pu_3']]);
});

test('the announced text changes at most four times per image', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 200 }), (offsets) => {
      const spoken = offsets
        .toSorted((a, b) => a - b)
        .map((received) => transferItem(only(runOf('pr_1', uploadOf({ received }))), []).spoken);
      // The console's half of the transfer.
      expect(new Set(spoken).size).toBeLessThanOrEqual(3);
    }),
  );
});
