/** What a buyer keeps: the spending of a day, the journal of a list, a key and the output; until a disk fails or it is killed. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PaymentPayload } from '@x402/core/types'
import { openJournal } from '../../../packages/command/src/list/journal.ts'
import { openSpending } from '../../../packages/command/src/mcp/spending.ts'
import { keyFile } from '../../../src/files/key-file.ts'
import { placeFile } from '../../../src/files/place-file.ts'
import { teller } from '../told.ts'

const ROUNDS = 25
const PRICE = 1_000n

const [dataDir = '', told = '', seed = ''] = process.argv.slice(2)
const tell = teller(told)
const spending = openSpending(join(dataDir, 'state', 'spending.sqlite'), 10n ** 9n, () => 0)
const journal = openJournal(join(dataDir, 'list.journal'), { type: 'iban', url: 'http://localhost' })
const buy = (round: number): void => {
  spending.reserve(PRICE)
  const spent = ['select spent >= cast(? as integer) from day', String(spending.today()), 1] as const
  tell({ file: 'spending.sqlite', name: 'spent', claim: spent })
  const keys = [journal.keyOf(`${seed} ${round}`)]
  const id = journal.begin({ payload: {} as PaymentPayload, amount: PRICE, keys })
  const state = 'select state from payment where id = ?'
  tell({ file: 'list.journal', name: `payment ${id}`, claim: [state, String(id), 'sent', 'charged'] })
  journal.settle(id, [])
  tell({ file: 'list.journal', name: `payment ${id}`, claim: [state, String(id), 'charged'] })
  const output = join(dataDir, `output-${seed}-${round}.csv`)
  writeFileSync(`${output}.part`, output, { flush: true })
  placeFile(`${output}.part`, output, { replaces: true })
  tell({ file: `output-${seed}-${round}.csv`, name: 'output', text: output })
  const key = keyFile(dataDir, `key-${seed}-${round}`, () => output)
  tell({ file: `key-${seed}-${round}`, name: 'key', text: key })
}
try {
  for (let round = 0; round < ROUNDS; round += 1) buy(round)
} catch {
  // The machine may lose its power next.
}
process.kill(process.pid, 'SIGKILL')
