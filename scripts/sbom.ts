import { createHash } from 'node:crypto'
import type { LockedPackage } from './read-lock.ts'

/** The parts of a running service as a CycloneDX 1.6 document, made from the lock file alone. */
export function sbomOf(
  project: { readonly name: string; readonly version: string },
  packages: readonly LockedPackage[],
) {
  const components = packages.filter(({ dev }) => !dev).map(componentOf)
  const unique = [...new Map(components.map((component) => [component['bom-ref'], component])).values()]
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(unique))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `${project.name}@${project.version}`,
        name: project.name,
        version: project.version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: unique.sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
  }
}

function componentOf({ name, version, license, integrity, optional }: LockedPackage) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl,
    ...(license === null ? {} : { licenses: licensesOf(license) }),
    hashes: [
      { alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
    ],
  }
}

const licensesOf = (license: string) =>
  license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }]

/** The same name for the same content, so that two runs over one lock file give the same bytes (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
