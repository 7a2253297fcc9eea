import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlCommand, hclBlock, hclName, hclString, shellWord } from './as-code.ts';

describe('shellWord', () => {
  test('leaves plain words alone and quotes the rest', () => {
    expect(shellWord('db-primary.internal:5432')).toBe('db-primary.internal:5432');
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
    expect(shellWord('')).toBe("''");
    expect([shellWord('=ls'), shellWord('a=b')]).toEqual(["'=ls'", 'a=b']);
  });

  test('a shell reads back what was quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const word = shellWord(text);
        // Single quotes take everything literally; between them stand escaped quotes alone.
        const parts = word.startsWith("'") ? word.slice(1, -1).split(String.raw`'\''`) : [word];
        expect(parts.join("'")).toBe(text);
        for (const part of parts) expect(part).not.toContain("'");
        if (!word.startsWith("'")) expect(word).toMatch(/^[A-Za-z0-9_@%+=:,./-]+$/);
      }),
    );
  });
});

test('a request holds variables in place of address and token', () => {
  const command = curlCommand({
    method: 'PATCH',
    addressVariable: 'BOUNDARY_ADDR',
    tokenVariable: 'BOUNDARY_TOKEN',
    path: '/v1/targets/ttcp_1234567890',
    body: { name: "o'hara", version: 3 },
  });
  expect(command).toContain('--request PATCH "$BOUNDARY_ADDR/v1/targets/ttcp_1234567890"');
  expect(command).toContain('"Authorization: Bearer $BOUNDARY_TOKEN"');
  expect(command).toContain(String.raw`o'\''hara`);
});

describe('HCL', () => {
  test('aligns arguments and leaves nulls out', () => {
    expect(
      hclBlock('resource', ['boundary_target', 'db'], {
        name: 'db',
        type: 'tcp',
        default_port: 5432,
        address: null,
      }),
    ).toBe(
      'resource "boundary_target" "db" {\n  name         = "db"\n  type         = "tcp"\n  default_port = 5432\n}',
    );
  });

  test('no value becomes a template or ends its string', () => {
    expect(hclString('${var.x} %{if} "a" \\ $5')).toBe(String.raw`"$${'$'}{var.x} %%{if} \"a\" \\ $5"`);
    fc.assert(
      fc.property(fc.string(), (text) => {
        const inside = hclString(text).slice(1, -1).replaceAll('$${', '').replaceAll('%%{', '');
        expect(inside).not.toMatch(/[$%]\{|\n/);
        expect(inside.replaceAll(/\\[\\"nrt]/g, '')).not.toMatch(/["\\]/);
      }),
    );
  });

  test.each([
    ['DB Primary (eu-west)', 'db_primary_eu_west'],
    ['42', '_42'],
    ['…', '_'],
    ['Café', 'cafe'],
  ])('names %s as %s', (name, expected) => {
    expect(hclName(name)).toBe(expected);
  });
});
