import { expect, onTestFinished, test, vi } from 'vitest';
import { markdownFragment, type ResolveLink } from './markdown-fragment.ts';
import { markdownHtml } from './markdown-html.ts';
import { renderAside } from './render-aside.ts';

const allowed = new Set(
  'H3 H4 H5 H6 P BR HR BLOCKQUOTE PRE CODE STRONG EM DEL A UL OL LI TABLE THEAD TBODY TR TH TD'.split(' '),
);

function rendered(text: string, resolve?: ResolveLink): HTMLElement {
  const place = document.createElement('div');
  place.append(markdownFragment({ text, html: markdownHtml(text), resolve }));
  return place;
}

/** Malicious texts. Each must be shown as text or not at all. */
const hostile: readonly string[] = [
  '<script>alert(1)</script>',
  'a <script>alert(1)</script> b',
  '<img src=x onerror=alert(1)>',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '![x](javascript:alert(1))',
  '![x](https://tracker.example/p.png "t" )',
  '![" onerror="alert(1)](https://x.example/"><img src=x onerror=alert(1)>)',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;avascript&colon;alert(1))',
  '[x](vbscript:x)',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](//evil.example/a)',
  '[x](/api/session)',
  '[x](#top)',
  '[x](blob:https://console.example/1)',
  '[x][1]\n\n[1]: javascript:alert(1) "x"',
  '<javascript:alert(1)>',
  '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
  '<svg><g onload="alert(1)"></g></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name=password><button>Sign in</button></form>',
  '<style>*{display:none}</style>',
  '<div style="position:fixed;inset:0">x</div>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<x-element id="root" name="cookie">clobber</x-element>',
  '`<img src=x onerror=alert(1)>`',
  '```html onload=alert(1)\n<img src=x onerror=alert(1)>\n```',
  '# <img src=x onerror=alert(1)>',
  '| <img src=x onerror=alert(1)> | b |\n|---|---|\n| [x](javascript:alert(1)) | ![y](data:,x) |',
  '- [ ] <input autofocus onfocus=alert(1)>',
  '> <object data="javascript:alert(1)"></object>',
  '<!-- --><img src=x onerror=alert(1)>',
  '\u0000<img src=x onerror=alert(1)>',
];

test.each(hostile)('everything that could act is removed: %s', (text) => {
  for (const element of rendered(text).querySelectorAll('*')) {
    expect(allowed).toContain(element.tagName);
    for (const { name, value } of element.attributes) {
      expect(['href', 'id', 'class', 'start', 'align', 'target', 'rel']).toContain(name);
      if (name === 'id') expect(value).toMatch(/^user-content-/);
      if (name === 'class') expect(value).toBe('list-none');
      if (name === 'href') expect(value).toMatch(/^(?:https?:\/\/|mailto:)/);
    }
    if (element.hasAttribute('href')) {
      expect(element.getAttribute('rel')).toBe('noopener noreferrer nofollow');
      expect(element.getAttribute('target')).toBe('_blank');
    }
  }
});

test('an external image becomes a link with its text, which loads nothing unless followed', () => {
  const link = rendered('See ![the logo](https://example.com/a.png?x=1&y=2)').querySelector('a');
  expect(link?.textContent).toBe('Image: the logo');
  expect(link?.getAttribute('href')).toBe('https://example.com/a.png?x=1&y=2');
  expect(rendered('![](https://example.com/a.png)').textContent).toContain('Image');
});

test('harmless formatting is kept', () => {
  const place = rendered(
    '# Title\n\nSome *words* and `code` with [docs](https://example.com).\n\n3. three\n\n- [x] done\n\n| a | b |\n|:--|--:|\n| 1 | 2 |',
  );
  expect(place.querySelector('h3')?.textContent).toBe('Title');
  expect(place.querySelector('em')?.textContent).toBe('words');
  expect(place.querySelector('ol')?.getAttribute('start')).toBe('3');
  expect(place.querySelector('ul')?.textContent).toContain('☑ done');
  expect(place.querySelectorAll('td')).toHaveLength(2);
  expect(place.querySelector('td:last-child')?.getAttribute('align')).toBe('right');
});

