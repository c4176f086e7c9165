/** Series that provoke an alert, and series that come close and must not; in promtool's notation. */
export interface AlertCase {
  /** Without the prefix of the service. */
  readonly alert: string
  readonly series: Readonly<Record<string, string>>
  /** Time between two values; a minute by default. */
  readonly step?: string
  /** When it is looked at. */
  readonly at: string
  /** Labels that come from the expression. */
  readonly labels?: Readonly<Record<string, string>>
}

const PAID = 'format_checker_paid_call_duration_seconds'
const HTTP = 'format_checker_http_request_duration_seconds'
const SETTLEMENT = 'format_checker_settlement_duration_seconds'

const trouble = (alert: string, reason: string): AlertCase => ({
  alert,
  series: { [`format_checker_payment_trouble{reason="${reason}"}`]: '1x30' },
  at: '20m',
})

const UP = { 'up{job="format-checker"}': '1x30' }

export const FIRING: readonly AlertCase[] = [
  {
    alert: 'Down',
    series: { 'up{job="format-checker"}': '1x5 0x10' },
    at: '9m',
    labels: { job: 'format-checker' },
  },
  { alert: 'FiguresAbsent', series: UP, at: '6m', labels: { state: 'in_doubt' } },
  trouble('StoreUnavailable', 'store_unavailable'),
  trouble('StoreFull', 'store_full'),
  trouble('StoreReadOnly', 'store_read_only'),
  trouble('ChainUnavailable', 'chain_unavailable'),
  trouble('ChainWrong', 'chain_wrong'),
  trouble('ChainStalled', 'chain_stalled'),
  trouble('ClockWrong', 'clock_wrong'),
  trouble('FacilitatorUnsupported', 'facilitator_unsupported'),
  trouble('SignerAway', 'signer_away'),
  trouble('SettlementAccountEmpty', 'settlement_account_empty'),
  trouble('SettlementTooExpensive', 'settlement_too_expensive'),
  trouble('DailyLossReached', 'daily_loss_reached'),
  trouble('ShutdownStuck', 'shutting_down'),
  trouble('FacilitatorSilent', 'facilitator_silent'),
  trouble('SettlementAccountLow', 'settlement_account_low'),
  trouble('SoldBelowCost', 'sold_below_cost'),
  {
    alert: 'PaidErrorBudgetFast',
    series: {
      [`${PAID}_count{outcome="unavailable"}`]: '0+1x90',
      [`${PAID}_count{outcome="sold"}`]: '0+9x90',
    },
    at: '80m',
  },
  {
    alert: 'PaidErrorBudgetSlow',
    series: {
      [`${PAID}_count{outcome="in_doubt"}`]: '0+0.2x440',
      [`${PAID}_count{outcome="sold"}`]: '0+20x440',
    },
    step: '10m',
    at: '73h',
  },
  {
    alert: 'PaidLatencyBudgetFast',
    series: {
      [`${PAID}_count{outcome="sold"}`]: '0+2x90',
      [`${PAID}_bucket{outcome="sold",le="5"}`]: '0+0.2x90',
    },
    at: '80m',
  },
  {
    alert: 'PaidLatencyBudgetSlow',
    series: {
      [`${PAID}_count{outcome="sold"}`]: '0+20x440',
      [`${PAID}_bucket{outcome="sold",le="5"}`]: '0+18x440',
    },
    step: '10m',
    at: '73h',
  },
  {
    alert: 'ServerErrorBudgetFast',
    series: {
      [`${HTTP}_count{status="5xx",surface="rest"}`]: '0+1x90',
      [`${HTTP}_count{status="2xx",surface="rest"}`]: '0+19x90',
    },
    at: '80m',
  },
  {
    alert: 'ServerErrorBudgetSlow',
    series: {
      [`${HTTP}_count{status="5xx",surface="a2a"}`]: '0+0.2x440',
      [`${HTTP}_count{status="4xx",surface="rest"}`]: '0+100x440',
    },
    step: '10m',
    at: '73h',
  },
  {
    alert: 'StoreFailing',
    series: { 'format_checker_store_failures_total{kind="read"}': '0+1x30' },
    at: '15m',
  },
  { alert: 'StoreCrowded', series: { format_checker_store_waiting: '3x40' }, at: '25m' },
  {
    alert: 'InDoubtRising',
    series: { 'format_checker_open_payments{state="in_doubt"}': '0+1x40' },
    at: '30m',
  },
  { alert: 'InDoubtLasting', series: { format_checker_in_doubt_seconds: '0+60x40' }, at: '31m' },
  {
    alert: 'SettlementNotRecorded',
    series: { 'format_checker_sale_events_total{event="settlement_not_recorded"}': '0 0 1x10' },
    at: '5m',
  },
  {
    alert: 'FacilitatorErrors',
    series: {
      [`${SETTLEMENT}_count{outcome="doubtful"}`]: '0+1x30',
      [`${SETTLEMENT}_count{outcome="settled"}`]: '0+4x30',
    },
    at: '20m',
  },
  {
    alert: 'FacilitatorSlow',
    series: {
      [`${SETTLEMENT}_bucket{outcome="settled",le="10"}`]: '0+1x60',
      [`${SETTLEMENT}_bucket{outcome="settled",le="20"}`]: '0+2x60',
      [`${SETTLEMENT}_bucket{outcome="settled",le="+Inf"}`]: '0+2x60',
      [`${SETTLEMENT}_count{outcome="settled"}`]: '0+2x60',
    },
    at: '50m',
  },
  { alert: 'ClockOff', series: { format_checker_clock_ahead_seconds: '-90x40' }, at: '10m' },
  { alert: 'SettlementsWaiting', series: { format_checker_settlements_pending: '25x40' }, at: '20m' },
  { alert: 'AuditMissing', series: { format_checker_audit_missing: '1x5' }, at: '2m' },
  { alert: 'AuditBehind', series: { format_checker_audit_pending_seconds: '3000+60x40' }, at: '25m' },
  { alert: 'ScanBehind', series: { format_checker_scan_behind_seconds: '3000+60x40' }, at: '25m' },
  { alert: 'UnknownTransfers', series: { format_checker_unknown_transfers_total: '0 0 1x10' }, at: '5m' },
  {
    alert: 'ChannelWithdrawalUnclaimed',
    series: { 'format_checker_channels{state="withdrawing_unclaimed"}': '1x40' },
    at: '35m',
  },
  {
    alert: 'ChannelsNotWatched',
    series: { format_checker_channel_oldest_read_seconds: '10000+60x60' },
    at: '40m',
  },
  {
    alert: 'ChannelExposureHigh',
    series: {
      'format_checker_channel_units{what="unclaimed"}': '40000000x30',
      format_checker_channel_unclaimed_limit_units: '50000000x30',
    },
    at: '20m',
  },
  {
    alert: 'ChannelCallsRefused',
    series: { 'format_checker_sale_events_total{event="channel_exposure_reached"}': '0 0 1+1x20' },
    at: '12m',
  },
  {
    alert: 'ChannelVoucherLost',
    series: { 'format_checker_sale_events_total{event="channel_voucher_lost"}': '0 0 1x10' },
    at: '5m',
  },
  {
    alert: 'ChannelClaimFailed',
    series: { 'format_checker_sale_events_total{event="channel_claim_failed"}': '0 0 1x10' },
    at: '5m',
  },
  {
    alert: 'ChannelStoreBehind',
    series: {
      'format_checker_channels{state="ahead"}': '0x20',
      'format_checker_channel_units{what="claimed_without_row"}': '5000x20',
    },
    at: '15m',
    labels: {},
  },
  {
    alert: 'ChannelDepositInDoubt',
    series: { format_checker_channel_deposits_in_doubt: '1x40' },
    at: '35m',
  },
  {
    alert: 'NoSales',
    series: { 'format_checker_sales_total{outcome="payment_required"}': '0+1x400' },
    at: '6h',
  },
  { alert: 'UnpaidTasksNearLimit', series: { format_checker_unpaid_tasks: '9000x20' }, at: '10m' },
  {
    alert: 'RequestsLimited',
    series: {
      'format_checker_limited_requests_total{surface="rest"}': '0+100x60',
      [`${HTTP}_count{status="4xx",surface="rest"}`]: '0+120x60',
    },
    at: '40m',
  },
  {
    alert: 'ConnectionsRefused',
    series: { 'format_checker_refused_connections_total{limit="all"}': '0+20x30' },
    at: '20m',
  },
  { alert: 'AdminTokenGuessed', series: { format_checker_admin_refusals_total: '0+5x30' }, at: '20m' },
  { alert: 'EventLoopLag', series: { nodejs_eventloop_lag_p99_seconds: '1x20' }, at: '15m' },
]

