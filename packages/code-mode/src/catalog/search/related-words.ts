// Words that people use for each other when they say what they need. English; other languages are found by their own words.
import { stemOf } from './stem-word.ts';

const GROUPS = `
accept allow approve confirm
deny reject refuse decline
add append attach create insert make new put register write
delete destroy discard drop erase remove
cancel end halt kill stop terminate close
cancel delete remove revoke withdraw
keep persist save store write
bring deploy start up
make create generate produce draw build
all enumerate list show
display get look open print read retrieve show view
change edit modify patch replace set update
find look lookup query search
deliver post publish send
begin execute launch run start
clone copy duplicate
move rename transfer
download export save
import upload attach
reboot reload restart
compare diff difference
check inspect test validate verify
assess audit check score
calculate compute evaluate math
reserve schedule book
invite join participant attendee participate
merge combine concatenate
split divide
sort order rank
filter condition where
undo reset revert
restore recover
migrate upgrade
switch checkout
unlock unprotect decrypt
lock protect encrypt
subscribe follow watch
monitor observe track watch notify
grant give share
do finish complete done
answer respond reply
think reason reflect
draw paint canvas
recognize ocr extract
emulate simulate throttle
directory folder
doc document file
docx word
pdf document
csv excel sheet spreadsheet table
compress zip gzip archive
icon symbol
image photo picture
capture photo screenshot snapshot
record capture screencast
page site url web website webpage
internet online web
crawl scrape spider
tab window page
dialog popup prompt alert
row record
column field
bug issue ticket
price cost pricing rate quote
bill invoice cost
equity share stock ticker
market finance stock
crypto bitcoin coin
sentiment fear greed
earnings profit income revenue loss
owner holder
company corporation organization firm
department team organization
colleague employee member people person staff user
contact directory people
chat conversation group message
appointment calendar event meeting
call conference meeting video
email mail mailbox
mobile phone sms
reminder alarm
database db sql
schema structure mapping fields
collection table
backup snapshot dump export
aggregate sum total group
average mean statistics stats
machine server vm
node host
container pod
cluster kubernetes k8s
scale replica instance size
deploy deployment release rollout ship
pipeline build ci workflow job
metric measure usage statistics
cpu memory resource usage
branch git
commit revision change
pull request review
repository repo project
comment note remark
assign assignee owner
label tag category
sprint iteration
backlog board
wiki knowledge documentation docs
notification alert notify
rule policy
flag feature toggle
credential password secret key
vault secret
token credential auth authentication login
account user profile
certificate cert tls ssl
domain dns whois registrar
belong owner owns whois
firewall security
vulnerability security alert
topic queue event
blob storage bucket object
cache redis
function lambda serverless
template bicep terraform infrastructure
region location zone
subscription tenant account
salary compensation pay payroll
leave vacation absence
attendance clock shift
hire recruit candidate applicant talent
interview candidate job
form survey questionnaire
sign signature
dataset data package
government gov public
article paper publication literature
academic scientific research arxiv study
news headline article
transcript subtitle caption
clip film movie video
audio music song sound
bpm beat tempo
chart diagram graph plot
chart organization hierarchy
report hierarchy subordinate
flowchart flow diagram
mindmap mind outline
histogram frequency range distribution
dropdown option select
button click press tap
enter fill input type
form field input
element selector
script javascript code evaluate
source code
extension plugin addon
component widget ui
history log audit change
log output console
permission role access share
task todo
plan step task
language translate translation
apartment flat holiday house listing rent rental vacation airbnb
hotel accommodation stay lodging
train railway
recipe cook dish meal food
restaurant place business poi
nearby near local location place
available availability busy free freebusy
forecast temperature weather
clock time timezone
currency exchange money rate
euro dollar currency exchange
fast latency performance slow speed trace
profile performance trace
accessibility audit lighthouse seo
device phone screen viewport
memory heap leak
error failure problem
plan explain
stage staging unstage
big large size space
changed modified updated time
disk file drive
count number
summary summarize abstract
encyclopedia wikipedia
speech voice audio
text words content
metadata exif properties details info
heading title
footnote endnote citation
style format
quota limit usage
batch bulk many multiple several
game chess
puzzle problem challenge coding
`;

const RELATED = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split('\n')) {
  const stems = line.trim().split(' ').map(stemOf);
  for (const stem of stems) {
    const related = RELATED.get(stem) ?? new Set<string>();
    for (const other of stems) if (other !== stem) related.add(other);
    RELATED.set(stem, related);
  }
}

/** Stems that may stand for this one. */
export function relatedStems(stem: string): Iterable<string> {
  return RELATED.get(stem) ?? [];
}
