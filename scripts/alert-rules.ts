import type { PaymentTrouble } from '../src/surfaces/site/status/status.ts'

/** One alert of Prometheus; `docs/runbook.md` has a section of its name. */
export interface AlertRule {
  readonly alert: string
  readonly expr: string
  /** How long the condition must hold. */
  readonly for?: string
  /** `page` wakes a person, `ticket` waits for working hours. */
  readonly severity: 'page' | 'ticket'
  readonly summary: string
}

type Trouble = Pick<AlertRule, 'alert' | 'for' | 'severity' | 'summary'>

/** One alert for each reason that pauses payments or soon will; the compiler asks for a new reason's. */
const TROUBLES: Readonly<Record<PaymentTrouble, Trouble>> = {
  store_unavailable: {
    alert: 'StoreUnavailable',
    for: '2m',
    severity: 'page',
    summary: 'The store does not answer or takes no writes; new calls get 503 and are not charged.',
  },
  store_full: {
    alert: 'StoreFull',
    for: '1m',
    severity: 'page',
    summary: 'The store has no room left; new calls get 503 and are not charged.',
  },
  store_read_only: {
    alert: 'StoreReadOnly',
    for: '2m',
    severity: 'page',
    summary: 'The store takes no writes; new calls get 503 and are not charged.',
  },
  chain_unavailable: {
    alert: 'ChainUnavailable',
    for: '2m',
    severity: 'page',
    summary: 'No node of RPC_URL answers; new sales are paused.',
  },
  chain_wrong: {
    alert: 'ChainWrong',
    for: '1m',
    severity: 'page',
    summary:
      'The node of RPC_URL serves another chain than NETWORK names, or one without USDC; new sales are paused.',
  },
  chain_stalled: {
    alert: 'ChainStalled',
    for: '2m',
    severity: 'page',
    summary: 'The newest block of the node of RPC_URL does not change; new sales are paused.',
  },
  clock_wrong: {
    alert: 'ClockWrong',
    for: '2m',
    severity: 'page',
    summary: 'The clock of the store is more than a minute from that of the chain; new sales are paused.',
  },
  facilitator_unsupported: {
    alert: 'FacilitatorUnsupported',
    for: '2m',
    severity: 'page',
    summary: 'The facilitator says that it does not settle our kind of payment; new sales are paused.',
  },
  signer_away: {
    alert: 'SignerAway',
    for: '1m',
    severity: 'page',
    summary: 'The process of SIGNER_SOCKET does not answer; new sales are paused.',
  },
  settlement_account_empty: {
    alert: 'SettlementAccountEmpty',
    for: '1m',
    severity: 'page',
    summary: 'The account of SETTLEMENT_KEY cannot pay for one more settlement; new sales are paused.',
  },
  settlement_too_expensive: {
    alert: 'SettlementTooExpensive',
    for: '10m',
    severity: 'page',
    summary: 'A settlement costs more than SETTLEMENT_MAX_COST_USD; new sales are paused.',
  },
  daily_loss_reached: {
    alert: 'DailyLossReached',
    for: '1m',
    severity: 'page',
    summary:
      'Settling has lost SETTLEMENT_DAILY_LOSS_USD today, or may; new payers are refused until midnight UTC.',
  },
  shutting_down: {
    alert: 'ShutdownStuck',
    for: '2m',
    severity: 'ticket',
    summary: 'A process has been shutting down for longer than a shutdown may take.',
  },
  facilitator_silent: {
    alert: 'FacilitatorSilent',
    for: '5m',
    severity: 'page',
    summary: 'The facilitator does not answer; payments are tried and fail.',
  },
  settlement_account_low: {
    alert: 'SettlementAccountLow',
    for: '10m',
    severity: 'ticket',
    summary: 'The account of SETTLEMENT_KEY can pay for fewer than 500 settlements.',
  },
  sold_below_cost: {
    alert: 'SoldBelowCost',
    for: '10m',
    severity: 'ticket',
    summary: 'Settlements cost more in gas and data fee than they bring in.',
  },
}

/** A share of good events that is promised over 30 days; docs/operations.md names the three. */
interface Objective {
  readonly alert: string
  /** Selectors of the events that break the promise, and of all; `WINDOW` stands for the range. */
  readonly bad: string
  readonly all: string
  /** The share that may be bad. */
  readonly budget: number
  /** Bad events in the long window below which nothing is said: one of two calls at night is no trend. */
  readonly leastBad: number
  readonly summary: string
}

