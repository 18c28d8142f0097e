internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// Carries out the decisions that forms about groups send.
struct GroupForms {
  let call: PageCall

  init(_ call: PageCall) { self.call = call }

  func decide() throws -> Response {
    let id = call.parameter("id")
    let decided = try decide(call.parameter("action"), [id])
    // A merged group leads to the group it was merged into.
    let path =
      call.form["back"].map { SignInPages.localPath($0) }
      ?? "/groups/" + (decided.groups.first?.id ?? id).inAddress
    guard !decided.warnings.isEmpty else {
      return .empty(.seeOther, headers: ["Location": path])
    }
    let warnings = decided.warnings.map { "<p>\($0)</p>" as HTML }
    return call.page(
      "Done", in: .groups,
      """
      <h1>Done, with a warning</h1>
      <div class="message" role="status">\(warnings)</div>
      <p><a class="button" href="\(path)">Back to the group</a></p>
      """)
  }

  /// Applies a decision to several groups, and redirects to the list, which shows the result.
  func decideAboutSeveral() throws -> Response {
    let ids = call.form.values(of: "id")
    guard ids.count <= GroupListNotice.most else {
      throw ServiceError("select at most \(GroupListNotice.most) groups", .wrongUsage)
    }
    var notice = GroupListNotice(.nothing, count: 0)
    if !ids.isEmpty {
      let action = call.form["action"] ?? ""
      _ = try decide(action, ids)
      let done = GroupListNotice.Done(rawValue: action) ?? .change
      notice = GroupListNotice(
        done == .assign && call.text("to") == nil ? .unassign : done, count: ids.count)
    }
    let path = notice.address(after: SignInPages.localPath(call.form["back"]))
    return .empty(.seeOther, headers: ["Location": path])
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
    case "assign": return .assign(call.text("to"), isKnown: true)
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
