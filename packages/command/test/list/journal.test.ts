import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentPayload } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import type { Checked } from '../../../../src/lists/results.ts'
import { ROOT } from '../../../../test/support/command.ts'
import { LACKS } from '../../../../test/support/platform.ts'
import { type ScratchDir, scratchDir } from '../../../../test/support/service-process.ts'
import { type Journal, openJournal } from '../../src/list/journal.ts'

const OWNER = { type: 'iban', url: 'https://checks.example/' }
const PAYLOAD = { x402Version: 2, payload: { signature: '0xab' } } as unknown as PaymentPayload
const CHECKED: Checked = { kind: 'checked', valid: true, code: 'ok', reason: 'Fine.', normalized: null }

let scratch: ScratchDir
let path: string
let journal: Journal
beforeEach(() => {
  scratch = scratchDir()
  path = join(scratch.path, 'out.csv.journal')
  journal = openJournal(path, OWNER)
})
afterEach(() => {
  journal.close({ isDone: false })
  scratch.remove()
})

const begin = (...values: string[]) =>
  journal.begin({
    payload: PAYLOAD,
    amount: 1_000n * BigInt(values.length),
    keys: values.map((value) => journal.keyOf(value)),
  })
const find = (value: string) => journal.find(journal.keyOf(value))
function reopen(owner = OWNER) {
  journal.close({ isDone: false })
  journal = openJournal(path, owner)
}

test('a payment is there before it is sent, with its values by position', () => {
  const payment = begin('a', 'b')
  reopen()
  expect(journal.pending()).toEqual([{ id: payment, payload: PAYLOAD, amount: 2_000n, size: 2 }])
  expect(find('b')).toEqual({ kind: 'pending', payment, position: 1 })
  expect(journal.totals()).toEqual({ spent: 0n, uncertain: 2_000n, refused: 0n })
})

test('results stay, and the signed payment goes', () => {
  const payment = begin('a', 'b')
  journal.settle(payment, [CHECKED, { ...CHECKED, valid: false }])
  reopen()
  expect(find('a')).toEqual({ kind: 'checked', result: CHECKED })
  expect(find('b')).toMatchObject({ result: { valid: false } })
  expect(journal.pending()).toEqual([])
  expect(journal.totals()).toEqual({ spent: 2_000n, uncertain: 0n, refused: 0n })
  expect(readFileSync(path).includes('0xab')).toBe(false)
})

test('a payment that the service says it does not charge counts, and its values may be bought again', () => {
  journal.refuse(begin('a'))
  reopen()
  expect(find('a')).toBeUndefined()
  expect(journal.pending()).toEqual([])
  expect(journal.totals()).toEqual({ spent: 0n, uncertain: 0n, refused: 1_000n })
  expect(begin('a')).toBeGreaterThan(0)
})

test('a lost answer was paid for, and is not bought again', () => {
  journal.lose(begin('a'))
  expect(find('a')).toEqual({ kind: 'lost' })
  expect(journal.totals()).toEqual({ spent: 1_000n, uncertain: 0n, refused: 0n })
})

test('whether its output was finished is known to the next run', () => {
  expect(journal.hasOutput).toBe(false)
  reopen()
  expect(journal.hasOutput).toBe(false)
  journal.noteOutput(true)
  reopen()
  expect(journal.hasOutput).toBe(true)
  journal.noteOutput(false)
  reopen()
  expect(journal.hasOutput).toBe(false)
})

test.skipIf(LACKS.modes)('no value is in the file, and only its owner may read it', () => {
  begin('CANARY-4f1d')
  journal.close({ isDone: false })
  expect(readFileSync(path).includes('CANARY')).toBe(false)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  journal = openJournal(path, OWNER)
})

test('at the end of the list it is removed', () => {
  journal.close({ isDone: true })
  expect(existsSync(path)).toBe(false)
  journal = openJournal(path, OWNER)
})

test('of a run that ended before its first payment, it is free for any list', () => {
  reopen({ type: 'email', url: 'https://other.example/' })
  expect(find('a')).toBeUndefined()
  begin('a')
  journal.refuse(1)
  expect(() => reopen()).toThrow(/TYPE, --url or --network/)
  journal = openJournal(path, { type: 'email', url: 'https://other.example/' })
  expect(journal.totals().refused).toBe(1_000n)
})

test('the keys of two journals differ', () => {
  const other = openJournal(null, OWNER)
  expect(other.keyOf('a')).not.toBe(journal.keyOf('a'))
  other.close({ isDone: true })
})

describe('is refused', () => {
  test.each([
    ['another type', { ...OWNER, type: 'email' }],
    ['another service', { ...OWNER, url: 'https://other.example/' }],
  ])('for %s', (_what, owner) => {
    begin('a')
    expect(() => reopen(owner)).toThrow(/TYPE, --url or --network/)
    journal = openJournal(path, OWNER)
  })

  test('to a second run at the same time', () => {
    const program = `
      import { openJournal } from './packages/command/src/list/journal.ts'
      try { openJournal(${JSON.stringify(path)}, ${JSON.stringify(OWNER)}) } catch (error) { console.log(error.message) }`
    const said = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', program], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(said).toContain('another run')
  })

  test('on a disk without room, by the code of the fault', () => {
    expect(() => openJournal('/dev/full', OWNER)).toThrow(
      new UsageError('the journal beside the output cannot be written (SQLITE_FULL)'),
    )
  })

  test('in a folder that does not exist, which is named by its option', () => {
    const other = join(scratch.path, 'none/out.csv.journal')
    expect(() => openJournal(other, OWNER)).toThrow(new UsageError('the folder of --out does not exist'))
  })

  test('if the file is something else', () => {
    const other = join(scratch.path, 'other')
    writeFileSync(other, 'not a journal, but long enough to be looked at as a database file'.repeat(20))
    expect(() => openJournal(other, OWNER)).toThrow(/move it away/)
  })
})
