/** Orders as mails, chats and language models write them. */
import { describe, expect, it } from 'vitest'
import { skillRouter } from '../../../../../src/surfaces/a2a/request/route-skill.ts'
import { type TextReading, textReader } from '../../../../../src/surfaces/a2a/request/text/read-text-order.ts'
import { realRegistry } from '../../../../support/registry.ts'

const skills = realRegistry()
const read = textReader(skills)
const isSold = (reading: TextReading) => reading.kind === 'order' && reading.certain
const IBAN = 'DE89 3704 0044 0532 0130 00'

describe('a line break', () => {
  it.each([
    [`Please check the IBAN below.\n\n${IBAN}\n\nKind regards,\nJane Smith`, 'iban', IBAN],
    [`Please check the IBAN below.\r\n\r\n${IBAN}\r\n\r\nYours\r\nJane`, 'iban', IBAN],
    ['Sprawdź ten adres e-mail\n\njan@example.com\n\nJan Kowalski', 'email', 'jan@example.com'],
    ['For Jane\n\n5260250274\n\nis that NIP good?', 'pl-nip', '5260250274'],
    [`Please check this IBAN:\n${IBAN}\n12 Main Street`, 'iban', IBAN],
    ['check NIP 526-025-02-74\r\n00-950 Warszawa', 'pl-nip', '526-025-02-74'],
  ])('separates a value from the words beside it: %j', (text, type, value) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: type }, value })
  })

  it.each([
    'IBAN DE89 3704 0044\n\n0532 0130 00',
    'VAT PL\n\n5260250274',
    'the NIP check\n\n5260250274 is my invoice',
    'email jan\n\n@example.com',
    'email a\r\n\r\njan@example.com',
    'email a\r\nBcc: jan@example.com',
  ])('makes no part of a value out of the whole, and one line break separates nothing: %j', (text) => {
    expect(isSold(read(text))).toBe(false)
  })
})

describe('a code fence', () => {
  it.each([
    `Validate this IBAN:\n\n\`\`\`\n${IBAN}\n\`\`\``,
    `Validate this:\n\`\`\`text\nIBAN: ${IBAN}\n\`\`\`\n`,
    `~~~\niban ${IBAN}\n~~~`,
  ])('is no part of the order in it: %j', (text) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: 'iban' }, value: IBAN })
  })

  it('around a data part in JSON is left out', () => {
    const json = JSON.stringify({ skill: 'iban', input: { value: IBAN } })
    const content = { $case: 'text' as const, value: `\`\`\`json\n${json}\n\`\`\`` }
    const parts = [{ content, metadata: undefined, filename: '', mediaType: '' }]
    expect(skillRouter(skills)({ parts, metadata: undefined } as never)).toMatchObject({
      kind: 'order',
      ordered: { items: [{ value: IBAN }] },
    })
  })

  it('keeps two values apart', () => {
    expect(read('iban\n```\nDE89 3704 0044\n```\n0532 0130 00')).toMatchObject({ kind: 'unclear' })
  })
})

describe('a label', () => {
  it.each([
    ['adres mailowy: jan@example.com', 'email', 'jan@example.com'],
    ['correo: jan@example.com', 'email', 'jan@example.com'],
    ['n° TVA : FR 40 303265045', 'eu-vat', 'FR 40 303265045'],
    ['Partita IVA: IT00743110157', 'eu-vat', 'IT00743110157'],
    ['número de IVA ESB12345678', 'eu-vat', 'ESB12345678'],
    ['BTW-nummer NL004495445B01', 'eu-vat', 'NL004495445B01'],
    ['IČ DPH: SK2020317068', 'eu-vat', 'SK2020317068'],
    ['NIP# 5260250274', 'pl-nip', '5260250274'],
    ['VAT#: DE136695976', 'eu-vat', 'DE136695976'],
    [`Check IBAN 👉 ${IBAN} 🙏`, 'iban', IBAN],
    [`Check IBAN 🇵🇱 👍🏽 👩‍💻 ${IBAN} 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ✅`, 'iban', IBAN],
    [`Check IBAN 1️⃣ ↔️ ${IBAN} #️⃣`, 'iban', IBAN],
  ])('of a value names its type in more languages: %s', (text, type, value) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: type }, value })
  })

  it.each([
    'Partita IVA 00743110157',
    'n° TVA 40303265045',
    'BTW-nummer 004495445B01',
    'TVA de 136695976',
    'DIČ 2020317068',
    'Steuernummer 2181508150',
    'btw, my phone is 600100200',
    'email jan kowalski@example.com',
  ])('of a country leaves bare digits unclear: %s', (text) => {
    expect(isSold(read(text))).toBe(false)
  })
})

describe('a sentence in another language of Europe', () => {
  it.each([
    ['Est-ce que jan@example.com est une adresse e-mail valide ?', 'email', 'jan@example.com'],
    ['Valida el correo electrónico jan@example.com', 'email', 'jan@example.com'],
    [`L'IBAN ${IBAN} è valido?`, 'iban', IBAN],
    [`O IBAN ${IBAN} é válido?`, 'iban', IBAN],
    ['Is jan@example.com een geldig e-mailadres?', 'email', 'jan@example.com'],
    [`Je IBAN ${IBAN} platný?`, 'iban', IBAN],
    ['Vérifie si le NIP polonais 526-025-02-74 est correct', 'pl-nip', '526-025-02-74'],
  ])('is an order: %s', (text, type, value) => {
    expect(read(text)).toMatchObject({ kind: 'order', skill: { id: type }, value })
  })

  it.each([
    `Non verificare l'IBAN ${IBAN}`,
    `Nekontrolujte IBAN ${IBAN}`,
    `Não verifique o IBAN ${IBAN}`,
    `Controleer niet IBAN ${IBAN}`,
    `Controleer IBAN ${IBAN} niet`,
    `Prüfe die IBAN nicht: ${IBAN}`,
    `This is not an IBAN: ${IBAN}`,
    `Cancel the check of IBAN ${IBAN}`,
    'Anuluj sprawdzenie NIP 5260250274',
    `Bitte IBAN ${IBAN} ignorieren`,
    `Forget IBAN ${IBAN}`,
  ])('that forbids itself is not sold: %s', (text) => {
    expect(isSold(read(text))).toBe(false)
  })
})
