# Fills an empty Redmine: what it comes with, then the projects of a quay and their history.
# With TABLES in its environment it makes the tables alone, which the rest finds when it starts.
CHANCE = Random.new(Integer(ENV.fetch("SEED")))

# Salts and keys are drawn by chance, too.
def SecureRandom.gen_random(count) = CHANCE.bytes(count)
def SecureRandom.bytes(count) = CHANCE.bytes(count)

def days_ago(days, hours = 0)
  travel_to(CLOCK - days.days - hours.hours)
end

def one_of(items) = items[CHANCE.rand(items.size)]

# What is interrupted is begun again.
["synchronous = OFF", "journal_mode = MEMORY", "locking_mode = EXCLUSIVE"].each do |setting|
  ActiveRecord::Base.connection.execute("PRAGMA #{setting}")
end

if ENV["TABLES"]
  days_ago(200)
  ActiveRecord::Migration.verbose = false
  migrations = "#{HOME_OF_REDMINE}/db/migrate"
  ActiveRecord::MigrationContext.new(migrations, ActiveRecord::SchemaMigration).migrate
  exit
end

days_ago(200)
Redmine::DefaultData::Loader.load("en")
{
  app_title: "North Quay",
  welcome_text: "h3. Orders, stock and delivery\n\n* Stocktaking on *Thursday*\n* Ask Olga",
  notified_events: [],
  default_language: "en",
  gravatar_enabled: "0",
  rest_api_enabled: "1",
  cross_project_issue_relations: "1",
  display_subprojects_issues: "1",
  timespan_format: "minutes",
}.each { |name, value| Setting[name] = value }

# -- People

NAMES = {
  "maria" => %w[Maria Costa], "chen" => %w[Chen Wei], "olga" => %w[Olga Ivanova],
  "pierre" => %w[Pierre Martin], "kenji" => %w[Kenji Sato], "somchai" => %w[Somchai Jaidee],
  "helen" => %w[Helen Ward], "barnacle" => %w[Bill Barnacle]
}.freeze
PASSWORD = "the key behind the door"

PEOPLE = NAMES.map.with_index do |(login, (first, last)), number|
  days_ago(190 - number)
  person = number.zero? ? User.find(1) : User.new
  person.attributes = { login: login, firstname: first, lastname: last, language: "" }
  person.attributes = { must_change_passwd: false, mail_notification: "only_my_events" }
  person.mail = "#{login}@quay.example"
  person.password = PASSWORD
  person.save!
  person.last_login_on = CLOCK - (number + 1).hours
  person.save!
  person
end
MARIA, CHEN, OLGA, PIERRE, KENJI, SOMCHAI, HELEN, BARNACLE = PEOPLE
STAFF = [CHEN, OLGA, PIERRE, KENJI, SOMCHAI, HELEN].freeze
BARNACLE.lock!
User.current = MARIA
MARIA.atom_key
MARIA.api_key

days_ago(180)
GROUPS = ["Counter staff", "Drivers"].map { |name| Group.create!(lastname: name) }
GROUPS[0].users << [OLGA, PIERRE, HELEN]
GROUPS[1].users << [KENJI, SOMCHAI]
AuthSourceLdap.create!(
  name: "Harbour directory", host: "directory.quay.example", port: 636, tls: true,
  attr_login: "uid", attr_firstname: "givenName", attr_lastname: "sn", attr_mail: "mail",
  base_dn: "ou=people,dc=quay,dc=example", onthefly_register: true
)

# -- What is asked of issues

MANAGER, DEVELOPER, REPORTER = Role.givable.to_a
BUG, FEATURE, SUPPORT = Tracker.sorted.to_a
NEW, DOING, RESOLVED, FEEDBACK, CLOSED, REJECTED = IssueStatus.sorted.to_a
PRIORITIES = IssuePriority.active.to_a
DESIGN, DEVELOPMENT = TimeEntryActivity.active.to_a
CUSTOMER = IssueCustomField.create!(
  name: "Customer", field_format: "string", is_for_all: true, is_filter: true, searchable: true,
  trackers: [BUG, SUPPORT]
)
SHELF = IssueCustomField.create!(
  name: "Shelf", field_format: "list", possible_values: %w[North South Cellar Yard],
  is_for_all: true, is_filter: true, trackers: [BUG, FEATURE, SUPPORT]
)
IssueCustomField.create!(
  name: "Promised for", field_format: "date", is_for_all: true, trackers: [SUPPORT]
)
ProjectCustomField.create!(name: "Budget", field_format: "int", is_filter: true)
UserCustomField.create!(name: "Telephone", field_format: "string", editable: true)
VersionCustomField.create!(name: "Ship", field_format: "string")
TimeEntryCustomField.create!(name: "Paid", field_format: "bool", default_value: "0")

