/** Boxes, versions and providers as records: what edits and deletes one. */
import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import {
  box,
  boxVersion,
  fieldsOfBox,
  fieldsOfProvider,
  fieldsOfVersion,
  provider,
  type Box,
  type BoxChanges,
  type BoxFields,
  type BoxVersion,
  type Provider,
  type ProviderChanges,
  type ProviderFields,
  type VersionChanges,
  type VersionFields,
} from '@gatehouse/api-types/console/boxes';
import { harmOfProviderChanges } from '@gatehouse/api-types/console/harm-of';
import { BoxIcon } from '@gatehouse/ui/icon';
import type { RecordKind } from '#components/record/record-kind.ts';
import { boxes, boxProviders, boxVersions, type NewBox } from '#queries/box-changes.ts';
import {
  addressOf,
  type BoxAddress,
  type BoxPlace,
  type ProviderAddress,
  type VersionPlace,
} from '#queries/boxes.ts';
import {
  boxChangesAsCode,
  providerChangesAsCode,
  registryNote,
  versionChangesAsCode,
} from './box-as-code.ts';
import {
  boxForm,
  fieldsOfProviderForm,
  formOfProvider,
  providerChanges,
  providerForm,
  versionForm,
  type ProviderForm,
} from './box-forms.ts';
import { imageIsLost } from './image-is-lost.ts';
import { Preview } from './Preview.tsx';

export const boxKind: RecordKind<Box, BoxFields, NewBox, BoxChanges, BoxAddress> = {
  calls: boxes,
  noun: 'box',
  icon: BoxIcon,
  nameOf: ({ tag }) => tag,
  schema: box,
  fieldsOf: fieldsOfBox,
  formOf: () => boxForm,
  bodyOf: (changed) => changed,
  anewOf: (fields, { username }) => ({ username, fields }),
  anewNote: 'The new box has no versions: what was released is gone with the old one.',
  code: { of: (changes, { item }) => boxChangesAsCode(item, changes), note: registryNote },
  asideOf: ({ values }, code) => (
    <>
      {code}
      <Preview text={values.description} />
    </>
  ),
};

export function versionKind(
  place: BoxPlace,
): RecordKind<BoxVersion, VersionFields, VersionFields, VersionChanges> {
  return {
    calls: boxVersions(place),
    noun: 'version',
    icon: BoxIcon,
    nameOf: ({ version }) => version,
    schema: boxVersion,
    fieldsOf: fieldsOfVersion,
    formOf: () => versionForm,
    bodyOf: (changed) => changed,
    anewOf: (fields) => fields,
    anewNote: 'The new version has no providers, and is not released.',
    code: {
      of: (changes, { item: { version } }) => versionChangesAsCode({ ...place, version }, changes),
      note: registryNote,
    },
    asideOf: ({ values }, code) => (
      <>
        {code}
        <Preview text={values.description} />
      </>
    ),
  };
}

/** @param knowsArchitectures whether the registry keeps several architectures of a provider */
export function providerKind(
  place: VersionPlace,
  knowsArchitectures: boolean,
): RecordKind<Provider, ProviderForm, ProviderFields, ProviderChanges, ProviderAddress> {
  return {
    calls: boxProviders(place),
    noun: 'provider',
    icon: BoxIcon,
    nameOf: providerLabel,
    schema: provider,
    fieldsOf: (item) => formOfProvider(fieldsOfProvider(item)),
    formOf: ({ is_default }) => providerForm({ knowsArchitectures, isDefault: is_default !== false }),
    bodyOf: (changed, { values }) => providerChanges(changed, values),
    guardOf: ({ item, values }) =>
      harmOfProviderChanges(values, item) && {
        harm: at.boxProviders.update.harm,
        title: `Replace the image of ${providerLabel(item)} by an address?`,
        confirmLabel: 'Replace the image',
        typedName: item.name,
        impacts: [imageIsLost(providerLabel(item))],
      },
    anewOf: (values) => fieldsOfProviderForm(values, knowsArchitectures),
    anewNote: 'An image that the registry kept is gone: upload it again.',
    code: {
      of: (changes, { item }) =>
        providerChangesAsCode({ ...place, ...addressOf(item) }, changes, knowsArchitectures),
      note: registryNote,
    },
  };
}
