internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ReportDocument
internal import ServerCore
internal import TriageModel

/// Two reports side by side: their facts, and their stacks frame by frame.
struct ReportComparisonView {
  let call: PageCall
  let first: StoredReport

  private static let mostRows = 300
  private static let mostValues = 60
  private static let mostStacks = 12
  /// The maximum number of frames of a stack that are compared.
  private static let mostFrames = 1_000

  init(_ call: PageCall, _ first: StoredReport) {
    self.call = call
    self.first = first
  }

  /// - Parameter name: A report's id or a prefix of it, or a group for its exemplar.
  func response(against name: String) throws -> Response {
    let second: StoredReport
    do {
      var id = name
      if name.contains("-") {
        id = try call.service.group(name, sourceLines: nil).group.exemplar
      }
      second = try call.service.report(id, sourceLines: nil)
    } catch let error where PageSite.isRefusal(error) {
      return call.refusing(error) { Self($0, first).page(against: name, .none) }
    }
    let address = "/reports/\(first.id.inAddress)/explain?against=\(second.id.inAddress)"
    return page(
      against: name,
      """
      <p class="links"><a href="\(address)">Why they are in these groups</a></p>
      \(facts(second))
      \(stacks(second))
      """)
  }

  private func page(against name: String, _ content: HTML) -> Response {
    let address = "/reports/" + first.id.inAddress
    return call.page(
      "\(first.report.headline) compared", in: .groups,
      """
      <p class="quiet"><a href="\(address)">report \(String(first.id.prefix(8)))</a></p>
      <h1>Compare reports</h1>
      <form class="search" action="\(address)">
      <label class="grow"><span>Compare with another report or group</span>
      <input name="against" value="\(name)" autocomplete="off" required></label>
      <button>Compare</button></form>
      \(content)
      """)
  }

  private func heading(_ letter: String, _ stored: StoredReport) -> HTML {
    """
    <th role="columnheader">\(letter): <a href="/reports/\(stored.id.inAddress)">\(String(stored.id.prefix(8)))</a> \
    \(stored.group.map { "in <a href=\"/groups/\($0.inAddress)\">\($0)</a>" } ?? .none as HTML)</th>
    """
  }

  // MARK: Facts

  private static let left: Set = ["Report", "Group", "Attachment", "Before", "Incident"]

  private func facts(_ second: StoredReport) -> HTML {
    let (one, other) = (Self.values(of: first), Self.values(of: second))
    let labels = one.map(\.0) + other.map(\.0).filter { label in !one.contains { $0.0 == label } }
    let rows = labels.map { label in
      row(label, one.first { $0.0 == label }?.1, other.first { $0.0 == label }?.1)
    }
    let more = further(second)
    return """
      <table class="sides facts" role="table"><thead role="rowgroup"><tr role="row"><td role="cell"></td>\
      \(heading("A", first))\(heading("B", second))<th role="columnheader" class="side"><span class="hidden">Note</span></th></tr></thead>
      <tbody role="rowgroup">\(rows)\(more)</tbody></table>
      """
  }

  private static func values(of stored: StoredReport) -> [(String, String)] {
    [("Reason", stored.report.headline)]
      + ReportFacts(of: stored.report, id: nil, hasTags: false).rows
      .filter { !left.contains($0.label) }.map { ($0.label, $0.value) }
  }

  private func row(_ label: String, _ one: String?, _ other: String?) -> HTML {
    let isSame = one == other
    return """
      <tr role="row"\(isSame ? .none : " class=\"differs\"" as HTML)><th role="rowheader" scope="row">\(HTML.name(label))</th>\
      <td role="cell" class="a">\(HTML.name(one ?? ""))</td><td role="cell" class="b">\(HTML.name(other ?? ""))</td>\
      <td role="cell" class="side">\(isSame ? "" : "differs")</td></tr>

      """
  }

  /// Tags and properties that differ.
  private func further(_ second: StoredReport) -> HTML {
    func values(_ report: CrashReport) -> [String: String] {
      var values: [String: String] = [:]
      for (key, value) in report.tags { values[key.description] = value }
      for (key, value) in report.properties { values["property." + key] = value }
      return values
    }
    let (one, other) = (values(first.report), values(second.report))
    let names = Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    let rows = names.prefix(Self.mostValues).map { row($0, one[$0], other[$0]) }
    let left = names.count - rows.count
    let rest: HTML =
      left > 0
      ? """
      <tr role="row"><td role="cell" colspan="4" class="quiet">and \(left) more differences</td></tr>
      """ : .none
    return "\(Array(rows))\(rest)"
  }

  // MARK: Stacks

