import { PAYMENT_STATES } from '../src/ledger/payment-row.ts'
import { TRANSITIONS } from '../src/ledger/transitions.ts'
import { LOCKED_FROM } from '../src/payments/sale/limits/mismatch-limiter.ts'
import { REPLAY_WINDOWS } from '../src/payments/sale/purchase/replay-window.ts'
import {
  EVENT_MEANINGS,
  SALE_TABLE,
  type SaleEvent,
  type SaleState,
  STATE_MEANINGS,
  STEP_MEANINGS,
  type StepName,
} from '../src/payments/sale/table/sale-table.ts'

const STATES = ['new', ...PAYMENT_STATES] as const satisfies readonly SaleState[]
const HOUR_MS = 3_600_000

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

function states(): string {
  return STATES.map((state) => row(code(state), STATE_MEANINGS[state])).join('\n')
}

function steps(): string {
  return STATES.flatMap((state) =>
    Object.entries(SALE_TABLE[state]).map(([event, step]) =>
      row(code(state), EVENT_MEANINGS[event as SaleEvent], STEP_MEANINGS[step as StepName]),
    ),
  ).join('\n')
}

function transitions(): string {
  return PAYMENT_STATES.flatMap((from) =>
    Object.entries(TRANSITIONS[from]).map(([to, why]) => row(code(from), code(to), why)),
  ).join('\n')
}

/** docs/payments.md: the prose, and the tables the code works from. */
export const paymentsDoc = (): string => `---
reader: developers
---
# Payments

Promise to the buyer: an authorization is charged at most once. Once it is charged, the buyer can always fetch the
answer, even after a lost connection, a crash or a restart. A request that cannot be served is never charged.
Promise to the operator: no verdict leaves unpaid, every settlement is recorded, and nothing ambiguous is guessed.

Terms: x402 version 2, scheme \`exact\`, on \`NETWORK\` (by default \`eip155:8453\`, Base), USDC, EIP-3009 authorizations. Permit2 is not
accepted. A list costs its number of values times the price of one.

## One request

1. Limits, content type, JSON, schema, query string. A bad request is answered 413, 415 or 400, also with a payment
   attached. One exception for registries that probe: a POST without a body gets the 402.
2. Without a payment: 402 with the quote.
3. The payment is parsed and its signature recovered locally.
4. The ledger is asked for \`(network, asset, payer, nonce)\`; for a payer who has paid here, and a nonce that
   is new to the process, the claim itself finds a row. A known row is answered from its state, by its own amount, payee
   and token, also after the terms have changed and while the node is down. Only a new row is held against today's
   terms and time: valid since more than 2 s, at least 10 s left, at most 420 s ahead. A signature that is not by the
   payer's own key is refused unless the payer is a contract wallet; then the facilitator's verify decides, and the row
   remembers the signature as a MAC.
5. The check runs; the verdicts stay in memory. One row is written as \`settling\`, with an owner and a lease. Copies of
   the request wait for the outcome and share it. A new authorization of the same payer for the same call waits for the
   row under way and gets its answer.
6. Once that row is on disk, and no other authorization for the call is under way, the facilitator settles. This is the
   one flush a sale waits for. The record \`settled\` waits for none: should the store's machine lose power before the
   next flush, the row is \`settling\` again, the chain shows the payment, and a repeat gets the same answer and the same
   receipt. Three writes are flushed nevertheless: a settlement that pays for a task, so that a task shown as completed
   stays so; a settlement that the chain showed; and, with FACILITATOR_URL=self, the transaction's hash before it is
   broadcast. A task that waits for its payment is not flushed: the claim of the payment takes it along. A loss of power
   before that may lose the task; its payment is then answered \`task_not_found\`, and nothing is charged.
7. The outcome follows from the table below. An unknown outcome is never a 402, because a client answers a 402 by paying
   again.
8. The work goes on when the client leaves.

Once anything left this machine for an authorization, its row is reconciled until the chain has the last word, whatever a
facilitator said.

## States

![The states of a payment and the ways between them, as in the table of transitions](charts/states.svg)

<!-- begin: states -->
| state | meaning |
|---|---|
${states()}
<!-- end: states -->

## The table

The code works from this table (\`src/payments/sale/table/sale-table.ts\`): in each state, the step that follows from an event.
An event without a row here cannot happen; if it did, the request would fail as a defect and nothing would be sent.

<!-- begin: steps -->
| state | event | step |
|---|---|---|
${steps()}
<!-- end: steps -->

## Transitions

The ledger refuses every other change of a state. Each one compares state, owner and lease and sets the new ones in one
statement.

<!-- begin: transitions -->
| from | to | when |
|---|---|---|
${transitions()}
<!-- end: transitions -->

## Repeating a request

The identical request with the identical payment gets the same verdicts and the same receipt, marked
\`Payment-Replayed: true\`, and is not charged: for ${REPLAY_WINDOWS.deliveredMs / HOUR_MS} hour after the first delivery, and for ${REPLAY_WINDOWS.undeliveredMs / HOUR_MS} hours while nothing was
delivered. Later repeats get 409 \`replay_window_over\`. With another type or value: 409 \`payment_already_used\`.

Payer, nonce and signature are public once a payment is settled, so a row must not tell what was bought. A client that
names five differing values must wait, longer each time, whether its next value matches or not. Nothing is counted while
it waits, and other clients are not affected. After ${LOCKED_FROM} differing values from all clients together the payment is locked: every
request with it gets 402 \`payment_locked\`. The buyer signs a new authorization for the same call; it is answered from
the earlier payment and not charged.

A buyer who signs a new authorization for the same call because the answer was lost, or is late, or the outcome is in doubt, is answered
from the earlier payment for the whole replay window, and the new authorization is not settled.

Known limit: a new authorization that was answered from an earlier payment leaves no row of its own. If the earlier payment
is delivered meanwhile and the new authorization is then repeated, it is sold as another call. The buyer bears the price
of one call.

A binding ties the row to types and values: a MAC under a random key of the hour, with a salt per row. The key is
destroyed when the replay window of its last binding has ended.

## What counts as paid

\`authorizationState(payer, nonce)\` is used, and the token's \`AuthorizationUsed(payer, nonce)\` log is followed, as its
next log in the same transaction, by \`Transfer(payer, payTo, amount)\`, in a block after the claim. One log settles one
row. \`void\` needs a block whose own timestamp is past \`validBefore\`, twelve blocks under the head, with the authorization
unused in that block; or an authorization that was canceled, used before the claim, or spent on another payee.

By default the facilitator's word releases the verdict; with \`SETTLEMENT_PROOF=chain\` it waits for the transfer itself.
`
