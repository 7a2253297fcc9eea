import { Button } from '@gatehouse/ui/button';
import type { JsonEditorHandle, JsonEditorProps } from '@gatehouse/ui/code-editor';
import { Icon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { MenuButton } from '@gatehouse/ui/menu';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { TextArea } from '@gatehouse/ui/text-area';
import { Braces, CircleX, Plus, TriangleAlert } from 'lucide-react';
import { Suspense, useId, useImperativeHandle, useMemo, useRef } from 'react';
import type { TextEditorProps } from '#components/form/record-form.ts';
import { indentJson } from '#lib/indent-json.ts';
import { lintPolicy, policySize, type PolicyFinding, type PolicyUse } from './lint.ts';
import { firstBlank, statementTemplates, withStatements } from './templates.ts';

// Loads CodeMirror only to edit a document; if that fails, a plain text field works too.
const Editor = lazy(async () => ({
  default: await import('@gatehouse/ui/code-editor').then(
    ({ JsonEditor }) => JsonEditor,
    () => PlainText,
  ),
}));

export interface PolicyEditorProps extends TextEditorProps {
  /** The document's use, which determines its size limit. */
  use?: PolicyUse;
}

/** Edits a policy document as JSON. Problems are shown as you type, at their lines and in a list below. */
export function PolicyEditor({
  value,
  onChange,
  label,
  use = 'inline',
  isInvalid = false,
  errorMessage = '',
}: PolicyEditorProps) {
  const editor = useRef<JsonEditorHandle>(null);
  const labelId = useId();
  const findings = useMemo(() => lintPolicy(value, use), [value, use]);
  const { size, limit } = policySize(value, use);
  const isBroken = value.trim() !== '' && withStatements(value, []) === undefined;
  const broken = isBroken ? "Fix the text first: it isn't a policy document." : undefined;

  const insert = (statements: readonly object[]): void => {
    const next = withStatements(value, statements);
    if (next === undefined) return;
    onChange(next);
    const end = Math.max(0, (withStatements(value, [])?.length ?? 0) - closing.length);
    const place = end + (firstBlank(next.slice(end)) ?? 0);
    // Wait until the editor has the text, and the menu has returned the focus.
    requestAnimationFrame(() => {
      requestAnimationFrame(() => {
        editor.current?.goTo(place);
      });
    });
  };

  return (
    <div role="group" aria-labelledby={labelId} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span id={labelId} className="min-w-0 flex-1 text-body font-medium text-ink-1">
          {label}
        </span>
        <MenuButton
          label="Add statement"
          icon={Plus}
          size={28}
          disabledReason={broken}
          placement="bottom end"
          items={statementTemplates.map(({ id, label, detail, statements }) => ({
            id,
            label,
            detail,
            onAction: () => {
              insert(statements);
            },
          }))}
        />
        <Button
          size={28}
          variant="ghost"
          icon={Braces}
          disabledReason={broken ?? (value.trim() === '' ? 'The policy document is empty.' : undefined)}
          onPress={() => {
            onChange(indentJson(value));
          }}
        >
          Format
        </Button>
      </div>
      <div className="h-80">
        <Suspense fallback={<SkeletonList label="Loading the editor" lines={8} />}>
          <Editor ref={editor} label={label} value={value} onChange={onChange} problems={findings} />
        </Suspense>
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-meta text-ink-2">
        <span role="status">{countWords(value, findings)}</span>
        <span className={size > limit ? 'text-danger' : ''}>
          {size.toLocaleString('en')} of {limit.toLocaleString('en')} characters without spaces
        </span>
      </p>
      {findings.length > 0 && (
        <ul aria-label={`Findings in ${label.toLowerCase()}`} className="flex flex-col gap-0.5">
          {findings.slice(0, shownFindings).map(({ message, offset, line, tone }, index) => (
            <li key={index}>
              <button
                type="button"
                className="flex w-full cursor-default items-start gap-1.5 rounded-control px-1.5 py-1 text-start text-body hover:bg-hover"
                onClick={() => {
                  editor.current?.goTo(offset);
                }}
              >
                <Icon
                  icon={tone === 'danger' ? CircleX : TriangleAlert}
                  className={`mt-0.5 ${tone === 'danger' ? 'text-danger' : 'text-warn'}`}
                />
                <span className="min-w-0 wrap-anywhere">
                  <span className="text-ink-2">
                    {tone === 'danger' ? 'Error' : 'Warning'}, line {line}:{' '}
                  </span>
                  {message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isInvalid && errorMessage !== '' && (
        <p role="alert" className="text-body text-danger wrap-anywhere">
          {errorMessage}
        </p>
      )}
    </div>
  );
}

/** The end of a document without statements; new statements start before it. */
const closing = '[]\n}';

/** The rest are shown once these are fixed. */
const shownFindings = 20;

function countWords(value: string, findings: readonly PolicyFinding[]): string {
  if (value.trim() === '') return 'No policy document';
  const errors = findings.filter(({ tone }) => tone === 'danger').length;
  const warnings = findings.length - errors;
  const counted = (count: number, one: string): string[] =>
    count === 0 ? [] : [`${String(count)} ${one}${count === 1 ? '' : 's'}`];
  return [...counted(errors, 'error'), ...counted(warnings, 'warning')].join(', ') || 'No problems found';
}

/** The same as a plain text field. */
function PlainText({ label, value, onChange, problems = [], ref }: JsonEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () => {
      area.current?.focus();
    },
    goTo: (offset) => {
      area.current?.focus();
      area.current?.setSelectionRange(offset, offset);
    },
  }));
  const first = problems.find(({ tone }) => tone === 'danger');
  return (
    <TextArea
      label={label}
      isLabelHidden
      isMono
      rows={14}
      maxRows={14}
      spellCheck="false"
      value={value}
      onChange={onChange}
      inputRef={area}
      error={first?.message}
    />
  );
}
