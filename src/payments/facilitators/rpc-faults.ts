import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
  FeeCapTooLowError,
  InsufficientFundsError,
  IntrinsicGasTooLowError,
  NonceTooHighError,
  NonceTooLowError,
} from 'viem'
import { getNodeError } from 'viem/utils'

/** Whether the contract itself said no: an answer of the chain's, not a failure to reach it. */
export function isRevert(error: unknown): boolean {
  return hasCause(error, [
    ContractFunctionRevertedError,
    ContractFunctionZeroDataError,
    ExecutionRevertedError,
  ])
}

/**
 * Whether a node that was handed a signed transaction certainly did not take it.
 *
 * Everything else (a time-out, a lost connection, an unknown error) leaves open whether it did.
 */
export function isRejectedTransaction(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return hasCause(getNodeError(error, {}), [
    NonceTooLowError,
    NonceTooHighError,
    InsufficientFundsError,
    IntrinsicGasTooLowError,
    FeeCapTooLowError,
  ])
}

type ErrorClass = abstract new (...args: never[]) => Error

function hasCause(error: unknown, classes: readonly ErrorClass[]): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((cause) => classes.some((kind) => cause instanceof kind)) !== null
}
