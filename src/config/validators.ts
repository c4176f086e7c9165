import { makeValidator } from 'envalid'
import { type Hex, isAddress } from 'viem'
import type { Network } from '../payments/networks/network.ts'
import { networkNamed } from '../payments/networks/networks.ts'
import { ADDRESS } from '../values/hex.ts'
import { isPostgresUrl } from '../values/is-postgres-url.ts'
import { isLoopback, LOOPBACK } from '../values/loopback.ts'
import { isPrivateKey } from '../values/private-key.ts'

/**
 * Validators of settings. Each throws words that follow the setting's name and never repeat its value.
 */

export const wholeNumber = makeValidator<number>((input) => {
  if (!/^[0-9]{1,9}$/.test(input)) throw new Error('must be a whole number')
  return Number(input)
})
const portOf = (text: string): number | null =>
  /^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null
export const portNumber = makeValidator<number>((input) => {
  const port = portOf(input)
  if (port === null) throw new Error('must be a port number, 0 to 65535')
  return port
})
/** A port alone is one of loopback. An IPv6 address is in brackets, which are not part of the host. */
export const adminAddress = makeValidator<{ readonly host: string; readonly port: number }>((input) => {
  const [, host, text = ''] = /^(?:(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):)?([0-9]+)$/.exec(input) ?? []
  const port = portOf(text)
  if (port === null)
    throw new Error('must be a port, 0 to 65535, or host:port, as in 0.0.0.0:9464 or [::]:9464')
  return { host: host?.replace(/^\[(.*)\]$/, '$1') ?? LOOPBACK, port }
})
export const oneOf = <T extends string>(...choices: readonly T[]) =>
  makeValidator<T>((input) => {
    const choice = choices.find((each) => each === input)
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`)
    return choice
  })
/** The network of new sales, and one whose payments the store may hold. */
export const networkNames = makeValidator<readonly [Network, Network?]>((input) => {
  const [first, second, ...more] = input.split(',').map((each) => {
    const network = networkNamed(each.trim())
    if (typeof network === 'string') throw new Error(network)
    return network
  })
  if (first === undefined || more.length > 0)
    throw new Error('must be one network, or two with a comma between')
  return second === undefined ? [first] : [first, second]
})
export const address = makeValidator<Hex>((input) => {
  if (!ADDRESS.test(input)) throw new Error('must be an address: 0x and 40 hexadecimal digits')
  if (/^0x0{40}$/.test(input)) throw new Error('is the zero address: what is paid to it is lost')
  const digits = input.slice(2)
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (hasChecksum && !isAddress(input))
    throw new Error('is the address with a typo: its EIP-55 checksum fails')
  return input as Hex
})
export const webUrl = makeValidator<string>((input) => {
  const url = parseUrl(input)
  if (url === null) throw new Error('must be an absolute http or https URL')
  return input
})
export const webUrls = makeValidator<readonly string[]>((input) => {
  const urls = input.split(',').map((each) => each.trim())
  if (urls.some((each) => parseUrl(each) === null))
    throw new Error('must be an absolute http or https URL, or several separated by commas')
  return urls
})
/** An amount in millionths of a dollar, written like 0.003. */
export const usdAmount = makeValidator<bigint>((input) => {
  const [, whole = '', fraction = ''] = /^([0-9]{1,6})(?:\.([0-9]{1,6}))?$/.exec(input) ?? []
  const amount = BigInt(`0${whole}${fraction.padEnd(6, '0')}`)
  if (whole === '' || amount === 0n) throw new Error('must be an amount in USD above zero, such as 0.003')
  return amount
})
export const publicUrl = makeValidator<string>((input) => {
  const url = parseUrl(input)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.pathname !== '/') {
    throw new Error('must be an absolute URL without path, query or credentials, e.g. https://checks.example')
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname)) throw new Error('must be https')
  return url.origin
})
export const mailAddress = makeValidator<string>((input) => {
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(input)) throw new Error('must be an email address')
  return input
})
/** A scoped name on npm with its version: an unscoped one could be anyone's. */
export const packageName = makeValidator<string>((input) => {
  if (!/^@[a-z0-9][a-z0-9._-]*\/[a-z0-9][a-z0-9._-]*@\d+\.\d+\.\d+$/.test(input))
    throw new Error('must be a name of your scope with a version, such as @owner/format-checker@1.2.0')
  return input
})
export const postgresUrl = makeValidator<string>((input) => {
  if (!isPostgresUrl(input))
    throw new Error(
      'must be an address like postgres://user:password@host:5432/database, with / ? # @ and % of the password as %2F %3F %23 %40 and %25',
    )
  return input
})
/** Thirty-two random bytes hold 30 different ones on average, and fewer than 16 practically never. */
const LEAST_DISTINCT_BYTES = 16

/** The present key and, during a rotation, the one before it. */
export const secrets = makeValidator<readonly [Buffer, Buffer?]>((input) => {
  const [present = '', former, ...more] = input.split(',').map((each) => each.trim())
  if (more.length > 0)
    throw new Error('must be one key, or the new and the old one with a comma between them')
  return former === undefined ? [secretOf(present)] : [secretOf(present), secretOf(former)]
})

function secretOf(text: string): Buffer {
  const key = decodeKey(text)
  if (key === null || key.length < 32)
    throw new Error('must be at least 32 random bytes, in hexadecimal or base64')
  if (new Set(key).size < LEAST_DISTINCT_BYTES)
    throw new Error('must be random; this key repeats a few bytes')
  return key
}

export const shortText = makeValidator<string>((input) => {
  if (input.length > 100 || /\p{Cc}/u.test(input))
    throw new Error('must be at most 100 characters in one line')
  return input
})

export const longToken = makeValidator<string>((input) => {
  if (!/^[\x21-\x7e]{16,}$/.test(input))
    throw new Error('must be at least 16 visible ASCII characters without spaces')
  if (isGuessable(input))
    throw new Error(
      'must be random, without repetitions, sequences and words of examples: openssl rand -hex 32',
    )
  return input
})
export const listOf = <T extends string>(...choices: readonly T[]) =>
  makeValidator<readonly T[]>((input) => {
    const list = input.split(',').map((each) => choices.find((choice) => choice === each.trim()))
    if (list.includes(undefined)) throw new Error(`must be a list of ${choices.join(', ')}`)
    return list as T[]
  })
/** In lower case from here on. */
export const addresses = makeValidator<readonly string[]>((input) => {
  const list = input.split(',').map((each) => each.trim().toLowerCase())
  if (!list.every((each) => ADDRESS.test(each)))
    throw new Error('must be addresses (0x and 40 hexadecimal digits) separated by commas')
  return list
})
export const facilitatorUrl = makeValidator<string>((input) => {
  if (input === 'self') return input
  const url = parseUrl(input)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new Error('must be "self", or an absolute http or https URL without query or credentials')
  }
  return input
})
export const privateKey = makeValidator<Hex>((input) => {
  if (!isPrivateKey(input))
    throw new Error('must be a private key: 0x and 64 hexadecimal digits, within the order of secp256k1')
  return input
})
/** Null for a text that is neither: Node's decoders skip foreign characters, which would make a shorter key of it. */
function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]+$/.test(text)) return text.length % 2 === 0 ? Buffer.from(text, 'hex') : null
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : null
}

function parseUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}

/** Words of examples and defaults, which an attacker tries first. */
const WORDS =
  /password|passwort|passw0rd|changeme|change-me|letmein|qwerty|iloveyou|secret|example|placeholder|replace|insert|your[-_]/i
const LEAST_DIFFERENT = 8

/** True for a token that is short of different characters, mostly a sequence, or holds the word of an example. */
export function isGuessable(token: string): boolean {
  const codes = Array.from(token, (character) => character.charCodeAt(0))
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1)
  return new Set(codes).size < LEAST_DIFFERENT || steps.length > codes.length / 2 || WORDS.test(token)
}
