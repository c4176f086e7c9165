import { decodeFunctionData, encodeFunctionResult, type Hex, isAddressEqual, parseAbi, toHex } from 'viem'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { MULTICALL3 } from '../multicall3.ts'
import { cancelDigest, signatureFault, transferDigest } from './authorization-digest.ts'
import { type MemoryToken, TokenRevert, type UnplacedLog } from './memory-token.ts'

/** What a call did or, when simulated, would do. */
export interface Execution {
  readonly result: Hex
  readonly logs: readonly UnplacedLog[]
}

/** A call that was read and whose signature was checked: runs at once and whole, or throws `TokenRevert`. */
export type Step = (timestamp: number, commit: boolean) => Execution

const TOKEN_CALLS = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function balanceOf(address account) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function mint(address to, uint256 value)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
])

const MULTICALL_CALLS = parseAbi([
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])

/**
 * Turns ABI-encoded calls into steps, for the two contracts there are: the token and Multicall3.
 *
 * Signatures are checked here, which takes time; a step itself never waits, so two of them cannot interleave.
 */
export async function prepareCall(token: MemoryToken, to: Hex, data: Hex): Promise<Step> {
  if (isAddressEqual(to, TOKEN)) return prepareTokenCall(token, data)
  if (isAddressEqual(to, MULTICALL3)) return prepareBatch(token, data)
  throw new TokenRevert()
}

async function prepareTokenCall(token: MemoryToken, data: Hex): Promise<Step> {
  const call = decode(TOKEN_CALLS, data)
  switch (call.functionName) {
    case 'name':
      return reads(() => text('USD Coin'))
    case 'version':
      return reads(() => text('2'))
    case 'balanceOf':
      return reads(() => toHex(token.balanceOf(call.args[0]), { size: 32 }))
    case 'authorizationState':
      return reads(() => toHex(token.isSpent(...call.args), { size: 32 }))
    case 'mint':
      return acts((_, commit) => token.mint(...call.args, commit))
    case 'transferWithAuthorization': {
      const [from, to, value, validAfter, validBefore, nonce, ...signature] = call.args
      const auth = { from, to, value, validAfter, validBefore, nonce }
      const fault = await signatureFault(from, transferDigest(TOKEN, auth), signature)
      return acts((timestamp, commit) => token.pay(auth, fault, timestamp, commit))
    }
    case 'cancelAuthorization': {
      const [authorizer, nonce, ...signature] = call.args
      const fault = await signatureFault(authorizer, cancelDigest(TOKEN, authorizer, nonce), signature)
      return acts((_, commit) => token.cancel(authorizer, nonce, fault, commit))
    }
  }
}

/** Each call of the batch fares on its own, as with requireSuccess false; the packages use no other. */
async function prepareBatch(token: MemoryToken, data: Hex): Promise<Step> {
  const [, calls] = decode(MULTICALL_CALLS, data).args
  const steps = await Promise.all(
    calls.map(({ target, callData }) => prepareCall(token, target, callData).catch(failing)),
  )
  return (timestamp, commit) => {
    const done = steps.map((step) => attempt(step, timestamp, commit))
    const result = done.map((one) => ({
      success: one !== undefined,
      returnData: one?.result ?? ('0x' as const),
    }))
    return {
      result: encodeFunctionResult({ abi: MULTICALL_CALLS, functionName: 'tryAggregate', result }),
      logs: done.flatMap((one) => one?.logs ?? []),
    }
  }
}

function attempt(step: Step, timestamp: number, commit: boolean): Execution | undefined {
  try {
    return step(timestamp, commit)
  } catch (error) {
    if (error instanceof TokenRevert) return undefined
    throw error
  }
}

const reads =
  (result: () => Hex): Step =>
  () => ({ result: result(), logs: [] })

const acts =
  (act: (timestamp: number, commit: boolean) => UnplacedLog[]): Step =>
  (timestamp, commit) => ({ result: '0x', logs: act(timestamp, commit) })

function failing(error: unknown): Step {
  return () => {
    throw error
  }
}

const text = (result: string) => encodeFunctionResult({ abi: TOKEN_CALLS, functionName: 'name', result })

function decode<const A extends typeof TOKEN_CALLS | typeof MULTICALL_CALLS>(abi: A, data: Hex) {
  try {
    return decodeFunctionData<A>({ abi, data })
  } catch {
    // As Solidity does with an unknown function.
    throw new TokenRevert()
  }
}
