package import CrashService
internal import CrashStore
package import Documents
internal import HTTP
internal import Identifiers
internal import TriageModel

/// The body of `POST /api/v1/groups/:id/ACTION` and `POST /api/v1/actions/ACTION`.
///
/// Each action has its own members; those of others stay `nil`.
package struct DecisionRequest: Equatable, Sendable {
  /// The groups to change, where the path does not name one.
  package var groups: [String]?

  // resolve
  var version: String?
  var isNext: Bool?
  // ignore
  var reports: Int?
  var users: Int?
  /// How long: `30d`.
  var length: String?
  var time: Timestamp?
  // assign
  var assignee: String?
  var isKnown: Bool?
  // note
  var text: String?
  // ticket
  var url: String?
  var state: GroupTicket.State?
  // merge
  var whole: String?
  // split
  var keys: [String]?
  var query: String?
  // distinct
  var other: String?
  var isUndone: Bool?
  // undo
  var line: Int?

  private init() {}

  package init(_ decision: GroupDecision, about groups: [String]) {
    self.groups = groups
    switch decision {
    case .resolve(.next): isNext = true
    case .resolve(.inRelease(let release)): version = release.name
    case .ignore(let condition):
      (reports, users, time) = (condition.reports, condition.users, condition.until)
    case .assign(let who, let isKnown):
      assignee = who
      if isKnown { self.isKnown = true }
    case .note(let text): self.text = text
    case .ticket(let ticket): (url, state) = (ticket?.url, ticket?.state)
    case .merge(let whole): self.whole = whole
    case .split(let keys): self.keys = keys
    case .splitWhere(let query): self.query = query
    case .distinct(let other, let isUndone):
      self.other = other
      if isUndone { self.isUndone = true }
    case .undo(let line): self.line = line
    case .resolve(.afterNewestSeen), .reopen, .unmerge: break
    }
  }

  /// Returns the body of a decision about one group, whose id is in the path.
  package static func one(_ action: GroupAction) -> DocumentType<DecisionRequest> {
    DocumentType("DecisionRequest", blank: DecisionRequest()) { members(action) }
  }

  /// Returns the body of a decision about several groups.
  package static func several(_ action: GroupAction) -> DocumentType<DecisionRequest> {
    DocumentType("SeveralDecisionsRequest", blank: DecisionRequest()) {
      DocumentMember(
        "groups", optional: \.groups, .texts(atLeast: 1, atMost: GroupAction.mostGroups),
        isRequired: true)
      members(action)
    }
  }

  @DocumentBuilder<DecisionRequest>
  private static func members(_ action: GroupAction) -> [DocumentMember<DecisionRequest>] {
    switch action {
    case .resolve:
      DocumentMember(
        "in", optional: \.version, .text, "Fixed in this version, or this build of it: 1.5.0 (600)."
      )
      DocumentMember(
        "next", optional: \.isNext, .flag, "Fixed in the release after the app's newest.")
    case .ignore:
      DocumentMember(
        "until", optional: \.reports, .integer(from: 1),
        "Until this many more reports have arrived.")
      DocumentMember(
        "users", optional: \.users, .integer(from: 1),
        "Until this many more installations are affected.")
      DocumentMember("for", optional: \.length, .length, "For this long: 12h, 30d, 2w.")
      DocumentMember("time", optional: \.time, .moment, "Until this time.")
    case .assign:
      DocumentMember("to", optional: \.assignee, .text(atLeast: 1))
      DocumentMember(
        "known", optional: \.isKnown, .flag,
        "Whether to refuse a name that no account has. Until accounts are added, any name is accepted."
      )
    case .note: DocumentMember("text", optional: \.text, .text(atLeast: 1), isRequired: true)
    case .ticket:
      DocumentMember(
        "url", optional: \.url, .text(atLeast: 1), "The address of the issue's page.")
      DocumentMember(
        "state", optional: \.state, .word, "Whether the issue is closed. Default: open.")
    case .merge:
      DocumentMember(
        "into", optional: \.whole, .text(atLeast: 1), "The group to merge into.", isRequired: true)
    case .split:
      DocumentMember(
        "keys", optional: \.keys, .texts(), "The keys to move, or their prefixes.")
      DocumentMember(
        "where", optional: \.query, .text(atLeast: 1),
        "A query; matching reports move, including later ones.")
    case .distinct:
      DocumentMember(
        "from", optional: \.other, .text(atLeast: 1), "The other group.", isRequired: true)
      DocumentMember("undo", optional: \.isUndone, .flag, "Whether to remove the mark.")
    case .undo: DocumentMember("line", optional: \.line, .integer(from: 0))
    case .reopen, .unmerge: [DocumentMember<DecisionRequest>]()
    }
  }

  /// Returns the decision of the request.
  ///
  /// - Throws: `HTTPError` for members that exclude each other, and for invalid values.
  package func decision(_ action: GroupAction) throws -> GroupDecision {
    switch action {
    case .resolve:
      if version != nil && isNext == true {
        throw HTTPError.invalidDocument("use either in or next")
      }
      if let version, Release(version).isEmpty {
        throw HTTPError.invalidDocument("in must be a version")
      }
      return .resolve(
        isNext == true ? .next : version.map { .inRelease(Release($0)) } ?? .afterNewestSeen)
    case .reopen: return .reopen
    case .ignore:
      var until = time
      if let length {
        guard let length = TimeLength(argument: length) else {
          throw HTTPError.invalidDocument("for must be a length of time such as 30d")
        }
        until = length.end(from: .now)
      }
      return .ignore(IgnoreCondition(reports: reports, users: users, until: until))
    case .assign: return .assign(assignee, isKnown: isKnown ?? false)
    case .note: return .note(text ?? "")
    case .ticket:
      guard url != nil || state == nil else {
        throw HTTPError.invalidDocument("url, the address of the issue, is missing")
      }
      return .ticket(url.map { GroupTicket(url: $0, state: state ?? .open) })
    case .merge:
      guard let whole else {
        throw HTTPError.invalidDocument("into, the group to merge into, is missing")
      }
      return .merge(into: whole)
    case .unmerge: return .unmerge
    case .split:
      guard (keys ?? []).isEmpty != (query == nil) else {
        throw HTTPError.invalidDocument("either keys or where is required")
      }
      return query.map { .splitWhere($0) } ?? .split(keys: keys ?? [])
    case .distinct:
      guard let other else {
        throw HTTPError.invalidDocument("from, the other group, is missing")
      }
      return .distinct(from: other, isUndone: isUndone ?? false)
    case .undo: return .undo(line: line)
    }
  }
}

extension DocumentValue where Value == String {
  /// A length of time.
  fileprivate static var length: DocumentValue {
    DocumentValue(text: .length, "a text", write: { $0 }, read: { $0 })
  }
}

extension DocumentValue where Value == Timestamp {
  /// A time in a request.
  fileprivate static var moment: DocumentValue {
    DocumentValue(
      text: .time, "a time such as 2026-03-01T00:00:00Z", write: { $0.description },
      read: { Timestamp($0) })
  }
}
