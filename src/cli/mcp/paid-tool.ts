import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { Buyer } from '../../buyer/buyer.ts'
import type { PurchaseOutcome } from '../../buyer/purchase.ts'
import type { Wallet } from '../../buyer/wallet.ts'
import { PRICE } from '../../skills/price.ts'
import type { Skill } from '../../skills/skill.ts'
import { describe, usdc } from '../describe-purchase.ts'
import { readCell } from '../list/read-cell.ts'
import type { Spending } from './spending.ts'

/** What a tool call pays with. */
export interface Purse {
  readonly spending: Spending
  /** Atomic units a call may cost, and a day. */
  readonly maxPerCall: bigint
  readonly maxPerDay: bigint
  /** Rejects with a UsageError if there is no key to pay with. */
  wallet(): Promise<Wallet>
  buyer(skill: Skill): Buyer
}

/** The tool of a skill as this server lists it: it pays by itself, so no terms are shown. */
export function paidTool(skill: Skill): Tool {
  return {
    name: skill.operationId,
    title: skill.title,
    description: `${skill.description} Costs ${PRICE} in USDC per call, which this server pays.`,
    inputSchema: { ...skill.inputSchema, type: 'object' },
    outputSchema: {
      type: 'object',
      properties: { result: skill.outputSchema as object, payment: PAYMENT },
      required: ['result', 'payment'],
    },
    // Not read-only: a call spends money.
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  }
}

const PAYMENT = {
  type: 'object',
  properties: {
    amount: { type: 'string', description: 'What this call cost.' },
    charged: { type: 'boolean', description: 'False if an earlier payment answered it.' },
    transaction: { type: 'string', description: 'The transfer on Base.' },
    spentToday: { type: 'string' },
    maxPerDay: { type: 'string' },
  },
}

/** Pays for one call within the limits of the purse; nothing is signed for arguments the service would refuse. */
export async function callPaidTool(skill: Skill, value: unknown, purse: Purse): Promise<CallToolResult> {
  const cell = readCell(skill, value)
  if (!cell.ok)
    return failed(`${cell.code}: "value" must be the identifier, as a string. Nothing was signed.`)
  const wallet = await purse.wallet()
  const { spending, maxPerCall, maxPerDay } = purse
  const reservation = spending.reserve(maxPerCall)
  if (reservation === null) {
    return failed(
      `The limit of ${usdc(maxPerDay)} per day is reached (${usdc(spending.today())} spent today). Nothing was signed.`,
    )
  }
  const outcome = await purse.buyer(skill).buy(cell.value, wallet)
  reservation.release(maxPerCall - chargedBy(outcome, maxPerCall))
  return outcome.kind === 'bought' ? bought(outcome, purse) : failed(describe(outcome))
}

/** An unknown outcome counts as charged. */
function chargedBy(outcome: PurchaseOutcome, maxPerCall: bigint): bigint {
  switch (outcome.kind) {
    case 'bought':
      return BigInt(outcome.amount)
    case 'in_doubt':
      return maxPerCall
    default:
      return 0n
  }
}

function bought(
  { verdict, settlement, replayed, amount }: Extract<PurchaseOutcome, { kind: 'bought' }>,
  { spending, maxPerDay }: Purse,
): CallToolResult {
  const payment = {
    amount: usdc(amount),
    charged: !replayed,
    transaction: settlement.transaction,
    spentToday: usdc(spending.today()),
    maxPerDay: usdc(maxPerDay),
  }
  const paid = replayed
    ? 'Answered from an earlier payment, not charged again.'
    : `Paid ${payment.amount} in transaction ${payment.transaction}.`
  return {
    content: [
      { type: 'text', text: JSON.stringify(verdict) },
      { type: 'text', text: `${paid} Spent today: ${payment.spentToday} of ${payment.maxPerDay}.` },
    ],
    structuredContent: { result: verdict, payment },
    _meta: { 'x402/payment-response': settlement },
  }
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] })
