/**
 * Reads an operation's parameters by the protocol's own table of members, which scripts/a2a-members.ts writes.
 *
 * As in ProtoJSON, null is absent, an integer may be text, an enum its number, and a member may have its protobuf name
 * ("task_id"). A member that the table lacks is dropped. Without this the SDK's converters coerce whatever they get.
 */
import { isObject, type JsonObject } from '../../../values/json.ts'
import type { ProtocolVersion } from '../protocol/protocol-version.ts'
import { invalidParams } from '../protocol/rpc-error.ts'
import table from './members.generated.json' with { type: 'json' }
import { type Reading, read } from './read-envelope.ts'

const MESSAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = table.messages
const ENUMS: Readonly<Record<string, readonly string[]>> = table.enums
/** Members that 0.3 names otherwise. */
const LEGACY_NAMES: Readonly<Record<string, string>> = {
  returnImmediately: 'blocking',
  taskPushNotificationConfig: 'pushNotificationConfig',
}

/** The members by their JSON names of 1.0; `path` names the object in refusals. */
export function readMembers(
  object: JsonObject,
  message: string,
  version: ProtocolVersion,
  path = '',
): Reading<JsonObject> {
  // 0.3 also names the kind of an object.
  const members: Record<string, unknown> = version === '0.3' ? { kind: object.kind } : {}
  for (const [name, kind] of Object.entries(MESSAGES[message] ?? {})) {
    const spelt = version === '0.3' ? (LEGACY_NAMES[name] ?? name) : name
    const given =
      version === '0.3' || Object.hasOwn(object, name) ? object[spelt] : object[protobufNameOf(name)]
    if (given == null) continue
    const reading = readValue(given, kind, version, `${path}${spelt}`)
    if (reading.kind === 'fault') return reading
    members[name] = reading.value
  }
  return read(members)
}

const protobufNameOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

function readValue(given: unknown, kind: string, version: ProtocolVersion, path: string): Reading<unknown> {
  if (kind.endsWith('[]')) return readArray(given, kind.slice(0, -2), version, path)
  const scalar = SCALARS[kind]
  if (scalar !== undefined) return scalar.holds(given) ? read(given) : invalidParams(path, scalar.rule)
  if (kind === 'int32') return readInteger(given, path)
  if (kind in ENUMS) return readWord(given, kind, version, path)
  return isObject(given) ? readMembers(given, kind, version, `${path}.`) : invalidParams(path, AN_OBJECT)
}

const AN_OBJECT = 'must be an object'
const isText = (value: unknown): value is string => typeof value === 'string'
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

const SCALARS: Readonly<Record<string, { readonly rule: string; holds(value: unknown): boolean }>> = {
  string: { rule: 'must be a string', holds: isText },
  bytes: { rule: 'must be a string', holds: isText },
  bool: { rule: 'must be true or false', holds: (value) => typeof value === 'boolean' },
  struct: { rule: AN_OBJECT, holds: isObject },
  value: { rule: '', holds: () => true },
  timestamp: {
    rule: 'must be a time such as 2026-01-31T12:00:00Z',
    holds: (value) => isText(value) && TIME.test(value) && !Number.isNaN(Date.parse(value)),
  },
}

function readArray(
  given: unknown,
  kind: string,
  version: ProtocolVersion,
  path: string,
): Reading<readonly unknown[]> {
  if (!Array.isArray(given)) return invalidParams(path, 'must be an array')
  const values: unknown[] = []
  for (const [index, each] of given.entries()) {
    const reading = readValue(each, kind, version, `${path}[${index}]`)
    if (reading.kind === 'fault') return reading
    values.push(reading.value)
  }
  return read(values)
}

const INTEGER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const INT32 = 2 ** 31

function readInteger(given: unknown, path: string): Reading<number> {
  const value = isText(given) && INTEGER.test(given) ? Number(given) : given
  return Number.isInteger(value) && Number(value) >= -INT32 && Number(value) < INT32
    ? read(Number(value))
    : invalidParams(path, 'must be an integer of 32 bits')
}

/** Returns the word of 1.0. The first one means that none was given. */
function readWord(given: unknown, kind: string, version: ProtocolVersion, path: string): Reading<string> {
  const words = ENUMS[kind] ?? []
  const spelling = version === '0.3' ? words.map(legacyWordOf) : words
  const at = isText(given) ? spelling.indexOf(given) : version === '1.0' ? given : undefined
  const word = words[Number(at)]
  if (word !== undefined && typeof at === 'number') return read(word)
  return invalidParams(path, `must be one of ${spelling.slice(1).join(', ')}`)
}

/** TASK_STATE_INPUT_REQUIRED is "input-required". */
const legacyWordOf = (word: string) =>
  word
    .replace(/^(?:TASK_STATE|ROLE)_/, '')
    .replaceAll('_', '-')
    .toLowerCase()
