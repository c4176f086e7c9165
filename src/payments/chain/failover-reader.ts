import { type Block, type ChainReader, ChainUnavailable } from './chain-reader.ts'

/** The least time between two surveys of all nodes; a question for the head starts one. */
const SURVEY_MS = 5_000
/** A node further behind the best one counts as failing: 30 seconds of Base. */
const MOST_BLOCKS_BEHIND = 15n
/** Bad surveys in a row before the node in use is left. */
const LEAVE_AFTER = 2
/** Good surveys in a row before an earlier node is used again: a minute without a failure. */
const RETURN_AFTER = 12

interface Health {
  good: number
  bad: number
}

/**
 * A question that the node in use does not answer goes to the others at once, but that node changes only after several
 * surveys: a flapping node must not make answers jump between two views of the chain. `onSwitch` gets the index of the
 * new one.
 */
export function withFailover(
  nodes: readonly ChainReader[],
  onSwitch: (index: number) => void = () => {},
): ChainReader {
  const [only] = nodes
  if (only === undefined) throw new Error('withFailover needs a node')
  if (nodes.length === 1) return only
  const healths: Health[] = nodes.map(() => ({ good: 0, bad: 0 }))
  let current = 0
  let surveyedAt = Number.NEGATIVE_INFINITY
  let surveying = false

  const switchTo = (index: number) => {
    if (index === current) return
    current = index
    onSwitch(index)
  }

  const survey = async () => {
    const heads = await Promise.all(nodes.map((node) => node.head().catch(() => null)))
    const best = heads.reduce((most, head) => (head !== null && head.number > most ? head.number : most), 0n)
    for (const [index, head] of heads.entries()) {
      const health = healths[index] as Health
      const isGood = head !== null && head.number + MOST_BLOCKS_BEHIND >= best
      health.good = isGood ? health.good + 1 : 0
      health.bad = isGood ? 0 : health.bad + 1
    }
    const preferred = healths.findIndex(({ good }, index) => index < current && good >= RETURN_AFTER)
    if (preferred >= 0) return switchTo(preferred)
    if ((healths[current] as Health).bad < LEAVE_AFTER) return
    const substitute = healths.findIndex(({ good }) => good > 0)
    if (substitute >= 0) switchTo(substitute)
  }

  async function ask<Answer>(question: (node: ChainReader) => Promise<Answer>): Promise<Answer> {
    const order = [current, ...Array.from(nodes.keys()).filter((index) => index !== current)]
    let fault: unknown
    for (const index of order) {
      try {
        return await question(nodes[index] as ChainReader)
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error
        fault ??= error
      }
    }
    throw fault
  }

  return {
    finalityDepth: only.finalityDepth,
    head: async (): Promise<Block> => {
      if (!surveying && performance.now() - surveyedAt >= SURVEY_MS) {
        surveyedAt = performance.now()
        surveying = true
        // Not awaited: a node that hangs must not delay the answer of another.
        void survey().finally(() => {
          surveying = false
        })
      }
      return ask((node) => node.head())
    },
    block: (number) => ask((node) => node.block(number)),
    hasCode: (address) => ask((node) => node.hasCode(address)),
    balance: (payer) => ask((node) => node.balance(payer)),
    authorizationUsed: (...args) => ask((node) => node.authorizationUsed(...args)),
    trace: (query) => ask((node) => node.trace(query)),
    transfersTo: (...args) => ask((node) => node.transfersTo(...args)),
    chainId: () => ask((node) => node.chainId()),
  }
}
