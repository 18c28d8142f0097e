internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Asks before a decision about groups that others changed after the page with the form was shown.
struct MeanwhileChanges {
  let call: PageCall
  /// Where the form is sent.
  let path: String

  /// The field with the last line of the histories that the page shows.
  static func field(_ line: Int) -> HTML {
    "<input type=\"hidden\" name=\"seen\" value=\"\(line)\">"
  }

  /// Decisions that don't depend on what others decided, or that name what they undo.
  private static let independent: Set<String> = ["note", "undo", "unmerge", "distinct", "split"]
  /// Events after which a decision may no longer be meant.
  private static let events: Set<String> = [
    "resolved", "reopened", "ignored", "assigned", "merged", "unmerged", "split", "undone",
    "regressed", "returned", "noted",
  ]

  /// Returns the page that says what changed and asks; `nil` if nothing did.
  ///
  /// - Parameters:
  ///   - ids: The groups of the decision.
  ///   - back: The page to which the visitor can return instead.
  func page(_ action: String, _ ids: [String], back: String) throws -> Response? {
    guard !Self.independent.contains(action), let seen = try call.count("seen") else { return nil }
    let events = try ids.flatMap { id in
      try groupEvents(of: id).filter {
        $0.number > seen && Self.events.contains($0.event)
          && $0.author != call.visitor.account.name
      }
    }
    guard !events.isEmpty else { return nil }
    let groups = Set(events.map(\.group)).sorted()
    var table = CardTable([("Group", .text), ("Time", .side), ("By", .text), ("Change", .text)])
    for event in events.sorted(by: { $0.number < $1.number }) {
      table.add([
        "<a href=\"/groups/\(event.group.inAddress)\">\(event.group)</a>",
        PageText.time(event.time, now: call.now), "\(event.author)",
        "\(event.event)\(event.detail.isEmpty ? "" : " ")<span class=\"note\">\(event.detail)</span>",
      ])
    }
    let last = events.map(\.number).max() ?? seen
    var response = call.page(
      "Changed meanwhile", in: .groups,
      """
      <h1>\(groups.count == 1 ? groups[0] : GroupText.count(groups.count, "group", "groups")) changed meanwhile</h1>
      <p class="message" role="alert">Since you opened the page, others have made these changes. Nothing is decided yet.</p>
      \(table.markup)
      <form class="actions" method="post" action="\(path)">\(call.formField)\(Self.field(last))\(fields)\
      <button class="primary">\(Self.title(of: action)) anyway</button> <a class="button" href="\(back)">Cancel</a></form>
      """)
    response.status = .conflict
    return response
  }

  private func groupEvents(of id: String) throws -> [GroupEvent] {
    do {
      // A visitor of one app must not learn of the groups of others.
      _ = try call.service.keys(ofGroup: id)
      return try call.context.store.groups.history(ofGroup: id)
    } catch is UnknownID {
      // The decision itself names it.
      return []
    } catch StoreError.notFound {
      return []
    }
  }

  /// The fields of the form as they were sent.
  private var fields: [HTML] {
    call.form.items.filter { !["form", "seen"].contains($0.name) }.map { item in
      """
      <input type="hidden" name="\(HTML(edited: item.name))" value="\(HTML(edited: item.value))">
      """
    }
  }

  private static func title(of action: String) -> String {
    action == "merge-first" ? "Merge" : action.prefix(1).uppercased() + action.dropFirst()
  }
}
