/**
 * The wallet of the sandbox's own page: EIP-1193 requests over one endpoint, signed with the throw-away buyer's key.
 *
 * It signs only a transfer of the price of a call or a list, in the sandbox's token, from its buyer to its payee. Only
 * pages of this origin reach it: `Sec-Fetch-Site` and `Origin` are checked, and the Host must name this machine.
 */
import type { IncomingMessage } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { readBody } from '../../http/body/read-body.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { MOST_ITEMS } from '../../skills/validate-list.ts'
import { namesThisMachine, sendToThisMachine } from './loopback-only.ts'
import { PRICE_OF_CALL } from './price-of-call.ts'
import { readTransfer, type TransferRules } from './sandbox-transfer.ts'

const SANDBOX_WALLET_PATH = '/sandbox/wallet'

const BODY_LIMIT = 8192
const BASE = '0x2105'

/** A wallet's answer: a result, or an error with a code of EIP-1193 or EIP-1474. */
type WalletAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

const refuse = (code: number, message: string): WalletAnswer => ({ error: { code, message } })

/** Mounted in the sandbox only. */
export function sandboxWallet(sandbox: Pick<Sandbox, 'buyer' | 'token' | 'payTo'>): Middleware {
  const account = privateKeyToAccount(sandbox.buyer.privateKey)
  const rules: TransferRules = {
    token: sandbox.token,
    from: account.address,
    to: sandbox.payTo,
    price: PRICE_OF_CALL,
    mostValues: BigInt(MOST_ITEMS),
  }

  async function answer(method: unknown, params: unknown): Promise<WalletAnswer> {
    const [first, second] = Array.isArray(params) ? params : []
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return { result: [account.address] }
      case 'eth_chainId':
        return { result: BASE }
      case 'wallet_switchEthereumChain':
        return first?.chainId === BASE ? { result: null } : refuse(4902, 'the sandbox has no other chain')
      case 'eth_signTypedData_v4': {
        const transfer = readTransfer(second, rules)
        if (transfer === null)
          return refuse(4100, 'the sandbox wallet signs the payment of a call or a list only')
        return { result: await account.signTypedData(transfer) }
      }
      default:
        return refuse(4200, 'the sandbox wallet has no such method')
    }
  }

  async function handle(req: IncomingMessage): Promise<WalletAnswer | null> {
    const body = await readBody(req, BODY_LIMIT)
    if (body.kind === 'aborted') return null
    const call = body.kind === 'read' ? readCall(body.bytes) : null
    return call === null ? refuse(-32600, 'not a request') : answer(call.method, call.params)
  }

  return (req, res, next) => {
    if (pathOf(req) !== SANDBOX_WALLET_PATH || req.method !== 'POST' || !isOwnPage(req)) return next()
    setAccessLogFields(res, { route: SANDBOX_WALLET_PATH, surface: 'ops' })
    handle(req).then(
      (reply) => reply !== null && sendToThisMachine(res, Buffer.from(JSON.stringify(reply))),
      next,
    )
  }
}

/** Returns true if a browser sent the request for a page of this origin on this machine. */
function isOwnPage(req: IncomingMessage): boolean {
  const { headers } = req
  if (!namesThisMachine(req)) return false
  if (headers.origin !== `http://${headers.host}`) return false
  const site = headers['sec-fetch-site']
  return (site === undefined || site === 'same-origin') && isJsonMediaType(headers['content-type'])
}

function readCall(bytes: Buffer): { readonly method: unknown; readonly params: unknown } | null {
  try {
    const call: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof call === 'object' && call !== null && 'method' in call
      ? { method: call.method, params: 'params' in call ? call.params : [] }
      : null
  } catch {
    return null
  }
}
