/** Every member of the protocol's table is checked, in the spelling of both versions, and named if it is refused. */
import { describe, expect, it } from 'vitest'
import table from '../../../../src/surfaces/a2a/request/members.generated.json' with { type: 'json' }
import { readMembers } from '../../../../src/surfaces/a2a/request/read-members.ts'

const outcomeOf = (object: object, message: string, version: '1.0' | '0.3' = '1.0'): unknown => {
  const reading = readMembers(object as never, message, version)
  if (reading.kind === 'read') return reading.value
  expect(reading.error.code).toBe(-32602)
  const [violation] = reading.error.data.flatMap(({ fieldViolations: found }) =>
    Array.isArray(found) ? found : [],
  )
  return `refused: ${violation?.field}`
}

/** For each kind values that ProtoJSON reads, as they are read, and others that it refuses. */
const KINDS: Readonly<
  Record<string, { good: readonly (readonly [unknown, unknown])[]; bad: readonly unknown[] }>
> = {
  string: {
    good: [
      ['x', 'x'],
      ['', ''],
    ],
    bad: [5, true, {}, ['x']],
  },
  bytes: { good: [['eA==', 'eA==']], bad: [5, {}] },
  bool: {
    good: [
      [true, true],
      [false, false],
    ],
    bad: ['maybe', 'true', 0, 1, {}],
  },
  int32: {
    good: [
      [3, 3],
      ['3', 3],
      ['-2147483648', -2147483648],
      [2147483647, 2147483647],
      ['1e2', 100],
      ['3.0', 3],
    ],
    bad: ['x', '', '3.5', 3.5, 2147483648, '2147483648', true, {}, [3], ' 3', '0x3'],
  },
  struct: {
    good: [
      [{ a: [1] }, { a: [1] }],
      [{}, {}],
    ],
    bad: [5, 'x', []],
  },
  value: {
    good: [
      [5, 5],
      ['x', 'x'],
      [{ a: 1 }, { a: 1 }],
      [[], []],
    ],
    bad: [],
  },
  timestamp: {
    good: ['2026-01-31T12:00:00Z', '2026-01-31t12:00:00.123456789z', '2026-01-31T12:00:00+01:00'].map(
      (time) => [time, time],
    ) as never,
    bad: ['yesterday', '2026-01-31', '2026-13-31T12:00:00Z', '2026-01-31T12:00:00', 5, {}],
  },
  Role: {
    good: [
      ['ROLE_USER', 'ROLE_USER'],
      [2, 'ROLE_AGENT'],
    ],
    bad: ['user', 3, 1.5, -1, ['ROLE_USER'], {}],
  },
  TaskState: {
    good: [
      ['TASK_STATE_WORKING', 'TASK_STATE_WORKING'],
      [8, 'TASK_STATE_AUTH_REQUIRED'],
    ],
    bad: ['TASK_STATE_BOGUS', 'working', 9, '2', true],
  },
}

const MEMBERS = Object.entries(table.messages).flatMap(([message, members]) =>
  Object.entries(members).map(([name, kind]) => [message, name, kind] as const),
)
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

describe.each(MEMBERS)('%s.%s, %s', (message, name, kind) => {
  const one = kind.replace('[]', '')
  const isRepeated = one !== kind
  const { good, bad } = KINDS[one] ?? { good: [[{}, {}]], bad: [5, 'x', []] }

  it('is read under both its names, and null is absent', () => {
    for (const [given, value] of good) {
      const [sent, got] = isRepeated
        ? [
            [given, given],
            [value, value],
          ]
        : [given, value]
      expect(outcomeOf({ [name]: sent }, message)).toEqual({ [name]: got })
      expect(outcomeOf({ [snake(name)]: sent }, message)).toEqual({ [name]: got })
    }
    expect(outcomeOf({ [name]: null, other: 5 }, message)).toEqual({})
  })

  it('is named if it is of another kind', () => {
    for (const given of bad) {
      const sent = isRepeated ? [good[0]?.[0], given] : given
      const field = isRepeated ? `${name}[1]` : name
      expect([given, outcomeOf({ [name]: sent }, message)]).toEqual([given, `refused: ${field}`])
    }
    if (isRepeated)
      for (const sent of ['x', 5, {}]) expect(outcomeOf({ [name]: sent }, message)).toBe(`refused: ${name}`)
    if (isRepeated) expect(outcomeOf({ [name]: [null] }, message)).toBe(`refused: ${name}[0]`)
  })
})

describe('in the spelling of 0.3', () => {
  it.each([
    ['SendMessageConfiguration', { blocking: true }, { returnImmediately: true }],
    ['SendMessageConfiguration', { blocking: 'x' }, 'refused: blocking'],
    ['SendMessageConfiguration', { pushNotificationConfig: 5 }, 'refused: pushNotificationConfig'],
    ['SendMessageConfiguration', { accepted_output_modes: 5 }, {}],
    ['Message', { role: 'agent', task_id: 5 }, { role: 'ROLE_AGENT' }],
    ['Message', { role: 'ROLE_USER' }, 'refused: role'],
    ['Message', { role: 1 }, 'refused: role'],
    ['Message', { parts: [{ kind: 'text', text: 5 }] }, 'refused: parts[0].text'],
    ['ListTasksRequest', { status: 'input-required' }, { status: 'TASK_STATE_INPUT_REQUIRED' }],
    ['SendMessageRequest', { message: { metadata: 5 } }, 'refused: message.metadata'],
  ])('%s %j', (message, given, expected) => {
    expect(outcomeOf(given, message, '0.3')).toEqual(expected)
  })
})
