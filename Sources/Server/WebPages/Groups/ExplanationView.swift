internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Rendering
internal import ServerCore
internal import TriageModel

/// Why a report has its signature, and why it is not in another report's group.
struct ExplanationView {
  let call: PageCall

  /// The maximum number of steps shown; stacks may have thousands.
  private static let mostSteps = 400

  init(_ call: PageCall) { self.call = call }

  func response() throws -> Response {
    var explanation = try call.service.explanation(ofReport: call.parameter("id"))
    try explanation.quoteRules(in: call.context.store)
    let other = (call.request.query["against"] ?? "").filter { !$0.isWhitespace }
    guard !other.isEmpty else {
      let sections = ExplanationSections(
        explanation: explanation, isFull: call.request.query["full"] != nil)
      return page(explanation, against: "", sections.content)
    }
    do {
      let address = "/reports/\(explanation.id.inAddress)?against=\(other.inAddress)"
      return page(
        explanation, against: other,
        """
        <p class="links"><a href="\(address)">Show the reports side by side</a></p>
        \(try comparison(explanation, other))
        """)
    } catch let error where PageSite.isRefusal(error) {
      return call.refusing(error) { Self($0).page(explanation, against: other, .none) }
    }
  }

  private func page(_ explanation: Explanation, against other: String, _ body: HTML) -> Response {
    let report = "/reports/" + explanation.id.inAddress
    return call.page(
      "Why \(explanation.signature.text)", in: .groups,
      """
      <p class="quiet"><a href="\(report)">report \(String(explanation.id.prefix(8)))</a></p>
      <h1 class="signature mono">\(explanation.signature.text)</h1>
      <form class="search" action="\(report)/explain">
      <label class="grow"><span>Compare with another report or group</span>
      <input name="against" value="\(other)" placeholder="TERN-12" autocomplete="off"></label>
      <button>Compare</button></form>
      \(body)
      """)
  }

  private func comparison(_ first: Explanation, _ name: String) throws -> HTML {
    // A group stands for its exemplar.
    var report = name
    if name.contains("-") {
      report = try call.service.group(name, sourceLines: nil).group.exemplar
    }
    let second = try call.service.explanation(ofReport: report)
    let comparison = Comparison(first, second)
    let reasons = comparison.reasons.map { "<li>\($0)</li>" as HTML }
    let difference = comparison.firstDifference
    let rows = comparison.rows.prefix(Self.mostSteps).enumerated().map { index, row -> HTML in
      let kind: HTML = row.isSame ? .none : " class=\"differs\""
      let mark: HTML = index == difference ? "<b>first difference</b>" : .none
      return """
        <tr\(kind)><td class="mono">\(Self.text(row.first))</td>\
        <td class="mono">\(Self.text(row.second))</td><td class="side">\(mark)</td></tr>

        """
    }
    let rest = Self.rest(comparison.rows.count - rows.count)
    return """
      <p><b>\(comparison.verdict)</b></p>
      <ul>\(reasons)</ul>
      <div class="scroll"><table class="sides"><thead><tr>\
      <th>A: <a href="/reports/\(first.id.inAddress)">\(first.membership?.group ?? first.id)</a></th>\
      <th>B: <a href="/reports/\(second.id.inAddress)">\(second.membership?.group ?? second.id)</a></th>\
      <th class="side"><span class="hidden">Note</span></th></tr></thead><tbody>\(Array(rows))</tbody></table></div>\(rest)
      """
  }

  private static func rest(_ left: Int) -> HTML {
    left > 0
      ? "<p class=\"quiet\">and \(GroupText.count(left, "more step", "more steps"))</p>" : .none
  }

  private static func text(_ step: SignatureStep?) -> String {
    guard let step else { return "" }
    let number = step.frame.map { "\($0) " } ?? step.subject + ": "
    return number + step.result
  }
}
