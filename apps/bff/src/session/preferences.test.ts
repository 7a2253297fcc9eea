import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSessionConsole, type SessionConsole } from '#test/session-console.ts';

let at: SessionConsole;
beforeEach(async () => {
  at = await startSessionConsole();
});
afterEach(() => at[Symbol.asyncDispose]());

describe('preferences', () => {
  test('belong to the user, in every browser', async () => {
    const [one, two, other] = [await at.signedIn(), await at.signedIn(), await at.signedIn('other')];
    expect((await one.send('PUT', '/api/preferences/theme', { body: { value: 'dark' } })).status).toBe(204);
    await one.send('PUT', '/api/preferences/grid.targets', { body: { value: { columns: ['name'] } } });
    await one.send('PUT', '/api/preferences/theme', { body: { value: 'light' } });
    expect((await two.send('GET', '/api/preferences')).json).toEqual({
      preferences: { theme: 'light', 'grid.targets': { columns: ['name'] } },
    });
    expect((await other.send('GET', '/api/preferences')).json).toEqual({ preferences: {} });
  });

  test('have a maximum size', async () => {
    const page = await at.signedIn();
    expect(
      (await page.send('PUT', '/api/preferences/x', { body: { value: 'x'.repeat(16 * 1024 - 2) } })).status,
    ).toBe(204);
    expect(
      (await page.send('PUT', '/api/preferences/x', { body: { value: 'x'.repeat(16 * 1024 - 1) } })).json,
    ).toMatchObject({ status: 413 });
  });

  test('have a maximum size in all', async () => {
    const page = await at.signedIn();
    const put = async (key: string, length: number, letter = 'x') =>
      (await page.send('PUT', `/api/preferences/${key}`, { body: { value: letter.repeat(length - 2) } }))
        .status;
    // Two bytes each, like the quotes together.
    for (let n = 0; n < 16; n++) expect(await put(`k${n}`, 8 * 1024 + 1, 'é')).toBe(204);
    expect(await put('more', 2)).toBe(400);
    expect(await put('k0', 16 * 1024 - 2)).toBe(204);
    expect(await put('more', 3)).toBe(400);
    expect(await put('more', 2)).toBe(204);
  });
});
