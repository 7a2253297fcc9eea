import { parentPort } from 'node:worker_threads';
import { parse } from '@cdktn/hcl2json';
import { asWritten, parseExactJson } from '@gatehouse/service-kit/parse-json';
import { contentOf, mostDeclared, tooMuchDeclared } from './content.ts';
import type { Declared } from './content.ts';
import { isConfiguration } from './files.ts';
import type { ArchiveFiles } from './files.ts';
import type { Problem } from './module-content.ts';

/** Most memory of the parser in bytes. Archives at the limit of text, written by people, took up to 150 MiB. */
const mostMemory = 256 * 2 ** 20;

let memory: WebAssembly.Memory | undefined;
const usedMemory = (): number => memory?.buffer.byteLength ?? 0;

// The HCL library's parser is a Go program in WebAssembly, whose memory only grows. It calls this function after each
// growth, before it uses the new part, so the memory that is really taken stays below the limit.
const { instantiate } = WebAssembly;
const grown = 'runtime.resetMemoryDataView';
const limited = async (program: BufferSource, imports: WebAssembly.Imports = {}) => {
  const { [grown]: use, ...others } = imports['gojs'] ?? {};
  if (typeof use !== 'function') throw new Error(`the parser has no ${grown}`);
  const gojs = {
    ...others,
    [grown]: (...values: unknown[]): void => {
      if (usedMemory() > mostMemory)
        end(
          `its .tf files take more than ${mostMemory / 2 ** 20} MiB of memory to read: make them smaller or simpler`,
        );
      (use as (...values: unknown[]) => void)(...values);
    },
  };
  const started = await instantiate(program, { ...imports, gojs });
  memory = started.instance.exports['mem'] as WebAssembly.Memory;
  return started;
};
WebAssembly.instantiate = limited as typeof WebAssembly.instantiate;

/** Refuses the archive and ends the worker at once, in the middle of the parser's work. */
function end(refused: string): never {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  parentPort?.postMessage({ refused });
  process.exit();
}

// The HCL library reads its parser's output with `JSON.parse`; this keeps the numbers exact there too. The parser writes
// exponents out as digits, so a short number can become a long text.
const readJson = JSON.parse;
JSON.parse = (text, reviver = asWritten) => {
  if (text.length > mostDeclared) throw new Error(`It ${tooMuchDeclared}`);
  return readJson(text, reviver) as unknown;
};

/** Like Terraform, which accepts any bytes in comments. */
const utf8 = new TextDecoder();

async function declaredIn(path: string, bytes: Uint8Array): Promise<Declared> {
  const text = utf8.decode(bytes);
  if (!path.endsWith('.json')) return (await parse(path, text)) as Declared;
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
    if (length > mostDeclared) end(`it ${tooMuchDeclared}: split it into several modules`);
    // What the next archive needs is added to what this one left.
    worn ||= usedMemory() > mostMemory / 2;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
    parentPort?.postMessage({ content, worn });
  })();
});

/** Without the brackets that the parser puts around its message. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (/^parse config: \[([^]*)\]$/.exec(message)?.[1] ?? message).slice(0, 2000);
}
