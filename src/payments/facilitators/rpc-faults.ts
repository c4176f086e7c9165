import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  NonceTooLowError,
} from 'viem'
import { getNodeError } from 'viem/utils'

/** Whether the contract itself refused: an answer of the chain, not a failure to reach it. */
export function isRevert(error: unknown): boolean {
  return hasCause(error, [
    ContractFunctionRevertedError,
    ContractFunctionZeroDataError,
    ExecutionRevertedError,
  ])
}

/** Whether the node says that the nonce is used: only then can the transaction it was handed never be mined. */
export function isNonceTooLow(error: unknown): boolean {
  return error instanceof BaseError && hasCause(getNodeError(error, {}), [NonceTooLowError])
}

type ErrorClass = abstract new (...args: never[]) => Error

function hasCause(error: unknown, classes: readonly ErrorClass[]): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((cause) => classes.some((kind) => cause instanceof kind)) !== null
}
