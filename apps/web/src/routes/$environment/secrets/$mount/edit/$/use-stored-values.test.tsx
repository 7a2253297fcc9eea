import type { ToldVersion } from '@gatehouse/api-types/console/secrets';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useRecordForm } from '#components/form/use-record-form.ts';
import { ApiError } from '#lib/api-error.ts';
import { editSecretForm } from '#routes/$environment/secrets/-editing/secret-form.ts';
import { unseen } from '#routes/$environment/secrets/-fields/secret-values.ts';
import { beginEdit } from './begin-edit.ts';
import { useStoredValues } from './use-stored-values.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const place = { environment: 'local', mount: 'secret', path: 'app' };
const about = {
  mount: 'secret',
  path: 'app',
  state: 'readable' as const,
  created_time: '2026-01-01T00:00:00Z',
  deletion_time: '',
  custom_metadata: {},
};
const structureOf = (names: readonly string[]) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, null])));
const newer = (names: readonly string[]): ToldVersion => ({
  ...about,
  revision: '2',
  version: 2,
  structure: structureOf(names),
});

interface Reveal {
  readonly version: number;
  readonly fields?: readonly string[];
}

/** An edit of version 1 with these fields. @param answer the data of a revealed version; undefined to refuse */
function edit(names: readonly string[], answer: (asked: Reveal) => object | undefined) {
  const asked: Reveal[] = [];
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    const reveal = JSON.parse(body) as Reveal;
    asked.push(reveal);
    const data = answer(reveal);
    const text =
      data === undefined
        ? {}
        : { ...about, revision: '2', version: reveal.version, data: JSON.stringify(data) };
    return Promise.resolve(Response.json(text, { status: data === undefined ? 403 : 200 }));
  });
  const start = beginEdit({
    ...place,
    versioned: true,
    may: null,
    revision: '1',
    version: { ...about, version: 1, structure: structureOf(names) },
  });
  const { result } = renderHook(() => {
    const form = useRecordForm({
      spec: editSecretForm,
      stored: { record: start.values, revision: start.revision },
      readRecord: () => start.values,
      write: (_values, stored) => Promise.resolve(stored),
      onSaved: () => undefined,
    });
    const values = useStoredValues(place, start, { exactText: useRef<string | null>(null) }, () => form);
    return { form, values };
  });
  return { asked, result };
}

test('a newer version that cannot be read leaves what the page knows of the older one', async () => {
  const { result } = edit(['a'], ({ version }) => (version === 1 ? { a: 1 } : undefined));
  act(() => {
    result.current.form.setField(['data', 'a'], '"mine"');
  });
  await act(async () => {
    await expect(result.current.values.theirsOf(newer(['a', 'b']))).rejects.toBeInstanceOf(ApiError);
  });
  expect(result.current.values.structure).toBe(structureOf(['a']));
});

test('more changed fields than a reveal can name are merged after reading all fields', async () => {
  const changed = Array.from({ length: 1_001 }, (_, index) => `field-${String(index)}`);
  const stored = Object.fromEntries([...changed, 'untouched'].map((name) => [name, 'theirs']));
  const { result, asked } = edit(Object.keys(stored), ({ fields }) =>
    (fields?.length ?? 0) > 1_000 ? undefined : stored,
  );
  act(() => {
    const mine = Object.fromEntries(changed.map((name) => [name, '"mine"']));
    result.current.form.methods.setValue('data', { ...mine, untouched: unseen });
  });
  const theirs = await act(() => result.current.values.theirsOf(newer(Object.keys(stored))));
  expect(asked).toEqual([{ version: 1 }, { version: 2 }]);
  expect(theirs.data).toMatchObject({ 'field-0': '"theirs"', 'field-1000': '"theirs"', untouched: unseen });
  expect(result.current.form.stored.record.data).toMatchObject({ 'field-0': '"theirs"', untouched: unseen });
});
