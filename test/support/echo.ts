/** The rule that no result gives its input away, for every check and every surface. */

import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import { expect } from 'vitest'
import { mutate, validValue } from './identifiers.ts'
import { SeededRandom } from './seeded-random.ts'
import { isText } from './vectors.ts'

const NUMBER_LENGTH = 6
const ADDRESS_LENGTH = 4
const LOCAL_LENGTH = 3

/** The forms of a value that a result must not contain: raw, compact, digits; for an address also the local part. */
export function secretsOf(type: CheckType, value: string): string[] {
  if (isText(type)) return addressSecrets(value)
  const compact = value.replace(/[^0-9A-Za-z+*]/g, '').toUpperCase()
  const digits = value.replace(/[^0-9]/g, '')
  return [...new Set([value, compact, digits])].filter((secret) => secret.length >= NUMBER_LENGTH)
}

/** Fails when the serialised text contains a secret that is not a constant of the answer. */
export function expectNoEcho(type: CheckType, value: string): void {
  const verdict = CHECKS[type](value)
  const leaked = leaks(type, value, JSON.stringify(verdict))
  if (leaked.length === 0) return
  const others = constantsOf(type, verdict, value)
  expect(leaked.filter((secret) => !others.includes(secret))).toEqual([])
}

/** The secrets of a value that a text contains, as they are or as JSON escapes them. */
export function leaks(type: CheckType, value: string, text: string): string[] {
  const plain = unescaped(text)
  return secretsOf(type, value).filter((secret) => plain.includes(secret) || text.includes(secret))
}

function addressSecrets(value: string): string[] {
  const secrets = value.length >= ADDRESS_LENGTH ? [value] : []
  const trimmed = value.trim()
  const at = trimmed.lastIndexOf('@')
  const [local, domain] = [trimmed.slice(0, Math.max(at, 0)), trimmed.slice(at + 1).toLowerCase()]
  const hidden = local.length >= LOCAL_LENGTH && !domain.includes(local.toLowerCase())
  return hidden ? [...secrets, local] : secrets
}

/** The texts of results of other values with the same code: what stands there too is no echo. */
function constantsOf(type: CheckType, { details }: Verdict, value: string): string {
  const random = new SeededRandom(7)
  const siblings = Array.from({ length: 400 }, (_, seed) => validValue(type, seed)).flatMap((sibling) => [
    sibling,
    mutate(sibling, random),
    value.slice(0, 4) + sibling.slice(4),
    `z9${value.slice(value.lastIndexOf('@'))}`,
    `${value.charAt(0)}!`,
  ])
  return siblings
    .filter((sibling) => sibling !== value && !sibling.includes(value))
    .map((sibling) => CHECKS[type](sibling))
    .filter((verdict) => verdict.details.code === details.code)
    .map((verdict) => JSON.stringify(verdict))
    .join('\n')
}

function unescaped(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('\\\\', '\\')
}
