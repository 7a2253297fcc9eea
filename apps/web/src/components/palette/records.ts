/** How the palette shows the records of a search, and where each leads. */
import type { Found, FoundKind } from '@gatehouse/api-types/console/search';
import type { PaletteItem } from '@gatehouse/ui/command-palette';
import {
  BoxIcon,
  CloudRoleIcon,
  CredentialSourceIcon,
  HostSourceIcon,
  ModuleIcon,
  PluginIcon,
  SecretIcon,
  TargetIcon,
  type IconType,
} from '@gatehouse/ui/icon';
import { Building2, User } from 'lucide-react';
import { boxHref, organizationHref, publishHref } from '../places/boxes.ts';
import { cloudRoleHref, editCloudRoleHref } from '../places/cloud.ts';
import { credentialHref, libraryHref, storeHref } from '../places/credential-sources.ts';
import { catalogHref, hostHref, hostSetHref } from '../places/host-sources.ts';
import { moduleHref, publishModuleHref } from '../places/modules.ts';
import { editPluginHref, pluginHref, upgradePluginHref } from '../places/plugins.ts';
import { editSecretHref, moveHref, secretHref } from '../places/secrets.ts';
import type { Errand } from '../record/use-errand.ts';
import type { Verb } from './palette-search.ts';

/** An action on a record. */
interface Act {
  /** Shown before the record's name. */
  readonly label: string;
  readonly href: string;
  /** The authorized action that it needs; none if the service doesn't report any. */
  readonly right?: string;
  /** What the record's page asks as soon as it is open. */
  readonly errand?: Errand;
}

interface Shown {
  /** Heading of the kind. */
  readonly title: string;
  readonly icon: IconType;
  readonly href: string;
  readonly acts: Partial<Readonly<Record<Verb, Act>>>;
}

/** A record that has a page, `/edit` below it, and Delete in its menu. */
function plain(title: string, icon: IconType, href: string): Shown {
  return {
    title,
    icon,
    href,
    acts: {
      edit: { label: 'Edit', href: `${href}/edit`, right: 'update' },
      delete: { label: 'Delete', href, right: 'delete', errand: 'delete' },
    },
  };
}