test('common HTML shows headings, lines and tables, without its attributes', () => {
  const place = rendered(
    [
      '<!-- BEGIN_TF_DOCS --><h1 align="center">Network</h1>',
      '',
      'one<br>two<br/>three',
      '',
      '| Name | Type |',
      '|---|---|',
      '| <a name="input_a"></a> [a](#input_a) | <pre>list(object({<br>    a = string<br>  }))</pre> |',
      '',
      '<table class="x" onclick="alert(1)"><tr><th>Output<!-- <td> --></th></tr><TR><td><b>id</b> & a < b</td></TR></table>',
      '',
      '<details><summary>More</summary>',
      '',
      '- hidden',
      '',
      '</details>',
    ].join('\n'),
  );
  expect(place.querySelector('h3')?.textContent).toBe('Network');
  expect([...place.querySelectorAll('p')].map(({ innerHTML }) => innerHTML)).toEqual([
    'one<br>two<br>three',
    'More',
  ]);
  expect(place.querySelector('pre')?.innerHTML).toBe('list(object({<br>    a = string<br>  }))');
  expect([...place.querySelectorAll('table:last-of-type :is(th, td)')].map((cell) => cell.innerHTML)).toEqual(
    ['Output', 'id &amp; a &lt; b'],
  );
  expect(place.querySelector('li')?.textContent).toBe('hidden');
  expect(place.textContent).not.toMatch(/BEGIN|onclick/);
});

test('endlessly nested HTML elements are shown only up to a limit', () => {
  const place = rendered(`<ul>${'<ul><li>a'.repeat(150)}\n\n<table><tr><td>b</td></tr></table>`);
  expect(place.querySelectorAll('ul')).toHaveLength(100);
  expect(place.querySelector('table')?.textContent).toBe('b');
  expect(rendered('<ul><li>a</li></ul>').querySelectorAll('ul')).toHaveLength(1);
  expect(rendered('*<h1>* *<h2>* '.repeat(150)).querySelectorAll('h3').length).toBeLessThanOrEqual(50);
});

test('elements that reopen the formatting around them are limited in number', () => {
  for (const raw of ['<p>x', 'x</p>', '<li>x', '<td>x', '![x](https://example.com/y)'])
    for (const around of [
      (text: string) => `*b **c ~~d *e ${text} e* d~~ c** b*`,
      (text: string) => `[*b **c ${text} c** b*](https://example.com/${'z'.repeat(1000)})`,
    ]) {
      const few = rendered(around(raw.repeat(300))).querySelectorAll('*').length;
      const many = rendered(around(raw.repeat(3000))).querySelectorAll('*').length;
      expect([raw, many < few + 3000]).toEqual([raw, true]);
    }
});

test('invisible and direction-changing characters are shown as their code points', () => {
  const hidden = 'a\u202eb\u200bc';
  const shown = 'a[U+202E]b[U+200B]c';
  const place = rendered(`# ${hidden}\n\n[${hidden}](https://example.com/) \`${hidden}\``);
  expect([...place.querySelectorAll('h3, a, code')].map(({ textContent }) => textContent)).toEqual(
    Array.from({ length: 3 }, () => shown),
  );
  const text = document.createElement('div');
  text.append(markdownFragment({ text: hidden, html: undefined }));
  expect(text.textContent).toBe(shown);
});

test('an image in a link becomes its text, and the link keeps its destination', () => {
  const links = rendered(
    '[![build](https://example.com/badge.svg)](https://example.com/builds)',
  ).querySelectorAll('a');
  expect([...links].map(({ href, textContent }) => [href, textContent])).toEqual([
    ['https://example.com/builds', 'Image: build'],
  ]);
});

