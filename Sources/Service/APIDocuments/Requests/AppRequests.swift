package import CrashStore
package import Documents
package import HTTP
package import TriageModel
package import Updates

/// A change of an app: its name is in the body.
package protocol AppRequest: Documented {
  var name: String { get set }
}

extension InputDocument {
  fileprivate static let appName = "name"

  /// Returns the name of the app in an ``AppRequest``, which may be invalid otherwise.
  package static func app(changedBy request: Request) -> String? { text(appName, in: request) }
}

extension DocumentMember where Root: AppRequest {
  /// The name of the app that is changed.
  static var appName: DocumentMember {
    DocumentMember(
      InputDocument.appName, \.name, .nonEmptyAppName, "The name of the app.",
      missing: HTTPError.invalidDocument("name, the name of an app, is missing"))
  }
}

/// The body of `POST /api/v1/apps`.
package struct NewApp: AppRequest, Equatable {
  package var name: String
  package var secret: String?

  package init(name: String, secret: String?) {
    self.name = name
    self.secret = secret
  }

  package static let declaration = DocumentType("NewApp", blank: NewApp(name: "", secret: nil)) {
    DocumentMember.appName
    DocumentMember(
      "secret", optional: \.secret, .text(atLeast: 1), "An App-Secret of App Center's SDKs.")
  }
}

/// The body of `POST /api/v1/apps/adopt`.
package struct SecretAdoption: AppRequest, Equatable {
  package var secret: String
  package var name: String

  package init(secret: String, name: String) {
    self.secret = secret
    self.name = name
  }

  package static let declaration = DocumentType(
    "SecretAdoption", blank: SecretAdoption(secret: "", name: "")
  ) {
    DocumentMember(
      "secret", \.secret, .text(atLeast: 1), "The secret, or its first characters.", otherwise: "",
      isRequired: true)
    DocumentMember.appName
  } check: { adoption in
    guard !adoption.secret.isEmpty else {
      throw HTTPError.invalidDocument(
        "secret is missing: the unknown secret, or its first characters")
    }
  }
}

/// The body of `POST /api/v1/apps/rename`.
package struct AppRenaming: AppRequest, Equatable {
  package var name: String
  package var newName: String

  package init(name: String, newName: String) {
    self.name = name
    self.newName = newName
  }

  package static let declaration = DocumentType(
    "AppRenaming", blank: AppRenaming(name: "", newName: "")
  ) {
    DocumentMember.appName
    DocumentMember(
      "to", \.newName, .nonEmptyAppName, "The new name.",
      missing: HTTPError.invalidDocument("to, the name of an app, is missing"))
  }
}

/// The body of `PUT /api/v1/apps/prefix`.
package struct AppPrefix: AppRequest, Equatable {
  package var name: String
  package var prefix: String

  package init(name: String, prefix: String) {
    self.name = name
    self.prefix = prefix
  }

  package static let declaration = DocumentType(
    "AppPrefix", blank: AppPrefix(name: "", prefix: "")
  ) {
    DocumentMember.appName
    DocumentMember(
      "prefix", \.prefix, .text(atLeast: 1),
      "Letters and digits; ids with the old prefix stay valid.",
      missing: HTTPError.invalidDocument("prefix is missing; for example TERN in TERN-12"))
  }
}

/// The body of `PUT /api/v1/apps/link`.
package struct AppLinking: AppRequest, Equatable {
  package var name: String
  package var policy: LinkPolicy

  package init(name: String, policy: LinkPolicy) {
    self.name = name
    self.policy = policy
  }

  package static let declaration = DocumentType(
    "AppLinking", blank: AppLinking(name: "", policy: .standard)
  ) {
    DocumentMember.appName
    DocumentMember.reading(
      "link", \.policy, .text(atLeast: 1), "on, off, or a likeness from 0.01 to 1.",
      orThrow: .invalidDocument("link must be on, off, or a likeness from 0.01 to 1"),
      write: { $0.text }, read: { LinkPolicy($0) })
  }
}

