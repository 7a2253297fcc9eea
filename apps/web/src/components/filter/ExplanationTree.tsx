import type { Explanation, Outcome } from '@gatehouse/filter-expression/explain';
import { Icon, type IconType } from '@gatehouse/ui/icon';
import { Check, CircleSlash2, X } from 'lucide-react';
import { headingOf, outcomeWords, partsInARow, seenWords } from './clause-words.ts';

/** How many elements of a list show their clauses. */
const mostElements = 20;

const drawings: Readonly<Record<Outcome, { icon: IconType; className: string }>> = {
  holds: { icon: Check, className: 'text-ok' },
  fails: { icon: X, className: 'text-danger' },
  meaningless: { icon: CircleSlash2, className: 'text-warn' },
};

export interface ExplanationTreeProps {
  /** The whole expression. */
  text: string;
  explanation: Explanation;
  /** The tree's accessible name. */
  label: string;
}

/** A filter, clause by clause: which matched, which did not, and the value that each compared. */
export function ExplanationTree({ text, explanation, label }: ExplanationTreeProps) {
  return (
    <ul aria-label={label} className="flex flex-col">
      <Clause text={text} explanation={explanation} />
    </ul>
  );
}

interface ClauseProps {
  text: string;
  explanation: Explanation;
  /** Whether it is inside a clause that wasn't evaluated, which says so for both. */
  isInUnasked?: boolean;
}

function Clause({ text, explanation, isInUnasked = false }: ClauseProps) {
  const { expression, outcome, isAsked, seen, reason, element } = explanation;
  const { icon, className } = drawings[outcome];
  const heading = headingOf(explanation, text);
  const parts = partsInARow(explanation);
  const isElement = expression.kind === 'any' || expression.kind === 'all';
  const shown = isElement ? parts.slice(0, mostElements) : parts;
  return (
    <li className="min-w-0">
      <div className="flex items-start gap-2 py-1">
        <Icon icon={icon} className={`mt-0.5 shrink-0 ${isAsked ? className : 'text-ink-3'}`} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-baseline gap-x-2">
            {element !== undefined && <span className="font-mono text-meta text-ink-2">{element}:</span>}
            {heading !== undefined && !isElement ? (
              <span className="text-body font-medium text-ink-1">{heading}</span>
            ) : (
              <code
                className={`min-w-0 font-mono text-meta/5 wrap-anywhere ${isAsked ? 'text-ink-1' : 'text-ink-2'}`}
              >
                {heading ?? text.slice(expression.span.from, expression.span.to)}
              </code>
            )}
            <span className={`text-meta ${isAsked ? className : 'text-ink-2'}`}>{outcomeWords[outcome]}</span>
            {!isAsked && !isInUnasked && (
              <span className="text-meta text-ink-2">(not evaluated: the result was already decided)</span>
            )}
          </p>
          {(seen !== undefined || reason !== undefined) && (
            <p className="font-mono text-meta/5 wrap-anywhere text-ink-2">
              {[seen && seenWords(seen), reason].filter(Boolean).join('; ')}
            </p>
          )}
        </div>
      </div>
      {shown.length > 0 && (
        <ul className="ms-[7px] flex flex-col border-s border-line ps-4">
          {shown.map((part, index) => (
            <Clause key={index} text={text} explanation={part} isInUnasked={!isAsked} />
          ))}
          {parts.length > shown.length && (
            <li className="py-1 text-meta text-ink-2">
              and {(parts.length - shown.length).toLocaleString('en')} more
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
