import { visibleNodes } from '../visible-text/visibleNodes.ts';
import { visibleText } from '../visible-text/visibleText.ts';

/** The props of JSX elements that contain text; other props are passed through. */
export interface Props {
  readonly children?: unknown;
  readonly 'aria-label'?: unknown;
}

/** An element's props, with hidden characters in its texts and accessible name made visible. */
export function visibleProps(type: unknown, props: Props): Props {
  const { children, 'aria-label': label } = props;
  const shown = type === 'title' ? children : visibleChildren(children);
  const shownLabel = typeof label === 'string' ? visibleText(label) : label;
  if (shown === children && shownLabel === label) return props;
  return { ...props, children: shown, ...(label !== undefined && { 'aria-label': shownLabel }) };
}

function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return visibleNodes(children);
  if (!Array.isArray(children)) return children;
  const shown: readonly unknown[] = children.map(visibleChildren);
  return shown.some((child, at) => child !== children[at]) ? shown : children;
}
