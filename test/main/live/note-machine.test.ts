import { expect, test } from 'vitest'
import type { Log } from '../../../src/log.ts'
import { noteSignatureRecovery } from '../../../src/main/live/note-machine.ts'
import { nativeRecovery } from '../../../src/payments/authorization/recover-signer.ts'

/** What the start logs where the binary loads as `load` says. */
function linesFor(load: () => unknown): readonly object[] {
  const lines: object[] = []
  const log: Log = { info: () => {}, error: () => {}, warn: (entry) => void lines.push(entry) }
  noteSignatureRecovery(log, () => nativeRecovery(load))
  return lines
}

test('a platform without a binary is named in one line, another one is not', () => {
  const missing = () => {
    throw new Error('no binary')
  }
  expect(linesFor(missing)).toEqual([{ event: 'signatures_recovered_in_javascript' }])
  expect(linesFor(() => ({}))).toEqual([])
})
