/**
 * The JSX runtime: as in React, but text is rendered so that it can't deceive. Names come from services that accept any
 * character and are shown in hundreds of places, none of which has to handle this.
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
