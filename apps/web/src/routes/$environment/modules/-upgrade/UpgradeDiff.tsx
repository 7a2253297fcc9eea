import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { Badge } from '@gatehouse/ui/badge';
import { Banner } from '@gatehouse/ui/banner';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import type { Tone } from '@gatehouse/ui/tone';
import { ArrowRight } from 'lucide-react';
import { counted } from '#lib/counted.ts';
import {
  compareContent,
  type ContentChange,
  type ContentComparison,
  type FolderChanges,
  type Weight,
} from './compare-content.ts';
import { RewrittenBlock, type UpgradedUsage } from './RewrittenBlock.tsx';

const weights: Readonly<Record<Weight, { readonly title: string; readonly tone: Tone }>> = {
  breaking: { title: 'Breaks', tone: 'danger' },
  additive: { title: 'New', tone: 'ok' },
  note: { title: 'Worth knowing', tone: 'info' },
};

const areas: Readonly<Record<ContentChange['area'], string>> = {
  setting: 'Setting',
  input: 'Input',
  output: 'Output',
  provider: 'Provider',
  dependency: 'Module',
  resource: 'Resource',
  submodule: 'Submodule',
};

/** What an upgrade changes for a module's users. */
export function UpgradeDiff({
  from,
  to,
  usage,
}: {
  from: ModuleContent;
  to: ModuleContent;
  /** If given, rewrites the block that uses the module. */
  usage?: UpgradedUsage;
}) {
  const compared = compareContent(from, to);
  if (compared === undefined) {
    return (
      <Banner tone="warn" announce="none" title="These versions can't be compared">
        {(from.root === null ? from.reason : to.reason) || "One of the versions couldn't be read."}
      </Banner>
    );
  }
  const { folders, unread } = compared;
  return (
    <div className="flex flex-col gap-4">
      <VerdictBanner compared={compared} />
      {unread.length > 0 && (
        <Banner tone="warn" announce="none" title="Not everything was compared">
          Files that couldn't be read in at least one version: {unread.join(', ')}.
        </Banner>
      )}
      {folders.map((folder) => (
        <FolderCard key={folder.path} folder={folder} />
      ))}
      {usage && <RewrittenBlock from={from} to={to} compared={compared} usage={usage} />}
    </div>
  );
}

function VerdictBanner({ compared: { verdict, folders } }: { compared: ContentComparison }) {
  const changes = folders.flatMap((folder) => folder.changes);
  const count = (weight: Weight): number => changes.filter((change) => change.weight === weight).length;
  const others = [
    count('additive') > 0 && counted(count('additive'), 'addition'),
    count('note') > 0 && `${counted(count('note'), 'other change')} worth knowing`,
  ].filter((part) => part !== false);
  const rest = others.length === 0 ? undefined : `Also ${others.join(' and ')}.`;
  switch (verdict) {
    case 'breaking':
      return (
        <Banner
          tone="danger"
          announce="none"
          title={`Breaking: ${counted(count('breaking'), 'change')} may stop existing blocks from working`}
        >
          {rest}
        </Banner>
      );
    case 'additive':
      return (
        <Banner tone="ok" announce="none" title="Additive: existing blocks keep working">
          {count('note') > 0
            ? `${counted(count('additive'), 'addition')}, and ${counted(count('note'), 'change')} worth knowing.`
            : `${counted(count('additive'), 'addition')}.`}
        </Banner>
      );
    case 'none':
      return (
        <Banner tone="ok" announce="none" title="No changes to inputs or outputs">
          {count('note') > 0 && `${counted(count('note'), 'change')} worth knowing.`}
        </Banner>
      );
  }
}

function FolderCard({ folder: { path, changes } }: { folder: FolderChanges }) {
  const groups = Map.groupBy(changes, ({ weight }) => weight);
  return (
    <Card title={path === '' ? 'Root module' : `Submodule ${path}`} isFlush>
      {(['breaking', 'additive', 'note'] as const).map((weight) => {
        const list = groups.get(weight);
        const { title, tone } = weights[weight];
        return (
          list && (
            <section
              key={weight}
              aria-label={`${title}, ${path || 'root module'}`}
              className="border-b border-line last:border-b-0"
            >
              <h3 className="flex items-center gap-2 px-4 pt-2">
                <Badge tone={tone}>{title}</Badge>
                <span className="text-meta text-ink-2">{list.length.toLocaleString('en')}</span>
              </h3>
              <ul>
                {list.map((change) => (
                  <Change key={`${change.area} ${change.name} ${change.what}`} change={change} />
                ))}
              </ul>
            </section>
          )
        );
      })}
    </Card>
  );
}

function Change({ change: { area, name, what, before, after } }: { change: ContentChange }) {
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-0.5 px-4 py-1.5 wide:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <span className="min-w-0 text-body text-ink-1">
        <span className="text-ink-2">{areas[area]} </span>
        <span className="font-mono text-meta/5 font-medium wrap-anywhere">{name}</span>
        <span className="text-ink-2">: {what}</span>
      </span>
      {(before !== '' || after !== '') && (
        <span className="flex min-w-0 flex-wrap items-start gap-x-2 font-mono text-meta/5">
          {before !== '' && <Value text={before} isOld />}
          {before !== '' && after !== '' && (
            <>
              <span className="sr-only">, now </span>
              <Icon icon={ArrowRight} size={14} className="mt-0.75 text-ink-3" />
            </>
          )}
          {after !== '' && <Value text={after} />}
        </span>
      )}
    </li>
  );
}

function Value({ text, isOld = false }: { text: string; isOld?: boolean }) {
  const look = 'min-w-0 whitespace-pre-wrap wrap-anywhere';
  return isOld ? (
    <del className={`${look} text-ink-2 decoration-ink-3 decoration-1`}>{text}</del>
  ) : (
    <ins className={`${look} text-ink-1 no-underline`}>{text}</ins>
  );
}
