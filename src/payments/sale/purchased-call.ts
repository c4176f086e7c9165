import type { Verdict } from '../../checks/verdict.ts'
import type { Ledger, NewTask, PaymentKey, TaskAttachment } from '../../ledger/ledger.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import type { Call, SealedCall, SurfaceName, ValueCall } from '../sale.ts'
import { type Fingerprints, fingerprintsOf } from '../secrets/fingerprint.ts'
import type { Keyring } from '../secrets/keyring.ts'
import { seal, taskKeyOf, unseal } from '../secrets/seal.ts'

/** What is being bought: a call whose value is at hand, or one whose verdict was sealed by an earlier message. */
export interface PurchasedCall {
  readonly skill: Skill
  readonly surface: SurfaceName
  readonly fingerprints: Fingerprints
  /** The ruleset the verdict is made under. */
  readonly ruleset: string
  /** The verdict; computed on first use and once. */
  verdict(): Verdict
  /** True when the request names a task and pays for that one alone. */
  readonly namesTask: boolean
  /** The task the sale is kept as under this authorization; undefined where the protocol keeps none. */
  taskFor(key: PaymentKey): { readonly id: string; readonly key: string } | undefined
  /** How a claim ties the task to the authorization, in its own transaction. */
  attachment(key: PaymentKey, expiresAt: number, now: number): TaskAttachment | undefined
}

/** The subject of a call; null when its task is unknown, ended or past its life. */
export async function openPurchasedCall(
  call: Call,
  context: {
    readonly keys: Keyring
    readonly ledger: Ledger
    readonly registry: SkillRegistry
    readonly now: number
  },
): Promise<PurchasedCall | null> {
  return call.kind === 'value' ? subjectOfValue(call, context.keys) : subjectOfTask(call, context)
}

function subjectOfValue(call: ValueCall, keys: Keyring): PurchasedCall {
  const { skill, surface, value, task } = call
  const fingerprints = fingerprintsOf(keys, skill.id, value)
  const [fingerprint] = fingerprints
  let verdict: Verdict | undefined
  const judge = () => {
    verdict ??= skill.check(value)
    return verdict
  }
  // The same paying message always gets the same task: its id follows from the authorization and the call.
  const idFor = (key: PaymentKey) =>
    uuidOf(
      keys.mac('task-id', Buffer.from(`${key.network}/${key.asset}/${key.payer}/${key.nonce}`), fingerprint),
    )
  const newTask = (key: PaymentKey, memo: string, expiresAt: number, createdAt: number): NewTask => {
    const id = idFor(key)
    const content = { checkType: skill.id, ruleset: skill.ruleset, verdict: judge(), fingerprint, memo }
    return { key: taskKeyOf(id), sealed: seal(keys, id, content), createdAt, expiresAt }
  }
  return {
    skill,
    surface,
    fingerprints,
    ruleset: skill.ruleset,
    verdict: judge,
    namesTask: false,
    taskFor: (key) => {
      if (task === undefined) return undefined
      const id = idFor(key)
      return { id, key: taskKeyOf(id) }
    },
    attachment: (key, expiresAt, now) =>
      task === undefined ? undefined : { kind: 'new', task: newTask(key, task.memo, expiresAt, now) },
  }
}

async function subjectOfTask(
  call: SealedCall,
  { keys, ledger, registry, now }: Parameters<typeof openPurchasedCall>[1],
): Promise<PurchasedCall | null> {
  const id = call.taskId
  const key = taskKeyOf(id)
  const task = await ledger.findTask(key)
  if (task === null || task.ended !== null) return null
  // One that was claimed lives for as long as its payment may have to be answered.
  if (task.payment === null && task.expiresAt <= now) return null
  const content = unseal(keys, id, task.sealed)
  const skill = content === null ? undefined : registry.get(content.checkType)
  if (content === null || skill === undefined) return null
  const { verdict, fingerprint, ruleset } = content
  return {
    skill,
    surface: call.surface,
    fingerprints: [fingerprint],
    ruleset,
    verdict: () => verdict,
    namesTask: true,
    taskFor: () => ({ id, key }),
    attachment: (_, expiresAt) => ({ kind: 'existing', key, expiresAt, now }),
  }
}

/** The first 16 bytes of a MAC in the form of a UUID (RFC 9562, version 8). */
function uuidOf(mac: Buffer): string {
  const bytes = Buffer.from(mac.subarray(0, 16))
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
