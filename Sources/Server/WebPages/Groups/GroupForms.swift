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

  /// The page with the form of a decision about one group.
  func page() throws -> Response {
    call.parameter("action") == "split"
      ? try SplitView(call).response() : try GroupView(call).response()
  }

  func decide() throws -> Response {
    let id = call.parameter("id")
    let action = call.parameter("action")
    // A merged group leads to the group it was merged into.
    func path(_ groups: [GroupSummary]) -> String {
      call.form["back"].map { SignInPages.localPath($0) }
        ?? "/groups/" + (groups.first?.id ?? id).inAddress
    }
    let question = MeanwhileChanges(call: call, path: "/groups/\(id.inAddress)/\(action)")
    if let page = try question.page(action, [id], back: path([])) { return page }
    let decided = try decide(action, [id])
    guard !decided.warnings.isEmpty else {
      return .empty(.seeOther, headers: ["Location": path(decided.groups)])
    }
    let warnings = decided.warnings.map { "<p>\($0)</p>" as HTML }
    return call.page(
      "Done", in: .groups,
      """
      <h1>Done, with a warning</h1>
      <div class="message" role="status">\(warnings)</div>
      <p><a class="button" href="\(path(decided.groups))">Back to the group</a></p>
      """)
  }

  // MARK: Several groups

  /// Applies a decision to several groups, and redirects to the list, which shows the result.
  func decideAboutSeveral() throws -> Response {
    let back = SignInPages.localPath(call.form["back"])
    func list(_ notice: GroupListNotice) -> Response {
      .empty(.seeOther, headers: ["Location": notice.address(after: back)])
    }
    var ids = call.form.values(of: "id")
    let changes = call.form.values(of: "change")
    guard max(ids.count, changes.count) <= GroupListNotice.most else {
      throw ServiceError("select at most \(GroupListNotice.most) groups", .wrongUsage)
    }
    let action = call.form["action"] ?? ""
    if action == "undo" { return list(try undo(changes)) }
    if ids.isEmpty { return list(GroupListNotice(.nothing, count: 0)) }
    if let page = try MeanwhileChanges(call: call, path: "/groups").page(action, ids, back: back) {
      return page
    }
    let before = try call.context.store.groups.lastEvent()
    var done = GroupListNotice.Done(rawValue: action) ?? .change
    if action == "merge-first" {
      let whole = ids.removeFirst()
      guard !ids.isEmpty else {
        throw ServiceError("select the groups to merge into \(whole), too", .wrongUsage)
      }
      try decide(.merge(into: whole), ids)
      ids.append(whole)
      done = .merge
    } else {
      try decide(action, ids)
    }
    if done == .assign, call.text("to") == nil { done = .unassign }
    let made = try own(after: before, of: action == "merge" ? ids + [call.form["into"] ?? ""] : ids)
    return list(GroupListNotice(done, count: ids.count, changes: made))
  }

  /// Returns what the visitor changed in groups after a line of the histories.
  private func own(after line: Int, of ids: [String]) throws -> [GroupChange] {
    var changes: [GroupChange] = []
    for id in ids {
      let events = try call.context.store.groups.history(ofGroup: id).filter {
        $0.number > line && $0.isAction && $0.author == call.visitor.account.name
      }
      for event in events {
        let change = GroupChange(group: event.group, line: event.number)
        if !changes.contains(change) { changes.append(change) }
      }
    }
    return changes
  }

  /// Undoes changes, the newest first. What cannot be undone does not keep the others.
  private func undo(_ texts: [String]) throws -> GroupListNotice {
    let changes = texts.compactMap { GroupChange($0) }
    guard !changes.isEmpty else { throw ServiceError("there is nothing to undo", .wrongUsage) }
    var groups: Set<String> = []
    var problems: [String] = []
    for change in changes.sorted(by: { $0.line > $1.line }) {
      do {
        try decide(.undo(line: change.line), [change.group])
        groups.insert(change.group)
      } catch let error where error is ActionError || error is UnknownID {
        problems.append(FailureText.describe(error, namesCommands: false).message)
      }
    }
    guard problems.isEmpty else {
      let undone = groups.isEmpty ? "" : "\(groups.sorted().joined(separator: ", ")): undone\n"
      throw ServiceError(undone + problems.joined(separator: "\n"), .failed)
    }
    let undone = changes.filter { groups.contains($0.group) }
    return GroupListNotice(.undo, count: groups.count, changes: undone)
  }

  // MARK: The decision

  @discardableResult
  private func decide(_ action: String, _ ids: [String]) throws -> DecidedGroups {
    try decide(try decision(action), ids)
  }

  @discardableResult
  private func decide(_ decision: GroupDecision, _ ids: [String]) throws -> DecidedGroups {
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
    case "ticket":
      return .ticket(
        call.text("url").map {
          GroupTicket(
            url: $0.filter { !$0.isWhitespace }, state: call.text("closed") == nil ? .open : .closed
          )
        })
    case "merge":
      guard let whole = call.text("into") ?? call.text("related") else {
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

  /// A typed release is the answer: the first choice is what the form has before anyone chooses.
  private func resolution() throws -> Resolution {
    let name = call.text("in")
    switch (call.form["how"], name) {
    case ("next", let name?):
      throw ServiceError(
        "choose either the next release or the release \(name), and empty the field otherwise",
        .wrongUsage)
    case ("next", nil): return .next
    case (_, let name?) where !Release(name).isEmpty: return .inRelease(Release(name))
    case (_, .some), ("in", nil):
      throw ServiceError("enter the release that fixes it, such as 2.4.1", .wrongUsage)
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
