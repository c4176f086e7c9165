import { expect, test } from 'vitest'
import { createLog } from '../../src/log.ts'
import { terminalLine } from '../../src/main/log-output.ts'

test('a log line for a terminal has time, level, message and fields, and no request id', () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => lines.push(terminalLine(line)) })
  log.info({ requestId: 'abc', method: 'POST', status: 402, code: 'payment_required' }, 'request')
  log.error({ event: 'crash', at: ['at one', 'at two'] }, 'defect')
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d info {2}request method=POST status=402 code=payment_required\n$/)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error defect at=\["at one","at two"\] event=crash\n$/)
})