  private func stacks(_ second: StoredReport) -> HTML {
    let one = ReportFragment(report: first.report).telling
    let other = ReportFragment(report: second.report).telling
    var pairs: [(ReportFragment.Stack?, ReportFragment.Stack?)] = one.map { stack in
      (stack, other.first { Self.pairingKey($0) == Self.pairingKey(stack) })
    }
    pairs += other.filter { stack in !one.contains { Self.pairingKey($0) == Self.pairingKey(stack) }
    }
    .map { (nil, $0) }
    let tables = pairs.prefix(Self.mostStacks).map { table($0.0, $0.1, second.report) }
    let left = pairs.count - tables.count
    let rest: HTML = left > 0 ? "<p class=\"quiet\">and \(left) more stacks</p>" : .none
    return "\(Array(tables))\(rest)"
  }

  /// The key for pairing stacks: a report's main thread is paired regardless of its number.
  private static func pairingKey(_ stack: ReportFragment.Stack) -> String {
    stack.anchor.hasPrefix("t") ? "t" : stack.anchor
  }

  private func table(
    _ one: ReportFragment.Stack?, _ other: ReportFragment.Stack?, _ second: CrashReport
  ) -> HTML {
    let (left, right) = (one?.frames ?? [], other?.frames ?? [])
    let all = Self.rows(left, first.report, right, second)
    let rows = all.prefix(Self.mostRows).map { row -> HTML in
      let mark = Self.mark(row, left, right)
      return """
        <tr role="row"\(mark.isEmpty ? .none : " class=\"differs\"" as HTML)>\
        <td role="cell" class="mono a">\(Self.cell(row.first, left, first.report))</td>\
        <td role="cell" class="mono b">\(Self.cell(row.second, right, second))</td>\
        <td role="cell" class="side">\(mark)</td></tr>

        """
    }
    let rest: HTML =
      all.count > rows.count
      ? "<p class=\"quiet\">and \(all.count - rows.count) more frames</p>" : .none
    return """
      <table class="sides" role="table"><thead role="rowgroup"><tr role="row">\
      <th role="columnheader">A: \(one?.title ?? "no such stack")</th>\
      <th role="columnheader">B: \(other?.title ?? "no such stack")</th>\
      <th role="columnheader" class="side"><span class="hidden">Note</span></th></tr></thead>
      <tbody role="rowgroup">\(rows)</tbody></table>\(rest)

      """
  }

  /// Pairs frames with the same name; frames between them are paired from the top.
  private static func rows(
    _ left: [Frame], _ first: CrashReport, _ right: [Frame], _ second: CrashReport
  ) -> [Alignment.Row] {
    var names = NameNumbers()
    let ones = left.prefix(mostFrames).map { names.number(of: name($0, first)) }
    let others = right.prefix(mostFrames).map { names.number(of: name($0, second)) }
    let aligned = Alignment(ones, others, most: mostFrames, by: ==).rows
    var rows: [Alignment.Row] = []
    var (onlyLeft, onlyRight): ([Int], [Int]) = ([], [])
    func pair() {
      for index in 0..<max(onlyLeft.count, onlyRight.count) {
        rows.append(
          Alignment.Row(
            first: onlyLeft.indices.contains(index) ? onlyLeft[index] : nil,
            second: onlyRight.indices.contains(index) ? onlyRight[index] : nil))
      }
      (onlyLeft, onlyRight) = ([], [])
    }
    for row in aligned {
      switch (row.first, row.second) {
      case (let one?, nil): onlyLeft.append(one)
      case (nil, let two?): onlyRight.append(two)
      default:
        pair()
        rows.append(row)
      }
    }
    pair()
    return rows
  }

  private static func name(_ frame: Frame, _ report: CrashReport) -> String {
    frame.function ?? frame.symbol ?? FrameText(frame, in: report).name
  }

  /// The difference as text, because not everyone sees colours; empty for equal frames.
  private static func mark(_ row: Alignment.Row, _ left: [Frame], _ right: [Frame]) -> String {
    guard let first = row.first else { return "only in B" }
    guard let second = row.second else { return "only in A" }
    let (one, other) = (left[first], right[second])
    guard one.function == other.function, one.symbol == other.symbol || one.function != nil else {
      return "differs"
    }
    if one.function == nil, one.symbol == nil {
      return one.imageOffset == other.imageOffset ? "" : "differs"
    }
    return one.file == other.file && one.line == other.line ? "" : "different line"
  }

  private static func cell(_ index: Int?, _ frames: [Frame], _ report: CrashReport) -> HTML {
    guard let index else { return .none }
    let text = FrameText(frames[index], in: report)
    let own: HTML = text.isInApp == true ? " class=\"own\"" : .none
    let inlined: HTML = text.isInlined ? " <span class=\"tag\">inlined</span>" : .none
    let location: HTML =
      text.beside.isEmpty ? .none : "<div class=\"where small\">\(HTML.name(text.beside))</div>"
    return "<span\(own)>\(index) \(HTML.name(text.name))</span>\(inlined)\(location)"
  }
}
