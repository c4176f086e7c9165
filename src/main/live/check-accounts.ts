import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { LiveConfig } from '../../config.ts'
import type { Hex } from '../../payments/chain/chain-reader.ts'

/**
 * Returns one line for each account that live mode must not use: a hot key that is also PAY_TO, or an account of the
 * sandbox, which publishes its buyer's key on that machine.
 */
export function checkAccounts({ payTo, facilitator, store }: LiveConfig): string[] {
  const faults: string[] = []
  const settler = facilitator.kind === 'self' ? accountOf(facilitator.settlementKey) : null
  const isPayTo = (address: Hex) => address.toLowerCase() === payTo.toLowerCase()
  if (facilitator.kind === 'self' && settler === null) faults.push('SETTLEMENT_KEY: must be a private key')
  if (settler !== null && isPayTo(settler.address)) {
    faults.push('SETTLEMENT_KEY: is the key of PAY_TO; a key kept on a server may hold gas and nothing else')
  }
  const sandbox = store.kind === 'sqlite' ? sandboxAccounts(store.dataDir) : []
  if (sandbox.some(isPayTo)) {
    faults.push('PAY_TO: is an address of the sandbox in DATA_DIR; real money would go to a throw-away key')
  }
  if (settler !== null && sandbox.includes(settler.address)) {
    faults.push('SETTLEMENT_KEY: is a key of the sandbox in DATA_DIR')
  }
  return faults
}

/** Null for a number that is no key: zero, or beyond the curve's order. */
function accountOf(key: Hex): PrivateKeyAccount | null {
  try {
    return privateKeyToAccount(key)
  } catch {
    return null
  }
}

/** Addresses of the sandbox that ran in a directory before; none where there was none. */
function sandboxAccounts(dataDir: string): readonly Hex[] {
  try {
    const keys = JSON.parse(readFileSync(join(dataDir, 'sandbox-keys.json'), 'utf8')) as Record<string, Hex>
    return Object.values(keys).flatMap((key) => accountOf(key)?.address ?? [])
  } catch {
    return []
  }
}
