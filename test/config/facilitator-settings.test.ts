import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PRICE_UNITS } from '../../src/catalog/price.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { ConfigError, readConfig } from '../../src/config.ts'

const LIVE = {
  PAY_TO: `0x${'12'.repeat(20)}`,
  BASE_URL: 'https://checks.example',
  FACILITATOR_URL: 'https://facilitator.example',
  RPC_URL: 'https://rpc.example',
  DATA_DIR: '/tmp/nowhere',
}
const KEY = `0x${'34'.repeat(32)}`

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const EC_PEM = ec.export({ type: 'sec1', format: 'pem' }).toString()
const edwards = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const seed = Buffer.from(edwards.d ?? '', 'base64url')
const ED25519 = Buffer.concat([seed, Buffer.from(edwards.x ?? '', 'base64url')]).toString('base64')
const cdp = (privateKey: unknown, id: unknown = 'key-1') => ({
  FACILITATOR_TOKEN: JSON.stringify({ id, privateKey }),
})

const facilitatorOf = (settings: Record<string, string>) => {
  const config = readConfig({ ...LIVE, ...settings })
  if (config.mode !== 'live') throw new Error('expected live mode')
  return config.facilitator
}
/** The lines a start would end with; fails the test when it would not. */
const faultsOf = (settings: Record<string, string>, live = true): readonly string[] => {
  try {
    readConfig({ ...(live ? LIVE : {}), ...settings })
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  throw new Error('the settings were taken')
}

describe('the facilitator by its settings', () => {
  test('is asked without credentials where there are none', () => {
    expect(facilitatorOf({})).toEqual({
      kind: 'http',
      url: LIVE.FACILITATOR_URL,
      credentials: { kind: 'none' },
      fee: 0n,
    })
  })

  test('asks a fee in millionths of a dollar', () => {
    expect(facilitatorOf({ FACILITATOR_FEE_USD: '0.0015' })).toMatchObject({ fee: 1_500n })
  })

  test('is asked with a bearer token', () => {
    expect(facilitatorOf({ FACILITATOR_TOKEN: 'abc.def' })).toMatchObject({
      credentials: { kind: 'bearer', token: 'abc.def' },
    })
  })

  test.each([
    ['EC in PEM', EC_PEM, 'ec'],
    ['EC in PEM on one line', EC_PEM.replaceAll('\n', '\\n'), 'ec'],
    ['EC in PKCS #8', ec.export({ type: 'pkcs8', format: 'pem' }).toString(), 'ec'],
    ['Ed25519 in base64', ED25519, 'ed25519'],
  ])('takes a CDP key as %s', (_what, privateKey, type) => {
    const facilitator = facilitatorOf(cdp(privateKey))
    if (facilitator.kind !== 'http' || facilitator.credentials.kind !== 'cdp') throw new Error('expected CDP')
    expect(facilitator.credentials.keyId).toBe('key-1')
    expect(facilitator.credentials.key.asymmetricKeyType).toBe(type)
  })

  test('is this process itself, with a key for the gas', () => {
    expect(facilitatorOf({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: KEY })).toEqual({
      kind: 'self',
      settlementKey: KEY,
      maxCost: 600_000_000_000n,
      dailyLoss: 5_000_000n,
      ethUsd: 5_000n,
      contractWallets: 'refuse',
    })
  })

  test('spends up to three times the price of a call on one settlement', () => {
    expect(SETTINGS.SETTLEMENT_MAX_COST_USD.default).toBe(3n * PRICE_UNITS)
  })

  test('spends on gas what the settings allow, at the price of ether they name', () => {
    const self = { FACILITATOR_URL: 'self', SETTLEMENT_KEY: KEY }
    const costOf = (settings: Record<string, string>) => {
      const facilitator = facilitatorOf({ ...self, ...settings })
      return facilitator.kind === 'self' ? facilitator.maxCost : null
    }
    expect(costOf({ SETTLEMENT_MAX_COST_USD: '0.01', SETTLEMENT_ETH_USD: '2000' })).toBe(5_000_000_000_000n)
    expect(costOf({ SETTLEMENT_MAX_COST_USD: '12' })).toBe(2_400_000_000_000_000n)
    for (const amount of ['0', '0.000', '-1', '1e3', '0.0000001', ''])
      expect(() => costOf({ SETTLEMENT_MAX_COST_USD: amount || '.' })).toThrow(
        /SETTLEMENT_MAX_COST_USD: must be/,
      )
  })
})

describe('facilitator settings that contradict each other', () => {
  const P384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const foreignHalf = Buffer.concat([seed, Buffer.alloc(32)]).toString('base64')

  test.each<[string, Record<string, string>, string]>([
    ['self without a key', { FACILITATOR_URL: 'self' }, 'SETTLEMENT_KEY: missing'],
    ['a key without self', { SETTLEMENT_KEY: KEY }, 'SETTLEMENT_KEY: is set'],
    ['a malformed key', { FACILITATOR_URL: 'self', SETTLEMENT_KEY: '0x12' }, 'SETTLEMENT_KEY: must be'],
    [
      'zero for a key',
      { FACILITATOR_URL: 'self', SETTLEMENT_KEY: `0x${'00'.repeat(32)}` },
      'SETTLEMENT_KEY: must be',
    ],
    [
      'the order of the curve for a key',
      {
        FACILITATOR_URL: 'self',
        SETTLEMENT_KEY: '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141',
      },
      'SETTLEMENT_KEY: must be',
    ],
    [
      'self and a token',
      { FACILITATOR_URL: 'self', SETTLEMENT_KEY: KEY, FACILITATOR_TOKEN: 'abc' },
      'FACILITATOR_TOKEN: is set',
    ],
    [
      'self and the fee of another',
      { FACILITATOR_URL: 'self', SETTLEMENT_KEY: KEY, FACILITATOR_FEE_USD: '0.001' },
      'FACILITATOR_FEE_USD: is set',
    ],
    ['half a CDP key, the id', cdp(undefined), 'FACILITATOR_TOKEN: must be'],
    ['half a CDP key, the secret', cdp(EC_PEM, null), 'FACILITATOR_TOKEN: must be'],
    ['a malformed CDP secret', cdp('abc'), 'FACILITATOR_TOKEN: must be'],
    ['broken PEM', cdp(EC_PEM.slice(0, 80)), 'FACILITATOR_TOKEN: must be'],
    ['broken JSON', { FACILITATOR_TOKEN: '{"id":"key-1",' }, 'FACILITATOR_TOKEN: must be'],
    [
      'a CDP secret on another curve',
      cdp(P384.export({ type: 'sec1', format: 'pem' }).toString()),
      'FACILITATOR_TOKEN: must be',
    ],
    ['an Ed25519 secret whose halves do not belong together', cdp(foreignHalf), 'FACILITATOR_TOKEN: must be'],
    [
      'credentials over plain HTTP',
      { FACILITATOR_URL: 'http://facilitator.example', FACILITATOR_TOKEN: 'abc' },
      'FACILITATOR_URL: must be https',
    ],
    ['a token with a line break', { FACILITATOR_TOKEN: 'a\nb' }, 'FACILITATOR_TOKEN: must be'],
    [
      'credentials in the address, which is published',
      { FACILITATOR_URL: 'https://user:secret@facilitator.example' },
      'FACILITATOR_URL: must be',
    ],
    ['a query in the address', { FACILITATOR_URL: 'https://f.example?key=1' }, 'FACILITATOR_URL: must be'],
  ])('%s stops the start', (_what, settings, line) => {
    const faults = faultsOf(settings)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(line)
    for (const value of [KEY, EC_PEM, ED25519, 'user:secret']) expect(faults[0]).not.toContain(value)
  })

  test.each(['SETTLEMENT_KEY', 'FACILITATOR_TOKEN'])('%s in the sandbox stops the start', (name) => {
    const values: Record<string, string> = { SETTLEMENT_KEY: KEY }
    const faults = faultsOf({ [name]: values[name] ?? 'abc' }, false)
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`${name}: the sandbox`)
  })

  test('credentials may go to a facilitator on this machine over plain HTTP', () => {
    const settings = { FACILITATOR_URL: 'http://127.0.0.1:4022', FACILITATOR_TOKEN: 'abc' }
    expect(facilitatorOf(settings)).toMatchObject({ credentials: { kind: 'bearer' } })
  })
})
