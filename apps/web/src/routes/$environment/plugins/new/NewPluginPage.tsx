import { pluginIdOf } from '@gatehouse/api-types/console/plugin-values';
import { fieldsOfPlugin, type Plugin, plugin as pluginSchema } from '@gatehouse/api-types/console/plugins';
import { PluginIcon } from '@gatehouse/ui/icon';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { codeSetUp } from '#components/form/as-code.ts';
import { useSearchState } from '#components/list/use-search-state.ts';
import { pluginHref, pluginsHref } from '#components/places/plugins.ts';
import { pluginName } from '#components/plugins/plugin-words.ts';
import { NewRecord } from '#components/record/NewRecord.tsx';
import { WithRight } from '#components/record/WithRight.tsx';
import { plugins, pluginsQuery } from '#queries/plugins.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import type { Catalog } from '../-catalog/catalog.ts';
import { reasonAgainst } from '../-catalog/may.ts';
import { pluginAsCode } from '../-editing/plugin-as-code.ts';
import {
  blankPlugin,
  fieldsOfForm,
  formOfPlugin,
  newPluginForm,
  type NewPluginForm,
  newPluginOf,
  pluginFormKey,
} from '../-editing/plugin-form.ts';
import { pluginDraftSearch } from './draft-search.ts';

// The page parses its own search parameters, to keep them out of the entry that every page loads.
export const Route = createFileRoute('/$environment/plugins/new/')({ component: NewPluginPage });

const kind = { calls: plugins, noun: 'plugin', nameOf: pluginName };

/** Registers a plugin: which program to run, with which hash. */
function NewPluginPage() {
  const environment = useEnvironment();
  const [draft] = useSearchState(pluginDraftSearch);
  const catalog = useQuery(pluginsQuery(environment.id));
  const update = useUpdateRecord(plugins, environment.id);
  const listHref = pluginsHref(environment.id);
  const page = {
    icon: PluginIcon,
    title: 'Register a plugin',
    ancestors: [{ id: 'plugins', label: 'Plugins', href: listHref }],
  };
  return (
    <WithRight
      {...page}
      many="plugins"
      listHref={listHref}
      queries={[catalog]}
      reason={reasonAgainst(catalog.data?.may, 'register')}
    >
      {() => (
        <NewRecord<Plugin, NewPluginForm, ReturnType<typeof newPluginOf>>
          {...page}
          kind={kind}
          blank={{ ...blankPlugin, ...given(draft) }}
          formOf={({ way }) => newPluginForm(way)}
          formKey={pluginFormKey}
          bodyOf={newPluginOf}
          saveLabel="Register plugin"
          madeWords={(made) => `${pluginName(made)} registered and verified`}
          taken={{
            schema: pluginSchema,
            valuesOf: (there) => ({
              ...formOfPlugin(fieldsOfPlugin(there)),
              type: there.type,
              name: there.name,
              version: there.version,
            }),
            replace: (guard, values) => {
              const { type, name, version, ...changes } = newPluginOf(values);
              return update.mutateAsync({ address: pluginIdOf({ type, name, version }), guard, changes });
            },
          }}
          hrefOf={({ id }) => pluginHref(environment.id, id)}
          cancelHref={listHref}
          codeOf={(values) => ({
            forms: pluginAsCode(
              {
                type: values.type === '' ? 'secret' : values.type,
                name: values.name,
                version: values.version,
              },
              fieldsOfForm(values),
            ),
            setUp: codeSetUp.secrets,
          })}
          asideOf={(values, code) => (
            <div className="flex flex-col gap-4">
              <Notes values={values} catalog={catalog.data} />
              {code}
            </div>
          )}
        />
      )}
    </WithRight>
  );
}

function given(draft: Readonly<Partial<NewPluginForm>>): Partial<NewPluginForm> {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
}

/** Notes before registering: what it requires, and which registrations exist or are shadowed. */
function Notes({
  values: { type, name, version },
  catalog,
}: {
  values: NewPluginForm;
  catalog: Catalog | undefined;
}) {
  const same = catalog?.items.filter((item) => item.type === type && item.name === name) ?? [];
  const isShadowing = version === '' && same.some(({ builtin }) => builtin);
  return (
    <section aria-label="Before you register" className="flex flex-col gap-2 text-body text-ink-2">
      <Note>
        Registering requires sudo on{' '}
        <span className="font-mono text-meta">
          sys/plugins/catalog/{type === '' ? ':type' : type}/{name === '' ? ':name' : name}
        </span>
        . If the plugin runs from a binary, copy the binary to the plugin directory of every node first.
      </Note>
      <Note>
        Servers silently drop fields that they don't support. The console therefore reads the registration
        back and compares it with your values.
      </Note>
      {isShadowing && (
        <Note isWarning>
          {type}/{name} is a built-in plugin. Its mounts without a configured version run your registration
          instead from their next start.
        </Note>
      )}
      {!isShadowing && same.length > 0 && <Note>Already registered: {same.map(pluginName).join(', ')}.</Note>}
    </section>
  );
}

function Note({ isWarning = false, children }: { isWarning?: boolean; children: ReactNode }) {
  return <p className={isWarning ? 'text-warn' : ''}>{children}</p>;
}
