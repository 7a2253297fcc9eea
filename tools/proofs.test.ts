import fs from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
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

/** The titles of a file's tests and groups, without the parts that a template fills in. */
function titlesIn(file: string): readonly string[] {
  const titles: string[] = [];
  const { program, errors } = parseSync(file, fs.readFileSync(inRoot(file), 'utf8'));
  if (errors[0] !== undefined) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
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
      if (!isTest || members.some((member) => others.includes(member))) return;
      if (title?.type === 'Literal' && typeof title.value === 'string') titles.push(title.value);
      if (title?.type === 'TemplateLiteral')
        titles.push(title.quasis.map(({ value }) => value.cooked).join('\0'));
    },
  }).visit(program);
  return titles;
}

const documents = ['docs/security.md', 'docs/faults.md'];

describe.each(documents)('%s', (document) => {
  const { sections, proofs } = readDocument(fs.readFileSync(inRoot(document), 'utf8'));

  test('has a test for each line', () => {
    const proved = new Set(proofs.map(({ section }) => section));
    expect(sections.length).toBeGreaterThan(15);
    expect([...proved]).toEqual(sections);
  });

  test('names existing tests, as -t and -g find them', () => {
    const titles = new Map<string, readonly string[]>();
    for (const file of new Set(proofs.map((proof) => proof.file))) {
      titles.set(file, fs.existsSync(inRoot(file)) ? titlesIn(file) : []);
    }
    const missing = proofs.filter(
      ({ file, name }) => !titles.get(file)?.some((title) => title.includes(name)),
    );
    expect(missing).toEqual([]);
    // Both interpret a name as a pattern.
    expect(proofs.map(({ name }) => name).filter((name) => /[\\^$*+?()[\]{}|%]/.test(name))).toEqual([]);
  });
});
