import type { SettleResponse } from '@x402/core/types'
import { stringify } from 'uuid'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { PaymentKey } from '../../../ledger/payments/payment-row.ts'
import type { TaskAttachment } from '../../../ledger/tasks/task-row.ts'
import { requestDigest } from '../../../receipts/receipt-hashes.ts'
import { mapAll } from '../../../values/non-empty.ts'
import { resultJsonOf } from '../../ports/result-json.ts'
import type { Purchase, ResultJson, SealedCall, SurfaceName, ValueCall, Verdicts } from '../../ports/sale.ts'
import { type Fingerprints, fingerprintsOf } from '../../secrets/fingerprint.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import { hasVerdicts, type SealedContent, seal, taskKeyOf, unseal } from '../../secrets/seal.ts'
import { rulesetOf } from './purchase.ts'

export interface PurchasedCall extends Purchase {
  readonly skill: Skill
  readonly surface: SurfaceName
  /** Differing calls under one payment are counted by client. */
  readonly client: string
  readonly fingerprints: Fingerprints
  readonly ruleset: string
  readonly requestDigest: Buffer
  verdicts(): Verdicts
  readonly json: () => ResultJson
  readonly task?: CallTask
}

/** The A2A task that stores the answer of a sale. */
export interface CallTask {
  /** True if the request names the task, so that it pays for this task and no other call. */
  readonly isNamed: boolean
  of(key: PaymentKey): { readonly id: string; readonly key: string }
  /** What attaches the task to a payment, in the transaction that claims or charges it. */
  attachment(payment: Attaching): TaskAttachment
  /** The payment that the named task is attached to; it may not have been sent. */
  readonly attachedTo?: PaymentKey
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
    call.task?.of(key).key,
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

export function openValueCall(call: ValueCall, keys: Keyring): PurchasedCall {
  const { items, shape, type, surface, task, client = '' } = call
  let verdicts: Verdicts | undefined
  const check = () => {
    verdicts ??= mapAll(items, (item) => item.skill.check(item.value))
    return verdicts
  }
  const digest = requestDigest(shape, items)
  const purchased: PurchasedCall = {
    shape,
    items: items.length,
    type,
    skill: items[0].skill,
    surface,
    client,
    fingerprints: fingerprintsOf(keys, shape, digest),
    ruleset: rulesetOf(items),
    requestDigest: digest,
    verdicts: check,
    json: resultJsonOf(shape, check),
  }
  return task === undefined ? purchased : { ...purchased, task: newTask(purchased, task.pendingOrder, keys) }
}

function newTask(call: PurchasedCall, pendingOrder: string, keys: Keyring): CallTask {
  // The id follows from authorization and call, so a repeated message gets the same task.
  const of = ({ network, asset, payer, nonce }: PaymentKey) => {
    const authorization = Buffer.from(`${network}/${asset}/${payer}/${nonce}`)
    const id = uuidOf(keys.mac('task-id', authorization, call.fingerprints[0]))
    return { id, key: taskKeyOf(id) }
  }
  return {
    isNamed: false,
    of,
    attachment: ({ key: payment, expiresAt, now, settlement }) => {
      const { id, key } = of(payment)
      const sealed = seal(keys, id, { ...contentOf(call, pendingOrder), ...(settlement && { settlement }) })
      return { kind: 'new', task: { key, sealed, createdAt: now, expiresAt } }
    },
  }
}

/** Null if the task is unknown, ended or expired. */
export async function openSealedCall(
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
    requestDigest: content.requestDigest,
    verdicts: () => verdicts,
    json: resultJsonOf(shape, () => verdicts),
    task: {
      isNamed: true,
      of: () => ({ id, key }),
      attachment: ({ expiresAt, settlement }) => ({
        kind: 'existing',
        key,
        expiresAt,
        now,
        ...(settlement && { sealed: seal(keys, id, { ...content, settlement }) }),
      }),
      ...(task.payment && { attachedTo: task.payment }),
      ...(task.payment &&
        content.settlement && { charged: { key: task.payment, settlement: content.settlement } }),
    },
  }
}

export const contentOf = (call: PurchasedCall, pendingOrder: string): SealedContent => ({
  shape: call.shape,
  items: call.items,
  type: call.type,
  skillId: call.skill.id,
  ruleset: call.ruleset,
  verdicts: call.verdicts(),
  fingerprint: call.fingerprints[0],
  pendingOrder,
  requestDigest: call.requestDigest,
})

/** The first 16 bytes of a MAC as a UUID (RFC 9562, version 8). */
function uuidOf(mac: Buffer): string {
  const bytes = Buffer.from(mac.subarray(0, 16))
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return stringify(bytes)
}
