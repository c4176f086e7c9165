import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SETTING_GROUPS, SETTINGS } from '../src/config/settings.ts'
import { ConfigError, readConfig } from '../src/config.ts'
import { NETWORKS } from '../src/payments/networks/networks.ts'

type Settings = Readonly<Record<string, string>>

const ADDRESS = `0x${'12'.repeat(20)}`
const LIVE = {
  PAY_TO: ADDRESS,
  BASE_URL: 'https://checks.example',
  FACILITATOR_URL: 'https://facilitator.example/base',
  RPC_URL: 'https://rpc.example/key',
  DATA_DIR: '/data',
} as const
const RANDOM_KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString('hex')
/** Stands for what must not be repeated: most settings may be secrets, or hold one. */
const VALUE = 'a-secret-4711'

function faultsOf(settings: Settings): readonly string[] {
  try {
    readConfig(settings)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  throw new Error('the settings were taken')
}

const without = (name: keyof typeof LIVE): Settings =>
  Object.fromEntries(Object.entries(LIVE).filter(([key]) => key !== name))

describe('without any setting', () => {
  test('it is the sandbox, on loopback, new at each start', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      host: '127.0.0.1',
      port: 4021,
      dataDir: null,
      logLevel: 'info',
      app: {
        limits: { perMinute: 120, trustedProxies: 0 },
        proofOnChain: false,
        keys: { secretKey: null },
      },
    })
  })

  test('a setting that is empty counts as none', () => {
    for (const blank of ['', ' ', '\t\n']) {
      const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, blank]))
      expect(readConfig(empty)).toEqual(readConfig({}))
    }
  })
})

describe('the sandbox', () => {
  test.each<[Settings, RegExp]>([
    [{ NODE_ENV: 'production' }, /^NODE_ENV: production refuses the sandbox/],
    [{ HOST: '0.0.0.0' }, /^HOST: .*loopback/],
    [{ HOST: 'checks.example' }, /^HOST: .*loopback/],
  ])('refuses %o', (settings, line) => {
    expect(faultsOf(settings)).toEqual([expect.stringMatching(line)])
  })

  test('takes the names of this machine as HOST, and listens on IPv4 loopback', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1'])
      expect(readConfig({ HOST })).toMatchObject({ mode: 'sandbox', host: '127.0.0.1' })
  })

  test('takes what belongs to it', () => {
    const settings = { PORT: '0', DATA_DIR: '/data', NODE_ENV: 'development' }
    expect(readConfig(settings)).toMatchObject({ port: 0, dataDir: '/data' })
  })
})

describe('NETWORK', () => {
  const names = NETWORKS.map(({ name }) => name).join(', ')

  test('is Base unless another one is named', () => {
    expect(readConfig(LIVE)).toMatchObject({ chain: { network: { name: 'base' } } })
    expect(readConfig({ ...LIVE, NETWORK: 'base-sepolia' })).toMatchObject({
      chain: { network: { name: 'base-sepolia' } },
    })
  })

  test.each([
    ['sepolia', 'base-sepolia'],
    ['Base', 'base'],
    ['base-sepola', 'base-sepolia'],
    ['eip155:84532', 'base-sepolia'],
  ])('takes no %s, and suggests %s', (NETWORK, nearest) => {
    expect(faultsOf({ ...LIVE, NETWORK })).toEqual([
      `NETWORK: must be one of ${names}; did you mean ${nearest}?`,
    ])
  })

  test('may have a neighbour in its store, named like it', () => {
    expect(readConfig(LIVE)).toMatchObject({ allowStoreOf: null })
    expect(readConfig({ ...LIVE, NETWORK: 'base, base' })).toMatchObject({ allowStoreOf: { name: 'base' } })
    for (const NETWORK of ['base,base-sepolia', 'base-sepolia,base'])
      expect(faultsOf({ ...LIVE, NETWORK })).toEqual([
        'NETWORK: real money and test money never mix in one store',
      ])
    expect(faultsOf({ ...LIVE, NETWORK: 'base,base-sepola' })).toEqual([
      `NETWORK: must be one of ${names}; did you mean base-sepolia?`,
    ])
  })

  test('suggests nothing for what is near none', () => {
    expect(faultsOf({ ...LIVE, NETWORK: 'sandbox' })).toEqual([`NETWORK: must be one of ${names}`])
  })

  test('makes a start a live one, which asks for the rest', () => {
    expect(faultsOf({ NETWORK: 'base-sepolia' }).join()).toMatch(/PAY_TO: missing/)
  })
})