const PAID = 'format_checker_paid_call_duration_seconds'
const HTTP = 'format_checker_http_request_duration_seconds'

const OBJECTIVES: readonly Objective[] = [
  {
    alert: 'PaidErrorBudget',
    bad: `sum(increase(${PAID}_count{outcome=~"in_doubt|unavailable|error"}[WINDOW]))`,
    all: `sum(increase(${PAID}_count[WINDOW]))`,
    budget: 0.005,
    leastBad: 5,
    summary: 'Calls with a payment get no verdict for reasons of the service',
  },
  {
    alert: 'PaidLatencyBudget',
    bad: `sum(increase(${PAID}_count{outcome="sold"}[WINDOW])) - sum(increase(${PAID}_bucket{outcome="sold",le="5"}[WINDOW]))`,
    all: `sum(increase(${PAID}_count{outcome="sold"}[WINDOW]))`,
    budget: 0.05,
    leastBad: 10,
    summary: 'Sales take longer than five seconds',
  },
  {
    alert: 'ServerErrorBudget',
    bad: `sum(increase(${HTTP}_count{status="5xx",surface!="ops"}[WINDOW]))`,
    all: `sum(increase(${HTTP}_count{surface!="ops"}[WINDOW]))`,
    budget: 0.001,
    leastBad: 10,
    summary: 'Requests are answered 5xx',
  },
]

/** Long and short window, and how many times faster than allowed the budget goes: Google's SRE workbook, chapter 5. */
const FAST = [
  { long: '1h', short: '5m', rate: 14.4 },
  { long: '6h', short: '30m', rate: 6 },
]
const SLOW = [
  { long: '1d', short: '2h', rate: 3 },
  { long: '3d', short: '6h', rate: 1 },
]

function burns(objective: Objective, windows: typeof FAST): string {
  const over = (selector: string, window: string) => selector.replaceAll('WINDOW', window)
  const { bad, all, budget, leastBad } = objective
  return windows
    .map(({ long, short, rate }) => {
      // Rounded, so that the bound is no binary fraction.
      const share = Number((rate * budget).toFixed(4))
      const burning = (window: string) => `(${over(bad, window)}) / ${over(all, window)} > ${share}`
      return `(${burning(long)} and ${burning(short)} and (${over(bad, long)}) >= ${leastBad})`
    })
    .join(' or ')
}

