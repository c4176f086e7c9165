import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type LiveConfig, readConfig } from '../../../src/config.ts'
import { checkAccounts } from '../../../src/main/live/check-accounts.ts'
import { openLiveSigner } from '../../../src/main/live/live-signer.ts'
import { loadSandboxKeys } from '../../../src/sandbox/sandbox-keys.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const addressOf = (key: `0x${string}`) => privateKeyToAccount(key).address
const faults = async (settings: Record<string, string>) => {
  const config = readConfig({
    PAY_TO: addressOf(generatePrivateKey()),
    BASE_URL: 'https://checks.example',
    FACILITATOR_URL: 'https://facilitator.example',
    RPC_URL: 'https://rpc.example',
    DATA_DIR: dataDir,
    ...settings,
  }) as LiveConfig
  return checkAccounts(config, (await openLiveSigner(config)).settlement)
}

describe('the accounts of live mode', () => {
  test('are in order when no other settings use them', async () => {
    expect(await faults({})).toEqual([])
    expect(await faults({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: generatePrivateKey() })).toEqual([])
  })

  test('may not be paid to and kept as a hot key at once, in whatever case the address is written', async () => {
    const key = generatePrivateKey()
    for (const PAY_TO of [addressOf(key), addressOf(key).toLowerCase()]) {
      const [fault, ...more] = await faults({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: key, PAY_TO })
      expect(fault).toContain('SETTLEMENT_KEY: is the key of PAY_TO')
      expect(fault).not.toContain(key)
      expect(more).toEqual([])
    }
  })

  test('may not be those of the sandbox that ran in the same directory', async () => {
    const keys = loadSandboxKeys(dataDir)
    for (const key of [keys.buyer, keys.payee]) {
      expect(await faults({ PAY_TO: addressOf(key) })).toEqual([
        expect.stringContaining('PAY_TO: is an address'),
      ])
    }
    expect(await faults({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: keys.facilitator })).toEqual([
      expect.stringContaining('SETTLEMENT_KEY: is a key of the sandbox'),
    ])
    expect(await faults({})).toEqual([])
  })

  test('are not held against a file that holds no keys', async () => {
    writeFileSync(join(dataDir, 'sandbox-keys.json'), '{"buyer": 1, "payee": "0x12"}')
    expect(await faults({})).toEqual([])
    writeFileSync(join(dataDir, 'sandbox-keys.json'), 'not JSON')
    expect(await faults({})).toEqual([])
  })
})
