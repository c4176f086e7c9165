/** What a signer counts of a day, until it is killed. */
import { join } from 'node:path'
import { openDayBudget } from '../../../src/main/signer/day-budget.ts'
import { teller } from '../told.ts'

const ROUNDS = 25

const [dataDir = '', told = ''] = process.argv.slice(2)
const tell = teller(told)
let spent = 0n
const budget = openDayBudget(join(dataDir, 'budget.json'), 10n ** 9n, () => 0)
for (let round = 0; round < ROUNDS; round += 1) {
  try {
    budget.take(1n)
  } catch {
    break
  }
  spent += 1n
  tell({ file: 'budget.json', name: `spent by ${process.pid}`, spent: `${spent}` })
}
process.kill(process.pid, 'SIGKILL')
