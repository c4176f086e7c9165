import { getAddress } from 'viem'
import { findKeyring } from '../../app/keys/secret-key.ts'
import { ConfigError, type LiveConfig, readConfig } from '../../config.ts'
import { checkGivenKeys } from '../../main/check-given-keys.ts'
import { checkAccounts as findAccountFaults } from '../../main/live/check-accounts.ts'
import { openLiveSigner } from '../../main/live/live-signer.ts'
import { limitBelow, mayLeaveCore } from '../../main/live/note-machine.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { Signer } from '../../payments/ports/signer.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import { checkFacilitator } from './facilitator.ts'
import { type Finding, fail, pass, warn } from './finding.ts'
import { checkFront } from './front.ts'
import { checkNodes } from './node.ts'
import { checkProxies } from './proxies.ts'
import { checkStore } from './store.ts'
import { checkStoreIdentity } from './store-identity.ts'
import { checkToken } from './token.ts'

/** Leaves nothing behind. */
export async function examine(now: () => number): Promise<readonly Finding[]> {
  const settings = await readSettings()
  if (Array.isArray(settings)) return settings
  const { config, signer } = settings
  const keys = readKeys(config)
  const found = await Promise.all([
    checkStoreIdentity(config, keys),
    checkStore(config.store),
    checkNodes(config.chain, now),
    checkToken(config),
    checkFacilitator(config, signer.settlement),
    checkFront(config.baseUrl, config.payTo),
    keys === null ? [] : checkProxies(config, keys),
  ])
  signer.close()
  return [
    pass('settings', describeNetwork(config.chain.network)),
    ...checkOpenFiles(config),
    ...checkCoreFiles(),
    checkPayTo(config),
    await checkAccounts(config, signer),
    ...found.flat(),
  ]
}

function checkOpenFiles({ app: { limits } }: LiveConfig): Finding[] {
  const limit = limitBelow(limits)
  if (limit === null) return []
  const found = `MAX_CONNECTIONS needs more open files than this shell may have (${limit})`
  return [warn('settings', found, 'Raise the limit of the service (LimitNOFILE, ulimit -n), or lower it.')]
}

function checkCoreFiles(): Finding[] {
  if (!mayLeaveCore()) return []
  const found = 'a crash of a process of this shell may leave a core file, which would hold values of buyers'
  return [warn('settings', found, 'Forbid it for the service (LimitCORE=0, ulimit -c 0).')]
}

const describeNetwork = ({ title, id, isRealMoney }: Network): string =>
  `complete, for live mode on ${title} (${id}): the money is ${isRealMoney ? 'real' : 'test money, not real'}`

async function readSettings(): Promise<{ config: LiveConfig; signer: Signer } | Finding[]> {
  try {
    const config = readConfig()
    if (config.mode === 'sandbox') {
      return [
        warn(
          'settings',
          'none of live mode: "serve" would start a sandbox, with test money',
          'For real payments set PAY_TO, BASE_URL, FACILITATOR_URL, RPC_URL and DATA_DIR or DATABASE_URL.',
        ),
      ]
    }
    checkGivenKeys(config.app.keys)
    return { config, signer: await openLiveSigner(config) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.faults.map((fault) =>
      fail('settings', fault, 'docs/configuration.md describes every setting.'),
    )
  }
}

/** Null before the first start, which generates the secret, and if it cannot be read, which `checkStore` reports. */
function readKeys({ store, app: { keys } }: LiveConfig): Keyring | null {
  try {
    return findKeyring(keys, store.kind === 'sqlite' ? store.dataDir : null)
  } catch {
    return null
  }
}

async function checkAccounts(config: LiveConfig, signer: Signer): Promise<Finding> {
  const faults = await findAccountFaults(config, signer.settlement)
  return faults.length === 0
    ? pass('accounts', 'no hot key is paid to, no account is a sandbox account')
    : fail('accounts', faults.join('; '), 'Use separate keys, and none of a sandbox.')
}

function checkPayTo({ payTo, chain: { network } }: LiveConfig): Finding {
  const checksummed = getAddress(payTo)
  if (checksummed === getAddress(network.token.address)) {
    return fail('pay_to', 'PAY_TO is the token itself; payments to it are lost', 'Set your own address.')
  }
  if (payTo === checksummed) return pass('pay_to', `${payTo}, EIP-55 checksum correct`)
  // A wrong checksum does not pass the settings; one case throughout is an address without a checksum.
  return warn(
    'pay_to',
    'PAY_TO has no checksum, so a typing error would go unnoticed',
    'Compare it with your wallet and set it as your wallet shows it, in upper and lower case.',
  )
}
