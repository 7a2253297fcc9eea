import { clsx } from 'clsx';
import { CopyButton } from '../copy-button/CopyButton.tsx';

export interface CodeBlockProps {
  /** Title of the block and its accessible name: `Command`, `Terraform`. */
  label: string;
  code: string;
  /** The copied text if it differs from the displayed one (masked credentials). */
  copyText?: string | (() => Promise<string>);
  /** The copied text contains a secret: the clipboard is cleared after a while. */
  isSecret?: boolean;
  /** Wraps long lines instead of scrolling. */
  isWrapped?: boolean;
}

/** Whether the label is a file name, which keeps its case. */
function isFile(label: string): boolean {
  return label.includes('/');
}

/** Lines to read and copy. The block scrolls on its own, also with the keyboard. */
export function CodeBlock({
  label,
  code,
  copyText = code,
  isSecret = false,
  isWrapped = false,
}: CodeBlockProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-control border border-line bg-sunken">
      <figcaption className="flex h-8 items-center justify-between border-b border-line ps-3 pe-0.5">
        <span className={clsx('font-mono text-ink-2', isFile(label) ? 'text-meta' : 'text-caps uppercase')}>
          {label}
        </span>
        <CopyButton text={copyText} label={`Copy ${label.toLowerCase()}`} isSecret={isSecret} />
      </figcaption>
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className={`px-3 py-2 font-mono text-meta/5 text-ink-1 -outline-offset-2! ${isWrapped ? 'wrap-anywhere whitespace-pre-wrap' : 'overflow-x-auto'}`}
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
