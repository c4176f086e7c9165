import { UsageError } from './usage-error.ts'

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/

/** The key to pay with: from the environment, else the funded throw-away buyer of a sandbox at `url`. */
export async function findBuyerKey(url: string, fromEnvironment: string | undefined): Promise<`0x${string}`> {
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    if (!PRIVATE_KEY.test(fromEnvironment))
      throw new UsageError('BUYER_PRIVATE_KEY has to be 0x and 64 hexadecimal digits')
    return fromEnvironment as `0x${string}`
  }
  const key = await askSandbox(url)
  if (key === null) {
    throw new UsageError(
      'no key to pay with: start the sandbox with "npm start", or set BUYER_PRIVATE_KEY and --url',
    )
  }
  return key
}

async function askSandbox(url: string): Promise<`0x${string}` | null> {
  try {
    const response = await fetch(new URL('/sandbox.json', url), { redirect: 'error' })
    const facts = (await response.json()) as { buyer?: { privateKey?: unknown } }
    const key = facts.buyer?.privateKey
    return typeof key === 'string' && PRIVATE_KEY.test(key) ? (key as `0x${string}`) : null
  } catch {
    return null
  }
}
