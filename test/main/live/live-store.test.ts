import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../../src/config.ts'
import { NO_LEASE } from '../../../src/ledger/payments/payment-row.ts'
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts'
import { checkGivenKeys } from '../../../src/main/check-given-keys.ts'
import { openLiveStore, type StoreOptions } from '../../../src/main/live/live-store.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import type { Network } from '../../../src/payments/networks/network.ts'
import { claimed } from '../../support/ledger-rows.ts'
import { scratchDir } from '../../support/service-process.ts'

const LIVE = {
  PAY_TO: `0x${'12'.repeat(20)}`,
  BASE_URL: 'https://checks.example',
  FACILITATOR_URL: 'https://facilitator.example',
  RPC_URL: 'https://node.example',
}
const DATABASE_URL = 'postgres://user:password@db.example:5432/checks?sslmode=verify-full'
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
const CARD_KEY = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
const RECEIPT_KEY = pem(generateKeyPairSync('ed25519').privateKey)
const KEYS = {
  SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('hex'),
  CARD_KEY,
  RECEIPT_KEY,
}

const faultsOf = (act: () => unknown): readonly string[] => {
  try {
    act()
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults
  }
}

describe('the store of live mode', () => {
  test('is a directory, with keys made in it unless they are given', () => {
    const store = { kind: 'sqlite', dataDir: '/data' }
    const keys = { cardKeyText: null, receiptKeyText: null }
    expect(readConfig({ ...LIVE, DATA_DIR: '/data' })).toMatchObject({ mode: 'live', store, app: { keys } })
    expect(readConfig({ ...LIVE, DATA_DIR: '/data', CARD_KEY })).toMatchObject({
      ...{ store, app: { keys: { ...keys, cardKeyText: CARD_KEY } } },
    })
  })

  test('is a database, with keys that every replica is given', () => {
    const store = { kind: 'postgres', url: DATABASE_URL }
    const app = { keys: { cardKeyText: CARD_KEY, receiptKeyText: RECEIPT_KEY } }
    expect(readConfig({ ...LIVE, DATABASE_URL, ...KEYS })).toMatchObject({ mode: 'live', store, app })
  })

  test.each<[string, Record<string, string>, string[]]>([
    ['neither', {}, ['DATA_DIR: missing; live mode needs it, or DATABASE_URL']],
    ['both', { ...KEYS, DATABASE_URL, DATA_DIR: '/data' }, ['DATA_DIR: contradicts DATABASE_URL']],
    [
      'a database without the common keys',
      { DATABASE_URL },
      ['SECRET_KEY: missing', 'CARD_KEY: missing', 'RECEIPT_KEY: missing'],
    ],
    ['an address of something else', { ...KEYS, DATABASE_URL: 'mysql://x' }, ['DATABASE_URL: must be']],
  ])('is refused with %s, a line per fault', (_what, settings, lines) => {
    const faults = faultsOf(() => readConfig({ ...LIVE, ...settings }))
    expect(faults).toEqual(lines.map((line) => expect.stringContaining(line)))
  })

  test('never comes with the sandbox', () => {
    const names = faultsOf(() => readConfig({ DATABASE_URL, ...KEYS })).map((line) => line.split(':')[0])
    expect(names).toEqual(['PAY_TO', 'BASE_URL', 'FACILITATOR_URL', 'RPC_URL'])
  })

  test('a malformed key is named and not quoted', () => {
    const keys = { cardKeyText: 'SECRET TEXT', receiptKeyText: CARD_KEY }
    const faults = faultsOf(() => checkGivenKeys(keys))
    expect(faults).toEqual([expect.stringMatching(/^CARD_KEY: /), expect.stringMatching(/^RECEIPT_KEY: /)])
    expect(faults.join()).not.toContain('SECRET TEXT')
    expect(
      faultsOf(() => checkGivenKeys({ ...keys, cardKeyText: CARD_KEY, receiptKeyText: RECEIPT_KEY })),
    ).toEqual([])
  })
})

