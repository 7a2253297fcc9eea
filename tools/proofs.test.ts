import fs from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';
import { describe, expect, test } from 'vitest';
import { inRoot } from './folders.mjs';

/** A test that a document names. */
interface Proof {
  readonly section: string;
  readonly file: string;
  readonly name: string;
}

/**
 * Reads a document: promises under second-level headings, and below "# Tests", for each promise, its heading in bold
 * and a table of titles and files.
 * @throws Error with an invalid row
 */
function readDocument(text: string): {
  readonly sections: readonly string[];
  readonly proofs: readonly Proof[];
} {
  const [promises = '', tests = ''] = text.split('\n# Tests\n');
  const proofs: Proof[] = [];
  let section = '';
  for (const line of tests.split('\n')) {
    section = /^\*\*(.+)\*\*$/.exec(line)?.[1] ?? section;
    if (!line.startsWith('|') || /^\| (?:Test |-)/.test(line)) continue;
    const [, name, file] = /^\| `(.+)` +\| `(.+)` +\|$/.exec(line) ?? [];
    if (name === undefined || file === undefined) throw new Error(`no title and file of a test: ${line}`);
    proofs.push({ section, file, name });
  }
  return { sections: [...promises.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title), proofs };
}

const callees = ['test', 'it', 'describe'];
/** Text between `test` and a title, of tests that don't run or can't be found by their title. */
const others = ['skip', 'todo', 'fixme', 'step'];

/**
 * The titles of a file's tests and groups after those of their groups, as documents write them:
 * `sessions › are revoked on …`, with `…` for each part that a template fills in.
 */
function titlesIn(file: string): readonly string[] {
  const titles: string[] = [];
  const groups: { readonly call: ESTree.CallExpression; readonly title: string }[] = [];
  const { program, errors } = parseSync(file, fs.readFileSync(inRoot(file), 'utf8'));
  if (errors[0] !== undefined) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  new Visitor({
    CallExpression(call) {
      const { callee, arguments: given } = call;
      // The part of `test.each(cases)(title, …)` that names the call.
      let called = callee;
      const members: string[] = [];
      while (called.type !== 'Identifier') {
        if (called.type === 'CallExpression') called = called.callee;
        else if (called.type === 'MemberExpression' && called.property.type === 'Identifier') {
          members.push(called.property.name);
          called = called.object;
        } else return;
      }
      const isTest = callees.includes(called.name) || called.name.endsWith('Test');
      const own = titleOf(given[0]);
      if (own === undefined || !isTest || members.some((member) => others.includes(member))) return;
      const title = [...groups.map((group) => group.title), own].join(' › ');
      titles.push(title);
      if (called.name === 'describe' || members.includes('describe')) groups.push({ call, title: own });
    },
    'CallExpression:exit': (call) => {
      if (groups.at(-1)?.call === call) groups.pop();
    },
  }).visit(program);
  return titles;
}

function titleOf(title: ESTree.Argument | undefined): string | undefined {
  if (title?.type === 'Literal' && typeof title.value === 'string')
    return title.value.replaceAll(/%[sjiod#]|\$[a-z]\w*/gi, '…');
  if (title?.type === 'TemplateLiteral') return title.quasis.map(({ value }) => value.cooked).join('…');
  return undefined;
}

const documents = ['docs/security.md', 'docs/faults.md'];

describe.each(documents)('%s', (document) => {
  const { sections, proofs } = readDocument(fs.readFileSync(inRoot(document), 'utf8'));

  test('has a test for each line', () => {
    const proved = new Set(proofs.map(({ section }) => section));
    expect(sections.length).toBeGreaterThan(15);
    expect([...proved]).toEqual(sections);
  });

  test('names existing tests, with their groups', () => {
    const titles = new Map<string, readonly string[]>();
    for (const file of new Set(proofs.map((proof) => proof.file))) {
      titles.set(file, fs.existsSync(inRoot(file)) ? titlesIn(file) : []);
    }
    expect(proofs.filter(({ file, name }) => titles.get(file)?.includes(name) !== true)).toEqual([]);
  });
});
