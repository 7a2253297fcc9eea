import { clsx } from 'clsx';
import { CopyButton } from '../copy-button/CopyButton.tsx';

export interface CodeBlockProps {
  /** What it is, over the block and as its accessible name: `Command`, `Terraform`. */
  label: string;
  code: string;
  /** What is copied where it differs from what is shown (masked credentials). */
  copyText?: string | (() => Promise<string>);
  /** What is copied holds a secret: the clipboard is cleared after a while. */
  isSecret?: boolean;
  /** Lines are broken rather than scrolled. */
  isWrapped?: boolean;
}

/** The name of a file is written as it is. */
function isFile(label: string): boolean {
  return label.includes('/');
}

/** Lines to read and to copy. It scrolls by itself, by keyboard too. */
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
