// Part of npm run check. Alone: node tools/words.mjs lists all findings, node tools/words.mjs record lowers the limits
// to the current numbers.
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'rolldown/utils';
import { inRoot, root } from './folders.mjs';

/**
 * Phrases that give a translation away, and what to write instead. Only phrases that are wrong wherever they are: the
 * rest is for readers. Comments and test titles aren't checked.
 *
 * @type {readonly (readonly [phrase: RegExp, instead: string])[]}
 */
const phrases = [
  [/\b(?:tells|told)\b(?! (?:[^.]{0,40} )?(?:apart|from)\b)/, 'says, reports, returns'],
  [/\bmeanwhile\b|\bin between\b/, 'since then, in the meantime; often nothing'],
  [/\bby (?:itself|themselves)\b/, 'automatically; separately'],
  [/\banew\b|\bonce more\b/, 'again'],
  [/\bfor ever\b/, 'permanently'],
  [/\bmend(?:s|ed|ing)?\b/, 'fix'],
  [/\bby now\b/, 'already'],
  [/\bbeforehand\b/, 'first, in advance'],
  [/\b(?:goes|go|went|going) on\b/, 'continues, resumes'],
  [
    /(?<!\b(?:one|none|all|some|most|many|any|each|both|two|three|half|copy|rest|part|end|middle|instead|out|because) )\bof (?:it|them|these)\b/,
    'its, their; or nothing',
  ],
  [
    /\bwhat (?:is|was|were) (?:there|here|stored|seen)\b/,
    'name it: the stored record, the last version you saw',
  ],
  [/\bwho(?:so)?ever\b/, 'people who, users with'],
  [/\bleads? (?:to|there|here|nowhere)\b/, 'opens, points to'],
  [/\bstands? (?:in|at|on|here|there|beside|below|above|behind)\b/, 'is'],
  [/\bsomebody\b|\banybody\b/, 'you, someone, a user, an administrator'],
  [
    /\b(?:tak(?:es?|en|ing)|took|giv(?:es?|en|ing)) (?:away|back)\b|\bbr(?:ings?|ought) back\b|\bputs? (?:away|together)\b/,
    'remove, undo, undelete, dismiss, merge',
  ],
  [/\b(?:comes?|came) (?:into being|to be)\b/, 'is created'],
  [/\b(?:not|isn.t) known (?:whether|which|who|if)\b|\bnobody knows (?:whether|which|who)\b/, 'unknown'],
  [/\b(?:an|the) own\b/, 'your'],
  [/\bbr(?:eaks?|oken|oke) off\b/, 'canceled, lost'],
  [/\bat the latest\b/, 'by; hard limit'],
  [/\bthe same is true (?:of|for)\b/, 'also'],
  [/’/, "a straight apostrophe: '"],
  [
    /\b(?:Cancell|Colour|Behaviour|Organis|Authoris|Favourit|Labelled)|(?<= )(?:cancelled|cancelling|colour|behaviour|labelled)\b/,
    'American spelling: canceled, color',
  ],
];

const any = new RegExp(phrases.map(([phrase]) => phrase.source).join('|'), 'i');
const recorded = inRoot('tools', 'words.json');

/**
 * @typedef {object} Find
 * @property {string} room
 * @property {string} file
 * @property {number} line
 * @property {string} text
 * @property {string} instead
 */

/**
 * Finds the phrases in all texts that people read: strings of the page, the servers and the command line, and
 * documents. tools/words.json says how many a room may have; rooms that it doesn't name may have none.
 * @returns {Promise<{ ok: boolean, output: string }>}
 */
