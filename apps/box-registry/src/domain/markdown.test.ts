import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { expect, test, vi } from 'vitest';
import { renderMarkdown } from './markdown.ts';

test('renders descriptions', () => {
  expect(renderMarkdown('')).toBe('');
  expect(renderMarkdown('# A\n\n- *b* `c`\n- https://example.com')).toBe(
    '<h1>A</h1>\n<ul>\n<li><em>b</em> <code>c</code></li>\n<li><a href="https://example.com">https://example.com</a></li>\n</ul>\n',
  );
  expect(renderMarkdown('![a "picture"](https://example.com/a.png)')).toBe(
    '<p><a href="https://example.com/a.png">a &quot;picture&quot;</a></p>\n',
  );
});

test('renders a text once, and drops the least recently used texts', () => {
  const render = vi.spyOn(MarkdownIt.prototype, 'render');
  const asked = `asked for ${'a'.repeat(400_000)}`;
  renderMarkdown('read once');
  for (let n = 0; n < 12; n++) {
    renderMarkdown(asked);
    renderMarkdown(`other ${n} ${'b'.repeat(400_000)}`);
  }
  const times = (text: string) => render.mock.calls.filter(([one]) => one === text).length;
  expect([times(asked), times('read once')]).toEqual([1, 1]);
  renderMarkdown('read once');
  expect(times('read once')).toBe(2);
  render.mockRestore();
});

/** A table whose rows, except the first, have one cell each. */
const table = (columns: number, rows: number): string =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b|\n'.repeat(rows)}`;

test('renders no text to a much longer one', () => {
  const address = `https://example.com/${'a'.repeat(20_000)}`;
  for (const named of ['[a] ', '![a] ', '[a][a] ']) {
    const text = `[a]: ${address} "${'t'.repeat(10_000)}"\n\n${named.repeat(2_000)}`;
    const html = renderMarkdown(text);
    expect(html.length).toBeLessThan(2 * 1024 * 1024);
    expect(html.split(`href="${address}"`).length).toBeGreaterThan(10);
  }
  expect(renderMarkdown(table(10, 800))).toContain('<table>');
  expect(renderMarkdown('> a\nb\n\nc\n\n'.repeat(200)).split('<blockquote>')).toHaveLength(201);
  for (const large of [
    table(1_000, 1_000),
    `${table(100, 100)}\n`.repeat(20),
    table(200, 200).replaceAll(/^/gm, '> '),
  ])
    expect(renderMarkdown(large)).toBe(`<pre>${large.replaceAll('>', '&gt;')}</pre>\n`);
});

test('shows a text unrendered if rendering it would take too many steps', () => {
  const changelog = '## 1.0\n\n- Fix a `leak` in **clients** ([#1](https://example.com/1))\n\n> Quoted\n\n';
  expect(renderMarkdown(changelog.repeat(400))).toContain('<li>Fix a <code>leak</code>');
  for (const slow of [
    // Each bracket makes the parser search the rest again: these texts took 0.2 to 0.4 seconds.
    '!['.repeat(32_000),
    '['.repeat(65_000),
    '[^'.repeat(32_000),
    '[[a]'.repeat(16_000),
    '[a]['.repeat(16_000),
    // Each quote makes the parser read the rest again: these texts took 0.3 and 4 seconds.
    '> a\nb\n'.repeat(10_000),
    '> ~~~\nb\n'.repeat(8_000),
    // Many short elements.
    '* a\n'.repeat(16_000),
    'a*'.repeat(32_000),
    '#\n'.repeat(32_000),
    'a\n=\n'.repeat(16_000),
  ])
    expect(renderMarkdown(slow)).toBe(`<pre>${slow.replaceAll('>', '&gt;')}</pre>\n`);
});

test('begins to render a slow text once, though others are read', () => {
  const render = vi.spyOn(MarkdownIt.prototype, 'render');
  const slow = Array.from({ length: 100 }, (_, n) => `${'!['.repeat(32_000)}${n}`);
  for (const text of [...slow, ...slow]) expect(renderMarkdown(text)).toMatch(/^<pre>/);
  expect(render).toHaveBeenCalledTimes(100);
  render.mockRestore();
});

const tricks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](\tjavascript:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x)',
  '![a](javascript:alert(1))',
  '![a" onerror="x](https://e.com/"onerror="x)',
  '[a](https://e.com "t" onmouseover="x")',
  '<https://e.com/"onclick="x>',
  '[r]: javascript:alert(1)\n\n[r]',
  '```"><script>\nx\n```',
];

/** The tags that a browser would recognize, and their attributes. */
const tag = /<\/?([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)(?: \/)?>/g;

test('renders nothing that can run in a page', () => {
  const part = fc.oneof(
    fc.constantFrom(...tricks, '"', '<', '>', "'", '\n', '`', '](', '[', '&quot;'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const html = renderMarkdown(parts.join(''));
      for (const [, name, attributes = ''] of html.matchAll(tag)) {
        expect(['script', 'img', 'iframe', 'style', 'svg', 'form']).not.toContain(name);
        for (const [, attribute, value = ''] of attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
          expect(['href', 'title', 'class', 'style', 'start']).toContain(attribute);
          if (attribute === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:|#)/i);
          if (attribute === 'style') expect(value).toMatch(/^text-align:(?:left|right|center)$/);
        }
      }
      // Anything else is text, without angle brackets.
      expect(html.replaceAll(tag, '')).not.toMatch(/[<>]/);
    }),
    { examples: tricks.map((trick) => [[trick]]) },
  );
});
