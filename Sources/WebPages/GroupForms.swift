internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerStore
internal import WebServer

/// What people decide about groups, by forms.
struct GroupForms {
  let call: PageCall

  /// The most groups that one form names.
  private static let most = 200

  init(_ call: PageCall) { self.call = call }

  func decide() throws -> Response {
    let id = call.parameter("id")
    let groups = try decide(call.parameter("action"), [id])
    // A group that was merged away leads to the one that stays.
    return .empty(
      .seeOther, headers: ["Location": "/groups/" + (groups.first?.id ?? id).inAddress])
  }

  func decideAboutSeveral() throws -> Response {
    let ids = call.form.values(of: "id")
    guard !ids.isEmpty, ids.count <= Self.most else {
      throw ServiceError("select 1 to \(Self.most) groups first", .wrongUsage)
    }
    _ = try decide(call.form["action"] ?? "", ids)
    return .empty(
      .seeOther, headers: ["Location": SignInPages.place(call.form["back"])])
  }

  private func decide(_ action: String, _ ids: [String]) throws -> [GroupSummary] {
    let decision = try decision(action)
    let decided = try call.service.decide(decision, about: ids, by: call.visitor.account.name)
    for id in ids { try call.note(decision.action.rawValue, id) }
    return decided.groups
  }

  private func decision(_ action: String) throws -> GroupDecision {
    switch action {
    case "resolve": return .resolve(try resolution())
    case "reopen": return .reopen
    case "ignore": return .ignore(try condition())
    case "assign": return .assign(text("to"))
    case "note":
      guard let note = text("text") else { throw ServiceError("the note is empty", .wrongUsage) }
      return .note(note)
    case "merge":
      guard let whole = text("into") else {
        throw ServiceError("name the group to merge it into, such as TERN-12", .wrongUsage)
      }
      return .merge(into: whole)
    case "unmerge": return .unmerge
    case "split":
      guard let rule = text("where") else {
        throw ServiceError("say which reports to split off, such as version:2.4.*", .wrongUsage)
      }
      return .splitWhere(rule)
    case "distinct":
      guard let other = text("from") else {
        throw ServiceError("name the group that it is not the same as", .wrongUsage)
      }
      return .distinct(from: other, isUndone: false)
    case "undo": return .undo(line: try number("line"))
    default: throw ServiceError("no action is called '\(action)'", .notFound)
    }
  }

  private func resolution() throws -> Resolution {
    switch call.form["how"] {
    case "next": return .next
    case "in":
      guard let name = text("in"), !Release(name).isEmpty else {
        throw ServiceError("name the release in which it is fixed, such as 2.4.1", .wrongUsage)
      }
      return .inRelease(Release(name))
    default: return .afterNewestSeen
    }
  }

  private func condition() throws -> IgnoreCondition {
    var until: Timestamp?
    if let length = text("for") {
      guard let time = TimeLength(argument: length) else {
        throw ServiceError("'\(length)' is not a length of time; use 30d or 12h", .wrongUsage)
      }
      until = time.end(from: call.now)
    }
    return IgnoreCondition(reports: try number("until"), users: try number("users"), until: until)
  }

  /// `nil` where the field is empty.
  private func text(_ name: String) -> String? {
    call.form[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private func number(_ name: String) throws -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw ServiceError("'\(text)' is not a number", .wrongUsage)
    }
    return number
  }
}
