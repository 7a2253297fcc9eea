/** `jsx-runtime` for development, in which elements know their source position. */
import * as runtime from 'react/jsx-dev-runtime';
import { type Props, visibleProps } from '../jsx-runtime/visibleProps.ts';

export { Fragment, type JSX } from 'react/jsx-dev-runtime';

export const jsxDEV: typeof runtime.jsxDEV = (type, props, ...rest) =>
  runtime.jsxDEV(type, visibleProps(type, props as Props), ...rest);
