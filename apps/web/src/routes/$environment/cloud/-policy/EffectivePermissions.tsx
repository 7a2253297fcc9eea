import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { Icon } from '@gatehouse/ui/icon';
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { effectivePermissions, type StatementWords } from './effective.ts';

const looks = {
  deny: { icon: CircleX, tone: 'text-danger', word: 'Deny' },
  allow: { icon: CircleCheck, tone: 'text-ok', word: 'Allow' },
  unknown: { icon: CircleHelp, tone: 'text-warn', word: 'Unknown effect' },
} as const;

/** The permissions of a role's credentials in words, and what can't be known here. */
export function EffectivePermissions({ role }: { role: CloudRole }) {
  const { rule, documentTitle, statements, isUnreadable, sources, unknown } = effectivePermissions(role);
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-ink-1">{rule}</p>
      {isUnreadable && (
        <Banner tone="warn" title="The policy document can't be read" announce="none">
          It isn't a JSON policy document, so its effect is unknown. The provider will probably refuse the
          credentials.
        </Banner>
      )}
      {statements.length > 0 && (
        <Card title={documentTitle} isFlush>
          <ul aria-label={documentTitle}>
            {statements.map((statement, index) => (
              <Statement key={index} statement={statement} />
            ))}
          </ul>
        </Card>
      )}
      {sources.length > 0 && (
        <Card title="Stored at the provider" isFlush>
          <ul aria-label="Stored at the provider">
            {sources.map(({ kind, title, id }) => (
              <li
                key={`${kind} ${id}`}
                className="flex items-center gap-2 border-b border-line py-1.5 ps-4 pe-2 text-body last:border-b-0"
              >
                <span className="min-w-0 flex-1 wrap-anywhere">
                  <span className="text-ink-1">{title}</span>
                  {kind !== 'group' && <span className="block font-mono text-meta text-ink-2">{id}</span>}
                </span>
                <CopyButton text={id} label={`Copy ${title}`} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Card title="Unknown to the console">
        <ul className="flex list-disc flex-col gap-1 ps-4 text-body text-ink-2">
          {unknown.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function Statement({
  statement: { effect, sid, sentence, resources, conditions },
}: {
  statement: StatementWords;
}) {
  const { icon, tone, word } = looks[effect];
  return (
    <li className="flex items-start gap-2 border-b border-line px-4 py-2 text-body last:border-b-0">
      <span className={`mt-0.5 ${tone}`}>
        <Icon icon={icon} />
        <span className="sr-only">{word}: </span>
      </span>
      <div className="min-w-0 flex-1 wrap-anywhere">
        <p className="text-ink-1">
          {sentence}
          {sid !== '' && <span className="ms-2 font-mono text-meta text-ink-2">{sid}</span>}
        </p>
        {resources.length + conditions.length > 0 && (
          <ul className="flex list-disc flex-col ps-4 text-meta text-ink-2">
            {resources.map((text) => (
              <li key={text}>{text}</li>
            ))}
            {conditions.map((text, index) => (
              <li key={text}>
                {index === 0 ? 'only if ' : 'and if '}
                {text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
