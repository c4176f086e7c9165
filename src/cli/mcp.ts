import { homedir } from 'node:os'
import { join } from 'node:path'
import { ProtocolError, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { VERSION } from '../app/version.ts'
import { type Buyer, createBuyer } from '../buyer/buyer.ts'
import { createWallet, type Wallet } from '../buyer/wallet.ts'
import type { CheckType } from '../checks/verdict.ts'
import type { Skill } from '../skills/skill.ts'
import { readUrl, readUsd } from './buy-options.ts'
import { findBuyerKey } from './buyer-key.ts'
import { COMMANDS } from './commands.ts'
import { callPaidTool, type Purse, paidTool } from './mcp/paid-tool.ts'
import { openSpending } from './mcp/spending.ts'
import { parseArguments } from './parse-arguments.ts'
import { loadSkills } from './read-values.ts'
import { UsageError } from './usage-error.ts'

const INVALID_PARAMS = -32602

const INSTRUCTIONS =
  'Checks the form of one identifier per call. Each call costs a fixed price, which this server pays from the ' +
  'wallet of its user, up to a limit per day. A value that is not valid is a paid answer too. Repeat a call whose ' +
  'payment is in doubt unchanged: within ten minutes it is not charged twice.'

/** `mcp`: serves the tools over stdio to a host without a wallet, until the host closes the pipe. */
export async function mcp(args: readonly string[]): Promise<undefined> {
  const purse = openPurse(args)
  const skills = new Map(loadSkills().all.map((skill) => [skill.operationId, skill]))
  const tools = { tools: [...skills.values()].map(paidTool) }

  serveStdio(() => {
    const server = new Server(
      { name: 'format-checker', title: 'Format Checker', version: VERSION },
      { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
    )
    server.setRequestHandler('tools/list', () => tools)
    server.setRequestHandler('tools/call', async ({ params }) => {
      const skill = skills.get(params.name)
      if (skill === undefined) throw new ProtocolError(INVALID_PARAMS, 'no such tool')
      return callPaidTool(skill, params.arguments?.value, purse).catch(describeMissingKey)
    })
    return server
  })
  return undefined
}

function openPurse(args: readonly string[]): Purse {
  const { values } = parseArguments(COMMANDS.mcp, args)
  const url = readUrl(values.url)
  const maxPerCall = readUsd('--max-price', values['max-price'])
  const maxPerDay = readUsd('--max-spend', values['max-spend'])
  const path = values.spending ?? join(homedir(), '.local', 'state', 'format-checker', 'spending.sqlite')
  const buyers = new Map<CheckType, Buyer>()
  let wallet: Wallet | undefined
  return {
    spending: openSpending(path, maxPerDay, Date.now),
    maxPerCall,
    maxPerDay,
    async wallet() {
      wallet ??= createWallet(await findBuyerKey(url))
      return wallet
    },
    buyer({ id: type }: Skill) {
      const buyer = buyers.get(type) ?? createBuyer({ url, type, maxAmount: maxPerCall })
      buyers.set(type, buyer)
      return buyer
    },
  }
}

/** The host shows the model what its user must set up. */
function describeMissingKey(error: unknown) {
  if (!(error instanceof UsageError)) throw error
  return { isError: true, content: [{ type: 'text' as const, text: error.message }] }
}