const shown: Readonly<Record<FoundKind, (environment: string, found: Found) => Shown>> = {
  target: (environment, { id }) => {
    const href = `/${environment}/targets/${encodeURIComponent(id)}`;
    const { acts, ...rest } = plain('Targets', TargetIcon, href);
    return {
      ...rest,
      acts: {
        ...acts,
        authorize: { label: 'Authorize', href, right: 'authorize-session', errand: 'authorize' },
        reach: { label: 'Who can reach', href },
        clone: { label: 'Clone', href: `/${environment}/targets/new?from=${encodeURIComponent(id)}` },
      },
    };
  },
  person: (environment, { id }) => {
    const href = `/${environment}/people/${encodeURIComponent(id)}`;
    return {
      title: 'People',
      icon: User,
      href,
      acts: {
        edit: { label: 'Edit', href: `${href}/edit`, right: 'update' },
        disable: { label: 'Lock out', href, right: 'update', errand: 'lock-out' },
        delete: { label: 'Delete', href, right: 'delete', errand: 'delete' },
      },
    };
  },
  'host-catalog': (environment, { id }) =>
    plain('Host catalogs', HostSourceIcon, catalogHref(environment, id)),
  'host-set': (environment, { id, within = '' }) =>
    plain('Host sets', HostSourceIcon, hostSetHref(environment, within, id)),
  host: (environment, { id, within = '' }) =>
    plain('Hosts', HostSourceIcon, hostHref(environment, within, id)),
  'credential-store': (environment, { id }) =>
    plain('Credential stores', CredentialSourceIcon, storeHref(environment, id)),
  'credential-library': (environment, { id, within = '' }) =>
    plain('Credential libraries', CredentialSourceIcon, libraryHref(environment, within, id)),
  credential: (environment, { id, within = '' }) =>
    plain('Credentials', CredentialSourceIcon, credentialHref(environment, within, id)),
  secret: (environment, { id, within = '' }) => {
    const place = { environment, mount: within, path: id };
    return {
      title: 'Secrets',
      icon: SecretIcon,
      href: secretHref(place),
      acts: {
        edit: { label: 'Edit', href: editSecretHref(place) },
        move: { label: 'Move or copy', href: moveHref(place, 'secret') },
        versions: { label: 'Versions of', href: secretHref(place, { tab: 'versions' }) },
        environments: { label: 'Compare environments:', href: secretHref(place) },
      },
    };
  },
  plugin: (environment, { id }) => ({
    title: 'Plugins',
    icon: PluginIcon,
    href: pluginHref(environment, id),
    acts: {
      edit: { label: 'Edit', href: editPluginHref(environment, id) },
      upgrade: { label: 'Upgrade', href: upgradePluginHref(environment, id) },
    },
  }),
  'cloud-role': (environment, { id, within = '' }) => {
    const place = { environment, mount: within, role: id };
    return {
      title: 'Cloud roles',
      icon: CloudRoleIcon,
      href: cloudRoleHref(place),
      acts: {
        edit: { label: 'Edit', href: editCloudRoleHref(place) },
        credentials: { label: 'Credentials of', href: cloudRoleHref(place, 'credentials') },
        leases: { label: 'Leases of', href: cloudRoleHref(place, 'leases') },
        uses: { label: 'Targets that use', href: cloudRoleHref(place, 'targets') },
      },
    };
  },
  box: (environment, { id }) => {
    const [username = '', name = ''] = id.split('/');
    const place = { environment, username, name };
    const href = boxHref(place);
    return {
      title: 'Boxes',
      icon: BoxIcon,
      href,
      acts: {
        edit: { label: 'Edit', href: `${href}/edit` },
        publish: { label: 'Publish a version of', href: publishHref(environment, place) },
        versions: { label: 'Versions of', href: boxHref(place, 'versions') },
      },
    };
  },
  organization: (environment, { id }) => {
    const href = organizationHref(environment, id);
    return {
      title: 'Organizations',
      icon: Building2,
      href,
      acts: { edit: { label: 'Edit', href: `${href}/edit` } },
    };
  },
  module: (environment, { id }) => {
    const [namespace = '', name = '', provider = ''] = id.split('/');
    const place = { environment, namespace, name, provider };
    return {
      title: 'Modules',
      icon: ModuleIcon,
      href: moduleHref(place),
      acts: {
        publish: { label: 'Publish a version of', href: publishModuleHref(environment, place) },
        uses: { label: 'Who uses', href: moduleHref(place, { tab: 'downloads' }) },
      },
    };
  },
};

/**
 * A record as an item of the palette.
 * @param verb the typed verb, which the item's label names if the kind has it (`hasVerb`)
 */
export function recordItem(
  environment: string,
  found: Found,
  verb: Verb | undefined,
  go: (href: string, errand?: Errand) => () => void,
): {
  readonly title: string;
  readonly item: PaletteItem;
  readonly hasVerb: boolean;
  /** Its page, if the item only opens it. */
  readonly opens: string | undefined;
} {
  const { title, icon, href, acts } = shown[found.what](environment, found);
  const act = verb === undefined ? undefined : acts[verb];
  const isRefused = act?.right !== undefined && found.authorized_actions?.includes(act.right) === false;
  return {
    title,
    hasVerb: verb === undefined || act !== undefined,
    opens: act === undefined ? href : undefined,
    item: {
      id: `${found.what} ${found.within ?? ''} ${found.id}`,
      label: act === undefined ? found.name : `${act.label} ${found.name}`,
      icon,
      detail: found.name.includes(found.detail) ? found.id : found.detail,
      ...(isRefused && { refusal: "Your roles don't allow this." }),
      onAction: isRefused ? go(href) : go(act?.href ?? href, act?.errand),
    },
  };
}
