/** Boxes, versions and providers as records that can be edited and deleted. */
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
import {
  harmOfBoxChanges,
  harmOfProviderChanges,
  harmOfVersionChanges,
} from '@gatehouse/api-types/console/harm-of';
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
import { clientsAreCutOff, imageIsLost } from './image-is-lost.ts';
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
  guardOf: ({ item, values: { name } }) =>
    harmOfBoxChanges({ name }, item) && {
      harm: 'destroys',
      title: `Rename ${item.tag} to ${item.username}/${name}?`,
      confirmLabel: 'Rename box',
      typedName: item.name,
      impacts: [clientsAreCutOff(item.current_version ?? '')],
    },
  anewOf: (fields, { username }) => ({ username, fields }),
  anewNote: "The new box has no versions. The old box's versions were deleted.",
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
    guardOf: ({ item, values }) =>
      harmOfVersionChanges(values, item) && {
        harm: at.boxVersions.update.harm,
        title: `Renumber version ${item.version} as ${values.version}?`,
        confirmLabel: 'Renumber version',
        typedName: item.version,
        impacts: [clientsAreCutOff(item.version)],
      },
    anewOf: (fields) => fields,
    anewNote: "The new version has no providers and isn't released.",
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

/**
 * @param knowsArchitectures whether the registry supports several architectures per provider
 * @param isReleased whether clients can get the version
 */
export function providerKind(
  place: VersionPlace,
  knowsArchitectures: boolean,
  isReleased = false,
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
    guardOf: ({ item, values }) => {
      const fields = fieldsOfProviderForm(values, knowsArchitectures);
      // The form has no architecture fields for such a registry.
      const changes = knowsArchitectures
        ? fields
        : { ...fields, architecture: undefined, is_default: undefined };
      const label = providerLabel(item);
      const isLost = harmOfProviderChanges(changes, item, null) !== undefined;
      const status = isReleased ? 'active' : 'unreleased';
      return (
        harmOfProviderChanges(changes, item, { status }) && {
          harm: at.boxProviders.update.harm,
          title: isLost
            ? `Replace the image of ${label} with an address?`
            : `Change ${label} of a released version?`,
          confirmLabel: isLost ? 'Replace the image' : 'Change provider',
          typedName: item.name,
          impacts: [
            ...(isReleased ? [clientsAreCutOff(place.version)] : []),
            ...(isLost ? [imageIsLost(label)] : []),
          ],
        }
      );
    },
    anewOf: (values) => fieldsOfProviderForm(values, knowsArchitectures),
    anewNote: 'If the registry stored the image, that image was deleted. Upload it again.',
    code: {
      of: (changes, { item }) =>
        providerChangesAsCode({ ...place, ...addressOf(item) }, changes, knowsArchitectures),
      note: registryNote,
    },
  };
}
