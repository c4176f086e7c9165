import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'

const LIVE = {
  PAY_TO: `0x${'12'.repeat(20)}`,
  BASE_URL: 'https://checks.example',
  FACILITATOR_URL: 'https://facilitator.example',
  RPC_URL: 'https://rpc.example',
  DATA_DIR: '/var/lib/checks',
}
const TOKEN = 'a-token-of-some-length'

const faultsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the admin port', () => {
  test('is on a free port of loopback in the sandbox', () => {
    expect(readConfig({}).admin).toEqual({ host: '127.0.0.1', port: 0, token: null })
    expect(readConfig({ ADMIN_PORT: '9464', ADMIN_TOKEN: TOKEN }).admin).toEqual({
      host: '127.0.0.1',
      port: 9464,
      token: TOKEN,
    })
  })

  test('is off in live mode until it is asked for', () => {
    expect(readConfig(LIVE).admin).toBeNull()
    expect(readConfig({ ...LIVE, ADMIN_PORT: '9464' }).admin).toEqual({
      host: '127.0.0.1',
      port: 9464,
      token: null,
    })
    expect(readConfig({ ...LIVE, ADMIN_PORT: '0.0.0.0:9464', ADMIN_TOKEN: TOKEN }).admin).toEqual({
      host: '0.0.0.0',
      port: 9464,
      token: TOKEN,
    })
  })

  test.each<[string, Record<string, string>, RegExp[]]>([
    ['open to others without a token', { ...LIVE, ADMIN_PORT: '[::]:9464' }, [/^ADMIN_TOKEN: missing/]],
    ['the public port', { ...LIVE, ADMIN_PORT: '4021' }, [/^ADMIN_PORT: .*same as PORT/]],
    ['half configured', { ...LIVE, ADMIN_TOKEN: TOKEN }, [/^ADMIN_TOKEN: is set/]],
    [
      'open to others in the sandbox',
      { ADMIN_PORT: '0.0.0.0:0', ADMIN_TOKEN: TOKEN },
      [/^ADMIN_PORT: the sandbox/],
    ],
    [
      'guarded by a guessable token',
      { ADMIN_TOKEN: 'changeme-changeme-changeme' },
      [/^ADMIN_TOKEN: must be random/],
    ],
    ['guarded by a short token', { ADMIN_TOKEN: 'short' }, [/^ADMIN_TOKEN: must be at least 16/]],
    ['no port', { ADMIN_PORT: '99999' }, [/^ADMIN_PORT: must be a port/]],
    ['a host alone', { ADMIN_PORT: '0.0.0.0' }, [/^ADMIN_PORT: must be a port/]],
    ['an address without brackets', { ADMIN_PORT: '::1:9464' }, [/^ADMIN_PORT: must be a port/]],
  ])('is not %s', (_what, environment, faults) => {
    expect(faultsOf(environment)).toEqual(faults.map((fault) => expect.stringMatching(fault)))
  })
})

test.each([
  ['[::1]:9464', '::1', 9464],
  ['localhost:0', 'localhost', 0],
  ['127.0.0.2:80', '127.0.0.2', 80],
])('ADMIN_PORT=%s is a host and a port', (ADMIN_PORT, host, port) => {
  expect(readConfig({ ADMIN_PORT }).admin).toMatchObject({ host, port })
})

describe('own payers', () => {
  test('are a list of addresses, in any case', () => {
    const [a, b] = [`0x${'AB'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
    expect(readConfig({ OWN_PAYERS: `${a}, ${b}` }).app.ownPayers).toEqual([a.toLowerCase(), b])
    expect(readConfig({}).app.ownPayers).toEqual([])
  })

  test('that are malformed stop the start without being repeated', () => {
    expect(faultsOf({ OWN_PAYERS: 'me,you' })).toEqual([
      expect.stringMatching(/^OWN_PAYERS: must be addresses/),
    ])
    expect(faultsOf({ OWN_PAYERS: 'canary' }).join()).not.toContain('canary')
  })
})
