import { afterAll, beforeAll } from 'vitest'
import { CLI, outcomeOf } from './command.ts'
import { type MisbehavingProxy, startMisbehavingProxy } from './misbehaving-proxy.ts'
import { startTestService, type TestService } from './sandbox-service.ts'

/** What the service answers while the outcome of a payment is open. */
export const inDoubt = (retryAfter: '0' | '1') => ({
  status: 503,
  headers: { 'Retry-After': retryAfter },
  body: { code: 'payment_in_doubt', detail: 'It is not yet known whether the payment was settled.' },
})

/** For a test file of `buy`: the whole sandbox, a proxy in front of it that may misbehave, and the command line. */
export function buyStage() {
  let service: TestService
  let proxy: MisbehavingProxy
  beforeAll(async () => {
    service = await startTestService()
    proxy = await startMisbehavingProxy(service.url)
  })
  afterAll(async () => {
    await proxy.stop()
    await service.stop()
  })
  /** The sandbox's own buyer pays. */
  const environment = () => ({ BUYER_PRIVATE_KEY: service.sandbox.buyer.privateKey })
  const command = (args: readonly string[], url: string) => [CLI, 'buy', ...args, '--url', url]

  return {
    get service() {
      return service
    },
    get proxy() {
      return proxy
    },
    environment,
    command,
    /** Runs `buy` at the service itself unless said otherwise. */
    buy: (args: readonly string[], { url = service.url, input = '', env = {} } = {}) =>
      outcomeOf(command(args, url), { input, env: { ...environment(), ...env } }),
    /** What an act moves: payments in the service's books, and atomic units of buyer and payee on the chain. */
    async moved(act: () => Promise<unknown>) {
      const before = await service.books()
      await act()
      const after = await service.books()
      return {
        payments: after.rows - before.rows,
        spent: before.buyer - after.buyer,
        earned: after.payee - before.payee,
      }
    },
  }
}
