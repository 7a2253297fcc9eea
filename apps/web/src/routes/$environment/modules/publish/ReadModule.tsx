import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { Badge } from '@gatehouse/ui/badge';
import { Card } from '@gatehouse/ui/card';
import { Icon } from '@gatehouse/ui/icon';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { checksOf } from './archive-checks.ts';

/** An archive's content, and findings about it. */
export function ReadModule({ content }: { content: ModuleContent }) {
  const { root, submodules, examples, problems } = content;
  return (
    <Card title="Contents">
      <div className="flex flex-col gap-3 text-body">
        <ul aria-label="Checks" className="flex flex-col gap-1">
          {checksOf(content).map(({ isFine, text }) => (
            <li key={text} className="flex items-start gap-2">
              <Icon
                icon={isFine ? CircleCheck : CircleAlert}
                className={`mt-0.5 ${isFine ? 'text-ok' : 'text-warn'}`}
              />
              <span className="min-w-0 text-ink-1">
                {!isFine && <span className="sr-only">Worth knowing: </span>}
                {text}
              </span>
            </li>
          ))}
        </ul>
        {problems.length > 0 && (
          <dl className="rounded-control border border-line bg-sunken px-3 py-2 text-meta/5">
            {problems.map(({ path, message }) => (
              <Fragment key={`${path} ${message}`}>
                <dt className="font-mono wrap-anywhere text-ink-1">{path}</dt>
                <dd className="ps-4 wrap-anywhere text-ink-2">{message}</dd>
              </Fragment>
            ))}
          </dl>
        )}
        {root !== null && (
          <div className="flex flex-col gap-2">
            <Names
              title="Inputs"
              items={root.inputs
                .toSorted((one, other) => Number(other.required) - Number(one.required))
                .map(({ name, type, required }) => ({
                  name,
                  after: (
                    <>
                      <span className="font-mono text-ink-2">{type || 'any'}</span>
                      {required && <Badge tone="accent">Required</Badge>}
                    </>
                  ),
                }))}
            />
            <Names title="Outputs" items={root.outputs} />
            <Names
              title="Resources"
              items={root.resources.map(({ type, name }) => ({ name: `${type}.${name}` }))}
            />
            <Names
              title="Providers"
              items={root.provider_dependencies.map(({ name, source, version }) => ({
                name: source || name,
                after: <span className="font-mono text-ink-2">{version || 'any version'}</span>,
              }))}
            />
            <Names
              title="Modules it calls"
              items={root.dependencies.map(({ name, source, version }) => ({
                name,
                after: <span className="font-mono text-ink-2">{`${source} ${version}`.trim()}</span>,
              }))}
            />
            <Names title="Submodules" items={submodules.map(({ path }) => ({ name: path }))} />
            <Names title="Examples" items={examples.map(({ path }) => ({ name: path }))} />
          </div>
        )}
      </div>
    </Card>
  );
}

function Names({
  title,
  items,
}: {
  title: string;
  items: readonly { readonly name: string; readonly after?: ReactNode }[];
}) {
  if (items.length === 0) return null;
  return (
    <details>
      <summary className="w-fit cursor-default rounded-tag text-ink-2">
        {title} ({items.length.toLocaleString('en')})
      </summary>
      <ul aria-label={title} className="mt-1 text-meta/5">
        {items.map(({ name, after }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 px-1">
            <span className="font-mono wrap-anywhere text-ink-1">{name}</span>
            {after}
          </li>
        ))}
      </ul>
    </details>
  );
}
