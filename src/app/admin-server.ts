import type { IncomingMessage, ServerResponse } from 'node:http'
import { VERSION } from '../files/version.ts'
import { sendText } from '../http/body/send.ts'
import { errorHandler } from '../http/error-handler.ts'
import { expressApp } from '../http/express-app.ts'
import { requestId, requestIdOf } from '../http/headers/request-id.ts'
import type { Log } from '../log.ts'
import { type AdminGuardOptions, type AdminRefusal, adminGuard } from '../surfaces/admin/admin-guard.ts'
import { adminHeaders } from '../surfaces/admin/admin-headers.ts'
import { adminRoutes } from '../surfaces/admin/admin-routes.ts'
import { createSalesBook } from '../surfaces/admin/operator/figures/sales-book.ts'
import type { NonEmpty } from '../values/non-empty.ts'
import type { Instruments } from './monitoring/instrument.ts'
import { type ScrapeDeps, type ScrapedNetwork, scrape } from './monitoring/scrape.ts'
import type { ChannelMonitor } from './monitoring/scrape-channels.ts'
import type { NetworkParts } from './options.ts'

export interface AdminServerOptions {
  readonly instruments: Instruments
  readonly ownPayers: readonly string[]
  readonly ready: () => Promise<boolean>
  /** The operator's view shows the settlements of the first one. */
  readonly networks: NonEmpty<ScrapedNetwork & Pick<NetworkParts, 'settlementState' | 'facilitatorFee'>>
  readonly troubles: ScrapeDeps['troubles']
  readonly channelMonitor?: ChannelMonitor | undefined
  readonly sandbox: boolean
  readonly baseUrl: string
  /** UTC milliseconds. */
  readonly startedAt: number
  readonly now: () => number
  readonly log: Log
}

export type AdminServer = (guard: AdminGuardOptions) => (req: IncomingMessage, res: ServerResponse) => void

/** Never mounted on the public port. */
export function adminServer(options: AdminServerOptions): AdminServer {
  const { instruments, ownPayers, ready, networks, troubles, sandbox, baseUrl, startedAt, now, log } = options
  const { channelMonitor } = options
  const [{ settlementState, facilitatorFee = 0n, gauges }] = networks
  const { ledger, metrics, settlements } = instruments
  const figures = {
    ledger,
    channelsOn: channelMonitor !== undefined,
    sales: createSalesBook(ledger, ownPayers),
    settlements: () => ({ ...settlements }),
    settling: () => ({
      state: settlementState?.() ?? null,
      left: gauges().settlementsLeft,
      fee: facilitatorFee,
    }),
    ready,
    chainUp: () => networks.every(({ chainUp }) => chainUp()),
    startedAt,
    now,
  }
  const routes = adminRoutes({
    figures,
    ledger,
    ownPayers,
    metrics: () => scrape({ metrics, ledger, channels: channelMonitor, networks, troubles, now }),
    version: VERSION,
    sandbox,
    baseUrl,
    onView: (res, view) => log.info({ requestId: requestIdOf(res), event: 'admin_view', ...view }, 'admin'),
  })
  const onRefused = (res: ServerResponse, code: AdminRefusal) => {
    if (code !== 'foreign_host') metrics.adminRefused()
    log.warn({ requestId: requestIdOf(res), event: 'admin_refused', code }, 'admin')
  }
  return (guard) =>
    expressApp([requestId(), ...adminHeaders(), adminGuard(guard, onRefused), routes], (error, _req, res) =>
      errorHandler(log, res, () => sendText(res, 500, 'Internal error.\n'))(error),
    )
}