# -- Projects

MODULES = %w[
  issue_tracking time_tracking news documents files wiki boards calendar gantt
].freeze

def project(days, name, identifier, description, parent: nil, public: true)
  days_ago(days)
  made = Project.create!(
    name: name, identifier: identifier, description: description, is_public: public,
    enabled_module_names: MODULES, trackers: [BUG, FEATURE, SUPPORT]
  )
  made.set_parent!(parent) if parent
  Member.create!(project: made, principal: MARIA, roles: [MANAGER])
  made.reload
end

SHOP = project(170, "Web shop", "web-shop", "The shop that is open at *night*, too.")
STORE = project(160, "Warehouse", "warehouse", "Shelves, cellar and yard.")
COUNT = project(150, "Stocktaking", "stocktaking", "Counted once a quarter.", parent: STORE)
BOATS = project(140, "Delivery boats", "boats", "Three boats and a barge.", public: false)
OLD = project(130, "Old counter", "old-counter", "Closed since the web shop opened.")
PROJECTS = [SHOP, STORE, COUNT, BOATS].each(&:reload).freeze  # their order is that of names
PROJECTS.each do |made|
  STAFF.each.with_index do |person, number|
    role = number < 2 ? DEVELOPER : REPORTER
    Member.create!(project: made, principal: person, roles: [role])
  end
  Member.create!(project: made, principal: GROUPS[0], roles: [DEVELOPER]) if made == SHOP
end

# Versions, with how many days from now they are due; a past one is closed, a near one locked.
VERSIONS = {
  SHOP => [["Autumn", -70], ["Winter", 12], ["Spring", 80]],
  STORE => [["New shelves", 25], ["Dry cellar", 120]],
  COUNT => [["First quarter", 60]], BOATS => [["Repainted", 45]]
}.to_h do |made, versions|
  days_ago(120)
  [made, versions.map do |name, due|
    Version.create!(
      project: made, name: name, description: "Promised to the harbour office",
      effective_date: (CLOCK + due.days).to_date, sharing: made == SHOP ? "system" : "none"
    )
  end]
end
CATEGORIES = {
  SHOP => %w[Basket Payment Search], STORE => %w[Shelves Forklift], COUNT => %w[Lists],
  BOATS => %w[Engine Crew]
}.to_h do |made, names|
  [made, names.map { |name| IssueCategory.create!(project: made, name: name, assigned_to: CHEN) }]
end

# -- Issues

SUBJECTS = {
  SHOP => [
    "The basket forgets the second rope", "Show the price of postage earlier",
    "Search finds no lanterns", "Pay by invoice", "Pictures of sails are too dark",
    "Letters of confirmation come twice", "Sort anchors by weight", "Gift wrapping",
    "A customer cannot change the address", "Faster pages on old telephones",
    "Show what is left on the shelf", "Opening hours are those of summer"
  ],
  STORE => [
    "Shelf 4 leans to the left", "Labels for the cellar", "The forklift needs a new battery",
    "Move paint away from the heater", "Count of buoys is negative", "A second key for the yard",
    "Light above the scales", "Mice in the rope room"
  ],
  COUNT => ["Print lists by shelf", "Who counts the charts?", "Scanner shows yesterday"],
  BOATS => [
    "Engine of the barge is loud", "New life jackets", "Timetable for the winter",
    "Paint the hull", "The radio crackles"
  ]
}.freeze
NOTES = [
  "I have seen it, too.", "Ask the harbour office first.", "Done, please have a look.",
  "It happens only in the morning.", "Waits for parts.", "The customer called again."
].freeze

