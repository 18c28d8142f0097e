package import CrashService
internal import CrashStore
package import Documents
internal import Pipeline
package import ServerStore

extension Token: Documented {
  fileprivate static var blank: Token {
    Token(
      id: "", label: "", scopes: [], app: nil, created: .zero, expires: nil, revoked: nil,
      used: nil)
  }

  package static let declaration = DocumentType("Token", blank: blank) {
    DocumentMember("id", \.id, .text, "The public part of the token.")
    DocumentMember("label", \.label, .text, example: "build server")
    DocumentMember("scopes", \.scopes, .scopes)
    DocumentMember(
      "app", optional: \.app, .text, "The only app that it is valid for.", example: "Tern")
    DocumentMember("created", \.created, .time)
    DocumentMember("expires", optional: \.expires, .time)
    DocumentMember("revoked", optional: \.revoked, .time)
    DocumentMember("used", optional: \.used, .time, "The last use, to the hour.")
    DocumentMember(
      "account", optional: \.account, .text,
      "The account that a command signed in as, which limits what the token allows.",
      example: "ada")
  }
}

extension DocumentValue where Value == Set<TokenScope> {
  /// A set of scopes; unknown ones are skipped, because a newer server may have more.
  fileprivate static var scopes: DocumentValue<Set<TokenScope>> {
    DocumentValue<[String]>.list(.words(TokenScope.allCases.map(\.rawValue))).map(
      write: { $0.map(\.rawValue).sorted() },
      read: { Set($0.compactMap(TokenScope.init(rawValue:))) })
  }
}

/// A token with its text, which is shown only once.
package struct NewToken: Equatable, Sendable {
  package var text: String
  package var token: Token

  package init(text: String, token: Token) {
    self.text = text
    self.token = token
  }
}

extension NewToken: Documented {
  package static let declaration = DocumentType(
    "NewToken", blank: NewToken(text: "", token: .blank)
  ) {
    DocumentMember("token", \.text, .text, "The token's text, shown only once.")
    Token.declaration.members(at: \NewToken.token)
  }
}

extension AuditLog.Entry: Documented {
  package static let declaration = DocumentType<AuditLog.Entry>(writing: "AuditEntry") {
    DocumentMember("time", derived: { $0.time }, .time)
    DocumentMember("token", derived: { $0.token }, .text, "The id of the token.")
    DocumentMember(
      "label", derived: { $0.label }, .text, "Its label at that time.", example: "build server")
    DocumentMember("action", derived: { $0.action }, .text, example: "make token")
    DocumentMember("subject", derived: { $0.subject }, .text)
    DocumentMember(
      "peer", derived: { $0.peer }, .text, "The address of the client.", example: "127.0.0.1")
  }
}

extension QuarantinedSubmission: Documented {
  /// The facts without the secrets of apps.
  private var shownFacts: [String: String] {
    get { facts.filter { $0.key != IntakeFact.secret } }
    set { facts = newValue }
  }

  package static let declaration = DocumentType(
    "Quarantined",
    blank: QuarantinedSubmission(
      id: 0, route: "", received: .zero, facts: [:], size: 0, attempts: 0, problem: "",
      isCounted: false)
  ) {
    DocumentMember("id", \.id, .count)
    DocumentMember("route", \.route, .text, "The intake protocol.", example: "report")
    DocumentMember("received", \.received, .time)
    DocumentMember("size", \.size, .count, "Bytes.")
    DocumentMember("attempts", \.attempts, .count)
    DocumentMember("problem", \.problem, .text, "Why it could not be processed.")
    DocumentMember("facts", \.shownFacts, .map(.text), "Facts about it.")
  }
}

/// A submission, with its reports that are still stored.
package struct SubmissionDocument: Sendable {
  package struct Report: Sendable {
    package var id: String
    package var app: String
    package var group: String

    package init(id: String, app: String, group: String) {
      self.id = id
      self.app = app
      self.group = group
    }
  }

  /// A dump in a list of data that is offered or wanted.
  package static let dump = "dump"

  /// A release that fixes a crash.
  package struct KnownFix: Sendable {
    package var group: String
    /// The release with the fix, as set when the group was resolved.
    package var fixedIn: String
    /// The newest release with the fix that is available to the client.
    package var release: String
    package var isMandatory: Bool
    package var url: String

    package init(group: String, fixedIn: String, release: String, isMandatory: Bool, url: String) {
      self.group = group
      self.fixedIn = fixedIn
      self.release = release
      self.isMandatory = isMandatory
      self.url = url
    }
  }

  package var status: SubmissionStatus
  package var reports: [Report]
  package var known: KnownFix?
  /// The offered data that its groups lack.
  package var wants: [String]

  package init(
    status: SubmissionStatus, reports: [Report], known: KnownFix? = nil, wants: [String] = []
  ) {
    self.wants = wants
    self.status = status
    self.reports = reports
    self.known = known
  }
}

