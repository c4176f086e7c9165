import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createBuyer } from '../../packages/command/src/buyer/buyer.ts'
import type { Surface } from '../../packages/command/src/buyer/open-client.ts'
import { createWallet } from '../../packages/command/src/buyer/wallet.ts'
import { type LiveConfig, readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startLive } from '../../src/main/live/start-live.ts'
import { createRpcChainReader } from '../../src/payments/chain/rpc-chain-reader.ts'
import { BASE_SEPOLIA } from '../../src/payments/networks/base-sepolia.ts'
import type { Network } from '../../src/payments/networks/network.ts'
import { SANDBOX } from '../../src/payments/networks/sandbox.ts'
import { giveEther } from '../../src/sandbox/chain/provision.ts'
import { encodeHeader } from './payment-header.ts'
import { freePort } from './ports.ts'
import { startStandIn } from './stand-in-chain.ts'

const IBAN = 'DE89370400440532013000'

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A chain with a settler that has gas and a buyer that has money. */
async function openNetwork(network: Network, settler: `0x${string}`) {
  const chain = await startStandIn(network)
  await giveEther(chain.rpcUrl, privateKeyToAddress(settler))
  const key = generatePrivateKey()
  const address = privateKeyToAddress(key)
  await chain.fund(address, 1_000_000n)
  const reader = createRpcChainReader({ rpcUrl: chain.rpcUrl, token: network.token.address })
  return { network, ...chain, key, address, reader }
}

export type Networked = Awaited<ReturnType<typeof openNetwork>>

/**
 * Two networks of the table, each with a chain on this machine and a buyer; one account settles on both. Both have test
 * money. A block is final at once, so that no test waits for depth.
 */
export async function startTwoNetworks() {
  const settler = generatePrivateKey()
  const payTo = privateKeyToAddress(generatePrivateKey())
  const here = await openNetwork({ ...SANDBOX, finalityDepth: 0n }, settler)
  const there = await openNetwork({ ...BASE_SEPOLIA, finalityDepth: 0n }, settler)
  const keys = {
    SECRET_KEY: randomBytes(32).toString('hex'),
    CARD_KEY: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    RECEIPT_KEY: pem(generateKeyPairSync('ed25519').privateKey),
  }

  /** A process that sells on both, over the store of the settings. */
  async function start(store: Readonly<Record<string, string>>, first: Network = here.network) {
    const port = String(await freePort())
    const admin = String(await freePort())
    const config = readConfig({
      ...keys,
      ...{ HOST: '127.0.0.1', PORT: port, BASE_URL: `http://127.0.0.1:${port}`, ADMIN_PORT: admin },
      ...{ PAY_TO: payTo, RPC_URL: here.rpcUrl, FACILITATOR_URL: 'self', SETTLEMENT_KEY: settler },
      // Gas on a local chain costs many times what it does on a public one.
      ...{ SETTLEMENT_MAX_COST_USD: '1000', SETTLEMENT_DAILY_LOSS_USD: '100000', SETTLEMENT_ETH_USD: '1' },
      ...{ SHUTDOWN_DELAY: '0', RATE_LIMIT_UNPAID: '0', ...store },
    }) as LiveConfig
    const log = createLog({ level: 'silent' })
    const { network, rpcUrl } = there
    const other = { chain: { ...config.chain, network, rpcUrls: [rpcUrl] }, facilitator: config.facilitator }
    const service = await startLive({ ...config, chain: { ...config.chain, network: first } }, log, [other])
    const { url } = service
    return {
      url,
      buy: (at: Networked, surface: Surface = 'rest') =>
        createBuyer({ url, surface, type: 'iban', maxAmount: 1_000n, network: at.network }).buy(
          IBAN,
          createWallet(at.key, at.network),
        ),
      metrics: async () => (await fetch(`http://127.0.0.1:${admin}/metrics`)).text(),
      stop: () => service.stop(),
    }
  }

  return {
    here,
    there,
    payTo,
    start,
    /** What has reached the payee on a chain, in calls. */
    charged: async ({ reader }: Networked) => Number(await reader.balance(payTo)) / 1000,
    stop: () => Promise.all([here.stop(), there.stop()]),
  }
}

export type TwoNetworks = Awaited<ReturnType<typeof startTwoNetworks>>

/** A payment of one call on a network, signed once, to be sent as often as a test likes. */
export async function signOnce(url: string, { network, key }: Networked, value = IBAN) {
  const post = (headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/api/validate/iban`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ value }),
    })
  const required = decodePaymentRequiredHeader((await post({})).headers.get('PAYMENT-REQUIRED') ?? '')
  const terms = required.accepts.find((each) => each.network === network.id)
  if (terms === undefined) throw new Error('no terms on the network')
  const payload = await createWallet(key, network).sign(required, terms)
  const { authorization } = payload.payload as { authorization: { from: string; nonce: string } }
  return {
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    /** Sends it to a replica; its settlement, or the status of the refusal. */
    async send(to: string) {
      const response = await fetch(`${to}/api/validate/iban`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'PAYMENT-SIGNATURE': encodeHeader(payload) },
        body: JSON.stringify({ value }),
      })
      const receipt = response.headers.get('PAYMENT-RESPONSE')
      return response.status === 200 && receipt !== null
        ? decodePaymentResponseHeader(receipt)
        : response.status
    },
  }
}
