import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mayMoveFocus, watchFocus } from './focus.ts';

beforeEach(() => {
  document.body.innerHTML = '<input id="name"><input id="note"><button id="save">Save</button>';
  element('save').focus();
  watchFocus();
});
afterEach(() => document.body.replaceChildren());

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`No element has the ID ${id}.`);
  return found;
}

test('an answer moves the focus unless the user has typed or moved it', () => {
  expect(mayMoveFocus()).toBe(true);
  element('save').blur();
  expect(mayMoveFocus()).toBe(true);
});

test('an answer leaves the focus where the user has moved it', () => {
  element('note').focus();
  expect(mayMoveFocus()).toBe(false);
  element('save').focus();
  expect(mayMoveFocus()).toBe(true);
});

test('an answer leaves the focus in the field that was sent from and typed in since', () => {
  element('name').focus();
  watchFocus();
  fireEvent.input(element('name'));
  expect(mayMoveFocus()).toBe(false);
  watchFocus();
  expect(mayMoveFocus()).toBe(true);
});

test('an answer moves the focus after a dialog that required the password, or when the button is gone', () => {
  const asked = document.body.appendChild(document.createElement('input'));
  fireEvent.input(asked);
  asked.remove();
  expect(mayMoveFocus()).toBe(true);
  element('note').focus();
  element('save').remove();
  expect(mayMoveFocus()).toBe(true);
});