test('links without a host open what the page resolves, or a heading', () => {
  const text =
    '# The *Inputs*, and more\n\n## Inputs\n\n## Inputs\n\n[a](#the-inputs-and-more) [b](#inputs-1) [c](#nothing) [d](modules/x) [e](main.tf "t") [f](nowhere) ![g](a.png) [h](https://h.example)';
  const asked: string[] = [];
  const place = rendered(text, (href) => {
    asked.push(href);
    return { 'modules/x': '/local/x', 'main.tf': 'https://r.example/main.tf' }[href];
  });
  const links = [...place.querySelectorAll('a')];
  expect(links.map((link) => [link.textContent, link.getAttribute('href'), link.target])).toEqual([
    ['a', '#user-content-the-inputs-and-more', ''],
    ['b', '#user-content-inputs-1', ''],
    ['d', '/local/x', ''],
    ['e', 'https://r.example/main.tf', '_blank'],
    ['h', 'https://h.example', '_blank'],
  ]);
  expect(place.querySelector('p')?.textContent).toBe('a b c d e f Image: g h');
  expect(asked).toEqual(['modules/x', 'main.tf', 'nowhere', 'a.png']);
});

test('links to headings are resolved without searching the document for each', () => {
  const search = vi.spyOn(DocumentFragment.prototype, 'getElementById');
  onTestFinished(() => search.mockRestore());
  const links = rendered('# a\n\n[a](#a) [b](#b)').querySelectorAll('a');
  expect([...links].map((link) => link.hasAttribute('href'))).toEqual([true]);
  expect(search).not.toHaveBeenCalled();
});

test('alerts have titles, and tasks have boxes', () => {
  const place = rendered('> [!WARNING]\n> Not *yet*.\n\n> [!OTHER] Plain.\n\n- [x] one\n- [ ] two');
  expect([...place.querySelectorAll('blockquote')].map(({ textContent }) => textContent.trim())).toEqual([
    'WarningNot yet.',
    '[!OTHER] Plain.',
  ]);
  expect([...place.querySelectorAll('li')].map(({ textContent }) => textContent.trim())).toEqual([
    '☑ one',
    '☐ two',
  ]);
});

test('a table with very many rows is still a table', () => {
  const rows = process.env.GATEHOUSE_DEEP === '1' ? 8000 : 300;
  const table = `|a|b|\n|-|-|\n${'|x|y|\n'.repeat(rows)}`;
  expect(rendered(table).querySelectorAll('tbody tr')).toHaveLength(rows);
});

test('an unclosed tag is parsed in linear time', () => {
  expect(rendered(`<div>\n<${'a'.repeat(150_000)}`).textContent).toContain('aaa');
});

test('a text that is too long, too deeply nested or renders to too much is shown as source', () => {
  const rows = (columns: number, count: number): string =>
    `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b|\n'.repeat(count)}`;
  for (const text of ['a'.repeat(200_000), '>'.repeat(20_000), '*a* '.repeat(30_000), rows(200, 200)])
    expect(rendered(text).querySelector('pre')?.textContent).toBe(text);
  expect(rendered(rows(10, 200)).querySelectorAll('td')).toHaveLength(2000);
});

test('without workers, the source is shown', async () => {
  expect(await renderAside('*a*', new AbortController().signal)).toBeUndefined();
});

test('a short text never renders to a very long one', () => {
  const address = `https://example.com/${'a'.repeat(20_000)}`;
  for (const named of ['[a] ', '![a] ']) {
    const place = rendered(`[a]: ${address}\n\n${`${named.repeat(500)}\n\n`.repeat(8)}`);
    expect(place.innerHTML.length).toBeLessThan(1024 * 1024);
    expect(place.querySelectorAll('a').length).toBeGreaterThan(10);
  }
  const escaped = `[a]: https://example.com/${'&'.repeat(20_000)}\n\n${'[a] '.repeat(500)}`;
  expect(rendered(escaped).querySelector('pre')?.textContent).toBe(escaped);
});
