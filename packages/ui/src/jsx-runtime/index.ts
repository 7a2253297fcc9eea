/**
 * How JSX becomes elements in the page: as in React, but that each text is drawn so that it can't deceive. Names come from
 * services that accept any character, and are drawn in hundreds of places: none of them has to think of it.
 */
import * as runtime from 'react/jsx-runtime';
import { type Props, visibleProps } from './visibleProps.ts';

export { Fragment, type JSX } from 'react/jsx-runtime';

/** An element with one child or none. */
export const jsx: typeof runtime.jsx = (type, props, key) =>
  runtime.jsx(type, visibleProps(type, props as Props), key);

/** An element with several children. */
export const jsxs: typeof runtime.jsxs = (type, props, key) =>
  runtime.jsxs(type, visibleProps(type, props as Props), key);