/** Every alert, in the order of the runbook; names get the prefix of the service. */
export const ALERT_RULES: readonly AlertRule[] = [
  {
    alert: 'Down',
    expr: 'up{job="format-checker"} == 0',
    for: '2m',
    severity: 'page',
    summary: 'The admin port of a process does not answer.',
  },
  {
    alert: 'FiguresAbsent',
    expr: 'absent(format_checker_open_payments{state="in_doubt"})',
    for: '5m',
    severity: 'page',
    summary: 'How many payments are in doubt is not known: the store does not say, or no process is scraped.',
  },
  ...Object.entries(TROUBLES).map(
    ([reason, trouble]): AlertRule => ({
      ...trouble,
      expr: `max(format_checker_payment_trouble{reason="${reason}"}) == 1`,
    }),
  ),
  ...OBJECTIVES.flatMap((objective): AlertRule[] => [
    {
      alert: `${objective.alert}Fast`,
      expr: burns(objective, FAST),
      severity: 'page',
      summary: `${objective.summary}; at this rate the month's budget is gone within five days.`,
    },
    {
      alert: `${objective.alert}Slow`,
      expr: burns(objective, SLOW),
      severity: 'ticket',
      summary: `${objective.summary}; at this rate the month's budget does not last the month.`,
    },
  ]),
  {
    alert: 'StoreFailing',
    expr: 'sum(increase(format_checker_store_failures_total[10m])) > 5',
    for: '1m',
    severity: 'page',
    summary: 'The store did not answer some calls; they were answered 503: not charged, unless in doubt.',
  },
  {
    alert: 'StoreCrowded',
    expr: 'min_over_time(format_checker_store_waiting[10m]) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'Store calls have been waiting for a connection or a commit at every scrape of 20 minutes.',
  },
  {
    alert: 'InDoubtRising',
    expr: 'max(format_checker_open_payments{state="in_doubt"}) > 5 and max(delta(format_checker_open_payments{state="in_doubt"}[15m])) > 5',
    for: '5m',
    severity: 'page',
    summary: 'More and more payments are in doubt; the chain clears them up slower than they come.',
  },
  {
    alert: 'InDoubtLasting',
    expr: 'max(format_checker_in_doubt_seconds) > 1800',
    severity: 'ticket',
    summary: 'A payment has been in doubt for half an hour.',
  },
  {
    alert: 'SettlementNotRecorded',
    expr: 'sum(increase(format_checker_sale_events_total{event="settlement_not_recorded"}[15m])) > 0',
    severity: 'page',
    summary: 'A settlement could not be written down; the next recovery run reads it from the chain.',
  },
  {
    alert: 'FacilitatorErrors',
    expr:
      'sum(increase(format_checker_settlement_duration_seconds_count{outcome=~"doubtful|not_sent"}[10m])) >= 5 and ' +
      'sum(rate(format_checker_settlement_duration_seconds_count{outcome=~"doubtful|not_sent"}[10m])) / ' +
      'sum(rate(format_checker_settlement_duration_seconds_count[10m])) > 0.1',
    for: '5m',
    severity: 'page',
    summary: 'More than a tenth of the settlements fail at the facilitator.',
  },
  {
    alert: 'FacilitatorSlow',
    expr:
      'histogram_quantile(0.95, sum by (le) (rate(format_checker_settlement_duration_seconds_bucket[30m]))) > 10 and ' +
      'sum(increase(format_checker_settlement_duration_seconds_count[30m])) >= 20',
    for: '10m',
    severity: 'ticket',
    summary: 'One settlement in twenty takes longer than ten seconds at the facilitator.',
  },
  {
    alert: 'SettlementsWaiting',
    expr: 'min_over_time(format_checker_settlements_pending[10m]) > 20',
    for: '5m',
    severity: 'ticket',
    summary: 'Own settlements are sent faster than they are mined.',
  },
  {
    alert: 'ClockOff',
    expr: 'max(abs(format_checker_clock_ahead_seconds)) > 60',
    for: '5m',
    severity: 'page',
    summary:
      'The clock of the store is more than a minute from that of the chain; from two minutes ahead no new payment is taken.',
  },
  {
    alert: 'AuditMissing',
    expr: 'max(format_checker_audit_missing) > 0',
    severity: 'page',
    summary: 'The facilitator has confirmed a payment whose transfer is not on the chain.',
  },
  {
    alert: 'AuditBehind',
    expr: 'max(format_checker_audit_pending_seconds) > 3600',
    for: '10m',
    severity: 'ticket',
    summary: 'A settled payment has waited for its audit for more than an hour.',
  },
  {
    alert: 'ScanBehind',
    expr: 'max(format_checker_scan_behind_seconds) > 3600',
    for: '10m',
    severity: 'ticket',
    summary: 'The scan of transfers to PAY_TO is more than an hour behind the chain.',
  },
  {
    alert: 'UnknownTransfers',
    expr: 'sum(increase(format_checker_unknown_transfers_total[1d])) > 0',
    severity: 'ticket',
    summary: 'PAY_TO received money that no payment of this ledger accounts for.',
  },
  {
    alert: 'ChannelWithdrawalUnclaimed',
    expr: 'max(format_checker_channels{state="withdrawing_unclaimed"}) > 0',
    for: '30m',
    severity: 'page',
    summary:
      'A payer withdraws from a payment channel, and what is charged is not claimed; after a day it is lost.',
  },
  {
    alert: 'ChannelsNotWatched',
    expr: 'max(format_checker_channel_oldest_read_seconds) > 10800',
    for: '10m',
    severity: 'page',
    summary: 'A payment channel was not read from the chain for three hours; a withdrawal takes a day.',
  },
  {
    alert: 'ChannelExposureHigh',
    expr:
      'max(format_checker_channel_units{what="unclaimed"}) > ' +
      '0.75 * max(format_checker_channel_unclaimed_limit_units)',
    for: '15m',
    severity: 'page',
    summary: 'Claims do not get through; calls over payment channels will soon be refused.',
  },
  {
    alert: 'ChannelCallsRefused',
    expr: 'sum(increase(format_checker_sale_events_total{event="channel_exposure_reached"}[15m])) > 0',
    for: '5m',
    severity: 'page',
    summary: 'Calls over payment channels are refused because too much is charged and not claimed.',
  },
  {
    alert: 'ChannelVoucherLost',
    expr: 'sum(increase(format_checker_sale_events_total{event="channel_voucher_lost"}[1d])) > 0',
    severity: 'page',
    summary: 'A payer has withdrawn money that a voucher was signed for; claims were late by a day.',
  },
  {
    alert: 'ChannelClaimFailed',
    expr: 'sum(increase(format_checker_sale_events_total{event="channel_claim_failed"}[1d])) > 0',
    severity: 'ticket',
    summary: 'A claim did not go through; it is tried again.',
  },
  {
    alert: 'ChannelStoreBehind',
    expr:
      'max(format_checker_channels{state="ahead"}) > 0 or ' +
      'max(format_checker_channel_units{what="claimed_without_row"}) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'More was claimed from payment channels than this store knows of.',
  },
  {
    alert: 'ChannelDepositInDoubt',
    expr: 'max(format_checker_channel_deposits_in_doubt) > 0',
    for: '30m',
    severity: 'ticket',
    summary: 'A deposit into a payment channel has been in doubt for half an hour.',
  },
  {
    alert: 'NoSales',
    expr:
      'sum(increase(format_checker_sales_total{outcome="payment_required"}[6h])) > 50 and ' +
      '(sum(increase(format_checker_sales_total{outcome="sold"}[6h])) or vector(0)) == 0',
    severity: 'ticket',
    summary: 'Calls are quoted, and not one was paid for in six hours.',
  },
  {
    alert: 'UnpaidTasksNearLimit',
    expr: 'max(format_checker_unpaid_tasks) > 8000',
    for: '5m',
    severity: 'ticket',
    summary: 'More than 8,000 of 10,000 possible A2A tasks wait for a payment.',
  },
  {
    alert: 'RequestsLimited',
    expr:
      'sum(increase(format_checker_limited_requests_total[15m])) > 500 and ' +
      `sum(rate(format_checker_limited_requests_total[15m])) / sum(rate(${HTTP}_count[15m])) > 0.5`,
    for: '15m',
    severity: 'ticket',
    summary: 'Most requests are answered 429.',
  },
  {
    alert: 'ConnectionsRefused',
    expr: 'sum(increase(format_checker_refused_connections_total[15m])) > 100',
    severity: 'ticket',
    summary: 'More than a hundred connections were refused within a quarter of an hour.',
  },
  {
    alert: 'AdminTokenGuessed',
    expr: 'sum(increase(format_checker_admin_refusals_total[15m])) > 20',
    severity: 'ticket',
    summary: 'Requests reach the admin port without its token.',
  },
  {
    alert: 'EventLoopLag',
    expr: 'max(nodejs_eventloop_lag_p99_seconds) > 0.5',
    for: '10m',
    severity: 'ticket',
    summary: 'The process is held up for half a second and more.',
  },
].map((rule) => ({ ...rule, alert: `FormatChecker${rule.alert}` }) as AlertRule)

/** The file of rules as Prometheus reads it. */
export function alertsYaml(): string {
  const rules = ALERT_RULES.map(
    (rule) => `      - alert: ${rule.alert}
        expr: >-
${wrapped(rule.expr)}
${rule.for === undefined ? '' : `        for: ${rule.for}\n`}        labels: { severity: ${rule.severity} }
        annotations:
          summary: ${quoted(rule.summary)}
          runbook: docs/runbook.md#${rule.alert.toLowerCase()}
`,
  )
  return `# Prometheus alert rules, written from scripts/alert-rules.ts by \`node scripts/update-docs.ts\`. docs/runbook.md says what
# to do about each. They need a scrape job named "format-checker".
groups:
  - name: format-checker
    rules:
${rules.join('\n')}`
}

/** A folded scalar: one line for each term. */
const wrapped = (expr: string): string =>
  expr
    .replaceAll(' or (', '\nor (')
    .replaceAll(' and ', '\nand ')
    .split('\n')
    .map((line) => `          ${line}`)
    .join('\n')

const quoted = (text: string): string => (/[:#]/.test(text) ? JSON.stringify(text) : text)
