import { bind } from '../secrets/fingerprint.ts'
import { type Attempt, LEASE_MS, type SaleContext } from './sale-context.ts'

/** What a row says of the request that holds it, for a new row and for one that is taken over. */
export const claimOf = (
  { keys, owner }: Pick<SaleContext, 'keys' | 'owner'>,
  { subject, key, identifiers }: Attempt,
  now: number,
) => ({
  ...bind(keys, subject.fingerprints[0]),
  owner,
  leaseUntil: now + LEASE_MS,
  surface: subject.surface,
  checkType: subject.skill.id,
  ruleset: subject.ruleset,
  identifier: identifiers[0] ?? null,
  taskKey: subject.taskFor(key)?.key ?? null,
})
