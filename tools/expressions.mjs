import fs from 'node:fs';
import { parseSync, Visitor } from 'rolldown/utils';
import scslre from 'scslre';
import { inRoot, root } from './folders.mjs';

/** The code that servers run. */
const servers = [
  'apps/{access-controller,bff,box-registry,module-registry,secrets-server,stack}/src/**/*.ts',
  'packages/{api-types,filter-expression,module-archive,record-merge,service-kit}/src/**/*.ts',
];

/**
 * Finds regular expressions in a source whose time grows with the square of a text's length, or faster: a text of
 * 100,000 characters could block a server for seconds.
 * @param {string} file
 * @param {string} text
 */
export function slowExpressionsIn(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors[0] !== undefined) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  /** @type {{ line: number, raw: string }[]} */
  const found = [];
  new Visitor({
    Literal(literal) {
      if (!('regex' in literal)) return;
      const { pattern, flags } = literal.regex;
      if (scslre.analyse({ source: pattern, flags }).reports.length === 0) return;
      found.push({ line: text.slice(0, literal.start).split('\n').length, raw: `/${pattern}/${flags}` });
    },
  }).visit(program);
  return found;
}

/**
 * Refuses such expressions in server code, even for texts that are short today.
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function checkExpressions() {
  const output = fs
    .globSync(servers, { cwd: root, exclude: (name) => /(?:^|\W)(?:node_modules|test\.ts)$/.test(name) })
    .flatMap((file) =>
      slowExpressionsIn(file, fs.readFileSync(inRoot(file), 'utf8')).map(
        ({ line, raw }) => `${file}:${line}: ${raw} takes quadratic time`,
      ),
    );
  return { ok: output.length === 0, output: output.join('\n') };
}
