import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { decodePaymentResponseHeader } from '@x402/core/http'
import {
  isJWSSignedReceipt,
  type SignedReceipt,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveService, startLiveService, startWorld, type World } from '../support/live-service.ts'

const IBAN = 'DE89370400440532013000'
let world: World
let settings: Record<string, string>
beforeAll(async () => {
  world = await startWorld()
  settings = await world.settings(world.sandbox.facilitatorUrl)
})
afterAll(() => world.stop())

/** Runs the service for as long as something is done with it. */
async function during<T>(
  extra: Readonly<Record<string, string>>,
  act: (service: LiveService) => Promise<T>,
): Promise<T> {
  const service = await startLiveService({ ...settings, ...extra })
  try {
    return await act(service)
  } finally {
    await service.stop()
  }
}

const buy = (service: LiveService, payment: string) =>
  service.check('iban', IBAN, { 'PAYMENT-SIGNATURE': payment })

function receiptOf(response: Response): SignedReceipt & { format: 'jws' } {
  const settlement = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
  const { info } = settlement.extensions?.['offer-receipt'] as { info: { receipt: SignedReceipt } }
  if (!isJWSSignedReceipt(info.receipt)) throw new Error('no receipt in JWS')
  return info.receipt as SignedReceipt & { format: 'jws' }
}

const headerOf = (text = ''): { kid: string } => JSON.parse(Buffer.from(text, 'base64url').toString())
const kidOf = (receipt: { signature: string }) => headerOf(receipt.signature.split('.')[0]).kid

async function kidsOf({ url }: LiveService): Promise<string[]> {
  const { keys } = (await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}

/** Takes a key out of the directory, so that the next start makes a new one. */
function takeOut(name: string): string {
  const path = join(settings.DATA_DIR ?? '', name)
  const text = readFileSync(path, 'utf8').trim()
  rmSync(path)
  return text
}

test('every key can be exchanged with an overlap: nothing sold before is lost, nothing signed before is unverifiable', async () => {
  const payment = await world.pay(world.buyer)
  const before = await during({}, async (service) => {
    const sold = await buy(service, payment)
    expect(sold.status).toBe(200)
    return { verdict: await sold.text(), receipt: receiptOf(sold), kids: await kidsOf(service) }
  })

  const secret = randomBytes(32).toString('hex')
  const former = {
    SECRET_KEY: `${secret},${takeOut('secret.key')}`,
    FORMER_KEYS: `${takeOut('a2a-card-key.pem')}\n${takeOut('receipt-key.pem')}`,
  }

  const later = await world.pay(world.buyer)
  await during(former, async (service) => {
    const replayed = await buy(service, payment)
    expect([replayed.status, replayed.headers.get('Payment-Replayed')]).toEqual([200, 'true'])
    expect(await replayed.text()).toBe(before.verdict)
    await verifyReceiptSignatureJWS(before.receipt)

    const sold = await buy(service, later)
    expect([sold.status, sold.headers.get('Payment-Replayed')]).toEqual([200, null])
    await verifyReceiptSignatureJWS(receiptOf(sold))
    expect(kidOf(receiptOf(sold))).not.toBe(kidOf(before.receipt))

    const kids = await kidsOf(service)
    expect(kids).toHaveLength(4)
    expect(kids).toEqual(expect.arrayContaining(before.kids))
    const { signatures } = (await (await fetch(`${service.url}/.well-known/agent-card.json`)).json()) as {
      signatures: { protected: string }[]
    }
    const { kid } = headerOf(signatures[0]?.protected)
    expect(kids).toContain(kid)
    expect(before.kids).not.toContain(kid)
  })

  await during({ SECRET_KEY: secret }, async (service) => {
    expect((await buy(service, later)).headers.get('Payment-Replayed')).toBe('true')
    // What was bought under the key that is gone can no longer be told; it is not charged again either.
    expect((await buy(service, payment)).status).toBe(409)
    expect(await kidsOf(service)).toHaveLength(2)
    expect(service.rows()).toHaveLength(2)
  })
})
