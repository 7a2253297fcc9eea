import { StartError } from '@gatehouse/service-kit/start-error';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.ts';

const read = (variables: Record<string, string>) => readEnvironment(variables, '/srv/gatehouse');

describe('the variables of npm start', () => {
  it('have defaults', () => {
    expect(read({})).toEqual({
      host: undefined,
      port: undefined,
      accessPort: 9200,
      secretsPort: 8200,
      secretsClusterPort: 8201,
      secretsClusterAddress: undefined,
      boxesPort: 8300,
      modulesPort: 8400,
      dataDir: '/srv/gatehouse/data',
      adminPassword: undefined,
      inFront: { names: [], forwardedFrom: [] },
      configFile: undefined,
      keyRing: undefined,
      pluginDirectory: undefined,
      moveSources: [],
    });
  });

  it('count as missing when empty', () => {
    expect(read({ GATEHOUSE_PORT: '', GATEHOUSE_DATA: '', GATEHOUSE_ADMIN_PASSWORD: '' })).toEqual(read({}));
  });

  it('are read', () => {
    const environment = read({
      GATEHOUSE_HOST: '::1',
      GATEHOUSE_PORT: '0',
      GATEHOUSE_ACCESS_PORT: '65535',
      GATEHOUSE_DATA: 'elsewhere',
      GATEHOUSE_CONFIG: '/etc/gatehouse.yaml',
      GATEHOUSE_ADMIN_PASSWORD: '12345678',
      GATEHOUSE_SECRETS_PLUGIN_DIR: 'plugins',
      GATEHOUSE_SECRETS_CLUSTER_PORT: '0',
      GATEHOUSE_SECRETS_CLUSTER_ADDR: 'vault.example:9201',
      GATEHOUSE_MOVE_SOURCES: 'http://10.1.2.3:8300, https://Boxes.example/',
      GATEHOUSE_SERVICE_NAMES: 'boxes.example, modules.example',
      GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS: '10.1.2.3, 10.2.0.0/16',
    });
    expect(environment).toMatchObject({
      host: '::1',
      port: 0,
      accessPort: 65_535,
      dataDir: '/srv/gatehouse/elsewhere',
      configFile: '/etc/gatehouse.yaml',
      adminPassword: '12345678',
      pluginDirectory: '/srv/gatehouse/plugins',
      secretsClusterPort: 0,
      secretsClusterAddress: 'vault.example:9201',
      moveSources: ['http://10.1.2.3:8300', 'https://boxes.example'],
      inFront: {
        names: ['boxes.example', 'modules.example'],
        forwardedFrom: ['10.1.2.3', '10.2.0.0/16'],
      },
    });
  });

  it.each([
    ['GATEHOUSE_PORT', '65536'],
    ['GATEHOUSE_PORT', '80a'],
    ['GATEHOUSE_ACCESS_PORT', '-1'],
    ['GATEHOUSE_SECRETS_PORT', '1e3'],
    ['GATEHOUSE_BOXES_PORT', ' 80'],
    ['GATEHOUSE_MODULES_PORT', '0x50'],
    ['GATEHOUSE_SECRETS_CLUSTER_PORT', '65536'],
    ['GATEHOUSE_SECRETS_CLUSTER_ADDR', 'vault.example'],
    ['GATEHOUSE_SECRETS_CLUSTER_ADDR', 'https://vault.example:8201'],
    ['GATEHOUSE_MOVE_SOURCES', 'boxes.example'],
    ['GATEHOUSE_MOVE_SOURCES', 'https://boxes.example/api'],
    ['GATEHOUSE_MOVE_SOURCES', 'https://me@boxes.example'],
    ['GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS', '10.1.2.3, console.example'],
    ['GATEHOUSE_X_FORWARDED_FOR_AUTHORIZED_ADDRS', '10.0.0.0/'],
    ['GATEHOUSE_HOST', 'two words'],
    ['GATEHOUSE_HOST', 'http://here'],
    ['GATEHOUSE_ADMIN_PASSWORD', '1234567'],
  ])('are refused in one line that names them: %s=%s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(StartError);
    expect(() => read({ [name]: value })).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });

  it('never appear in a message if they hold a password', () => {
    expect(() => read({ GATEHOUSE_ADMIN_PASSWORD: 'hunter2' })).toThrow(/^(?!.*hunter2)/);
  });

  it('must not share a port', () => {
    expect(() => read({ GATEHOUSE_PORT: '9200' })).toThrow(/GATEHOUSE_PORT and GATEHOUSE_ACCESS_PORT/);
    expect(read({ GATEHOUSE_PORT: '0', GATEHOUSE_ACCESS_PORT: '0' }).accessPort).toBe(0);
  });

  it('accept a port only if it is an integer up to 65535', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
        fc.pre(text !== '' && !['8200', '8300', '8400', '9200'].includes(text));
        const valid = /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
        const refused = (() => {
          try {
            return read({ GATEHOUSE_PORT: text }).port !== Number(text);
          } catch {
            return true;
          }
        })();
        expect(refused).toBe(!valid);
      }),
    );
  });
});
