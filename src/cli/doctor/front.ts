import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { type OutboundFault, sendRequest } from '../../outbound/send-request.ts'
import { DAY_MS } from '../../values/utc-days.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** nginx reads an upstream's head into one buffer of 4 kB by default, and answers 502 if it does not fit. */
const PROXY_BUFFER_BYTES = 4_096
const COMFORTABLE_BYTES = 3_584
const TIMEOUT_MS = 10_000
const LARGEST_REPLY_BYTES = 64 * 1024
const RENEW_DAYS = 14

interface Quoted {
  readonly status: number
  readonly headBytes: number
  /** Payment terms in the header; null without one. */
  readonly terms: string | null
  /** When the certificate ends; null without TLS. */
  readonly certificateEnds: Date | null
}

/** Asks for the terms of every check through BASE_URL, as a buyer would. Nothing is paid. */
export async function checkFront(baseUrl: string, payTo: string): Promise<readonly Finding[]> {
  const quoted: Quoted[] = []
  try {
    for (const type of CHECK_TYPES) quoted.push(await quote(baseUrl, type))
  } catch (error) {
    return [describeUnreachable(error as OutboundFault)]
  }
  return [tlsFinding(quoted[0]?.certificateEnds ?? null), headFinding(quoted, payTo)]
}

function tlsFinding(ends: Date | null): Finding {
  if (ends === null) return pass('tls', 'BASE_URL is on this machine, without TLS')
  const days = Math.floor((ends.getTime() - Date.now()) / DAY_MS)
  const found = `the certificate of BASE_URL is trusted and ends in ${days} days`
  return days < RENEW_DAYS
    ? warn('tls', found, 'Renew it, and check the automatic renewal.')
    : pass('tls', found)
}

function headFinding(quoted: readonly Quoted[], payTo: string): Finding {
  const odd = quoted.find(({ status }) => status !== 402)
  if (odd?.status === 502) {
    return fail(
      'front',
      'the proxy at BASE_URL answers 502',
      'Start the service, or give the proxy room for the head of a 402: proxy_buffer_size 8k in nginx.',
    )
  }
  if (odd !== undefined) {
    return fail(
      'front',
      `BASE_URL answers ${odd.status} where 402 is due`,
      'Check that the proxy passes every path, method and header on, and that the service runs.',
    )
  }
  if (quoted.some(({ terms }) => terms === null)) {
    return fail('front', 'the 402 arrives without PAYMENT-REQUIRED', 'Let the proxy pass all headers on.')
  }
  if (!quoted.every(({ terms }) => paysTo(terms ?? '', payTo))) {
    return fail(
      'front',
      'the service at BASE_URL asks for payment to another address than PAY_TO',
      'Point BASE_URL to this service, or restart it with these settings.',
    )
  }
  const bytes = Math.max(...quoted.map(({ headBytes }) => headBytes))
  const found = `the head of a 402 through BASE_URL has up to ${bytes} bytes`
  if (bytes < COMFORTABLE_BYTES) return pass('front', found)
  const advice =
    'Let the proxy add fewer or shorter headers, or raise its buffer (proxy_buffer_size 8k in nginx).'
  return bytes < PROXY_BUFFER_BYTES ? warn('front', found, advice) : fail('front', found, advice)
}

function paysTo(header: string, payTo: string): boolean {
  const text = Buffer.from(header, 'base64').toString('utf8')
  return text.toLowerCase().includes(`"payto":"${payTo.toLowerCase()}"`)
}

const CERTIFICATE_ERRORS = /^(CERT_|DEPTH_ZERO_|ERR_TLS_|SELF_SIGNED_|UNABLE_TO_)/

function describeUnreachable({ code }: OutboundFault): Finding {
  return CERTIFICATE_ERRORS.test(code)
    ? fail(
        'tls',
        `the certificate of BASE_URL is not trusted (${code})`,
        'Install a certificate of a public authority, with its intermediates.',
      )
    : fail(
        'front',
        `BASE_URL does not answer (${code})`,
        'Start the service; check DNS, the proxy and the firewall.',
      )
}

async function quote(baseUrl: string, type: CheckType): Promise<Quoted> {
  const { status, statusText, headers, rawHeaders, certificateEnds } = await sendRequest({
    url: new URL(`/api/validate/${type}`, baseUrl),
    method: 'POST',
    timeoutMs: TIMEOUT_MS,
    mostBytes: LARGEST_REPLY_BYTES,
    expects: 'any',
    agent: false,
  })
  const terms = headers.get('payment-required')
  return { status, headBytes: headSize(statusText, rawHeaders), terms, certificateEnds }
}

/** Counts the status line and all line ends. */
function headSize(statusMessage: string, rawHeaders: readonly string[]): number {
  const separators = 2 * rawHeaders.length
  const text = rawHeaders.reduce((sum, each) => sum + Buffer.byteLength(each), 0)
  return 'HTTP/1.1 402 '.length + statusMessage.length + 2 + text + separators + 2
}
