import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StepPlace } from './StepPlace.tsx';

beforeEach(() => {
  // jsdom has no layout.
  Element.prototype.checkVisibility = function isShown(this: Element) {
    return this.closest('[hidden]') === null;
  };
});
afterEach(cleanup);

function Wizard({ step }: { step: 'Box' | 'Version' | 'Providers' }) {
  return (
    <>
      <button type="button">Elsewhere</button>
      <StepPlace label={step} className="">
        <div hidden={step !== 'Box'}>
          <button type="button">Create the box</button>
        </div>
        {step === 'Version' && <button type="button">Create the version</button>}
        {step === 'Providers' && <input aria-label="Provider" />}
      </StepPlace>
    </>
  );
}

test('the focus moves to the next step when its button is hidden or removed', () => {
  const { rerender } = render(<Wizard step="Box" />);
  screen.getByRole('button', { name: 'Create the box' }).focus();
  rerender(<Wizard step="Version" />);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Version' }));
  screen.getByRole('button', { name: 'Create the version' }).focus();
  rerender(<Wizard step="Providers" />);
  expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Providers' }));
});

test('the focus stays where the user moved it', () => {
  const { rerender } = render(<Wizard step="Version" />);
  const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
  elsewhere.focus();
  rerender(<Wizard step="Providers" />);
  expect(document.activeElement).toBe(elsewhere);
});