describe('live mode', () => {
  test('takes what it needs, and nothing is altered on the way', () => {
    expect(readConfig({ ...LIVE, NODE_ENV: 'production' })).toMatchObject({
      mode: 'live',
      host: '0.0.0.0',
      payTo: ADDRESS,
      baseUrl: LIVE.BASE_URL,
      chain: { rpcUrls: [LIVE.RPC_URL] },
      facilitator: { kind: 'http', url: LIVE.FACILITATOR_URL },
      store: { kind: 'sqlite', dataDir: LIVE.DATA_DIR },
    })
  })

  test.each(Object.keys(LIVE) as (keyof typeof LIVE)[])('without %s is refused with one line', (name) => {
    expect(faultsOf(without(name))).toEqual([expect.stringMatching(`^${name}: missing`)])
  })

  test.each([
    'PAY_TO',
    'BASE_URL',
    'FACILITATOR_URL',
    'RPC_URL',
  ] as const)('is what %s alone asks for, never the sandbox', (name) => {
    const faults = faultsOf({ [name]: LIVE[name] })
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(
      Object.keys(LIVE)
        .filter((other) => other !== name)
        .sort(),
    )
  })

  test('takes one store, never two', () => {
    const both = { ...LIVE, DATABASE_URL: 'postgres://u:p@host/db' }
    expect(faultsOf(both)).toContainEqual(expect.stringMatching(/^DATA_DIR: contradicts DATABASE_URL/))
  })

  test.each([
    'https://checks.example',
    'https://checks.example:8443',
    'http://localhost:4021',
    'http://127.0.0.1:1',
  ])('may be published at %s', (BASE_URL) => {
    expect(readConfig({ ...LIVE, BASE_URL })).toMatchObject({ baseUrl: BASE_URL })
  })

  test('is published without a slash at the end', () => {
    expect(readConfig({ ...LIVE, BASE_URL: 'https://Checks.Example/' })).toMatchObject({
      baseUrl: 'https://checks.example',
    })
  })
})

