import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { Checkbox } from './Checkbox.tsx';
import { CheckboxGroup } from './CheckboxGroup.tsx';

afterEach(cleanup);

const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

test('keeps a locked checkbox focusable and unchanged, and shows the reason', async () => {
  const user = userEvent.setup();
  render(
    <Checkbox isSelected disabledReason="Needs the operator role.">
      Recorded
    </Checkbox>,
  );
  await user.tab();
  expect(document.activeElement).toBe(box('Recorded'));
  await user.keyboard(' ');
  await user.click(box('Recorded'));
  expect(box('Recorded').checked).toBe(true);
  expect(document.getElementById(box('Recorded').getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Needs the operator role.',
  );
});

test('reports a mixed checkbox to assistive technology', () => {
  render(<Checkbox isIndeterminate>All</Checkbox>);
  expect(box('All').indeterminate).toBe(true);
});

test("reports a group's values in the order of selection", async () => {
  const user = userEvent.setup();
  function Host() {
    const [value, setValue] = useState<string[]>(['b']);
    return (
      <>
        <CheckboxGroup
          label="Letters"
          options={['a', 'b', 'c'].map((letter) => ({ value: letter, label: letter }))}
          value={value}
          onChange={setValue}
        />
        <output>{value.join()}</output>
      </>
    );
  }
  render(<Host />);
  expect(screen.getByRole('group', { name: 'Letters' })).toBeDefined();
  await user.click(box('c'));
  await user.click(box('b'));
  await user.click(box('a'));
  expect(screen.getByRole('status').textContent).toBe('c,a');
});
