package import CrashService
internal import CrashStore
package import Documents
internal import Identifiers
package import JSON
internal import TriageModel

extension GroupAction {
  /// The members of a request, besides the groups.
  package var members: [APIMember] {
    switch self {
    case .resolve:
      [
        .maybe("in", .text(), "Fixed in this version, or this build of it: 1.5.0 (600)."),
        .maybe("next", .flag, "Fixed in the release after the app's newest."),
      ]
    case .ignore:
      [
        .maybe("until", .integer(1...Int.max), "Until this many more reports have arrived."),
        .maybe("users", .integer(1...Int.max), "Until this many more installations are affected."),
        .maybe("for", .length, "For this long: 12h, 30d, 2w."),
        .maybe("time", .time, "Until this time."),
      ]
    case .assign: [.maybe("to", .text(atLeast: 1))]
    case .note: [.always("text", .text(atLeast: 1))]
    case .merge: [.always("into", .text(atLeast: 1), "The group to merge into.")]
    case .split:
      [
        .maybe("keys", .list(.text(atLeast: 1)), "The keys to move, or their prefixes."),
        .maybe("where", .text(atLeast: 1), "A query; matching reports move, including later ones."),
      ]
    case .distinct:
      [
        .always("from", .text(atLeast: 1), "The other group."),
        .maybe("undo", .flag, "Whether to remove the mark."),
      ]
    case .undo: [.maybe("line", .integer(0...Int.max))]
    case .reopen, .unmerge: []
    }
  }
}

extension GroupDecision {
  /// - Throws: `HTTPError` that describes the invalid member.
  package init(_ action: GroupAction, _ input: InputDocument) throws {
    switch action {
    case .resolve:
      let version = try input.text("in")
      let isNext = try input.flag("next") ?? false
      if version != nil && isNext { throw input.refusal("use either in or next") }
      if let version, Release(version).isEmpty { throw input.refusal("in must be a version") }
      self = .resolve(isNext ? .next : version.map { .inRelease(Release($0)) } ?? .afterNewestSeen)
    case .reopen: self = .reopen
    case .ignore:
      var until = try input.time("time")
      if let text = try input.text("for") {
        guard let length = TimeLength(argument: text) else {
          throw input.refusal("for must be a length of time such as 30d")
        }
        until = length.end(from: .now)
      }
      self = .ignore(
        IgnoreCondition(
          reports: try input.integer("until", from: 1),
          users: try input.integer("users", from: 1), until: until))
    case .assign: self = .assign(try input.text("to"))
    case .note: self = .note(try input.text("text") ?? "")
    case .merge:
      guard let whole = try input.text("into") else {
        throw input.refusal("into, the group to merge into, is missing")
      }
      self = .merge(into: whole)
    case .unmerge: self = .unmerge
    case .split:
      let keys = try input.texts("keys") ?? []
      let rule = try input.text("where")
      guard keys.isEmpty != (rule == nil) else {
        throw input.refusal("either keys or where is required")
      }
      self = rule.map { .splitWhere($0) } ?? .split(keys: keys)
    case .distinct:
      guard let other = try input.text("from") else {
        throw input.refusal("from, the other group, is missing")
      }
      self = .distinct(from: other, isUndone: try input.flag("undo") ?? false)
    case .undo: self = .undo(line: try input.integer("line", from: 0))
    }
  }

  /// Writes the members that ``init(_:_:)`` reads.
  package func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .resolve(.next): writer.member("next", true)
    case .resolve(.inRelease(let release)): writer.member("in", release.name)
    case .ignore(let condition):
      writer.member("until", condition.reports)
      writer.member("users", condition.users)
      writer.member("time", condition.until?.description)
    case .assign(let who): writer.member("to", who)
    case .note(let text): writer.member("text", text)
    case .merge(let whole): writer.member("into", whole)
    case .split(let keys): writer.member("keys", keys)
    case .splitWhere(let rule): writer.member("where", rule)
    case .distinct(let other, let isUndone):
      writer.member("from", other)
      if isUndone { writer.member("undo", true) }
    case .undo(let line): writer.member("line", line)
    case .resolve(.afterNewestSeen), .reopen, .unmerge: break
    }
  }
}