export async function checkWords() {
  /** @type {Record<string, number>} */
  const limits = JSON.parse(fs.readFileSync(recorded, 'utf8'));
  const finds = [...findAll()];
  const counts = countsOf(finds);
  const lines = [];
  for (const [room, count] of Object.entries(counts)) {
    if (count <= (limits[room] ?? 0)) continue;
    lines.push(`${room}: ${count} phrases to rewrite, of which ${limits[room] ?? 0} were there before`);
    lines.push(
      ...finds
        .filter((find) => find.room === room)
        .slice(0, 30)
        .map(lineOf),
    );
  }
  const fewer = Object.entries(limits).filter(([room, limit]) => (counts[room] ?? 0) < limit);
  if (fewer.length > 0)
    lines.push(
      `Fewer than recorded, keep it so: node tools/words.mjs record (${fewer.map(([room]) => room).join(', ')})`,
    );
  return { ok: lines.length === 0, output: lines.join('\n') };
}

/** @returns {Generator<Find>} */
function* findAll() {
  const sources = fs.globSync(
    [
      '{apps,packages}/*/src/**/*.{ts,tsx}',
      'tools/*.mjs',
      '*.md',
      'docs/*.md',
      '{apps,packages}/*/*.md',
      '{bench,e2e}/*.md',
    ],
    {
      cwd: root,
      exclude: (name) => name === 'node_modules' || name === 'testing' || /\.(?:test|gen)\.tsx?$/.test(name),
    },
  );
  for (const file of sources.sort()) {
    if (file !== 'tools/words.mjs') yield* findsIn(file, fs.readFileSync(inRoot(file), 'utf8'));
  }
}

/**
 * The phrases in one document, or in the strings of one source.
 * @param {string} file
 * @param {string} text
 * @returns {Generator<Find>}
 */
export function* findsIn(file, text) {
  if (!any.test(text)) return;
  for (const { at, text: read } of file.endsWith('.md') ? proseOf(text) : stringsOf(file, text)) {
    for (const [phrase, instead] of phrases) {
      for (const match of read.matchAll(new RegExp(phrase, 'gi'))) {
        const line = text.slice(0, at + match.index).split('\n').length;
        const around = read.slice(Math.max(0, match.index - 40), match.index + match[0].length + 40);
        yield { room: roomOf(file), file, line, text: around.replace(/\s+/g, ' ').trim(), instead };
      }
    }
  }
}

/**
 * A document without its code.
 * @param {string} text
 */
function* proseOf(text) {
  const blank = (/** @type {string} */ code) => code.replaceAll(/[^\n]/g, ' ');
  yield { at: 0, text: text.replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, blank) };
}

/**
 * Strings with a space, and text in JSX. Strings without a space are keys.
 * @param {string} file
 * @param {string} source
 */
function stringsOf(file, source) {
  /** @type {{ at: number, text: string }[]} */
  const found = [];
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string' && value.includes(' ')) found.push({ at: start, text: value });
    },
    TemplateElement: ({ value, start }) => void found.push({ at: start, text: value.cooked ?? '' }),
    JSXText: ({ value, start }) => void found.push({ at: start, text: value }),
  }).visit(parseSync(file, source).program);
  return found;
}

/**
 * Screens, folders of the page's other parts, workspaces and documents are rooms.
 * @param {string} file with slashes
 */
function roomOf(file) {
  return (
    /^apps\/web\/src\/routes\/\$environment\/[^/.]+/.exec(file)?.[0] ??
    /^apps\/(?:web|bff)\/src\/[^/.]+/.exec(file)?.[0] ??
    /^(?:apps|packages)\/[^/]+(?=\/src)/.exec(file)?.[0] ??
    (file.startsWith('tools/') ? 'tools' : file)
  );
}

/** @param {readonly Find[]} finds */
function countsOf(finds) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const { room } of finds) counts[room] = (counts[room] ?? 0) + 1;
  return counts;
}

/** @param {Find} find */
const lineOf = ({ file, line, text, instead }) => `  ${file}:${line}: … ${text} … (${instead})`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const finds = [...findAll()];
  if (process.argv[2] === 'record') {
    fs.writeFileSync(recorded, `${JSON.stringify(countsOf(finds), null, 2)}\n`);
  } else {
    const room = process.argv[2] ?? '';
    for (const find of finds) if (find.room.startsWith(room)) console.log(lineOf(find));
    for (const [name, count] of Object.entries(countsOf(finds))) console.log(`${count}`.padStart(5), name);
  }
}
