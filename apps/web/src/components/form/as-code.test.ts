import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { curlCommand, hclBlock, hclName, hclString, shellWord } from './as-code.ts';

/** All except NUL, which program arguments can't contain. */
const controls = fc.integer({ min: 1, max: 0x9f }).map((code) => String.fromCharCode(code));

describe('shellWord', () => {
  test('keeps plain words, and quotes the others', () => {
    expect(shellWord('db-primary.internal:5432')).toBe('db-primary.internal:5432');
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`);
    expect(shellWord('')).toBe("''");
    expect([shellWord('=ls'), shellWord('a=b')]).toEqual(["'=ls'", 'a=b']);
  });

  test('round-trips through a shell, and contains no control characters for a terminal', () => {
    const texts = fc.sample(fc.string({ unit: fc.oneof(fc.string({ unit: 'grapheme' }), controls) }), 500);
    const words = ['=ls', "it's\\'\u0003\ncurl x\u007f\u009b1'\t", ...texts].map((text) => [
      text,
      shellWord(text),
    ]);
    for (const [, word] of words) expect(word).not.toMatch(/[^\P{Cc}\n]/u);
    const script = words.map(([, word]) => `printf '%s\\0' ${word}`).join('\n');
    const read = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(read.split('\0').slice(0, -1)).toEqual(words.map(([text]) => text));
  });
});

test('a request contains variables for the address and the token', () => {
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
  test('aligns arguments, and omits nulls', () => {
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

  test('no value becomes a template or terminates its string', () => {
    expect(hclString('${var.x} %{if} "a" \\ $5')).toBe(String.raw`"$${'$'}{var.x} %%{if} \"a\" \\ $5"`);
    fc.assert(
      fc.property(fc.string(), (text) => {
        // A space in place of an escape, so that the characters around it don't form a template.
        const inside = hclString(text)
          .slice(1, -1)
          .replaceAll(/[$][$]\{|%%\{/g, ' ');
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
