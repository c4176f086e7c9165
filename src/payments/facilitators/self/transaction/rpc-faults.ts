import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  ExecutionRevertedError,
} from 'viem'

const REVERTS = [ContractFunctionRevertedError, ContractFunctionZeroDataError, ExecutionRevertedError]

/** Whether the contract itself refused: an answer of the chain, not a failure to reach it. */
export const isRevert = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => REVERTS.some((kind) => cause instanceof kind)) !== null
