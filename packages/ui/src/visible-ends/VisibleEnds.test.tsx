import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { EndsNote } from './EndsNote.tsx';
import { VisibleEnds } from './VisibleEnds.tsx';

afterEach(cleanup);

test.each([
  ['in side', false, 'in side', 'in side'],
  [' a  ', false, '· a  ··', 'white space a white space'],
  ['a\t\n\u00a0', false, 'a\t\n\u00a0·¶·', 'a white space'],
  ['   ', false, '   ···', 'white space'],
  ['', true, '', ''],
  ['a /b', false, 'a /b', 'a /b'],
  ['a /in side/ b/ ', true, 'a ·/in side/· b/ ·', 'a white space/in side/white space b/ white space'],
])('shows and announces leading and trailing white space in %j (a path: %j)', (text, isPath, shown, said) => {
  const { container, getByRole } = render(
    <button type="button">
      <VisibleEnds text={text} isPath={isPath} />
    </button>,
  );
  expect(container.textContent).toBe(shown);
  getByRole('button', { name: said });
  // The marks are not selectable, so they are not copied.
  const copied = container.cloneNode(true) as Element;
  for (const mark of copied.querySelectorAll('.select-none')) mark.remove();
  expect(copied.textContent).toBe(text);
});

test('shows a note only while there is white space, with a long text shortened', () => {
  const { container, rerender } = render(<EndsNote text="a" />);
  expect(container.textContent).toBe('');
  rerender(<EndsNote text={'long\n'.repeat(10)} />);
  expect(container.textContent).toBe('Includes white space at the ends: …\n¶');
});
