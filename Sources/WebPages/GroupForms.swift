internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import Rendering
internal import ServerStore
internal import WebServer

/// Carries out the decisions that forms about groups send.
struct GroupForms {
  let call: PageCall

  /// The maximum number of groups in one form.
  private static let most = 200

  init(_ call: PageCall) { self.call = call }

  func decide() throws -> Response {
    let id = call.parameter("id")
    let back = "/groups/" + id.inAddress
    return try answering(back: back) {
      let decided = try decide(call.parameter("action"), [id])
      // The address of a merged group redirects to the remaining group.
      let place =
        call.form["back"].map { SignInPages.place($0) }
        ?? "/groups/" + (decided.groups.first?.id ?? id).inAddress
      guard !decided.warnings.isEmpty else {
        return .empty(.seeOther, headers: ["Location": place])
      }
      let warnings = decided.warnings.map { "<p>\($0)</p>" as HTML }
      return call.page(
        "Done", in: .groups,
        """
        <h1>Done, with a warning</h1>
        <div class="message" role="status">\(warnings)</div>
        <p><a class="button" href="\(place)">Back to the group</a></p>
        """)
    }
  }

  func decideAboutSeveral() throws -> Response {
    let back = SignInPages.place(call.form["back"])
    return try answering(back: back) {
      let ids = call.form.values(of: "id")
      guard !ids.isEmpty, ids.count <= Self.most else {
        throw ServiceError("select 1 to \(Self.most) groups first", .wrongUsage)
      }
      _ = try decide(call.form["action"] ?? "", ids)
      return .empty(.seeOther, headers: ["Location": back])
    }
  }

  /// Shows a refusal with a link back to the form.
  private func answering(back: String, _ body: () throws -> Response) throws -> Response {
    do {
      return try body()
    } catch let error
      where error is ActionError || error is ServiceError || error is QueryError
    {
      let (message, kind) = FailureText.describe(error)
      let status: Status =
        switch kind {
        case .notFound: .notFound
        case .wrongUsage: .badRequest
        case .notAllowed: .forbidden
        case .failed, .unreachable: .conflict
        }
      let lines = message.split(separator: "\n").map { "\(String($0))\n" as HTML }
      return PageDocument(
        title: "Action failed", section: .groups, visitor: call.visitor, status: status,
        content: """
          <h1>Action failed</h1>
          <p class="message mono" role="alert">\(lines)</p>
          <p><a class="button" href="\(back)">Back</a></p>
          """
      ).response
    }
  }

  private func decide(_ action: String, _ ids: [String]) throws -> DecidedGroups {
    let decision = try decision(action)
    let decided = try call.service.decide(decision, about: ids, by: call.visitor.account.name)
    for id in ids { try call.note(decision.action.rawValue, id) }
    return decided
  }

  private func decision(_ action: String) throws -> GroupDecision {
    switch action {
    case "resolve": return .resolve(try resolution())
    case "reopen": return .reopen
    case "ignore": return .ignore(try condition())
    case "assign": return .assign(call.text("to"))
    case "note":
      guard let note = call.text("text") else {
        throw ServiceError("the note is empty", .wrongUsage)
      }
      return .note(note)
    case "merge":
      guard let whole = call.text("into") else {
        throw ServiceError("enter the group to merge into, such as TERN-12", .wrongUsage)
      }
      return .merge(into: whole)
    case "unmerge": return .unmerge
    case "split":
      let keys = call.form.values(of: "key").filter { !$0.isEmpty }
      if !keys.isEmpty { return .split(keys: keys) }
      let rule = SplitView.rule(call.form)
      guard !rule.isEmpty else {
        throw ServiceError("enter which reports to split off, such as version:2.4.*", .wrongUsage)
      }
      return .splitWhere(rule)
    case "distinct":
      guard let other = call.text("from") else {
        throw ServiceError("enter the group that is not the same", .wrongUsage)
      }
      return .distinct(from: other, isUndone: call.text("undone") != nil)
    case "undo": return .undo(line: try call.count("line"))
    default: throw ServiceError("unknown action '\(action)'", .notFound)
    }
  }

  private func resolution() throws -> Resolution {
    switch call.form["how"] {
    case "next": return .next
    case "in":
      guard let name = call.text("in"), !Release(name).isEmpty else {
        throw ServiceError("enter the release that fixes it, such as 2.4.1", .wrongUsage)
      }
      return .inRelease(Release(name))
    default: return .afterNewestSeen
    }
  }

  private func condition() throws -> IgnoreCondition {
    var until: Timestamp?
    if let length = call.text("for") {
      guard let time = TimeLength(argument: length) else {
        throw ServiceError("'\(length)' is not a length of time; use 30d or 12h", .wrongUsage)
      }
      until = time.end(from: call.now)
    }
    return IgnoreCondition(
      reports: try call.count("until"), users: try call.count("users"), until: until)
  }
}