/** Named after what happens; the alert must stay silent. */
export const SILENT: Readonly<Record<string, AlertCase>> = {
  'three of four calls at night fail': {
    alert: 'PaidErrorBudgetFast',
    series: {
      [`${PAID}_count{outcome="unavailable"}`]: '0 1 2 3x90',
      [`${PAID}_count{outcome="sold"}`]: '0 1x90',
    },
    at: '30m',
  },
  'every payment is refused for a reason of the buyer': {
    alert: 'PaidErrorBudgetFast',
    series: { [`${PAID}_count{outcome="refused"}`]: '0+5x90', [`${PAID}_count{outcome="sold"}`]: '0x90' },
    at: '80m',
  },
  'the errors of an hour ago are over': {
    alert: 'PaidErrorBudgetFast',
    series: {
      [`${PAID}_count{outcome="unavailable"}`]: '0+5x10 50x100',
      [`${PAID}_count{outcome="sold"}`]: '0+5x110',
    },
    at: '55m',
  },
  'many sales wait for their audit, and not for long': {
    alert: 'AuditBehind',
    series: { format_checker_audit_pending_seconds: '600x80', format_checker_audit_pending: '60000x80' },
    at: '65m',
  },
  'a scan is half an hour behind, whatever waits for it': {
    alert: 'ScanBehind',
    series: { format_checker_scan_behind_seconds: '1800x80', format_checker_audit_pending: '60000x80' },
    at: '65m',
  },
  'a single slow sale': {
    alert: 'PaidLatencyBudgetFast',
    series: {
      [`${PAID}_count{outcome="sold"}`]: '0 1x90',
      [`${PAID}_bucket{outcome="sold",le="5"}`]: '0x90',
    },
    at: '10m',
  },
  'an unready replica answers its probes with 503': {
    alert: 'ServerErrorBudgetFast',
    series: {
      [`${HTTP}_count{status="5xx",surface="ops"}`]: '0+20x90',
      [`${HTTP}_count{status="2xx",surface="rest"}`]: '0+1x90',
    },
    at: '80m',
  },
  'a doubt that is a minute old, after a start': {
    alert: 'InDoubtLasting',
    series: {
      format_checker_in_doubt_seconds: '60x3',
      'format_checker_open_payments{state="in_doubt"}': '1x3',
    },
    at: '2m',
  },
  'a payer who withdraws is claimed from at the next look': {
    alert: 'ChannelWithdrawalUnclaimed',
    series: { 'format_checker_channels{state="withdrawing_unclaimed"}': '0 1 1 0x40' },
    at: '35m',
  },
  'half of what may be unclaimed, between two claims': {
    alert: 'ChannelExposureHigh',
    series: {
      'format_checker_channel_units{what="unclaimed"}': '26000000x30',
      format_checker_channel_unclaimed_limit_units: '50000000x30',
    },
    at: '20m',
  },
  'a service without payment channels': {
    alert: 'ChannelsNotWatched',
    series: UP,
    at: '20m',
  },
  'one failed settlement of one': {
    alert: 'FacilitatorErrors',
    series: {
      [`${SETTLEMENT}_count{outcome="doubtful"}`]: '0 0 1x40',
      [`${SETTLEMENT}_count{outcome="settled"}`]: '0x40',
    },
    at: '9m',
  },
  'one slow settlement of one': {
    alert: 'FacilitatorSlow',
    series: {
      [`${SETTLEMENT}_bucket{outcome="settled",le="10"}`]: '0x60',
      [`${SETTLEMENT}_bucket{outcome="settled",le="20"}`]: '0 0 1x60',
      [`${SETTLEMENT}_bucket{outcome="settled",le="+Inf"}`]: '0 0 1x60',
      [`${SETTLEMENT}_count{outcome="settled"}`]: '0 0 1x60',
    },
    at: '20m',
  },
  'the node is away for a minute': {
    alert: 'ChainUnavailable',
    series: { 'format_checker_payment_trouble{reason="chain_unavailable"}': '0 0 0 1 0x20' },
    at: '4m',
  },
  'a rolling update shuts a process down': {
    alert: 'ShutdownStuck',
    series: { 'format_checker_payment_trouble{reason="shutting_down"}': '0 0 1 _x20' },
    at: '3m',
  },
}
