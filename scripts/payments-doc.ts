import { PAYMENT_STATES } from '../src/ledger/payments/payment-row.ts'
import { TRANSITIONS } from '../src/ledger/payments/transitions.ts'
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

/** docs/evidence/sale-states.md: the tables the code works from. */
export const paymentsDoc = (): string => `---
reader: developers
---
# States of a sale

[How it works](../how-it-works.md) explains a sale in words. These tables are the ones that the code works from.

## States

![The states of a payment and the ways between them, as in the table of transitions](../charts/states.svg)

<!-- begin: states -->
| state | meaning |
|---|---|
${states()}
<!-- end: states -->

## Steps

In each state, the step that follows from an event (\`src/payments/sale/table/sale-table.ts\`). An event without a row cannot
happen; if it did, the request would fail as a defect and nothing would be sent.

<!-- begin: steps -->
| state | event | step |
|---|---|---|
${steps()}
<!-- end: steps -->

## Transitions

The ledger refuses every other change of a state. Each change compares state, owner and lease and sets the new ones in one
statement.

<!-- begin: transitions -->
| from | to | when |
|---|---|---|
${transitions()}
<!-- end: transitions -->
`