ISSUES = []
SUBJECTS.each do |made, subjects|
  subjects.each.with_index do |subject, number|
    begun = 57 - ISSUES.size * 2
    days_ago(begun, number)
    User.current = author = one_of([MARIA, *STAFF])
    tracker = one_of([BUG, FEATURE, SUPPORT])
    start = (CLOCK - (begun / 2).days).to_date
    issue = Issue.new(
      project: made, tracker: tracker, author: author, subject: subject, status: NEW,
      priority: one_of(PRIORITIES), category: one_of(CATEGORIES[made]),
      assigned_to: one_of([MARIA, *STAFF, nil]), start_date: start,
      due_date: start + 10 + CHANCE.rand(40), estimated_hours: 1 + CHANCE.rand(20),
      fixed_version: one_of([*VERSIONS[made], nil]),
      description: "#{subject}.\n\n* Seen on #{start.strftime('%-d %B')}\n" \
                   "* Told by *#{author.firstname}*"
    )
    issue.custom_field_values = { SHELF.id => one_of(%w[North South Cellar Yard]) }
    issue.save!
    ISSUES << issue
  end
end

ISSUES.each.with_index do |issue, number|
  [DOING, RESOLVED, FEEDBACK, CLOSED].first(CHANCE.rand(5)).each.with_index(1) do |status, step|
    days_ago([56 - number * 2 - step * 4, 0.2 * (5 - step)].max, step)
    User.current = one_of([MARIA, *STAFF])
    changed = Issue.find(issue.id)
    changed.init_journal(User.current, one_of(NOTES))
    changed.status = status
    changed.done_ratio = step * 25
    changed.priority = one_of(PRIORITIES) if step == 2
    changed.save!
  end
  issue.add_watcher(MARIA) if (number % 4).zero?
  issue.add_watcher(one_of(STAFF))
end

days_ago(3)
User.current = MARIA
{ 3 => 1, 7 => 1, 14 => 12 }.each do |child, parent|
  Issue.find(ISSUES[child].id).update!(parent_issue_id: ISSUES[parent].id)
end
RELATIONS = [[0, 4, "relates"], [2, 5, "blocks"], [12, 15, "relates"], [8, 9, "precedes"]].freeze
RELATIONS.each do |from, to, kind|
  IssueRelation.create!(
    issue_from: Issue.find(ISSUES[from].id), issue_to: Issue.find(ISSUES[to].id),
    relation_type: kind
  )
end

ISSUES.each.with_index do |issue, number|
  (1 + CHANCE.rand(2)).times do |step|
    days_ago(1 + (number * 2 + step * 5) % 40, step)
    User.current = person = step.zero? ? MARIA : one_of(STAFF)
    TimeEntry.create!(
      project: issue.project, issue: issue, user: person, author: person,
      activity: one_of([DESIGN, DEVELOPMENT]), hours: (1 + CHANCE.rand(16)) / 4.0,
      spent_on: Date.current, comments: one_of(["by telephone", "in the yard", "with Olga", ""])
    )
  end
end

# -- Pages, news, documents, forums

HANDBOOK = {
  "Wiki" => "h1. The handbook\n\n* [[Orders]]\n* [[Delivery notes]]\n* [[Opening hours]]\n\n" \
            "Ask [[Orders|the counter]] first.",
  "Orders" => "h1. Orders\n\nh2. By telephone\n\n# Write down the name.\n# Repeat it.\n\n" \
              "h2. By letter\n\nSee [[Delivery notes]] and #1.",
  "Delivery notes" => "h1. Delivery notes\n\n# Print two.\n# Sign one.\n# File the other.",
  "Opening hours" => "h1. Opening hours\n\n|_. Day |_. From |_. To |\n" \
                     "| Monday to Friday | 8:00 | 18:00 |\n| Saturday | 9:00 | 13:00 |"
}.freeze

