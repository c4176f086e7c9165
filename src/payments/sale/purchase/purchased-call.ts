import type { SettleResponse } from '@x402/core/types'
import { stringify } from 'uuid'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'
import type { TaskAttachment } from '../../../ledger/tasks/task-row.ts'
import { requestDigest } from '../../../receipts/receipt-hashes.ts'
import { resultJsonOf } from '../../ports/result-json.ts'
import type {
  Call,
  Purchase,
  ResultJson,
  SealedCall,
  SurfaceName,
  ValueCall,
  Verdicts,
} from '../../ports/sale.ts'
import { type Fingerprints, fingerprintsOf } from '../../secrets/fingerprint.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { hasVerdicts, type SealedContent, seal, taskKeyOf, unseal } from '../../secrets/seal.ts'
import { purchaseOf, rulesetOf, verdictsOf } from './purchase.ts'

export interface PurchasedCall extends Purchase {
  /** That of the first item. */
  readonly skill: Skill
  readonly surface: SurfaceName
  /** Differing calls under one payment are counted by client. */
  readonly client: string
  readonly fingerprints: Fingerprints
  readonly ruleset: string
  requestDigest(): Buffer
  /** Computed once, on first use. */
  verdicts(): Verdicts
  readonly json: () => ResultJson
  /** True if the request names a task and pays for that one alone. */
  readonly namesTask: boolean
  /** The task that a sale under this authorization is kept as; undefined if the protocol keeps none. */
  taskFor(key: PaymentKey): { readonly id: string; readonly key: string } | undefined
  /** What attaches the task to a payment, in the transaction that claims or charges it. */
  attachment(payment: Attaching): TaskAttachment | undefined
  /** The payment that the named task is attached to; it may not have been sent. */
  readonly attachedTo?: PaymentKey
  /** Present if the task was paid for over a channel. */
  readonly charged?: { readonly key: PaymentKey; readonly settlement: SettleResponse }
}

/** Equal for two requests that ask for the same call on the same surface under the same payment. */
export const nameOfCall = (call: PurchasedCall, key: PaymentKey): string =>
  [
    call.fingerprints[0].toString('base64'),
    call.type,
    call.shape,
    call.items,
    call.surface,
    call.taskFor(key)?.key,
  ].join(' ')

export interface Attaching {
  readonly key: PaymentKey
  /** UTC milliseconds; after that the task may be deleted. */
  readonly expiresAt: number
  readonly now: number
  /** Of a payment channel; sealed in the task. */
  readonly settlement?: SettleResponse
}

interface OpenOptions {
  readonly keys: Keyring
  readonly ledger: Ledger
  readonly registry: SkillRegistry
  readonly now: number
}

/** Null if the task is unknown, ended or expired. */
export async function openPurchasedCall(call: Call, options: OpenOptions): Promise<PurchasedCall | null> {
  return call.kind === 'value' ? openValueCall(call, options.keys) : openSealedCall(call, options)
}

function openValueCall(call: ValueCall, keys: Keyring): PurchasedCall {
  const { surface, task, client = '' } = call
  const purchase = purchaseOf(call)
  const { skill } = call.items[0]
  const fingerprints = fingerprintsOf(keys, call)
  const [fingerprint] = fingerprints
  const ruleset = rulesetOf(call.items)
  let verdicts: Verdicts | undefined
  const check = () => {
    verdicts ??= verdictsOf(call.items)
    return verdicts
  }
  // The id follows from authorization and call, so a repeated message gets the same task.
  const idFor = (key: PaymentKey) =>
    uuidOf(
      keys.mac('task-id', Buffer.from(`${key.network}/${key.asset}/${key.payer}/${key.nonce}`), fingerprint),
    )
  return {
    ...purchase,
    skill,
    surface,
    client,
    fingerprints,
    ruleset,
    requestDigest: () => requestDigest(call.shape, call.items),
    verdicts: check,
    json: resultJsonOf(call.shape, check),
    namesTask: false,
    taskFor: (key) => {
      if (task === undefined) return undefined
      const id = idFor(key)
      return { id, key: taskKeyOf(id) }
    },
    attachment: ({ key, expiresAt, now, settlement }) => {
      if (task === undefined) return undefined
      const id = idFor(key)
      const content = { ...contentOf(call, task.memo, keys, check()), ...(settlement && { settlement }) }
      const sealed = seal(keys, id, content)
      return { kind: 'new', task: { key: taskKeyOf(id), sealed, createdAt: now, expiresAt } }
    },
  }
}

async function openSealedCall(
  call: SealedCall,
  { keys, ledger, registry, now }: OpenOptions,
): Promise<PurchasedCall | null> {
  const id = call.taskId
  const key = taskKeyOf(id)
  const task = await ledger.findTask(key)
  if (task === null || task.ended !== null) return null
  // A task with a payment lives for as long as that may be answered.
  if (task.payment === null && task.expiresAt <= now) return null
  const content = unseal(keys, id, task.sealed)
  const skill = content === null ? undefined : registry.get(content.skillId)
  if (content === null || skill === undefined || !hasVerdicts(content)) return null
  const { shape, items, type, verdicts, fingerprint, ruleset } = content
  return {
    shape,
    items,
    type,
    skill,
    surface: call.surface,
    client: call.client,
    fingerprints: [fingerprint],
    ruleset,
    requestDigest: () => content.requestDigest,
    verdicts: () => verdicts,
    json: resultJsonOf(shape, () => verdicts),
    namesTask: true,
    taskFor: () => ({ id, key }),
    attachment: ({ expiresAt, settlement }) => ({
      kind: 'existing',
      key,
      expiresAt,
      now,
      ...(settlement && { sealed: seal(keys, id, { ...content, settlement }) }),
    }),
    ...(task.payment === null ? {} : { attachedTo: task.payment }),
    ...(content.settlement === undefined || task.payment === null
      ? {}
      : { charged: { key: task.payment, settlement: content.settlement } }),
  }
}

export const contentOf = (
  call: ValueCall,
  memo: string,
  keys: Keyring,
  verdicts: Verdicts = verdictsOf(call.items),
): SealedContent => ({
  ...purchaseOf(call),
  skillId: call.items[0].skill.id,
  ruleset: rulesetOf(call.items),
  verdicts,
  fingerprint: fingerprintsOf(keys, call)[0],
  memo,
  requestDigest: requestDigest(call.shape, call.items),
})

/** The first 16 bytes of a MAC as a UUID (RFC 9562, version 8). */
function uuidOf(mac: Buffer): string {
  const bytes = Buffer.from(mac.subarray(0, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return stringify(bytes)
}
