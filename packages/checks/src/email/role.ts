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

/** Whether the part before the at sign is such a word, in any case and without a plus tag. */
export const isRole = (local: string): boolean => ROLES.has(local.toLowerCase().replace(/\+.*/, ''))