/// The body of `PUT /api/v1/apps/known-fix`.
package struct AppKnownFixes: AppRequest, Equatable {
  package var name: String
  package var policy: KnownFixPolicy

  package init(name: String, policy: KnownFixPolicy) {
    self.name = name
    self.policy = policy
  }

  package static let declaration = DocumentType(
    "AppKnownFixes", blank: AppKnownFixes(name: "", policy: .off)
  ) {
    DocumentMember.appName
    DocumentMember.reading(
      "policy", \.policy, .choice(policies),
      orThrow: .invalidDocument("policy must be one of " + policies.joined(separator: ", ")),
      write: { $0.rawValue }, read: { KnownFixPolicy(rawValue: $0) })
  }

  private static let policies = KnownFixPolicy.allCases.map(\.rawValue)
}

/// The body of `PUT /api/v1/apps/tracker`.
package struct AppTracker: AppRequest, Equatable {
  package var name: String
  var kind: TicketTracker.Kind?
  var address: String?
  var reports: Int?
  var users: Int?

  package init(name: String, tracker: TicketTracker?) {
    self.name = name
    kind = tracker?.kind
    address = tracker?.address
    reports = tracker?.reports
    users = tracker?.users
  }

  /// - Throws: `HTTPError` for an address without a kind that is not that of a well-known host.
  package var tracker: TicketTracker? {
    get throws {
      guard let address else { return nil }
      guard let kind = kind ?? TicketTracker.kind(of: address) else {
        throw HTTPError.invalidDocument("kind is missing: the kind of tracker", "kind")
      }
      return TicketTracker(kind, address, reports: reports, users: users)
    }
  }

  package static let declaration = DocumentType(
    "AppTracker", blank: AppTracker(name: "", tracker: nil)
  ) {
    DocumentMember.appName
    DocumentMember(
      "kind", optional: \.kind, .word, "The kind of tracker; well-known hosts need none.")
    DocumentMember(
      "url", optional: \.address, .text(atLeast: 1),
      "The project, or a template with {title}, {body} and {link}. Default: no tracker.")
    DocumentMember(
      "reports", optional: \.reports, .integer(from: 1),
      "Suggest a ticket from this many reports on.")
    DocumentMember(
      "users", optional: \.users, .integer(from: 1),
      "Suggest a ticket from this many users on.")
  }
}

/// The body of `PUT /api/v1/apps/protect`.
package struct AppProtection: AppRequest, Equatable {
  package var name: String
  package var protection: ReportProtection

  package init(name: String, protection: ReportProtection) {
    self.name = name
    self.protection = protection
  }

  package static let declaration = DocumentType(
    "AppProtection", blank: AppProtection(name: "", protection: ReportProtection())
  ) {
    DocumentMember.appName
    DocumentMember(
      "user", optional: \.protection.user, .word,
      "The least role that sees ids of users, installations and sessions, and comments. "
        + "Default: every role.")
    DocumentMember(
      "properties", optional: \.protection.properties, .word,
      "The least role that sees properties that the app set.")
    DocumentMember(
      "log", optional: \.protection.log, .word,
      "The least role that sees events before the crash, and standard error.")
    DocumentMember(
      "submission", optional: \.protection.submission, .word,
      "The least role that sees the original submission and attachments, if it sees the others.")
  }
}

/// The body of `PUT /api/v1/apps/keep`.
package struct AppRetention: AppRequest, Equatable {
  package var name: String
  package var retention: Retention

  package init(name: String, retention: Retention) {
    self.name = name
    self.retention = retention
  }

  package static let declaration = DocumentType(
    "AppRetention", blank: AppRetention(name: "", retention: Retention())
  ) {
    DocumentMember.appName
    DocumentMember(
      "days", optional: \.retention.days, .integer(from: 0),
      "Maximum age in days. Default: no limit.")
    DocumentMember(
      "bytes", optional: \.retention.bytes, .integer(from: 0),
      "Maximum disk space of its reports, in bytes.")
    DocumentMember(
      "per_group", optional: \.retention.perGroup, .integer(from: 0),
      "Number of reports to keep per group.")
    DocumentMember(
      "per_day", optional: \.retention.perDay, .integer(from: 0),
      "Number of reports to store per group, build and day; further ones are only counted. "
        + "Default: no limit.")
  }
}
