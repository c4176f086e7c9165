/**
 * Local parts that name a function, not a person.
 *
 * Source: RFC 2142, sections 3 to 6; the others are usual in English, German, Polish and French.
 */
const ROLES: ReadonlySet<string> = new Set(
  (
    'abuse ftp hostmaster info marketing news noc postmaster sales security support usenet uucp webmaster www ' +
    'accounting admin administrator billing careers contact help helpdesk hello hr invoice invoices jobs legal no-reply ' +
    'noreply office orders press privacy reception team ' +
    'anfrage bewerbung buchhaltung datenschutz einkauf empfang kontakt kundenservice rechnung rechnungen verkauf vertrieb ' +
    'biuro faktury handel iod kadry ksiegowosc recepcja rekrutacja sekretariat sklep sprzedaz zamowienia ' +
    'accueil compta comptabilite facturation recrutement secretariat'
  ).split(' '),
)
const LONGEST = Math.max(...[...ROLES].map(({ length }) => length))

/** Whether the part before the at sign and a plus tag is such a word, in any case. */
export function isRole(value: string, start: number, at: number): boolean {
  const plus = value.indexOf('+', start)
  const end = plus > start && plus < at ? plus : at
  return end - start <= LONGEST && ROLES.has(value.slice(start, end).toLowerCase())
}
