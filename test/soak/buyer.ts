import type { PrivateKeyAccount } from 'viem/accounts'
import type { Skill } from '../../src/catalog/skill.ts'
import type { TestTarget } from '../fuzz/target.ts'
import { countersOf } from '../support/buy-over.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { payloadFor } from '../support/payment-header.ts'
import type { SaleLog } from './sale-log.ts'

const SKILL = { id: 'iban', operationId: 'validate_iban' } as Skill
const IBAN = 'DE89370400440532013000'
const SURFACES = ['rest', 'a2a', 'mcp'] as const
/** Every so many sales the same request is sent again, as by a buyer who lost the answer. */
const REPEAT_EVERY = 5

/** Buys one check after the other, on one surface after the other, until told to stop. */
export async function keepBuying(
  target: TestTarget,
  log: SaleLog,
  options: { readonly pauseMs: number; readonly isOver: () => boolean },
): Promise<void> {
  const account: PrivateKeyAccount = freshAccount()
  await target.fund(account.address)
  const counters = countersOf(target.url)
  for (let sale = 0; !options.isOver(); sale++) {
    const surface = SURFACES[sale % SURFACES.length] as (typeof SURFACES)[number]
    const payload = await payloadFor(account, target.payTo)
    const begun = performance.now()
    try {
      const first = await counters[surface].buy(SKILL, IBAN, payload)
      log.sold(first.settlement.transaction, performance.now() - begun)
      if (sale % REPEAT_EVERY === 0) {
        const again = await counters[surface].buy(SKILL, IBAN, payload)
        if (again.settlement.transaction !== first.settlement.transaction)
          log.wrong('a repeat was sold again')
        if (JSON.stringify(again.verdict) !== JSON.stringify(first.verdict))
          log.wrong('a repeat was answered otherwise')
      }
    } catch (error) {
      log.unanswered(String(error))
    }
    await new Promise((resolve) => setTimeout(resolve, options.pauseMs))
  }
}
