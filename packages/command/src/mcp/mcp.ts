import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { CheckType } from 'format-checker-checks/verdict'
import { makeOnce } from '../../../../src/caches/memoize.ts'
import { buildRegistry } from '../../../../src/catalog/registry.ts'
import type { Skill } from '../../../../src/catalog/skill.ts'
import { COMMANDS } from '../../../../src/command-line/commands.ts'
import { parseArguments } from '../../../../src/command-line/parse-arguments.ts'
import { ServiceUnreachable } from '../../../../src/command-line/service-unreachable.ts'
import { UsageError } from '../../../../src/command-line/usage-error.ts'
import { VERSION } from '../../../../src/files/version.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { readNetwork, readUsd } from '../buy/buy-options.ts'
import { findBuyerKey, MissingKey } from '../buy/buyer-key.ts'
import { readUrl } from '../buy/read-url.ts'
import { stateFile } from '../buy/state-file.ts'
import { createBuyer } from '../buyer/buyer.ts'
import { createListBuyer } from '../buyer/list-buyer.ts'
import { createWallet } from '../buyer/wallet.ts'
import { callListTool, LIST_TOOL, listTool } from './list-tool.ts'
import { answerWithoutKey, callPaidTool, paidTool } from './paid-tool.ts'
import { failed, type Purse } from './purse.ts'
import { openSpending } from './spending.ts'

const INVALID_PARAMS = -32602

const instructions = ({ maxPerList, maxPerDay }: Pick<Purse, 'maxPerList' | 'maxPerDay'>): string =>
  'Checks the form of one identifier per call, or of a list with validate_batch. Each value costs a fixed price, which this ' +
  `server pays from the wallet of its user, at most ${usdc(maxPerList)} for a list and ${usdc(maxPerDay)} a day. A value that is ` +
  'not valid is a paid answer too. Repeat a call whose payment is in doubt unchanged: within ten minutes it is not charged twice.'

/** `mcp`: serves the tools over stdio to a host without a wallet, until the host closes the pipe. */
export async function mcp(args: readonly string[]): Promise<undefined> {
  const purse = openPurse(args)
  const registry = buildRegistry()
  const skills = new Map(registry.all.map((skill) => [skill.operationId, skill]))
  const tools = { tools: [...registry.all.map(paidTool), listTool(registry, purse)] }

  const serverFor = () => {
    const server = new Server(
      { name: 'format-checker', title: 'Format Checker', version: VERSION },
      { instructions: instructions(purse), capabilities: { tools: { listChanged: false } } },
    )
    server.setRequestHandler('tools/list', () => tools)
    server.setRequestHandler('tools/call', async ({ params }) => {
      if (params.name === LIST_TOOL)
        return callListTool(registry, params.arguments, purse).catch(explainFailure)
      const skill = skills.get(params.name)
      if (skill === undefined) throw new ProtocolError(INVALID_PARAMS, 'no such tool')
      const value = params.arguments?.value
      return callPaidTool(skill, value, purse).catch((error: unknown) => {
        if (error instanceof MissingKey) return answerWithoutKey(skill, value, error.message)
        return explainFailure(error)
      })
    })
    return server
  }
  serveStdio(serverFor, { transport: new StdioServerTransport(unendingInput(), process.stdout) })
  return undefined
}

/**
 * Standard input without its end, at which the SDK would drop the answers to calls that are being paid for. The process ends
 * by itself after the last one.
 */
function unendingInput(): PassThrough {
  const input = new PassThrough()
  // An input that breaks closes the server.
  pipeline(process.stdin, input, { end: false }).catch(() => {})
  return input
}

function openPurse(args: readonly string[]): Purse {
  const { values } = parseArguments(COMMANDS.mcp, args)
  const url = readUrl(values.url)
  const network = readNetwork(values.network)
  const maxPerValue = readUsd('--max-price', values['max-price'])
  const maxPerList = readUsd('--max-list', values['max-list'])
  const maxPerDay = readUsd('--max-spend', values['max-spend'])
  const path = values.spending ?? stateFile('spending.sqlite')
  const buyerOf = makeOnce(new Map(), (type: CheckType) =>
    createBuyer({ url, type, maxAmount: maxPerValue, network }),
  )
  return {
    url,
    spending: openSpending(path, maxPerDay, Date.now, network),
    maxPerValue,
    maxPerList,
    maxPerDay,
    // Asked for each time: a sandbox that was restarted has another one.
    wallet: async () => createWallet(await findBuyerKey(url), network),
    buyer: ({ id }: Skill) => buyerOf(id),
    lists: createListBuyer({ url, maxAmount: maxPerValue, network }),
  }
}

/** The host shows what its user must set up. */
function explainFailure(error: unknown) {
  if (!(error instanceof UsageError || error instanceof ServiceUnreachable)) throw error
  return failed(error.message)
}