describe('a value that cannot be', () => {
  test.each<[string, string]>([
    ['PAY_TO', VALUE],
    ['PAY_TO', `0x${'00'.repeat(20)}`],
    ['PAY_TO', `0x${'12'.repeat(19)}`],
    ['PAY_TO', '12'.repeat(20)],
    ['PAY_TO', `ethereum:${ADDRESS}`],
    ['PAY_TO', `${ADDRESS}@8453`],
    ['BASE_URL', VALUE],
    ['BASE_URL', 'http://checks.example'],
    ['BASE_URL', 'http://127.0.0.1.checks.example'],
    ['BASE_URL', 'https://checks.example/path'],
    ['BASE_URL', 'https://checks.example?query=a-secret-4711'],
    ['BASE_URL', 'https://a-secret-4711@checks.example'],
    ['BASE_URL', 'ftp://checks.example'],
    ['FACILITATOR_URL', VALUE],
    ['FACILITATOR_URL', 'https://user:a-secret-4711@facilitator.example'],
    ['RPC_URL', VALUE],
    ['RPC_URL', 'wss://rpc.example/a-secret-4711'],
    ['DATABASE_URL', 'mysql://user:a-secret-4711@host/db'],
    ['DATABASE_URL', 'jdbc:postgres://user:a-secret-4711@host/db'],
    ['DATABASE_URL', 'postgres://user:12/a-secret-4711@host/db'],
    ['DATABASE_URL', 'postgres://user:12?a-secret-4711@host/db'],
    ['DATABASE_URL', 'postgres://user:12#a-secret-4711@host/db'],
    ['DATABASE_URL', 'postgres://user:12#a-secret-4711'],
    ['DATABASE_URL', 'postgres://user:12/a-secret-4711@'],
    ['DATABASE_URL', 'postgres://user:12@a-secret-4711/4711@host/db'],
    ['DATABASE_URL', 'postgres://user:a-secret-4711@/db'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '40 21'],
    ['PORT', VALUE],
    ['SECRET_KEY', VALUE],
    ['SECRET_KEY', 'ab'.repeat(31)],
    ['SECRET_KEY', 'ab'.repeat(32)],
    ['SECRET_KEY', `${RANDOM_KEY},${Buffer.alloc(31, 1).toString('base64')}`],
    ['SECRET_KEY', `${RANDOM_KEY},${RANDOM_KEY},${RANDOM_KEY}`],
    ['OPERATOR_NAME', `${VALUE.repeat(20)}${'x'.repeat(100)}`],
    ['RATE_LIMIT_UNPAID', '-1'],
    ['RATE_LIMIT_UNPAID', '1.5'],
    ['TRUST_PROXY', 'true'],
    ['LOG_LEVEL', 'debug'],
    ['NODE_ENV', 'staging'],
    ['SETTLEMENT_PROOF', VALUE],
    ['ADMIN_PORT', VALUE],
    ['ADMIN_TOKEN', 'a-secret-4711'.slice(2)],
    ['OWN_PAYERS', VALUE],
  ])('%s: %j is refused in one line that names it and does not repeat it', (name, value) => {
    const faults = faultsOf({ ...LIVE, [name]: value })
    expect(faults).toEqual([expect.stringMatching(`^${name}: `)])
    expect(faults[0]?.slice(name.length)).not.toContain(value)
    expect(faults[0]).not.toContain(VALUE)
    expect(faults[0]).not.toContain('\n')
  })

  test('is named with every other, one line each', () => {
    const faults = faultsOf({ ...LIVE, PAY_TO: VALUE, PORT: VALUE, LOG_LEVEL: VALUE })
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(['LOG_LEVEL', 'PAY_TO', 'PORT'])
  })
})

describe('what an environment file adds to a value', () => {
  test.each(['\r', '\n', '\r\n', ' '])('is taken away if it is white space: %j', (end) => {
    const given = Object.fromEntries(Object.entries(LIVE).map(([name, value]) => [name, `${value}${end}`]))
    expect(readConfig(given)).toEqual(readConfig(LIVE))
  })

  test.each(['"', "'"])('is named if it is quotes: %s', (quote) => {
    const quoted = (value: string) => `${quote}${value}${quote}`
    const given = Object.fromEntries(Object.entries(LIVE).map(([name, value]) => [name, quoted(value)]))
    expect(faultsOf(given)).toEqual(
      Object.keys(LIVE)
        .toSorted((a, b) => Object.keys(SETTINGS).indexOf(a) - Object.keys(SETTINGS).indexOf(b))
        .map(
          (name) => `${name}: stands in quotes, which count as part of the value here; write it without them`,
        ),
    )
    expect(faultsOf({ SECRET_KEY: quoted(VALUE) }).join()).not.toContain(VALUE)
  })
})

describe('a secret key', () => {
  const key = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7))

  test.each([
    ['hexadecimal', key.toString('hex')],
    ['hexadecimal in capitals', key.toString('hex').toUpperCase()],
    ['base64', key.toString('base64')],
    ['base64 for URLs', key.toString('base64url')],
  ])('is read from %s', (_form, SECRET_KEY) => {
    expect(readConfig({ ...LIVE, SECRET_KEY })).toMatchObject({ app: { keys: { secretKey: key } } })
  })

  test.each([
    ['hexadecimal with a digit missing', key.toString('hex').slice(1) + key.toString('hex')],
    ['words', 'correct horse battery staple, correct horse battery staple'],
    ['base64 with something else inside', `${key.toString('base64')} ${key.toString('base64')}`],
  ])('is not made up from %s', (_form, SECRET_KEY) => {
    expect(faultsOf({ ...LIVE, SECRET_KEY })).toEqual([expect.stringMatching(/^SECRET_KEY: /)])
  })
})

