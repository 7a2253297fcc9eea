import { resource } from '#operation/operation.ts';
import { getPreferences } from './get-preferences.ts';
import { putPreference } from './put-preference.ts';

export const preferenceOperations = resource(
  { service: '' },
  {
    'preferences.get': getPreferences,
    'preferences.put': putPreference,
  },
);
