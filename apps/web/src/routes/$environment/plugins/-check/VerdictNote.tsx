import type { PluginsMay, PluginSummary } from '@gatehouse/api-types/console/plugins';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { Link, LinkButton } from '@gatehouse/ui/link';
import type { ReactNode } from 'react';
import { newPluginHref, pluginHref } from '#components/places/plugins.ts';
import { othersWords, pluginName } from '#components/plugins/plugin-words.ts';
import { runOf, type Catalog } from '../-catalog/catalog.ts';
import { reasonAgainst } from '../-catalog/may.ts';
import { draftOf, verdictOn, type HashedFile } from './verdict.ts';

const perNode =
  'Each node compares its own copy when it starts the plugin, so the file must be in the plugin directory of every node.';

/** Whether a binary is registered; if not, what to do. */
export function VerdictNote({
  environment,
  file,
  catalog,
}: {
  environment: string;
  file: HashedFile;
  catalog: Catalog & { readonly may: PluginsMay };
}) {
  const verdict = verdictOn(file, catalog.items);
  const subject = file.name === '' ? 'This hash' : file.name;
  const register = <Register environment={environment} file={file} verdict={verdict} may={catalog.may} />;
  switch (verdict.kind) {
    case 'registered':
      return (
        <Banner tone="ok" title={<>Registered as {named(environment, verdict.plugins)}</>}>
          {subject} matches the catalog. {othersWords(verdict.plugins, catalog.items)}{' '}
          {usedWords(verdict.plugins, catalog)} {perNode}
        </Banner>
      );
    case 'differs':
      return (
        <Banner
          tone="warn"
          title={
            <>
              The name matches {named(environment, verdict.plugins)}, but the hash differs
              {verdict.plugins.length > 1 && ' from each'}, so the server won't run this file
            </>
          }
          actions={register}
        >
          {subject} is not the registered binary. Register the file as another version, or find the right
          file. {perNode}
        </Banner>
      );
    case 'not-registered':
      return (
        <Banner tone="info" title="Not registered" actions={register}>
          {file.name === ''
            ? 'No plugin in the catalog has this hash.'
            : `No plugin in the catalog has the name or the hash of ${file.name}.`}
        </Banner>
      );
  }
}

function named(environment: string, plugins: readonly PluginSummary[]): ReactNode {
  return plugins.map((plugin, index) => (
    <span key={plugin.id}>
      {index > 0 && ', '}
      <Link href={pluginHref(environment, plugin.id)}>{pluginName(plugin)}</Link>
    </span>
  ));
}

/** The mounts that run one of these registrations. */
function usedWords(plugins: readonly PluginSummary[], catalog: Catalog): string {
  const paths = (catalog.mounts ?? [])
    .filter((mount) => plugins.some(({ id }) => id === runOf(mount, catalog)?.id))
    .map(({ path }) => path);
  return paths.length === 0 ? '' : `Mounts that run this plugin: ${paths.join(', ')}.`;
}

function Register({
  environment,
  file,
  verdict,
  may,
}: {
  environment: string;
  file: HashedFile;
  verdict: ReturnType<typeof verdictOn>;
  may: PluginsMay;
}) {
  const reason = reasonAgainst(may, 'register');
  const label = verdict.kind === 'differs' ? 'Register as another version' : 'Register this binary';
  if (reason !== undefined) {
    return (
      <Button size={28} disabledReason={reason}>
        {label}
      </Button>
    );
  }
  const like = verdict.kind === 'differs' ? verdict.plugins[0] : undefined;
  const draft = draftOf(file);
  return (
    <LinkButton
      size={28}
      href={newPluginHref(environment, {
        ...draft,
        type: like?.type ?? draft.type,
        name: like?.name ?? draft.name,
      })}
    >
      {label}
    </LinkButton>
  );
}