describe('a risk that is not taken knowingly', () => {
  const risks: readonly [string, Settings, RegExp][] = [
    ['facilitator', { FACILITATOR_URL: 'http://facilitator.example' }, /^FACILITATOR_URL: must be https/],
    [
      'facilitator',
      { FACILITATOR_URL: 'http://127.0.0.1.facilitator.example' },
      /^FACILITATOR_URL: must be https/,
    ],
    ['node', { RPC_URL: 'http://rpc.example/a-secret-4711' }, /^RPC_URL: must be https/],
    ['pay_to', { PAY_TO: `0x${'0'.repeat(38)}01` }, /^PAY_TO: is a precompile or a burn address/],
    [
      'pay_to',
      { PAY_TO: '0x000000000000000000000000000000000000dEaD' },
      /^PAY_TO: is a precompile or a burn/,
    ],
    ...[
      `0x${'dead'.repeat(10)}`,
      `0x${'deadbeef'.repeat(5)}`,
      `0x${'f'.repeat(40)}`,
      '0xdead000000000000000042069420694206942069',
    ].map((PAY_TO): [string, Settings, RegExp] => [
      'pay_to',
      { PAY_TO },
      /^PAY_TO: is a precompile or a burn/,
    ]),
  ]
  test.each(risks)('%s %o stops the start, and ALLOW_INSECURE takes it', (name, settings, line) => {
    const faults = faultsOf({ ...LIVE, ...settings })
    expect(faults).toEqual([expect.stringMatching(line)])
    expect(faults.join()).not.toContain(VALUE)
    expect(readConfig({ ...LIVE, ...settings, ALLOW_INSECURE: name }).mode).toBe('live')
  })

  test.each([
    ['postgres://app:a-secret-4711@db.example/sales', 1],
    ['postgres://app:a-secret-4711@db.example/sales?sslmode=prefer', 1],
    ['postgres://app:a-secret-4711@db.example/sales?sslmode=verify-full', 0],
    ['postgres://app:a-secret-4711@127.0.0.1/sales', 0],
    ['postgres://app:a-secret-4711@localhost/sales?host=/run/postgresql', 0],
    ['postgres:///sales?user=app', 0],
    ['postgres://app:a-secret-4711@localhost/sales?host=db.example', 1],
    ['postgres://app:a-secret-4711@db.example/sales?ssl=true', 0],
    ['postgres://app:@a-secret@:%4711%@db.example/sales?ssl=true', 0],
    ['postgres://app:a-secret-4711@%2Frun%2Fpostgresql/sales', 0],
    ['postgres://app:a-secret-4711@%zz/sales', 1],
  ])('database %s: %i faults', (DATABASE_URL, count) => {
    const { DATA_DIR: _, ...live } = LIVE
    const keys = { SECRET_KEY: RANDOM_KEY, CARD_KEY: 'card', RECEIPT_KEY: 'receipt' }
    const settings = { ...live, ...keys, DATABASE_URL }
    if (count === 0) return expect(readConfig(settings).mode).toBe('live')
    const faults = faultsOf(settings)
    expect(faults).toHaveLength(count)
    expect(faults.join()).not.toContain(VALUE)
    expect(readConfig({ ...settings, ALLOW_INSECURE: 'database,node' }).mode).toBe('live')
  })

  test('is not an address that only begins like one that burns', () => {
    for (const start of ['dead', 'deadbeef', '00000000', 'ffffffff']) {
      const PAY_TO = `0x${start.padEnd(40, '12')}`
      expect(readConfig({ ...LIVE, PAY_TO })).toMatchObject({ payTo: PAY_TO })
    }
  })

  test('is named only if it exists', () => {
    expect(faultsOf({ ...LIVE, ALLOW_INSECURE: 'everything' })).toEqual([
      'ALLOW_INSECURE: must be a list of facilitator, node, database, pay_to',
    ])
  })
})

