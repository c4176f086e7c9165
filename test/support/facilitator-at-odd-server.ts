import { afterEach, beforeEach } from 'vitest'
import {
  createHttpFacilitator,
  type HttpFacilitatorOptions,
} from '../../src/payments/facilitators/http/http-facilitator.ts'
import { freshAccount, type SignedPayment, signPayment, termsFor } from './chain-payments.ts'
import { type OddServer, startOddServer } from './odd-server.ts'

/** For a group of tests: a facilitator that follows a script, a payment, and clients that are closed after each test. */
export function facilitatorAtOddServer() {
  let server: OddServer
  let payment: SignedPayment
  let open: ReturnType<typeof createHttpFacilitator>[]
  beforeEach(async () => {
    open = []
    server = await startOddServer()
    payment = await signPayment(freshAccount(), termsFor(freshAccount().address))
  })
  afterEach(async () => {
    for (const client of open) client.close()
    await server.stop()
  })

  return {
    get server() {
      return server
    },
    get payment() {
      return payment
    },
    connect(options: Partial<HttpFacilitatorOptions> = {}) {
      const client = createHttpFacilitator({ url: server.url, ...options })
      open.push(client)
      return client
    },
  }
}
