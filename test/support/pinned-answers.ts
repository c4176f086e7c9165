import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { CHECK_TYPES, type Check, type CheckType } from '../../src/checks/verdict.ts'

interface PinnedAnswer {
  readonly type: CheckType
  readonly value: string
  /** The start of the SHA-256 of the serialised result. */
  readonly digest: string
}

/** Values of every type and the digests of their results: the bytes promised under the rulesets in force. */
export function pinnedAnswers(): readonly PinnedAnswer[] {
  const byType: Readonly<Partial<Record<CheckType, readonly (readonly [string, string])[]>>> = JSON.parse(
    readFileSync(new URL('../vectors/answers.json', import.meta.url), 'utf8'),
  )
  return CHECK_TYPES.flatMap((type) =>
    (byType[type] ?? []).map(([value, digest]) => ({ type, value, digest })),
  )
}

export function digestOf(check: Check, value: string): string {
  return createHash('sha256')
    .update(JSON.stringify(check(value)))
    .digest('hex')
    .slice(0, 12)
}
