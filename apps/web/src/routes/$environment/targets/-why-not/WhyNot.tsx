import type { Target } from '@gatehouse/api-types/console/targets';
import { Banner } from '@gatehouse/ui/banner';
import { ComboBox } from '@gatehouse/ui/combo-box';
import { Drawer } from '@gatehouse/ui/drawer';
import { Icon } from '@gatehouse/ui/icon';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { ExplanationTree } from '#components/filter/ExplanationTree.tsx';
import { wordsOf } from '#lib/error-words.ts';
import { scopesQuery, targetQuery } from '#queries/access.ts';
import { pickedTargetsQuery } from '#queries/picked-targets.ts';
import type { TargetsSearch } from '../targets-search.ts';
import { reasonsFor, type Reason } from './reasons.ts';

export interface WhyNotProps {
  /** The list's search. */
  search: TargetsSearch;
  /** The IDs in the list; undefined while it is loading. */
  listed: ReadonlySet<string> | undefined;
  /** The chosen target's ID, once one is chosen. */
  id: string | undefined;
  onChoose: (id: string | undefined) => void;
  onClose: () => void;
}

/** Why is a target missing? Shows each condition of the list, clause by clause, with the compared values. */
export function WhyNot({ search, listed, id, onChoose, onClose }: WhyNotProps) {
  const environment = useEnvironment();
  const [text, setText] = useState('');
  const needle = useDeferredValue(text.trim());
  const chosen = useQuery({ ...targetQuery(environment.id, id ?? ''), enabled: id !== undefined });
  // Wait for the target in the address, so that the picker opens with its name.
  const [given] = useState(id);
  const isOpening = id !== undefined && id === given && chosen.isLoading;
  // The chosen target's name would find only itself, so the newest targets are offered instead.
  const words = needle === chosen.data?.name ? '' : needle;
  const found = useQuery(pickedTargetsQuery(environment.id, words));
  const scopes = useQuery(scopesQuery(environment.id));
  return (
    <Drawer
      isOpen
      onOpenChange={onClose}
      size="large"
      title="Why is a target missing?"
      description="Choose a target you expect in the list to see why it isn't shown."
    >
      <div className="flex flex-col gap-5">
        {!isOpening && (
          <ComboBox
            label="Target"
            description="Any target you can see, in the list or not."
            placeholder="Name, ID or address"
            autoFocus
            value={id ?? null}
            {...(chosen.data && { valueLabel: chosen.data.name })}
            onChange={(next) => {
              if (next !== null && next !== id) onChoose(next);
            }}
            onSearch={setText}
            isPending={found.isFetching || needle !== text.trim()}
            emptyText="No target you can see has this name, ID or address."
            error={found.isError ? `Search failed. ${wordsOf(found.error).detail}` : undefined}
            options={(found.data ?? []).map((target) => ({
              id: target.id,
              label: target.name,
              detail: [target.address, target.id, target.scope.name].filter(Boolean).join(' · '),
            }))}
          />
        )}
        {chosen.isLoading && <SkeletonList label="Loading the target" lines={4} />}
        {chosen.isError && <Failure error={chosen.error} onRetry={() => void chosen.refetch()} />}
        {chosen.data && (
          <Answer
            target={chosen.data}
            reasons={reasonsFor(chosen.data, search, scopes.data ?? [])}
            isListed={listed?.has(chosen.data.id)}
            filter={search.filter ?? ''}
            href={`/${environment.id}/targets/${encodeURIComponent(chosen.data.id)}`}
          />
        )}
      </div>
    </Drawer>
  );
}

interface AnswerProps {
  target: Target;
  reasons: readonly Reason[];
  /** Whether the list contains it; undefined while loading. */
  isListed: boolean | undefined;
  filter: string;
  href: string;
}

function Answer({ target, reasons, isListed, filter, href }: AnswerProps) {
  const missing = reasons.filter(({ holds }) => !holds);
  const isExpected = missing.length === 0;
  return (
    <>
      <Banner
        tone={isExpected ? 'ok' : 'warn'}
        announce="status"
        title={
          isExpected
            ? `${target.name} is in the list`
            : `${target.name} is missing: ${missing.map(({ title }) => title.toLowerCase()).join(', ')}`
        }
      >
        {isListed !== undefined && isListed !== isExpected ? (
          isListed ? (
            'The list still shows this target because it was loaded before something changed. Refresh the list.'
          ) : (
            "The loaded list doesn't contain this target. Either the list was loaded before something changed, or the controller evaluates the filter differently. Refresh the list."
          )
        ) : isExpected ? (
          isListed === undefined ? (
            'This target matches all conditions of the list. The list is still loading.'
          ) : (
            'This target matches all conditions of the list.'
          )
        ) : (
          <>
            The unmet conditions are marked below.{' '}
            <Link to={href} className="text-accent underline">
              Open the target
            </Link>
          </>
        )}
      </Banner>
      {reasons.map((reason) => (
        <section key={reason.id} aria-label={reason.title} className="flex flex-col gap-1">
          <h3 className="flex items-center gap-2 text-body font-semibold text-ink-1">
            <Icon icon={reason.holds ? Check : X} className={reason.holds ? 'text-ok' : 'text-danger'} />
            {reason.title}
            <span className={`font-normal text-meta ${reason.holds ? 'text-ok' : 'text-danger'}`}>
              {reason.holds ? 'Holds' : "Doesn't hold"}
            </span>
          </h3>
          {reason.detail !== '' && <p className="ms-6 text-body text-ink-2">{reason.detail}</p>}
          {reason.explanation && (
            <div className="ms-6">
              <ExplanationTree label="Clauses" text={filter} explanation={reason.explanation} />
            </div>
          )}
        </section>
      ))}
    </>
  );
}
