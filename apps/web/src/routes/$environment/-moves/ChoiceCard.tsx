import type { Move, MoveChoice } from '@gatehouse/api-types/console/moves';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { CheckboxGroup } from '@gatehouse/ui/checkbox';
import { lazy } from '@gatehouse/ui/lazy';
import { RadioGroup } from '@gatehouse/ui/radio-group';
import { Spinner } from '@gatehouse/ui/spinner';
import { Suspense } from 'react';
import { kindWords } from '#components/moves/move-kinds.ts';
import { chosenWords } from '#components/moves/move-words.ts';
import { withName } from './choice.ts';
import { linksWords, privacyWords } from './link-words.ts';
import { OwnerNames } from './OwnerNames.tsx';
import type { ChoiceEdit } from './use-choice.ts';
import { VersionsChoice } from './VersionsChoice.tsx';

const ChoiceDecision = lazy(async () => ({ default: (await import('./ChoiceDecision.tsx')).ChoiceDecision }));

/** The part of the plan to copy, and how. Each change is saved immediately and shows in the numbers. */
export function ChoiceCard({ move, edit }: { move: Move; edit: ChoiceEdit }) {
  const { choice, change, conflict } = edit;
  const { kind, found, items } = move;
  const { many } = kindWords[kind];
  if (conflict !== undefined) {
    return (
      <Suspense fallback={null}>
        <ChoiceDecision kind={kind} conflict={conflict} edit={edit} />
      </Suspense>
    );
  }
  const names = (field: 'providers' | 'architectures', label: string) =>
    found[field].length > 0 && (
      <CheckboxGroup
        label={label}
        options={found[field].map((name) => ({ value: name, label: name }))}
        value={choice[field] ?? found[field]}
        onChange={(value) => {
          change({ [field]: chosenOf(found[field], choice[field], value) });
        }}
      />
    );
  const isAll = choice.items.kind === 'all-but' && choice.items.ids.length === 0;
  return (
    <Card
      title="What to copy"
      actions={
        <span className="flex items-center gap-2 pe-2 text-meta text-ink-2">
          {edit.isPending && <Spinner label="Saving" />}
          Saved automatically
        </span>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-body text-ink-1">
          <span>{chosenWords(kind, items)}</span>
          {isAll ? (
            <span className="text-meta text-ink-2">Select {many} in the list to exclude them.</span>
          ) : (
            <Button
              size={28}
              onPress={() => {
                change({ items: { kind: 'all-but', ids: [] } });
              }}
            >
              Copy all {many}
            </Button>
          )}
        </div>
        <VersionsChoice
          key={JSON.stringify(choice.versions)}
          versions={choice.versions}
          many={many}
          onChange={(versions) => {
            change({ versions });
          }}
        />
        {kind === 'boxes' && names('providers', 'Providers')}
        {kind === 'boxes' && names('architectures', 'Architectures')}
        <OwnerNames
          kind={kind}
          found={found.owners}
          owners={choice.owners}
          onChange={(owners) => {
            change({ owners });
          }}
        />
        {kind === 'boxes' && (
          <>
            <RadioGroup
              label="Images stored elsewhere"
              description="The source has only their addresses."
              value={choice.links}
              options={[
                { value: 'keep', label: linksWords.keep },
                { value: 'copy', label: linksWords.copy },
              ]}
              onChange={(value) => {
                change({ links: value === 'copy' ? 'copy' : 'keep' });
              }}
            />
            <RadioGroup
              label="Access to created boxes"
              value={choice.privacy}
              options={[
                { value: 'as-there', label: privacyWords['as-there'] },
                { value: 'private', label: privacyWords.private },
              ]}
              onChange={(value) => {
                change({ privacy: value === 'private' ? 'private' : 'as-there' });
              }}
            />
          </>
        )}
      </div>
    </Card>
  );
}

/** The names chosen after one of a group's checkboxes changed. */
function chosenOf(
  all: readonly string[],
  before: MoveChoice['providers'],
  value: readonly string[],
): string[] | null {
  const was = new Set(before ?? all);
  const changed = all.find((name) => was.has(name) !== value.includes(name));
  return changed === undefined ? before : withName(before, all, changed, value.includes(changed));
}
