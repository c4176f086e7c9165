import { SECRET_CHECK, secretChecks } from '../../app/keys/secret-key.ts'
import type { LiveConfig } from '../../config.ts'
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { strangersIn } from '../../main/live/live-store.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import { openStoreReader } from '../operator/open-ledger-reader.ts'
import { type Finding, fail, warn } from './finding.ts'

/** Checks that key, network and version fit an existing store. `checkStore` reports one that cannot be opened. */
export async function checkStoreIdentity(
  { store, chain: { network }, allowStoreOf }: LiveConfig,
  keys: Keyring | null,
): Promise<readonly Finding[]> {
  const reader = await openStoreReader(store).catch(() => null)
  if (reader === null) return []
  try {
    const age = await reader.schemaAge()
    if (age === 'unreleased') {
      const advice = 'Start with an empty DATA_DIR or database.'
      return [fail('store', 'this store was written before the first release', advice)]
    }
    const found: Finding[] = []
    const check = await reader.findFact(SECRET_CHECK)
    if (check !== null && (keys === null || !secretChecks(keys).includes(check))) {
      const advice = 'Restore that one; during a rotation it is the second one in SECRET_KEY.'
      found.push(fail('store', 'SECRET_KEY or secret.key is not the one the store was written under', advice))
    }
    const held = (await reader.findFact('network')) ?? network.id
    if (strangersIn(held, [network, allowStoreOf]).length > 0) {
      const advice = 'Give each network a store of its own.'
      found.push(fail('store', 'the store holds payments of another network than NETWORK', advice))
    }
    if (age === 'newer') {
      const advice = 'This version can serve from it; start the newer one unless you went back on purpose.'
      found.push(warn('store', 'a newer version has changed the schema of the store', advice))
    }
    return found
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return [fail('store', 'the store cannot be read', 'Restore a backup: docs/operations.md#restore.')]
  } finally {
    await reader.close()
  }
}