extension SubmissionDocument: Documented {
  package static let declaration = DocumentType<SubmissionDocument>(writing: "Submission") {
    DocumentMember("id", derived: { $0.status.id }, .text)
    DocumentMember(
      "status", derived: { $0.status.outcome.word }, .words(SubmissionStatus.State.words))
    DocumentMember("received", derived: { $0.status.received }, .time)
    DocumentMember(
      "app", derivedOptional: { $0.status.app }, .text, "The app it was submitted for.",
      example: "Tern")
    DocumentMember(
      "duplicate", derivedOptional: { $0.status.outcome.isDuplicate }, .flag,
      "For stored submissions: whether everything in it was already known.")
    DocumentMember(
      "problem", derivedOptional: { $0.status.outcome.problem }, .text, "Why it is quarantined.")
    DocumentMember(
      "reports", derived: { $0.reports }, .list(.object(Report.declaration)),
      "Its reports that are still stored, with their current groups.")
    DocumentMember(
      "refused", derived: { $0.status.outcome.refused },
      .list(.object(SubmissionVerdict.Refused.declaration)),
      "Files of an archive that contain no report.")
    DocumentMember(
      "counted", derived: { $0.status.outcome.counted },
      .list(.object(SubmissionVerdict.Counted.declaration)),
      "Reports that were only counted: their groups have reached the daily limit.")
    DocumentMember(
      "wants", derived: { $0.wants }, .list(.text),
      "The data its groups lack: dump, if no report of the build and day is a dump or has attachments."
    )
    DocumentMember(
      "known", derivedOptional: { $0.known }, .document,
      "A public release that fixes the crash.")
  }
}

extension SubmissionDocument.KnownFix: Documented {
  package static let declaration = DocumentType<SubmissionDocument.KnownFix>(writing: "KnownFix") {
    DocumentMember("group", derived: { $0.group }, .text, example: "TERN-12")
    DocumentMember(
      "fixed_in", derived: { $0.fixedIn }, .text, "The release the group is resolved in.",
      example: "1.4.2")
    DocumentMember(
      "release", derived: { $0.release }, .text, "The newest release with the fix.",
      example: "1.4.3 (520)")
    DocumentMember(
      "mandatory", derived: { $0.isMandatory }, .flag, "Whether the app should insist on it.")
    DocumentMember(
      "url", derived: { $0.url }, .text, "The page from which the app's users install it.")
  }
}

extension SubmissionDocument.Report: Documented {
  package static let declaration = DocumentType<SubmissionDocument.Report>(
    writing: "SubmittedReport"
  ) {
    DocumentMember("id", derived: { $0.id }, .text)
    DocumentMember("app", derived: { $0.app }, .text, example: "Tern")
    DocumentMember("group", derived: { $0.group }, .text, example: "TERN-12")
  }
}

extension SubmissionVerdict.Counted: Documented {
  package static let declaration = DocumentType<SubmissionVerdict.Counted>(
    writing: "CountedReports"
  ) {
    DocumentMember("app", derived: { $0.app }, .text, example: "Tern")
    DocumentMember("group", derived: { $0.group }, .text, example: "TERN-12")
    DocumentMember("reports", derived: { $0.reports }, .count)
  }
}

extension SubmissionVerdict.Refused: Documented {
  package static let declaration = DocumentType<SubmissionVerdict.Refused>(writing: "RefusedFile") {
    DocumentMember("file", derived: { $0.file }, .text, example: "readme.txt")
    DocumentMember("reason", derived: { $0.reason }, .text)
  }
}

extension SubmissionStatus.State {
  fileprivate var isDuplicate: Bool? {
    if case .stored(_, let isNew) = self { !isNew } else { nil }
  }

  fileprivate var problem: String? {
    switch self {
    case .quarantined(let problem), .discarded(let problem): problem
    case .waiting, .stored: nil
    }
  }

  fileprivate var counted: [SubmissionVerdict.Counted] {
    if case .stored(let verdict, _) = self { verdict.counted } else { [] }
  }

  fileprivate var refused: [SubmissionVerdict.Refused] {
    if case .stored(let verdict, _) = self { verdict.refused } else { [] }
  }
}

/// The counts of data that an erasure deleted, or would delete.
package struct ErasureDocument: Sendable {
  package var result: Erasure.Result
  package var isDry: Bool

  package init(result: Erasure.Result, isDry: Bool) {
    self.result = result
    self.isDry = isDry
  }
}

extension ErasureDocument: Documented {
  package static let declaration = DocumentType(
    "ErasureCounts", blank: ErasureDocument(result: Erasure.Result(), isDry: false)
  ) {
    DocumentMember("dry_run", \.isDry, .flag)
    DocumentMember("reports", \.result.stored.reports, .count)
    DocumentMember("submissions", \.result.stored.submissions, .count)
    DocumentMember("bytes", \.result.stored.bytes, .count)
    DocumentMember("attachments", \.result.stored.attachments, .count)
    DocumentMember("sessions", \.result.stored.sessions, .count)
    DocumentMember("events", \.result.stored.events, .count)
    DocumentMember("client_reports", \.result.stored.clientReports, .count)
    DocumentMember("expired_crashes", \.result.stored.expiredCrashes, .count)
    DocumentMember("waiting_attachments", \.result.stored.orphans, .count)
    DocumentMember("queued", \.result.queued, .count)
    DocumentMember("pending", \.result.pending, .count)
    DocumentMember("groups", \.result.stored.groups, .count)
  }
}

/// The parts of a large file that the server already has.
package struct UploadDocument: Sendable {
  package var id: String
  package var chunkSize: Int
  package var have: [Int]

  package init(id: String, chunkSize: Int, have: [Int]) {
    self.id = id
    self.chunkSize = chunkSize
    self.have = have
  }
}

extension UploadDocument: Documented {
  package static let declaration = DocumentType(
    "Upload", blank: UploadDocument(id: "", chunkSize: 0, have: [])
  ) {
    DocumentMember("id", \.id, .text)
    DocumentMember("chunk_size", \.chunkSize, .count, "Bytes of each part but the last.")
    DocumentMember("have", \.have, .list(.count), "Parts the server already has.", example: [0, 1])
  }
}
