import { wordSet } from './word-set.ts'

/**
 * Words that may stand beside a value without belonging to it, in English, Polish and German; and the few of French,
 * Spanish, Italian, Dutch, Czech and Portuguese that a plain order has. None of those may be a country code: "de".
 *
 * The list is closed on purpose: a short word that is missing here may be a part of the value, so the answer is
 * help. Compact spelling, as in keywords.ts.
 */
const WORDS = `
the this that these those my your his her its our their it is are was were be been being am do does did done doing
has have had having can could will would shall should may might must not no yes if whether or and but as at by for from
in into of off on onto out over to up with within without about above after again against all also although always an
any anyone anything because before below between both here there how i me we us you he she they them him who whom whose
what which when where why while then than so such some too very just only even still yet now today tomorrow tonight
please pls plz kindly thanks thank thx cheers hi hello hey dear good morning afternoon evening day regards best greetings
ok okay fine right wrong correct incorrect good bad legit real fake true false genuine proper valid invalid validity
acceptable accepted plausible complete incomplete allowed broken sane safe active existing formed formatted format formal
syntax syntactically syntactic checksum check checks checking checked checker validate validates validating validated
validation validator validators verify verifies verifying verified verification confirm confirms confirming confirmed
confirmation test tests testing tested inspect inspects analyse analyze analysis examine examines look looks looking see
tell tells say says said saying give gives given gave get gets got receive received receives send sends sent sending use
uses used using run runs running call calls called calling execute perform make makes sure determine decide decides find
finds error errors typo typos mistake problem problems issue issues report reports answer answers return returns reply
respond need needs needed want wants wanted would like likes know knows think thinks believe consider considers help helps
provide provides provided supply supplied enter enters entered type types typed typing read reads write writes written
shows show shown lists listed list contains field form forms value values input inputs number numbers code codes id ids
name names named address addresses mailbox account accounts bank banks iban following below attached string data details
tax taxpayer payer company companies business supplier vendor customer client user users partner contractor counterparty
seller buyer employee patient person beneficiary payee landlord invoice invoices bill contract document pay pays payment
payments paying transfer transfers refund refunds money euros eur usd pln transaction salary payroll mandate debit one two
first second last next new old another other same each every quick quickly asap soon double sanity task subtask job step
item row line page question request order skill skills tool service agent assistant bot checker eu european union polish
german french dutch italian spanish austrian belgian british czech danish finnish greek irish swedish norwegian swiss
country countries prefix prefixes digit digits letter letters length long short missing wrongly correctly properly
really actually maybe perhaps probably also possibly seems seem appears appear works work working pass passes passed
fails fail failed belongs belong starts start ends end rejected rejects bounced sign signup signed up newsletter contact
deliver deliverable deliverability reach reachable exists exist ready let lets im id ive dont cant its whats thats isnt
should shouldnt off else anything something someone somebody nobody everyone everything way well much many more most less
sale sales old vs versus per via due onboarding compliance purpose purposes reg registration identification identifier
identifiers registered registry register lookup statistical national personal local unit intra community customer's
supplier's client's company's user's sample example examples result results json output exact exactly against reads
accept accepts reject ask asks asked asking lookup put puts add adds added attach file field cell column record records
sending store save note noted notes info information question questions answer regarding concerning re dr mr mrs ms

proszę prosze sprawdź sprawdz sprawdzić sprawdzic sprawdzenie sprawdzenia sprawdza weryfikuj zweryfikuj zweryfikować
zweryfikowac weryfikacja weryfikację weryfikacje weryfikacji zwaliduj waliduj walidacja czy jest są sa to ten ta te tego
tej mój moj moja moje mojego nasz nasza naszego twój ich jego jej nie tak dobry dobra dobre poprawny poprawna poprawne
poprawność poprawnosc prawidłowy prawidlowy prawidłowa prawidłowe prawidłowość ważny wazny ważna ważne zły błędny błędna
numer numeru numerem numery nr adres adresu adresem konto konta kontem rachunek rachunku bankowe bankowego bankowy firma
firmy klient klienta kontrahent kontrahenta dostawca dostawcy osoba osoby o i a w z na do od po dla przez przy jako że ze
mam masz ma mamy podaj podany podana podane dzięki dzieki dziękuję dziekuje cześć czesc hej witam dzień dobry się sie go
mi wartość wartosc pod ue unijny europejski polski polska identyfikator podatkowy pocztowy elektroniczny elektronicznej
brzmi wynosi

bitte prüfe pruefe prüfen pruefen prüf überprüfe ueberpruefe überprüfen ueberpruefen überprüft geprüft checke validiere
validieren verifiziere verifizieren kontrolliere kontrollieren ist sind war die der das den dem des ein eine einer eines
einen dieser diese dieses diesen meine mein meiner unsere unser deine ihre ihr seine gültig gueltig gültige gültiger
gültiges ungültig korrekt korrekte richtig richtige falsch echt stimmt stimmen ob oder und nicht kein keine mit von vom
für fuer auf aus bei zu zum zur im am als auch nur noch kannst können koennen könnte du sie ich wir er es danke hallo guten
tag morgen nummer nummern kennung konto kontonummer bankkonto lautet heißt heisst firma kunde kunden kundin lieferant
lieferanten adresse wert eingabe mir mal gut ok

est estce que une les mon votre cette adresse électronique électroniquement valide correcte estil estelle vérifier vérifiez vérifie
verifiez merci bonjour svp plaît plait
está uno una mi esta este correo electrónico electronico dirección válido válida valido valida correcta comprueba compruebe
verifique verifica favor gracias hola
è é questo questa indirizzo valido corretto corretta verificare controlla controllare grazie
een dit deze geldig geldige klopt rekeningnummer controleer controleren alstublieft aub dank bedankt
je prosím prosim platný platná platné správný správná zkontrolujte ověřte číslo účtu děkuji dekuji
endereço certo certa obrigado obrigada olá
`

const TALK = wordSet(WORDS)

/** True when a word, in its compact spelling, is talk. */
export const isTalk = (compactWord: string): boolean => TALK.has(compactWord)

/** Talk that joins or contrasts two values. */
const JOINS = wordSet(
  'and or nor vs versus with plus both either neither like und oder i oraz lub albo z mit',
)

/** True when a word may join two values. */
export const isJoin = (compactWord: string): boolean => JOINS.has(compactWord)
