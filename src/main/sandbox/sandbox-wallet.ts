/**
 * The wallet of the sandbox's own page: answers EIP-1193 requests with the key of the throw-away buyer. It signs any
 * typed data, since `/sandbox.json` shows the same readers the key itself.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { privateKeyToAccount } from 'viem/accounts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { readBody } from '../../http/body/read-body.ts'
import { readJson } from '../../http/body/read-json.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { isObject } from '../../values/json.ts'
import { namesThisMachine } from '../../values/loopback.ts'
import { sendToThisMachine } from './loopback-only.ts'

const SANDBOX_WALLET_PATH = '/sandbox/wallet'

const BODY_LIMIT = 8192
const BASE = '0x2105'

type WalletAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

const refuse = (code: number, message: string): WalletAnswer => ({ error: { code, message } })

export function sandboxWallet(sandbox: Pick<Sandbox, 'buyer'>): Middleware {
  const account = privateKeyToAccount(sandbox.buyer.privateKey)

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
      case 'eth_signTypedData_v4':
        return sign(second)
      default:
        return refuse(4200, 'the sandbox wallet has no such method')
    }
  }

  async function sign(typedData: unknown): Promise<WalletAnswer> {
    try {
      return { result: await account.signTypedData(JSON.parse(String(typedData))) }
    } catch {
      return refuse(-32602, 'not typed data as JSON')
    }
  }

  async function handle(res: ServerResponse): Promise<WalletAnswer | null> {
    const body = await readBody(res, BODY_LIMIT)
    if (body.kind === 'aborted') return null
    const call = body.kind === 'read' ? readJson(body.bytes) : undefined
    return isObject(call) && 'method' in call
      ? answer(call.method, call.params)
      : refuse(-32600, 'not a request')
  }

  return (req, res, next) => {
    if (pathOf(req) !== SANDBOX_WALLET_PATH || req.method !== 'POST' || !isOwnPage(req)) return next()
    setAccessLogFields(res, { route: SANDBOX_WALLET_PATH, surface: 'ops' })
    handle(res).then((reply) => reply !== null && sendToThisMachine(res, reply), next)
  }
}

/** Whether a browser sent the request for a page of this origin, on this machine. */
function isOwnPage(req: IncomingMessage): boolean {
  const { headers } = req
  if (!namesThisMachine(headers.host)) return false
  if (headers.origin !== `http://${headers.host}`) return false
  const site = headers['sec-fetch-site']
  return (site === undefined || site === 'same-origin') && isJsonMediaType(headers['content-type'])
}
