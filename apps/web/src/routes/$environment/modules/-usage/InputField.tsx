import type { ModuleInput } from '@gatehouse/api-types/console/modules';
import { IconButton } from '@gatehouse/ui/icon-button';
import { Select } from '@gatehouse/ui/select';
import { TextArea } from '@gatehouse/ui/text-area';
import { Braces, Type } from 'lucide-react';
import { problemOf, type InputDraft } from './input-draft.ts';
import { inputKind } from './usage-block.ts';

const flags = [
  { id: 'unset', label: 'Not set' },
  { id: 'true', label: 'true' },
  { id: 'false', label: 'false' },
];

/** One input: a control for its type, or a field for an expression. */
export function InputField({
  input,
  draft,
  onChange,
}: {
  input: ModuleInput;
  draft: InputDraft;
  onChange: (draft: InputDraft) => void;
}) {
  const { name, type, description, default: usual, required, sensitive } = input;
  const own = inputKind(type);
  const { kind, text, isGiven } = draft;
  const error = problemOf(draft);
  const field = {
    label: name,
    description: [
      oneLine(type) || 'any',
      !required && `default ${shortened(usual || 'null')}`,
      description,
      sensitive && 'Sensitive. Refer to a variable instead of entering the value here.',
    ]
      .filter(Boolean)
      .join(' · '),
    isRequired: required,
    ...(error !== undefined && { error }),
  };
  const isExpression = kind === 'expression';
  return (
    <div className="flex items-end gap-1">
      <div className="min-w-0 flex-1">
        {kind === 'bool' ? (
          <Select
            {...field}
            options={flags}
            value={isGiven ? text : 'unset'}
            onChange={(next) => {
              onChange(
                next === 'unset' ? { kind, text: '', isGiven: false } : { kind, text: next, isGiven: true },
              );
            }}
          />
        ) : (
          <TextArea
            {...field}
            isMono={kind !== 'text'}
            rows={1}
            spellCheck={false}
            placeholder={isExpression ? placeholderOf(type, name, sensitive) : ''}
            value={text}
            onChange={(next) => {
              onChange({ kind, text: next, isGiven: next !== '' });
            }}
          />
        )}
      </div>
      {own !== 'expression' && (
        <IconButton
          icon={isExpression ? Type : Braces}
          size={32}
          label={isExpression ? `Enter ${name} as a value` : `Enter ${name} as an expression`}
          onPress={() => {
            onChange({ kind: isExpression ? own : 'expression', text: '', isGiven: false });
          }}
        />
      )}
    </div>
  );
}

function placeholderOf(type: string, name: string, isSensitive: boolean): string {
  if (isSensitive) return `var.${name}`;
  if (/^\s*(?:list|set|tuple)\b/.test(type)) return '[]';
  return /^\s*(?:map|object)\b/.test(type) ? '{}' : `var.${name}`;
}

function oneLine(text: string): string {
  return shortened(text.trim());
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
