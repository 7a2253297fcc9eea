import { expect, test } from 'vitest';
import { findsIn } from './words.mjs';

const found = (file: string, text: string) => [...findsIn(file, text)].map(({ line }) => line);

test('finds phrases in strings, templates and text of the page', () => {
  const source = [
    '// Nobody was told meanwhile.',
    "const title = 'Changed meanwhile';",
    "import { meanwhile } from './meanwhile.ts';",
    'const hint = `${title}, and told to nobody`;',
    'export const Page = () => <p title="Try once more">It went on.</p>;',
    "export const fine = 'None of them is told apart';",
  ].join('\n');
  expect(found('apps/web/src/lib/Page.tsx', source)).toEqual([2, 4, 5, 5]);
});

test('finds phrases in documents, outside their code', () => {
  expect(found('docs/a.md', 'First.\n\n`told` and\n\n```\nmeanwhile\n```\n\nIt was told.')).toEqual([9]);
});