describe('the network of a store', () => {
  const open = (
    dataDir: string,
    network: Network,
    change: Partial<StoreOptions> = {},
    others: Network[] = [],
  ) => {
    const store = { kind: 'sqlite', dataDir } as const
    return openLiveStore({ store, chain: { network }, channels: null, allowStoreOf: null, ...change }, others)
  }
  /** As a further entry of the table would be. */
  const OTHER_TEST: Network = { ...BASE_SEPOLIA, name: 'other-sepolia', id: 'eip155:31', chainId: 31 }

  test('is the first one it was opened for; another one is refused, by name', async () => {
    const { path, remove } = scratchDir()
    try {
      for (const network of [BASE_SEPOLIA, BASE_SEPOLIA]) await (await open(path, network)).close()
      await expect(open(path, BASE)).rejects.toThrow(
        /^NETWORK: is base, and the store holds payments of another/,
      )
      // A refused start leaves the store free.
      await (await open(path, BASE_SEPOLIA)).close()
    } finally {
      remove()
    }
  })

  test('may be another one that a setting names, and both are remembered', async () => {
    const { path, remove } = scratchDir()
    try {
      await (await open(path, BASE_SEPOLIA)).close()
      const refusal = open(path, OTHER_TEST)
      await expect(refusal).rejects.toThrow(
        /give each network a store of its own, or name the other second in NETWORK/,
      )
      await (await open(path, OTHER_TEST, { allowStoreOf: BASE_SEPOLIA })).close()
      // Now it holds rows of both, whichever it is opened for.
      await expect(open(path, OTHER_TEST)).rejects.toThrow(ConfigError)
      await expect(open(path, BASE_SEPOLIA)).rejects.toThrow(ConfigError)
      await (await open(path, BASE_SEPOLIA, { allowStoreOf: OTHER_TEST })).close()
    } finally {
      remove()
    }
  })

  test('is never one with real money beside one without', async () => {
    const { path, remove } = scratchDir()
    try {
      await (await open(path, BASE)).close()
      const refusal = open(path, BASE_SEPOLIA)
      await expect(refusal).rejects.toThrow(/a store of its own$/)
      // Two that are sold on at once are refused before anything is written.
      await expect(open(path, BASE, {}, [BASE_SEPOLIA])).rejects.toThrow(/never mix/)
      await expect(open(path, BASE, {}, [BASE])).rejects.toThrow(/named twice/)
      await (await open(path, BASE)).close()
    } finally {
      remove()
    }
  })

  test('is one alone while the store has payment channels, which name none', async () => {
    const { path, remove } = scratchDir()
    try {
      await (await open(path, BASE_SEPOLIA)).close()
      const change = { allowStoreOf: BASE_SEPOLIA, channels: {} }
      await expect(open(path, OTHER_TEST, change)).rejects.toThrow(/^NETWORK: .* no payment channels$/)
      await (await open(path, BASE_SEPOLIA, { channels: {} })).close()
    } finally {
      remove()
    }
  })

  test('are several where a service sells on several', async () => {
    const { path, remove } = scratchDir()
    try {
      for (const others of [[OTHER_TEST], [OTHER_TEST]])
        await (await open(path, BASE_SEPOLIA, {}, others)).close()
      await expect(open(path, BASE_SEPOLIA)).rejects.toThrow(ConfigError)
    } finally {
      remove()
    }
  })

  test('is that of its payments where the store does not say', async () => {
    const { path, remove } = scratchDir()
    try {
      const ledger = await openSqliteLedger({ dataDir: path })
      const row = await claimed(ledger, { network: BASE.id })
      const settling = await ledger.move(row, { state: 'settling' })
      if (settling === null) throw new Error('not moved')
      await ledger.move(settling, { state: 'in_doubt', ...NO_LEASE })
      await ledger.close()
      await expect(open(path, BASE_SEPOLIA)).rejects.toThrow(ConfigError)
      await (await open(path, BASE)).close()
    } finally {
      remove()
    }
  })
})
