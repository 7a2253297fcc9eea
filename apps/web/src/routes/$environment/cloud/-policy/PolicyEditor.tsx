import { Button } from '@gatehouse/ui/button';
import type { JsonEditorHandle, JsonEditorProps } from '@gatehouse/ui/code-editor';
import { Icon } from '@gatehouse/ui/icon';
import { lazy } from '@gatehouse/ui/lazy';
import { MenuButton } from '@gatehouse/ui/menu';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { TextArea } from '@gatehouse/ui/text-area';
import { useQuery } from '@tanstack/react-query';
import { Braces, CircleX, Plus, ShieldAlert, TriangleAlert } from 'lucide-react';
import { Suspense, useId, useImperativeHandle, useMemo, useRef } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import type { TextEditorProps } from '#components/form/record-form.ts';
import { indentJson } from '#lib/indent-json.ts';
import { useSettled } from '#lib/use-settled.ts';
import { unknownActionsQuery } from '#queries/cloud.ts';
import { statementsInWords } from './effective.ts';
import { Statements } from './EffectivePermissions.tsx';
import { actionsIn, lintPolicy, policySize, type PolicyFinding, type PolicyUse } from './lint.ts';
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
  const settled = useSettled(value, typingMs);
  const actions = useMemo(() => actionsIn(settled), [settled]);
  const { data: table } = useQuery(unknownActionsQuery(useEnvironment().id, actions));
  const findings = useMemo(() => lintPolicy(value, use, table?.unknown), [value, use, table]);
  const statements = useMemo(() => statementsInWords(value) ?? [], [value]);
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
          <Editor
            ref={editor}
            label={label}
            value={value}
            onChange={onChange}
            problems={findings.map(({ tone, ...finding }) => ({
              ...finding,
              tone: tone === 'danger' ? tone : 'warn',
            }))}
          />
        </Suspense>
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-meta text-ink-2">
        <span>
          <span role="status">{countWords(value, findings)}</span>
          {value.trim() !== '' && ` ${checkedWords(table?.as_of)}`}
        </span>
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
                <Icon icon={tones[tone].icon} className={`mt-0.5 ${tones[tone].color}`} />
                <span className="min-w-0 wrap-anywhere">
                  <span className={tone === 'risk' ? 'text-danger' : 'text-ink-2'}>
                    {tones[tone].word}, line {line}:{' '}
                  </span>
                  {message}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {statements.length > 0 && (
        <ul
          aria-label={`${label} in words`}
          className="max-h-80 overflow-y-auto rounded-control border border-line -outline-offset-2!"
          tabIndex={0}
        >
          <Statements statements={statements} />
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

/** A pause in typing, in milliseconds, after which actions are looked up. */
const typingMs = 400;

const tones = {
  danger: { icon: CircleX, color: 'text-danger', word: 'Error' },
  risk: { icon: ShieldAlert, color: 'text-danger', word: 'Risk' },
  warn: { icon: TriangleAlert, color: 'text-warn', word: 'Warning' },
} as const;

/** The end of a document without statements; new statements start before it. */
const closing = '[]\n}';

/** The rest are shown once these are fixed. */
const shownFindings = 20;

function countWords(value: string, findings: readonly PolicyFinding[]): string {
  if (value.trim() === '') return 'No policy document';
  const counted = (['danger', 'risk', 'warn'] as const).flatMap((tone) => {
    const count = findings.filter((finding) => finding.tone === tone).length;
    const word = tones[tone].word.toLowerCase();
    return count === 0 ? [] : [`${String(count)} ${word}${count === 1 ? '' : 's'}`];
  });
  return `${counted.join(', ') || 'No mistake or known risk found'}.`;
}

/** What was checked. @param asOf the date of the table of actions; undefined if there is none */
function checkedWords(asOf: string | undefined): string {
  return asOf === undefined
    ? "Actions, conditions and the resources of actions aren't checked."
    : `Actions are checked with the provider's table of ${asOf}; conditions and the resources of actions aren't.`;
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