describe('an address with letters of both cases', () => {
  const CHECKED = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

  test('must fit its EIP-55 checksum', () => {
    expect(readConfig({ ...LIVE, PAY_TO: CHECKED })).toMatchObject({ payTo: CHECKED })
    expect(faultsOf({ ...LIVE, PAY_TO: CHECKED.replace('fCD6', 'fCd6') })).toEqual([
      expect.stringMatching(/^PAY_TO: is the address with a typo/),
    ])
  })

  test('of one case has no checksum', () => {
    const lower = CHECKED.toLowerCase()
    expect(readConfig({ ...LIVE, PAY_TO: lower })).toMatchObject({ payTo: lower })
    const upper = `0x${CHECKED.slice(2).toUpperCase()}`
    expect(readConfig({ ...LIVE, PAY_TO: upper })).toMatchObject({ payTo: upper })
  })
})

describe('a variable that looks like a misspelt setting', () => {
  test.each([
    ['RPC_ULR', 'RPC_URL'],
    ['PAYTO', 'PAY_TO'],
    ['pay_to', 'PAY_TO'],
    ['FACILITATOR', 'FACILITATOR_URL'],
    ['RpcUrl', 'RPC_URL'],
    ['RPC', null],
    ['host', null],
    ['BASE', null],
    ['PAY_T0', 'PAY_TO'],
    ['FACILITATR_URL', 'FACILITATOR_URL'],
    ['SETTLEMENT_PROFO', 'SETTLEMENT_PROOF'],
    ['SECRET_KEY_FLIE', 'SECRET_KEY_FILE'],
    ['HOSTNAME', null],
    ['HOME', null],
    ['NODE_PATH', null],
    ['LOGNAME', null],
    ['BUYER_PRIVATE_KEY', null],
  ])('%s is named, and not its value', (name, meant) => {
    const environment = { ...LIVE, [name]: VALUE }
    if (meant === null) return expect(readConfig(environment)).toEqual(readConfig(LIVE))
    expect(faultsOf(environment)).toEqual([`${name}: is not a setting; did you mean ${meant}?`])
  })
})

test('there are at most 42 settings, each in one group', () => {
  expect(Object.values(SETTING_GROUPS).flatMap((group) => Object.keys(group))).toEqual(Object.keys(SETTINGS))
  expect(Object.keys(SETTINGS).length).toBeLessThanOrEqual(42)
})

test.each([
  [{}, 500],
  [{ MAX_CONNECTIONS: '320' }, 16],
  [{ MAX_CONNECTIONS: '40' }, 16],
  [{ MAX_CONNECTIONS: '0' }, 0],
  [{ TRUST_PROXY: '1' }, 0],
])('with %j one address may have %d connections, 0 for any number', (settings, connections) => {
  expect(readConfig(settings as Settings).app.limits.mostPerAddress).toBe(connections)
})

test('a rotation gives the new key and the old one', () => {
  const former = Buffer.from(RANDOM_KEY, 'hex').reverse().toString('base64')
  const { keys } = readConfig({ SECRET_KEY: `${RANDOM_KEY}, ${former}` }).app
  expect([keys.secretKey?.toString('hex'), keys.secretKeyPrevious?.toString('base64')]).toEqual([
    RANDOM_KEY,
    former,
  ])
})

test('the environment is read by the names in the table and no others', () => {
  const documented = Object.keys(SETTINGS)
  for (const name of documented) expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/)
  const source = readFileSync(new URL('../src/config.ts', import.meta.url), 'utf8')
  for (const [, name] of source.matchAll(/process\.env\.([A-Z_]+)/g)) {
    expect([...documented, 'BUYER_PRIVATE_KEY', 'BUYER_PRIVATE_KEY_FILE']).toContain(name)
  }
})
