import type { NewAccount } from '@gatehouse/service-kit/accounts';

/** A user of the sample estate. All of them have the first account's password. */
export type SamplePerson = Omit<NewAccount, 'password' | 'id'>;

const everywhere = (role: 'administrator' | 'operator' | 'read-only') =>
  ({ access: role, secrets: role, boxes: role, modules: role }) as const;

/** The users who run the sample estate; those who may change targets come first. */
export const samplePeople: readonly SamplePerson[] = [
  {
    loginName: 'ines.moreau',
    fullName: 'Inès Moreau',
    email: 'ines.moreau@example.com',
    roles: everywhere('administrator'),
  },
  {
    loginName: 'tomasz.wrona',
    fullName: 'Tomasz Wrona',
    email: 'tomasz.wrona@example.com',
    roles: everywhere('operator'),
  },
  {
    loginName: 'priya.raman',
    fullName: 'Priya Raman',
    email: 'priya.raman@example.com',
    roles: everywhere('operator'),
  },
  {
    loginName: 'mateus.lima',
    fullName: 'Mateus Lima',
    email: 'mateus.lima@example.com',
    roles: { access: 'operator', secrets: 'read-only', boxes: 'operator', modules: 'operator' },
  },
  {
    loginName: 'lena.fischer',
    fullName: 'Lena Fischer',
    email: 'lena.fischer@example.com',
    roles: { access: 'operator', secrets: 'operator', boxes: 'read-only', modules: 'read-only' },
  },
  {
    loginName: 'yuki.tanaka',
    fullName: 'Yuki Tanaka',
    email: 'yuki.tanaka@example.com',
    roles: { access: 'operator', secrets: null, boxes: null, modules: 'read-only' },
  },
  {
    loginName: 'samira.diallo',
    fullName: 'Samira Diallo',
    email: 'samira.diallo@example.com',
    roles: { access: 'read-only', secrets: 'administrator', boxes: 'read-only', modules: 'read-only' },
  },
  {
    loginName: 'oskar.lindqvist',
    fullName: 'Oskar Lindqvist',
    email: 'oskar.lindqvist@example.com',
    roles: { access: null, secrets: 'read-only', boxes: 'administrator', modules: 'administrator' },
  },
  {
    loginName: 'audit',
    fullName: 'Internal audit',
    email: 'audit@example.com',
    roles: everywhere('read-only'),
  },
];
