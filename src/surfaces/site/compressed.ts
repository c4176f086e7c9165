import { gzipSync } from 'node:zlib'
import type { SendProblem } from '../../http/body/problem.ts'
import { type StaticDocument, staticDocument } from '../../http/body/static-document.ts'
import type { Handler } from '../../http/middleware.ts'

/**
 * Serves a document as it is or gzipped, which is a third of the bytes. Compresses once; each form has its own entity tag
 * (RFC 9110, 8.8.3.3).
 */
export function compressedDocument(sendProblem: SendProblem, document: StaticDocument): Handler {
  const plain = staticDocument(sendProblem, document)
  const gzipped = staticDocument(sendProblem, { ...document, body: gzipSync(document.body, { level: 9 }) })
  return function compressedDocument(req, res) {
    res.appendHeader('Vary', 'Accept-Encoding')
    const reads = req.method === 'GET' || req.method === 'HEAD'
    if (!reads || !acceptsGzip(req.headers['accept-encoding'])) return plain(req, res)
    res.setHeader('Content-Encoding', 'gzip')
    gzipped(req, res)
  }
}

/** Accept-Encoding (RFC 9110, 12.5.3); a weight of zero refuses. */
const acceptsGzip = (header = ''): boolean =>
  header.split(',').some((each) => /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(each))
