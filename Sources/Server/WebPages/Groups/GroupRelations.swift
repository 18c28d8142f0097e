internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import TriageModel

/// More about a group: its variants, similar groups, notes and history.
struct GroupRelations {
  let call: PageCall
  let overview: GroupOverview

  private static let mostRelated = 10
  private static let mostVariants = 10
  private static let mostEvents = 50
  private static let shownCalls = 8

  private var group: GroupSummary { overview.group }
  private var address: String { "/groups/" + group.id.inAddress }
  private var mayDecide: Bool { call.visitor.account.allows(.triage) }

  // MARK: Variants

  func variants() throws -> HTML {
    guard let count = overview.variantCount, count > 1 else { return .none }
    let list = try overview.variants ?? call.service.variants(ofGroup: group.id)
    let rows = list.variants.prefix(Self.mostVariants).map { variant in
      Self.row(variant, total: group.reports, address: address)
    }
    let left = list.count - rows.count
    let more: HTML =
      left > 0
      ? "<p class=\"quiet\">and \(GroupText.count(left, "more", "more")): <a href=\"\(address)/split\">all</a></p>"
      : .none
    return """
      <section><h2>Variants</h2>
      <p class="quiet">Its reports have \(GroupText.count(list.count, "different stack", "different stacks")).</p>\(mixed)
      <div class="scroll"><table><tr><th>Stack</th><th class="number">Reports</th></tr>\(Array(rows))</table></div>\(more)</section>
      """
  }

  /// - Parameter box: A checkbox to put before it.
  static func row(
    _ variant: GroupVariant, total: Int, address: String, box: HTML = .none
  ) -> HTML {
    let calls = variant.stack.calls
    let shown = calls.prefix(shownCalls).map { $0.token.isEmpty ? "?" : $0.token }
    let words =
      shown.joined(separator: " < ") + (calls.count > shown.count ? " < …" : "")
    let short = String(variant.id.prefix(8))
    let query = "variant:" + short
    let name: HTML =
      variant.id.isEmpty
      ? "damaged documents" : "<a href=\"\(address)/reports?q=\(query.inAddress)\">\(short)</a>"
    return """
      <tr>\(box)<td><span class="mono small">\(words.isEmpty ? "no frames" : words)</span>\
      <div class="quiet small">\(name)</div></td>\
      <td class="number" title="\(Percent.text(variant.reports, of: total))">\(PageText.number(variant.reports))</td></tr>
      """
  }

  private var mixed: HTML {
    let proposed = overview.splits.map { split -> HTML in
      let rule = "variant:" + split.variants.map { $0.prefix(8) }.joined(separator: "|")
      return """
        <li>The stacks of \(PageText.number(split.reports)) of \(PageText.number(split.compared)) reports differ from the \
        others. <a href="\(address)/split?where=\(rule.inAddress)">Show them and split them off</a></li>
        """
    }
    return proposed.isEmpty
      ? .none : "<p><b>This group looks mixed.</b></p><ul>\(proposed)</ul>"
  }

  // MARK: Other groups

  func related(_ all: [RelatedGroup]) -> HTML {
    let others = all.filter { !$0.isDistinct }
    let distinct = all.filter(\.isDistinct)
    let parts = group.merged.map { part($0) }
    let merged: HTML =
      parts.isEmpty
      ? .none : "<h3>Merged groups</h3><table>\(parts)</table>"
    let list: HTML =
      others.isEmpty
      ? "<p class=\"quiet\">No other group has a similar stack.</p>"
      : table(Array(others.prefix(Self.mostRelated)))
    let apart: HTML =
      distinct.isEmpty
      ? .none
      : """
      <details><summary class="quiet">Marked as not the same: \(distinct.count)</summary>\
      \(table(distinct))</details>
      """
    return "<section><h2>Related groups</h2>\(merged)\(list)\(apart)</section>"
  }

  private func part(_ part: String) -> HTML {
    let line = overview.history.last {
      $0.event == "merged" && $0.undone == nil && $0.detail.hasPrefix(part + " ")
    }
    let why: HTML =
      line.map { "merged by \($0.author), \(PageText.time($0.time, now: call.now))" } ?? "merged"
    return """
      <tr><td class="mono">\(part)</td><td class="quiet">\(why)</td><td class="side">\
      \(button("Unmerge", "/groups/\(part.inAddress)/unmerge", []))</td></tr>
      """
  }

  private func table(_ others: [RelatedGroup]) -> HTML {
    var table = CardTable([
      ("Group", .text), ("Likeness", .text), ("Reports", .number), ("Decisions", .actions),
    ])
    for other in others { table.add(cells(other), link: true) }
    return table.markup
  }

