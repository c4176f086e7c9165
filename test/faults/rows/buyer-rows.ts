import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { cancelCall, signPayment, termsFor, transferCall } from '../../support/chain-payments.ts'
import { type Answer, shown } from '../bench/order.ts'
import {
  type Ending,
  expiredAfter,
  IN_DOUBT,
  openScene,
  played,
  type Row,
  type Scene,
  soldAfter,
} from '../bench/row.ts'
import type { Stage, Target } from '../bench/stage.ts'

const COPIES = 50

/** Buyers who send everything at once, or interfere with their own payment. */
export const BUYER_ROWS: readonly Row[] = [
  copies('SQLite', (stage) => stage.file()),
  copies('PostgreSQL, 3 replicas', (stage) => stage.replicas()),
  interfering(
    'buyer cancels the authorization before the transfer',
    'arrived',
    expiredAfter(IN_DOUBT, '402 payment_expired'),
    ({ order }) => cancelCall(order.payer, order.nonce),
  ),
  interfering(
    'buyer cancels the authorization after the transfer',
    'landed',
    soldAfter('verdict'),
    ({ order }) => cancelCall(order.payer, order.nonce),
  ),
  interfering(
    'buyer spends the authorization on another transfer',
    'arrived',
    expiredAfter(IN_DOUBT, '402 payment_expired'),
    async ({ order }) =>
      transferCall(
        await signPayment(order.payer, termsFor(order.payer.address), {
          nonce: order.nonce,
          validBefore: order.payment.transfer.validBefore,
        }),
      ),
  ),
  interfering('buyer makes the transfer', 'arrived', soldAfter('verdict'), async ({ order }) =>
    transferCall(order.payment),
  ),
]

function copies(on: string, targetOf: (stage: Stage) => Promise<Target>): Row {
  return {
    fault: `${COPIES} copies at once`,
    on,
    expected: soldAfter(`${COPIES} equal verdicts`),
    play: async (stage) => {
      const scene = await openScene(stage, await targetOf(stage))
      const { order, url } = scene
      const answers = await Promise.all(Array.from({ length: COPIES }, () => order.insist(url)))
      const kinds = new Set(answers.map(inFull))
      const first = kinds.size === 1 ? `${COPIES} equal verdicts` : [...kinds].join(' | ')
      return played(scene, first, shown(await order.insist(url)))
    },
  }
}

const inFull = ({ status, code, verdict, transaction }: Answer) =>
  JSON.stringify([status, code, verdict, transaction])

function interfering(
  fault: string,
  when: 'arrived' | 'landed',
  expected: Ending,
  callOf: (scene: Scene) => Promise<`0x${string}`>,
): Row {
  return {
    fault,
    on: 'SQLite',
    expected,
    play: async (stage) => {
      const scene = await openScene(stage, await stage.file())
      const { order, url } = scene
      // After the transfer the call would revert, which is the buyer's own loss.
      const interfere = async () => stage.world.transact(TOKEN, await callOf(scene)).catch(() => {})
      stage.world.facilitator.plan(order.nonce, { lands: 'before', says: 'truth', [when]: interfere })
      const first = shown(await order.send(url))
      return played(scene, first, shown(await order.insist(url)))
    },
  }
}
