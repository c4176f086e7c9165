import { PAYMENT_STATES } from '../src/ledger/payments/payment-row.ts'
import { TRANSITIONS } from '../src/ledger/payments/transitions.ts'
import {
  EARLIER_EVENTS,
  EARLIER_STEPS,
  EARLIER_TABLE,
  type EarlierEvent,
  type EarlierStep,
  EVENT_MEANINGS,
  GUARD_MEANINGS,
  SALE_TABLE,
  type SaleEvent,
  type SaleState,
  STATE_MEANINGS,
  STEP_MEANINGS,
  type StepName,
  type Steps,
} from '../src/payments/sale/table/sale-table.ts'
import { csvTable } from './csv-table.ts'

const STATES = ['new', ...PAYMENT_STATES] as const satisfies readonly SaleState[]

const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

function states(): string {
  return STATES.map((state) => row(code(state), STATE_MEANINGS[state])).join('\n')
}

/** The rows of one event: a step, or the first of several whose guard is true. */
const rowsOf = (state: SaleState, event: SaleEvent, steps: Steps<StepName>): readonly string[][] =>
  (typeof steps === 'string' ? [{ step: steps, when: undefined }] : steps).map(({ when, step }) => [
    state,
    EVENT_MEANINGS[event],
    when === undefined ? '' : GUARD_MEANINGS[when],
    STEP_MEANINGS[step],
  ])

/** docs/evidence/sale-steps.csv: in each state, the step that follows from an event. */
export const saleSteps = (): string =>
  csvTable(
    ['state', 'event', 'if', 'step'],
    [
      ...STATES.flatMap((state) =>
        Object.entries(SALE_TABLE[state]).flatMap(([event, steps]) =>
          rowsOf(state, event as SaleEvent, steps),
        ),
      ),
      ...PAYMENT_STATES.flatMap((state) =>
        Object.entries(EARLIER_TABLE[state]).map(([event, step]) => [
          `an earlier payment, ${state}`,
          EARLIER_EVENTS[event as EarlierEvent],
          '',
          EARLIER_STEPS[step as EarlierStep],
        ]),
      ),
    ],
  )

/** docs/evidence/sale-transitions.csv: the changes of a state that the ledger allows. */
export const saleTransitions = (): string =>
  csvTable(
    ['from', 'to', 'when'],
    PAYMENT_STATES.flatMap((from) => Object.entries(TRANSITIONS[from]).map(([to, why]) => [from, to, why])),
  )

/** docs/evidence/sale-states.md: the tables the code works from. */
export const paymentsDoc = (): string => `---
reader: developers
---
# States of a sale

[How it works](../how-it-works.md) explains a sale in words. These tables are the ones that the code works from.

## States

![An order from terms, payment, claim and settlement to its answer; refused, in doubt, void and replayed beside it](../charts/life.svg)

<!-- begin: states -->
| state | meaning |
|---|---|
${states()}
<!-- end: states -->

## Steps

[In each state, the step that follows from an event](sale-steps.csv), as in \`src/payments/sale/table/sale-table.ts\`: the first
row whose condition holds. Its last rows say how an earlier payment for the same call answers a new one. An event without a row
cannot happen; if it did, the request would fail as a defect and nothing would be sent.

## Transitions

[From which state to which, and when](sale-transitions.csv). The ledger refuses every other change. Each compares state, owner
and lease and sets the new ones in one statement.
`
