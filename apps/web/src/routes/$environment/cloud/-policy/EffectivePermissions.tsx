import type { CloudRole } from '@gatehouse/api-types/console/cloud-roles';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { CopyButton } from '@gatehouse/ui/copy-button';
import { useMemo } from 'react';
import { effectivePermissions, type StatementWords } from './effective.ts';
import { lintPolicy, mostChecked } from './lint.ts';

const looks = {
  deny: { tone: 'danger', word: 'Deny' },
  allow: { tone: 'ok', word: 'Allow' },
  unknown: { tone: 'warn', word: 'Unknown effect' },
} as const;

/** The permissions of a role's credentials in words, and what can't be known here. */
export function EffectivePermissions({ role }: { role: CloudRole }) {
  const { rule, documentTitle, statements, isUnreadable, sources, unknown } = effectivePermissions(role);
  const { policy_document: text, credential_type: type } = role;
  const risks = useMemo(
    () =>
      lintPolicy(text, type.startsWith('iam_user') ? 'inline' : 'session').filter(
        ({ tone }) => tone === 'risk',
      ),
    [text, type],
  );
  return (
    <div className="flex flex-col gap-4">
      <p className="text-body text-ink-1">{rule}</p>
      {isUnreadable && (
        <Banner tone="warn" title="The policy document can't be read" announce="none">
          It isn't a JSON policy document, so its effect is unknown. The provider will probably refuse the
          credentials.
        </Banner>
      )}
      {text.length > mostChecked && (
        <Banner tone="warn" title="The policy document wasn't checked for risks" announce="none">
          It has more than {mostChecked.toLocaleString('en')} characters.
        </Banner>
      )}
      {risks.length > 0 && (
        <Banner tone="danger" title="The holder can get more rights" announce="none">
          <ul className="flex list-disc flex-col gap-1 ps-4">
            {risks.slice(0, mostShown).map(({ message }, index) => (
              <li key={index}>{message}</li>
            ))}
            {risks.length > mostShown && <li>{risks.length - mostShown} more</li>}
          </ul>
        </Banner>
      )}
      {statements.length > 0 && (
        <Card title={documentTitle} isFlush>
          <ul aria-label={documentTitle}>
            <Statements statements={statements} />
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

/** The items of a list of statements in words, and how many more there are. */
export function Statements({ statements }: { statements: readonly StatementWords[] }) {
  return (
    <>
      {statements.slice(0, mostShown).map((statement, index) => (
        <Statement key={index} statement={statement} />
      ))}
      {statements.length > mostShown && (
        <li className="px-4 py-2 text-body text-ink-2">
          {statements.length - mostShown} more statements, not shown
        </li>
      )}
    </>
  );
}

/** Most statements, or risks, that are shown: thousands would block the page. */
const mostShown = 200;

function Statement({
  statement: { effect, sid, sentence, resources, conditions },
}: {
  statement: StatementWords;
}) {
  const { tone, word } = looks[effect];
  return (
    <li className="flex items-start gap-2 border-b border-line px-4 py-2 text-body last:border-b-0">
      <span className="w-18 shrink-0">
        <Badge tone={tone}>{word}</Badge>
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
