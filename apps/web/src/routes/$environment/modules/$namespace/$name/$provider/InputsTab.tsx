import type { ModuleInput, ModuleOutput } from '@gatehouse/api-types/console/modules';
import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { SearchField } from '@gatehouse/ui/search-field';
import { useState, type ReactNode } from 'react';
import { counted } from '#lib/counted.ts';

/** Lists with at least this many items get a search field. */
const searchedFrom = 12;

/** The inputs, required ones first. */
export function InputsTab({ inputs }: { inputs: readonly ModuleInput[] }) {
  const [text, setText] = useState('');
  const found = inputs.filter((input) => hasWords(`${input.name} ${input.description}`, text));
  const required = found.filter((input) => input.required);
  const optional = found.filter((input) => !input.required);
  if (inputs.length === 0) return <Nothing>No inputs</Nothing>;
  return (
    <div className="flex flex-col gap-4">
      {inputs.length >= searchedFrom && <Find label="Search inputs" text={text} onChange={setText} />}
      {found.length === 0 && <Nothing>No matching inputs</Nothing>}
      {required.length > 0 && (
        <Card title={`Required inputs (${required.length.toLocaleString('en')})`} isFlush>
          <InputList label="Required inputs" inputs={required} />
        </Card>
      )}
      {optional.length > 0 && (
        <Card title={`Optional inputs (${optional.length.toLocaleString('en')})`} isFlush>
          <InputList label="Optional inputs" inputs={optional} />
        </Card>
      )}
    </div>
  );
}

function InputList({ label, inputs }: { label: string; inputs: readonly ModuleInput[] }) {
  return (
    <ul aria-label={label}>
      {inputs.map((input) => (
        <Row key={input.name} item={input}>
          <Expression
            label="Type"
            text={input.nullable ? input.type || 'any' : `${input.type || 'any'}, not null`}
          />
          {!input.required && <Expression label="Default" text={input.default || 'null'} />}
          {input.validations.map(({ condition, message }) => (
            <Expression key={condition} label="Validation" text={condition} about={message} />
          ))}
        </Row>
      ))}
    </ul>
  );
}

export function OutputsTab({ outputs }: { outputs: readonly ModuleOutput[] }) {
  const [text, setText] = useState('');
  const found = outputs.filter((output) => hasWords(`${output.name} ${output.description}`, text));
  if (outputs.length === 0) return <Nothing>No outputs</Nothing>;
  return (
    <div className="flex flex-col gap-4">
      {outputs.length >= searchedFrom && <Find label="Search outputs" text={text} onChange={setText} />}
      <Card title={counted(found.length, 'output')} isFlush>
        <ul aria-label="Outputs">
          {found.map((output) => (
            <Row key={output.name} item={output} />
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Row({ item, children }: { item: ModuleOutput; children?: ReactNode }) {
  const { name, description, deprecated } = item;
  return (
    <li className="grid grid-cols-1 items-start gap-x-6 gap-y-1 border-b border-line px-4 py-2.5 last:border-b-0 wide:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-mono text-meta/5 font-medium wrap-anywhere text-ink-1">{name}</span>
        {item.sensitive && <Badge>Sensitive</Badge>}
        {item.ephemeral && <Badge>Ephemeral</Badge>}
        {deprecated !== '' && <Badge tone="warn">Deprecated</Badge>}
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        {deprecated !== '' && <p className="text-body text-ink-1 wrap-anywhere">{deprecated}</p>}
        {description !== '' && (
          <p className="text-body whitespace-pre-line text-ink-1 wrap-anywhere">{description}</p>
        )}
        {children}
      </div>
    </li>
  );
}

function Expression({ label, text, about = '' }: { label: string; text: string; about?: string }) {
  return (
    <div className="flex min-w-0 gap-2 text-meta/5">
      <span className="w-14 shrink-0 text-ink-2">{label}</span>
      <div className="min-w-0">
        <code className="font-mono whitespace-pre-wrap text-ink-1 wrap-anywhere">{text}</code>
        {about !== '' && <p className="text-ink-2 wrap-anywhere">{about}</p>}
      </div>
    </div>
  );
}

function Find({ label, text, onChange }: { label: string; text: string; onChange: (text: string) => void }) {
  return (
    <div className="max-w-80">
      <SearchField label={label} value={text} onChange={onChange} />
    </div>
  );
}

function Nothing({ children }: { children: ReactNode }) {
  return <p className="py-2 text-body text-ink-2">{children}</p>;
}

function hasWords(text: string, wanted: string): boolean {
  const all = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
