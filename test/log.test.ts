import { describe, expect, test } from 'vitest'
import { createLog, type LogLevel } from '../src/log.ts'

function logTo(level: LogLevel) {
  const lines: string[] = []
  return { lines, log: createLog({ level, write: (line) => lines.push(line) }) }
}

const CANARY = 'Canary-4f1d'

describe('a log line', () => {
  test('is one line of JSON with time, level, message and the allowed fields', () => {
    const { lines, log } = logTo('info')
    log.info({ requestId: 'r', method: 'POST', route: '/x', status: 200, ms: 3 }, 'request')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\{.*\}\n$/)
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requestId: 'r',
      method: 'POST',
      route: '/x',
      status: 200,
      ms: 3,
      msg: 'request',
    })
  })

  test('has only fields of the allow list, for every caller', () => {
    const { lines, log } = logTo('info')
    const entry = { status: 200, value: CANARY, body: { value: CANARY }, headers: [CANARY], [CANARY]: CANARY }
    for (const write of [log.info, log.warn, log.error]) write(entry, 'request')
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain(CANARY)
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ status: 200 })
  })

  test('has nothing of an error but what it was told', () => {
    const { lines, log } = logTo('info')
    log.error(new Error(CANARY), 'defect')
    log.error({ err: new Error(CANARY), error: new Error(CANARY), stack: CANARY, message: CANARY }, 'defect')
    expect(lines).toHaveLength(2)
    expect(lines.join('')).not.toContain(CANARY)
  })

  test('has neither the name of this machine nor the number of the process', () => {
    const { lines, log } = logTo('info')
    log.info({}, 'request')
    expect(Object.keys(JSON.parse(lines[0] ?? '')).sort()).toEqual(['level', 'msg', 'time'])
  })
})

test.each<[LogLevel, string[]]>([
  ['info', ['a', 'b', 'c']],
  ['warn', ['b', 'c']],
  ['error', ['c']],
  ['silent', []],
])('at level %s these are written: %j', (level, written) => {
  const { lines, log } = logTo(level)
  log.info({}, 'a')
  log.warn({}, 'b')
  log.error({}, 'c')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(written)
})