  private func cells(_ other: RelatedGroup) -> [HTML] {
    let app: HTML = other.app == group.app ? .none : " · \(other.app)"
    let decide =
      other.app != group.app
      ? HTML.none
      : other.isDistinct
        ? button("May be the same", address + "/distinct", [("from", other.id), ("undone", "1")])
        : HTML([
          button("Merge", address + "/merge", [("into", other.id)]),
          button("Not the same", address + "/distinct", [("from", other.id)]),
        ])
    return [
      """
      <a class="mono" href="/groups/\(other.id.inAddress)">\(other.title.isEmpty ? "no signature" : other.title)</a>\
      <div class="quiet small">\(other.id)\(app)</div>
      """,
      "\(other.likenessText) <span class=\"quiet\">\(other.matchedFrames) of \(other.frames) frames</span>\(frames(other))",
      "\(PageText.number(other.reports))", decide,
    ]
  }

  /// Why they are related: the frames of their two most similar stacks.
  private func frames(_ other: RelatedGroup) -> HTML {
    guard let comparison = other.comparison else { return .none }
    func list(_ title: String, _ names: [String]) -> HTML {
      guard !names.isEmpty else { return .none }
      let items = names.prefix(20).map { "<li>\($0)</li>" as HTML }
      return "<p>\(title)</p><ul class=\"mono small\">\(Array(items))</ul>"
    }
    return """
      <details><summary class="quiet small">Frames</summary>\(list("In both", comparison.matched))\
      \(list("Only in \(group.id)", comparison.onlyHere))\(list("Only in \(other.id)", comparison.onlyThere))</details>
      """
  }

  /// A form with one button; empty for visitors who may not decide.
  private func button(
    _ title: String, _ action: String, _ fields: [(name: String, value: String)]
  ) -> HTML {
    guard mayDecide else { return .none }
    let hidden = fields.map {
      "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" as HTML
    }
    return """
      <form method="post" action="\(action)">\(call.formField)\(hidden)\
      <input type="hidden" name="back" value="\(address)"><button class="small">\(title)</button></form>
      """
  }

  // MARK: What happened

  /// The number of lines of the last note in the head of the page.
  private static let firstLines = 4

  /// The notes, newest first.
  private var allNotes: [GroupEvent] {
    overview.history.filter { $0.event == "noted" && $0.undone == nil }.reversed()
  }

  /// The newest note, for the head of the page.
  func lastNote() -> HTML {
    let notes = allNotes
    guard let note = notes.first else { return .none }
    let lines = note.detail.printableLines
    let shown = lines.prefix(Self.firstLines).map { "\(HTML.linked($0))\n" as HTML }
    let all = notes.count == 1 ? "Whole note" : "All \(notes.count) notes"
    let more: HTML =
      notes.count > 1 || lines.count > shown.count ? " · <a href=\"#notes\">\(all)</a>" : .none
    return """
      <div class="card noted"><p class="quiet">Note of \(note.author), \
      \(PageText.time(note.time, now: call.now))\(more)</p><div class="note">\(Array(shown))</div></div>
      """
  }

  func notes() -> HTML {
    let notes =
      allNotes
      .map { note -> HTML in
        let lines = note.detail.printableLines.map { "\(HTML.linked($0))\n" as HTML }
        return """
          <li class="card"><p class="quiet">\(note.author), \(PageText.time(note.time, now: call.now))</p>\
          <div class="note">\(lines)</div>\(undo(note, "Remove"))</li>
          """
      }
    return notes.isEmpty
      ? .none
      : "<section id=\"notes\"><h2>Notes</h2><ul class=\"notes\">\(Array(notes))</ul></section>"
  }

  private func undo(_ event: GroupEvent, _ title: String) -> HTML {
    // A decision about a part of a merged group can be undone on the part's own page, once the merge is undone.
    guard event.isAction, event.undone == nil, event.event != "undone",
      event.group == group.id || event.event == "noted"
    else { return .none }
    return button(title, address + "/undo", [("line", String(event.number))])
  }

  func history() -> HTML {
    // The merge already has a line in the history of the whole group.
    let all = overview.history.filter {
      $0.group == group.id || $0.isAction || !["merged", "unmerged"].contains($0.event)
    }
    let events = all.suffix(Self.mostEvents).reversed()
    guard !events.isEmpty else { return .none }
    let rows = events.map { event -> HTML in
      let undone: HTML =
        event.undone.map { " <span class=\"quiet\">undone by #\($0)</span>" } ?? .none
      // A note is shown in full above.
      let detail = event.event == "noted" ? event.noteStart : event.detail
      let part: HTML = event.group == group.id ? .none : "\(event.group) "
      return """
        <tr><td class="quiet">#\(event.number)</td><td>\(PageText.time(event.time, now: call.now))</td><td>\(event.author)</td>\
        <td>\(part)<b>\(event.event)</b> \(detail)\(undone)</td><td class="side">\(undo(event, "Undo"))</td></tr>
        """
    }
    let left = all.count - events.count
    let more: HTML =
      left > 0
      ? "<p class=\"quiet\">and \(PageText.number(left)) earlier: <a href=\"\(address).json\">all as JSON</a></p>"
      : .none
    return """
      <section><h2>History</h2><div class="scroll"><table class="history">\(Array(rows))</table></div>\(more)</section>
      """
  }
}
