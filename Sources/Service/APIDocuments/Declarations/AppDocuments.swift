internal import Bytes
internal import CrashModel
package import CrashStore
package import Documents
internal import Identifiers
package import Query
package import ReportFormats
package import TriageModel

extension AppRecord: Documented {
  /// Returns the start of a secret, enough to recognise it.
  package static func shortened(_ secret: String) -> String {
    String(secret.prefix(8)).printable + "…"
  }

  private var link: String? {
    get { linking?.text }
    set { linking = newValue.flatMap { LinkPolicy($0) } }
  }

  private var shownSecrets: [String] {
    get { secrets.map(Self.shortened) }
    set { secrets = newValue }
  }

  package static let declaration = DocumentType(
    "App", blank: AppRecord(name: "", prefix: "", intakeKey: "", retention: Retention())
  ) {
    DocumentMember("name", \.name, .text, example: "Tern")
    DocumentMember("prefix", \.prefix, .text, "The prefix of its group ids.", example: "TERN")
    DocumentMember(
      "intake_key", \.intakeKey, .text, "May be compiled into the app; can only submit reports.")
    DocumentMember(
      "app_secrets", \.shownSecrets, .list(.text), "The starts of its App Center secrets.",
      example: ["2d1f6c0a…"])
    DocumentMember(
      "keep", \.retention, .object(Retention.declaration), "The retention of its reports.")
    DocumentMember(
      "link", optional: \.link, .text, "Which keys are linked by likeness, if set.",
      example: "0.70")
    DocumentMember(
      "tracker", optional: \.tracker, .object(TicketTracker.declaration),
      "Where issues about its groups are written.")
    DocumentMember(
      "protection", optional: \.shownProtection, .object(ReportProtection.declaration),
      "Which roles see parts of its reports, if not all do.")
  }

  private var shownProtection: ReportProtection? {
    get { protection.isEmpty ? nil : protection }
    set { protection = newValue ?? ReportProtection() }
  }
}

extension ReportProtection: Documented {
  var user: Reader? {
    get { chosen(.user) }
    set { self[.user] = newValue ?? .viewer }
  }

  var properties: Reader? {
    get { chosen(.properties) }
    set { self[.properties] = newValue ?? .viewer }
  }

  var log: Reader? {
    get { chosen(.log) }
    set { self[.log] = newValue ?? .viewer }
  }

  var submission: Reader? {
    get { chosen(.submission) }
    set { self[.submission] = newValue ?? .viewer }
  }

  private func chosen(_ part: Part) -> Reader? { self[part] == .viewer ? nil : self[part] }

  package static let declaration = DocumentType("ReportProtection", blank: ReportProtection()) {
    DocumentMember(
      "user", optional: \.user, .word,
      "The least role that sees ids of users, installations and sessions, and comments.")
    DocumentMember(
      "properties", optional: \.properties, .word,
      "The least role that sees properties that the app set.")
    DocumentMember(
      "log", optional: \.log, .word,
      "The least role that sees events before the crash, and standard error.")
    DocumentMember(
      "submission", optional: \.submission, .word,
      "The least role that sees the original submission and attachments, if it sees the others.")
  }
}

extension TicketTracker: Documented {
  /// Whether there is a token. Its place is not shown.
  private var isAsked: Bool {
    get { token != nil }
    set { token = newValue ? "" : nil }
  }

  package static let declaration = DocumentType("TicketTracker", blank: TicketTracker(.other, "")) {
    DocumentMember("kind", \.kind, .word)
    DocumentMember(
      "url", \.address, .text,
      "The project, or a template for a new issue with {title}, {body} and {link}.",
      example: "https://github.com/acme/tern")
    DocumentMember(
      "reports", optional: \.reports, .count, "A ticket is suggested from this many reports on.")
    DocumentMember(
      "users", optional: \.users, .count, "A ticket is suggested from this many users on.")
    DocumentMember("reads_states", \.isAsked, .flag, "Whether it reads states of issues.")
  }
}

extension Retention: Documented {
  package static let declaration = DocumentType("Retention", blank: Retention()) {
    DocumentMember("days", optional: \.days, .count, example: 90)
    DocumentMember("bytes", optional: \.bytes, .count, "Maximum disk space of its reports.")
    DocumentMember("per_group", optional: \.perGroup, .count, "Reports to keep per group.")
    DocumentMember(
      "per_day", optional: \.perDay, .count,
      "Reports to store per group, build and day; further ones are only counted. 0 means no limit."
    )
  }
}

extension ReleaseRecord: Documented {
  package static let declaration = DocumentType(
    "Release",
    blank: ReleaseRecord(
      app: "", release: Release(version: ""), isPlaced: false, added: .zero, reports: 0)
  ) {
    DocumentMember("app", \.app, .text, example: "Tern")
    DocumentMember("version", \.release.version, .text, example: "1.4.0")
    DocumentMember("build", nonEmpty: \.release.build, .text, example: "512")
    DocumentMember(
      "place", \.isPlaced,
      .word(
        ["set", "by number"], write: { $0 ? "set" : "by number" },
        read: { ["set": true, "by number": false][$0] }),
      "How its position in the order was determined.")
    DocumentMember("reports", \.reports, .count)
    DocumentMember("added", \.added, .time)
    DocumentMember("first_seen", optional: \.firstSeen, .time)
    DocumentMember("last_seen", optional: \.lastSeen, .time)
  }
}

extension QueryField: Documented {
  package static let declaration = DocumentType<QueryField>(writing: "Field") {
    DocumentMember("name", derived: { $0.name }, .text, example: "version")
    DocumentMember("aliases", derived: { $0.aliases }, .list(.text))
    DocumentMember("of", derived: { $0.level }, .word, "The object that has the property.")
    DocumentMember("kind", derived: { $0.kind }, .word, "How its values are written and compared.")
    DocumentMember("meaning", derived: { $0.meaning }, .text)
    DocumentMember("example", derived: { $0.example }, .text, "A condition with the field.")
    DocumentMember("choices", derived: { $0.choices }, .list(.text), "The possible values.")
  }
}

extension KnownFormat: Documented {
  package static let declaration = DocumentType<KnownFormat>(writing: "Format") {
    DocumentMember("name", derived: { $0.format.description }, .text, example: "go-panic")
    DocumentMember("title", derived: { $0.about.title }, .text, example: "Go")
    DocumentMember("family", derived: { $0.about.family.rawValue }, .text, example: "Languages")
    DocumentMember(
      "symbols", derived: { $0.about.symbols }, .word,
      "Whether debug files resolve its frames; otherwise they stay as printed.")
    DocumentMember(
      "since", derived: { $0.about.since }, .text, "The first version of Mayday that reads it.",
      example: "0.1.0")
    DocumentMember("file_extension", derived: { $0.fileExtension }, .text, example: "txt")
    DocumentMember("introduction", derived: { $0.about.introduction }, .text, "Markdown.")
    DocumentMember(
      "facts", derived: { $0.about.facts }, .list(.document),
      "The parts of a report that are parsed.")
    DocumentMember("notes", derived: { $0.about.notes }, .text, "Markdown.")
  }
}

extension FormatDescription.Fact: Documented {
  package static let declaration = DocumentType<FormatDescription.Fact>(writing: "FormatFact") {
    DocumentMember("name", derived: { $0.name }, .text, example: "recognised by")
    DocumentMember("text", derived: { $0.text }, .text, "Markdown.")
  }
}
