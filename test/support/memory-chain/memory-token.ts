import { encodeEventTopics, type Hex, toHex } from 'viem'
import type { TokenLog } from '../../../src/payments/chain/authorization-logs.ts'
import { TOKEN_ABI } from '../../../src/payments/networks/token-abi.ts'
import type { Authorization } from './authorization-digest.ts'

/** A revert of the contract, in the words of a node. */
export class TokenRevert extends Error {
  override readonly name = 'TokenRevert'

  constructor(reason?: string) {
    super(reason === undefined ? 'execution reverted' : `execution reverted: ${reason}`)
  }
}

/** A log that is not yet part of a block. */
export type UnplacedLog = Omit<TokenLog, 'logIndex'>

/**
 * The state of the test token without a chain. Each act checks what TestUSDC.sol checks, in the same order and
 * words, throws `TokenRevert` or returns its logs, and changes nothing unless `commit` is true.
 */
export interface MemoryToken {
  balanceOf(account: Hex): bigint
  isSpent(authorizer: Hex, nonce: Hex): boolean
  /** `fault`: what is wrong with the signature; `timestamp`: of the block, UTC seconds. */
  pay(auth: Authorization, fault: string | undefined, timestamp: number, commit: boolean): UnplacedLog[]
  cancel(authorizer: Hex, nonce: Hex, fault: string | undefined, commit: boolean): UnplacedLog[]
  mint(to: Hex, value: bigint, commit: boolean): UnplacedLog[]
}

const ZERO: Hex = '0x0000000000000000000000000000000000000000'

/** Creates a token without holders. */
export function createMemoryToken(address: Hex): MemoryToken {
  const balances = new Map<string, bigint>()
  const spent = new Set<string>()
  const events = tokenEvents(address)

  const balanceOf = (account: Hex) => balances.get(account.toLowerCase()) ?? 0n
  const credit = (account: Hex, value: bigint) => {
    balances.set(account.toLowerCase(), balanceOf(account) + value)
  }
  const keyOf = (authorizer: Hex, nonce: Hex) => `${authorizer}:${nonce}`.toLowerCase()

  return {
    balanceOf,
    isSpent: (authorizer, nonce) => spent.has(keyOf(authorizer, nonce)),

    pay: (auth, fault, timestamp, commit) => {
      const key = keyOf(auth.from, auth.nonce)
      demand(BigInt(timestamp) > auth.validAfter, 'FiatTokenV2: authorization is not yet valid')
      demand(BigInt(timestamp) < auth.validBefore, 'FiatTokenV2: authorization is expired')
      demand(!spent.has(key), 'FiatTokenV2: authorization is used or canceled')
      demand(fault === undefined, fault)
      demand(auth.to !== ZERO, 'ERC20: transfer to the zero address')
      demand(auth.value <= balanceOf(auth.from), 'ERC20: transfer amount exceeds balance')
      if (commit) {
        spent.add(key)
        credit(auth.from, -auth.value)
        credit(auth.to, auth.value)
      }
      return [
        events.authorization('AuthorizationUsed', auth.from, auth.nonce),
        events.transfer(auth.from, auth.to, auth.value),
      ]
    },

    cancel: (authorizer, nonce, fault, commit) => {
      demand(!spent.has(keyOf(authorizer, nonce)), 'FiatTokenV2: authorization is used or canceled')
      demand(fault === undefined, fault)
      if (commit) spent.add(keyOf(authorizer, nonce))
      return [events.authorization('AuthorizationCanceled', authorizer, nonce)]
    },

    mint: (to, value, commit) => {
      if (commit) credit(to, value)
      return [events.transfer(ZERO, to, value)]
    },
  }
}

function demand(condition: boolean, reason: string | undefined): void {
  if (!condition) throw new TokenRevert(reason)
}

function tokenEvents(address: Hex) {
  const log = (topics: readonly unknown[], data: Hex): UnplacedLog => ({
    address,
    topics: topics as readonly Hex[],
    data,
  })
  return {
    transfer: (from: Hex, to: Hex, value: bigint) =>
      log(
        encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args: { from, to } }),
        toHex(value, { size: 32 }),
      ),
    authorization: (eventName: 'AuthorizationUsed' | 'AuthorizationCanceled', authorizer: Hex, nonce: Hex) =>
      log(encodeEventTopics({ abi: TOKEN_ABI, eventName, args: { authorizer, nonce } }), '0x'),
  }
}
