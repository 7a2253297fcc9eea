import { parentPort } from 'node:worker_threads';
import { parse } from '@cdktn/hcl2json';
import { asWritten, parseExactJson } from '@gatehouse/service-kit/parse-json';
import { contentOf, mostDeclared } from './content.ts';
import type { Declared } from './content.ts';
import { isConfiguration } from './files.ts';
import type { ArchiveFiles } from './files.ts';
import type { Problem } from './module-content.ts';

// The HCL library reads its parser's output with `JSON.parse`; this keeps the numbers exact there too.
const readJson = JSON.parse;
JSON.parse = (text, reviver = asWritten) => readJson(text, reviver) as unknown;

/** Deepest nesting, and most signs or splats in a row: each level takes kilobytes of the parser's memory. */
const deepest = 1_000;

/**
 * Whether the parser's stack may overflow, or its memory grow to hundreds of megabytes. Counts what is in texts and
 * comments too: a file that isn't made for this comes nowhere near the limit.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let signs = 0;
  let splats = 0;
  let previous = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character.trim() === '') continue;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth = Math.max(depth - 1, 0);
    signs = '!-'.includes(character) ? signs + 1 : 0;
    if (character === '*' && (previous === '[' || previous === '.')) splats += 1;
    else if ('=,'.includes(character)) splats = 0;
    if (Math.max(depth, signs, splats) > deepest) return true;
    previous = character;
  }
  return false;
}

/** Like Terraform, which accepts any bytes in comments. */
const utf8 = new TextDecoder();

async function declaredIn(path: string, bytes: Uint8Array): Promise<Declared> {
  const text = utf8.decode(bytes);
  if (!path.endsWith('.json')) {
    if (isTooDeep(text)) throw new Error('It is nested too deeply');
    return (await parse(path, text)) as Declared;
  }
  const value = parseExactJson(text);
  return typeof value === 'object' && value !== null ? (value as Declared) : {};
}

/** Reads archives one after another for content-reader.ts. */
parentPort?.on('message', (files: ArchiveFiles) => {
  void (async () => {
    const declared = new Map<string, Declared>();
    const problems: Problem[] = [];
    let worn = false;
    for (const [path, bytes] of files.texts) {
      if (!isConfiguration(path)) continue;
      if (worn) {
        problems.push({ path, message: "It wasn't read, because another file is nested too deeply" });
        continue;
      }
      try {
        declared.set(path, await declaredIn(path, bytes));
      } catch (error) {
        // The parser's stack overflowed in the middle of its work, and it keeps what it has read: another worker must
        // read the next archive.
        if (error instanceof RangeError) worn = true;
        problems.push({
          path,
          message: error instanceof RangeError ? 'It is nested too deeply' : messageOf(error),
        });
      }
    }
    const content = contentOf(files, declared, problems);
    const { length } = JSON.stringify(content, (name, value: unknown) => (name === 'readme' ? '' : value));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    parentPort?.postMessage({ content: length > mostDeclared ? null : content, worn });
  })();
});

/** Without the brackets that the parser puts around its message. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (/^parse config: \[([^]*)\]$/.exec(message)?.[1] ?? message).slice(0, 2000);
}
