import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { ConfirmDialog } from '../confirm-dialog/ConfirmDialog.tsx';

afterEach(cleanup);

/** The copied text when the element is selected. */
function copied(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const mark of copy.querySelectorAll('.select-none')) mark.remove();
  return copy.textContent;
}

test("marks an invisible character in every text, but doesn't copy the mark", () => {
  const name = 'alpha\u200b';
  const { container } = render(
    <ul>
      <li>alpha</li>
      <li>{name}</li>
      <li>
        The name {name}, {[name]}.
      </li>
    </ul>,
  );
  expect(
    [...container.querySelectorAll('li')].map((item) => item.textContent.replaceAll(name, 'alpha')),
  ).toEqual(['alpha', 'alpha[U+200B]', 'The name alpha[U+200B], alpha[U+200B].']);
  expect(render(<p>{'\u200b'.repeat(5_000)}</p>).container.querySelectorAll('*')).toHaveLength(1);
  expect([...container.querySelectorAll('li')].map(copied)).toEqual([
    'alpha',
    name,
    `The name ${name}, ${name}.`,
  ]);
});

test("marks invisible characters in a dialog's texts and accessible names", () => {
  const name = '\u202eahpla';
  render(
    <ConfirmDialog
      isOpen
      onOpenChange={() => undefined}
      title={`Delete ${name}?`}
      confirmLabel={`Delete ${name}`}
      typedName={name}
      onConfirm={() => undefined}
    />,
  );
  expect(screen.getByRole('alertdialog', { name: /^Delete .?\[U\+202E\]ahpla\?$/ })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Delete .?\[U\+202E\]ahpla$/ })).toBeTruthy();
  expect(screen.getByRole('textbox', { name: /^Type .?\[U\+202E\]ahpla to confirm$/ })).toBeTruthy();
  cleanup();
  render(<button type="button" aria-label={`Open ${name}`} />);
  expect(screen.getByRole('button', { name: 'Open [U+202E]ahpla' })).toBeTruthy();
});

test('isolates right-to-left text from its surroundings', () => {
  const { container } = render(<p>{'Delete שלום 3, עולם? 5 versions of abc'}</p>);
  expect(container.querySelector('bdi')?.textContent).toBe('שלום 3, עולם');
  expect(container.textContent).toBe('Delete שלום 3, עולם? 5 versions of abc');
});
