/** The whole service, and a buyer in every protocol; what a buyer has the verdict of must stay. */
import { toHex } from 'viem'
import { flushFolder } from '../../../src/files/flush-folder.ts'
import { COUNTERS } from '../../faults/bench/counters.ts'
import { signPayment, termsFor } from '../../support/chain-payments.ts'
import { validValue } from '../../support/identifiers.ts'
import { startTestService } from '../../support/sandbox-service.ts'
import { teller } from '../told.ts'

const SALES = 40

const [root = '', told = ''] = process.argv.slice(2)
const tell = teller(told)
const service = await startTestService({ SANDBOX_CHAIN: 'memory', LOG_LEVEL: 'error' })
// Its folder is one for temporary files, whose name no program flushes.
flushFolder(root)
const counters = Object.values(COUNTERS)
for (let sale = 0; sale < SALES; sale += 1) {
  const nonce = toHex(sale + 1, { size: 32 })
  const { payload } = await signPayment(service.buyer, termsFor(service.sandbox.payTo), {
    nonce,
    validBefore: String(Math.floor(Date.now() / 1000) + 100),
  })
  const outcome = await counters[sale % counters.length]?.(service.url, {
    type: 'iban',
    value: validValue('iban', sale + 1),
    payload,
  })
  if (outcome?.kind !== 'verdict') throw new Error(`no verdict: ${JSON.stringify(outcome)}`)
  const state = 'select state from payments where nonce = ?'
  tell({ file: 'ledger.sqlite', name: nonce, claim: [state, nonce, 'settling', 'settled'] })
}
process.kill(process.pid, 'SIGKILL')
