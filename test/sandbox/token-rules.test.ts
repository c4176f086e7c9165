import { authorizationTypes } from '@x402/evm'
import {
  createPublicClient,
  encodeFunctionData,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseSignature,
  serializeSignature,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileSolidity } from '../../scripts/compile-contracts.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../src/sandbox/chain/anvil-backend.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import token from '../../src/sandbox/token/test-usdc.generated.json' with { type: 'json' }
import { BACKENDS, startAnvil } from '../support/chain-backends.ts'
import {
  cancelCall,
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
  transferCall,
} from '../support/chain-payments.ts'

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

describe.each(BACKENDS)('the rules of the token (%s)', (_, start) => {
  const payer = freshAccount()
  const payTo = freshAccount().address
  const terms = termsFor(payTo)
  const now = Math.floor(Date.now() / 1000)
  let chain: ChainBackend

  beforeAll(async () => {
    chain = await start()
    await chain.fund(payer.address, 10_000n)
  })
  afterAll(() => chain.stop())

  const refusal = async (data: Hex) => {
    const error = await chain.transact(TOKEN, data).catch((reason: unknown) => reason)
    return error instanceof Error ? error.message.replace(/^.*execution reverted:? ?/, '') : 'accepted'
  }
  const withFields = async (fields: Parameters<typeof signPayment>[2]) =>
    transferCall(await signPayment(payer, terms, fields))

  test('an authorization works once, strictly inside of its window', async () => {
    const good = transferCall(await signPayment(payer, terms))
    expect(await refusal(good)).toBe('accepted')
    expect(await refusal(good)).toBe('FiatTokenV2: authorization is used or canceled')
    expect(await refusal(await withFields({ validAfter: String(now + 600) }))).toBe(
      'FiatTokenV2: authorization is not yet valid',
    )
    expect(await refusal(await withFields({ validBefore: String(now - 60) }))).toBe(
      'FiatTokenV2: authorization is expired',
    )
  })

  test('no account pays more than it has, for another account, or to the zero address', async () => {
    expect(await refusal(await withFields({ value: '10001' }))).toBe('ERC20: transfer amount exceeds balance')
    expect(await refusal(await withFields({ from: freshAccount().address }))).toBe(
      'FiatTokenV2: invalid signature',
    )
    expect(await refusal(await withFields({ to: `0x${'00'.repeat(20)}` }))).toBe(
      'ERC20: transfer to the zero address',
    )
  })

  test('of a signature only the one canonical form is taken', async () => {
    const payment = await signPayment(payer, terms)
    const { r, s, yParity } = parseSignature(payment.signature)
    const highS = numberToHex(ORDER - BigInt(s), { size: 32 })
    const highForm = serializeSignature({ r, s: highS, yParity: yParity === 0 ? 1 : 0 })
    const zeroV = `${payment.signature.slice(0, -2)}0${yParity}` as Hex
    for (const [signature, word] of [
      [highForm, "'s' value"],
      [zeroV, "'v' value"],
    ] as const) {
      expect(await refusal(bytesCall(payment, signature))).toContain(word)
    }
    expect(await refusal(bytesCall(payment, payment.signature.slice(0, -2) as Hex))).toBe(
      'ECRecover: invalid signature length',
    )
    expect(await refusal(bytesCall(payment, payment.signature))).toBe('accepted')
  })

  test('a canceled authorization pays nothing, and a used one cannot be canceled', async () => {
    const payment = await signPayment(payer, terms)
    const { nonce } = payment.transfer
    expect(await refusal(await cancelCall(freshAccount(), nonce))).toBe('accepted')
    expect(await refusal(await cancelCall(payer, nonce))).toBe('accepted')
    expect(await refusal(await cancelCall(payer, nonce))).toBe(
      'FiatTokenV2: authorization is used or canceled',
    )
    expect(await refusal(transferCall(payment))).toBe('FiatTokenV2: authorization is used or canceled')
  })
})

describe('the token on anvil alone', () => {
  const payer = freshAccount()
  const owner = freshAccount()
  const wallet: Hex = '0x00000000000000000000000000000000000a11e7'
  let chain: ChainBackend
  let node: string

  beforeAll(async () => {
    chain = await startAnvil()
    node = chain.rpcUrl ?? ''
    await chain.fund(payer.address, 10_000n)
    await chain.fund(wallet, 10_000n)
    await callRpc(node, 'anvil_setCode', [wallet, walletCode(owner.address)])
  })
  afterAll(() => chain.stop())

  test('has the names clients expect and the domain they sign for', async () => {
    const client = createPublicClient({ transport: http(node) })
    const read = (functionName: string) =>
      client.readContract({ address: TOKEN, abi: token.abi as never, functionName })
    expect(await Promise.all(['name', 'version', 'symbol', 'decimals'].map(read))).toEqual([
      'USD Coin',
      '2',
      'USDC',
      6,
    ])
    // What Base's own USDC answers, since address, chain id, name and version are the same.
    expect(await read('DOMAIN_SEPARATOR')).toBe(
      '0x02fa7265e7c5d81118673727957699e4d68f74cd74b7db77da710fe8a2c7834f',
    )
  })

  test('a contract wallet pays through its owner only', async () => {
    const terms = termsFor(freshAccount().address)
    for (const [signer, expected] of [
      [owner, true],
      [freshAccount(), false],
    ] as const) {
      const { payload } = await signPayment({ ...signer, address: wallet }, terms)
      expect(await chain.facilitator.verify(payload, terms)).toMatchObject({ isValid: expected })
      expect(await chain.facilitator.settle(payload, terms)).toMatchObject({ success: expected })
    }
  })

  test('receiveWithAuthorization is for the payee alone', async () => {
    const payment = await signPayment(payer, termsFor(owner.address))
    const { from, to, value, validAfter, validBefore, nonce } = payment.transfer
    const fields = {
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce,
    }
    const domain = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: TOKEN } as const
    const types = { ReceiveWithAuthorization: authorizationTypes.TransferWithAuthorization }
    const signature = await payer.signTypedData({
      domain,
      types,
      primaryType: 'ReceiveWithAuthorization',
      message: fields,
    })
    const abi = parseAbi([
      'function receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
    ])
    const data = encodeFunctionData({
      abi,
      functionName: 'receiveWithAuthorization',
      args: [from, to, fields.value, fields.validAfter, fields.validBefore, nonce, signature],
    })
    const simulate = (caller: Hex) => callRpc(node, 'eth_call', [{ from: caller, to: TOKEN, data }, 'latest'])
    await expect(simulate(payer.address)).rejects.toThrow('caller must be the payee')
    expect(await simulate(owner.address)).toBe('0x')
  })
})

function bytesCall({ transfer }: SignedPayment, signature: Hex): Hex {
  const { from, to, value, validAfter, validBefore, nonce } = transfer
  return encodeFunctionData({
    abi: parseAbi([
      'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)',
    ]),
    functionName: 'transferWithAuthorization',
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
}

function walletCode(owner: Hex): Hex {
  const source = `pragma solidity ^0.8.20;
    contract Wallet {
      function isValidSignature(bytes32 digest, bytes memory signature) external pure returns (bytes4) {
        bytes32 r; bytes32 s; uint8 v;
        assembly { r := mload(add(signature, 0x20)) s := mload(add(signature, 0x40)) v := byte(0, mload(add(signature, 0x60))) }
        return ecrecover(digest, v, r, s) == ${owner} ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
      }
    }`
  return `0x${compileSolidity(source).Wallet?.evm.deployedBytecode.object}`
}
