import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
} from 'viem'

/** Whether the contract itself refused: an answer of the chain, not a failure to reach it. */
export function isRevert(error: unknown): boolean {
  return hasCause(error, [
    ContractFunctionRevertedError,
    ContractFunctionZeroDataError,
    ExecutionRevertedError,
  ])
}

type ErrorClass = abstract new (...args: never[]) => Error

function hasCause(error: unknown, classes: readonly ErrorClass[]): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((cause) => classes.some((kind) => cause instanceof kind)) !== null
}