HANDBOOK.each.with_index do |(title, text), number|
  days_ago(90 - number)
  User.current = one_of([MARIA, *STAFF])
  page = WikiPage.new(wiki: SHOP.wiki, title: title)
  page.parent = SHOP.wiki.find_page("Wiki") unless number.zero?
  content = WikiContent.new(page: page, text: text.lines.first(4).join, author: User.current)
  content.comments = "begun"
  page.save_with_content(content) || raise(page.errors.full_messages.join)
  [[40, "#{text}\n\nAsk Olga."], [10, text]].each do |days, changed|
    days_ago(days - number)
    User.current = one_of([MARIA, *STAFF])
    content = WikiPage.find(page.id).content
    content.update!(text: changed, comments: "put right", author: User.current)
  end
end

[
  [SHOP, 60, "The shop is open at night", "Orders are packed at seven."],
  [SHOP, 20, "Winter prices", "Rope by the metre is cheaper until March."],
  [STORE, 30, "New shelves have come", "They stand in the north."],
  [BOATS, 8, "The barge sails again", "Kenji mended the engine."]
].each do |made, days, title, text|
  days_ago(days)
  User.current = one_of([MARIA, *STAFF])
  news = News.create!(
    project: made, title: title, summary: text, author: User.current,
    description: "#{text}\n\nQuestions go to *#{User.current.firstname}*."
  )
  days_ago(days - 1)
  news.comments.create!(author: one_of(STAFF), comments: one_of(["Good!", "At last."]))
end

def attach(container, name, text)
  Attachment.create!(
    container: container, file: text, filename: name, author: User.current,
    content_type: "text/plain", description: "as it was handed in"
  )
end

User.current = MARIA
MANUALS = DocumentCategory.active.to_a
[
  [SHOP, 50, "Rules for returns", "Within 30 days, with the note."],
  [SHOP, 44, "Postage by weight", "As of January."],
  [STORE, 35, "Plan of the shelves", "North is up."],
  [BOATS, 25, "Insurance of the barge", "Until June."]
].each.with_index do |(made, days, title, text), number|
  days_ago(days)
  document = Document.create!(
    project: made, title: title, description: text, category: MANUALS[number % 2]
  )
  attach(document, "#{title.parameterize}.txt", "#{title}: #{text}\n")
end
days_ago(5)
attach(ISSUES[0], "basket.txt", "rope 2, lantern 1\n")
attach(SHOP, "prices.txt", "rope 4.20\nlantern 31.50\n")
attach(VERSIONS[SHOP][1], "winter.txt", "what is new in winter\n")

{
  "Sellers" => [["Where is the key?", "Behind the door."], ["Who works on Saturday?", "I do."]],
  "Drivers" => [["Timetable for January", "Ask Kenji."]]
}.each do |name, topics|
  days_ago(80)
  board = Board.create!(
    project: SHOP, name: name, description: "For #{name.downcase} and those who ask them"
  )
  topics.each.with_index do |(subject, reply), number|
    days_ago(15 - number)
    User.current = one_of(STAFF)
    topic = Message.create!(
      board: board, subject: subject, content: "#{subject} *Thank you!*", author: User.current,
      sticky: number.zero?
    )
    days_ago(13 - number)
    answering = one_of([MARIA, *STAFF])
    Message.create!(
      board: board, parent: topic, subject: "RE: #{subject}", content: reply, author: answering
    )
  end
end

# -- What the administrator keeps for herself and others

days_ago(2)
User.current = MARIA
IssueQuery.create!(
  name: "Open, by shelf", user: MARIA, visibility: Query::VISIBILITY_PUBLIC,
  filters: { "status_id" => { operator: "o", values: [""] } }, group_by: "cf_#{SHELF.id}",
  column_names: [:id, :tracker, :status, :subject, :assigned_to, :due_date, :done_ratio]
)
IssueQuery.create!(
  name: "Late for winter", user: MARIA, project: SHOP, visibility: Query::VISIBILITY_PRIVATE,
  filters: { "due_date" => { operator: "<t-", values: ["1"] } }
)
MARIA.pref.my_page_layout = {
  "top" => %w[issuesassignedtome], "left" => %w[issueswatched timelog news],
  "right" => %w[calendar activity documents]
}
MARIA.pref.save!
VERSIONS[SHOP][0].update!(status: "closed")
VERSIONS[SHOP][1].update!(status: "locked")
OLD.close
