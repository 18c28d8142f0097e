internal import CrashModel
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Query
internal import Rendering
internal import ServerCore
internal import TriageModel

/// Ways to split a group, with a preview of the reports that would move.
struct SplitView {
  let call: PageCall

  /// The number of reports shown in the preview.
  private static let shown = 10

  init(_ call: PageCall) { self.call = call }

  /// The query for the reports to move; empty if none was given.
  static func rule(_ fields: QueryItems) -> String {
    let variants = fields.values(of: "variant").filter {
      !$0.isEmpty && $0.allSatisfy(\.isHexDigit)
    }
    if !variants.isEmpty { return "variant:" + variants.joined(separator: "|") }
    return QueryWords(fields["where"] ?? "").text
  }

  func response() throws -> Response {
    let group = try call.service.group(call.parameter("id"), sourceLines: nil).group
    let address = "/groups/" + group.id.inAddress
    let form = address + "/split"
    let rule = Self.rule(call.fields(ofRefused: form) ?? call.request.query)
    let variants = try call.service.variants(ofGroup: group.id)
    let rows = variants.variants.map { variant in
      GroupRelations.row(
        variant, total: group.reports, address: address,
        box: variant.id.isEmpty
          ? "<td></td>"
          : """
          <td class="box"><input type="checkbox" name="variant" value="\(String(variant.id.prefix(8)))" \
          aria-label="Variant \(String(variant.id.prefix(8)))"></td>
          """)
    }
    let stacks: HTML =
      variants.count < 2
      ? "<p class=\"quiet\">All its reports have the same stack.</p>"
      : """
      <form action="\(address)/split"><table><tr><th><span class="hidden">Select</span></th><th>Stack</th><th class="number">Reports</th></tr>\(rows)</table>
      <p><button>Preview</button></p></form>
      """
    var status = Status.ok
    var preview: HTML = .none
    if !rule.isEmpty, call.refused == nil {
      do {
        preview = try self.preview(rule, group, address)
      } catch let error where PageSite.isRefusal(error) {
        let (message, kind) = FailureText.describe(error, namesCommands: false)
        (preview, status) = (problem(message), PageSite.status(of: kind))
      }
    }
    var response = call.page(
      "Split \(group.id)", in: .groups,
      """
      <p class="quiet"><a href="\(address)">\(group.id)</a> <span class="mono">\(group.signature.text)</span></p>
      <h1>Split \(group.id)</h1>
      <form class="search" action="\(form)"><label class="grow"><span>Reports to split off</span>
      <input name="where" value="\(rule)" placeholder="version:2.4.*" data-complete autocomplete="off" spellcheck="false"></label>
      <button>Preview</button></form>
      \(preview)
      <section><h2>By stack</h2>\(proposals(variants.splits, address))\(stacks)</section>
      \(try keys(of: group, address))
      """)
    response.status = status
    return response
  }

  private func proposals(_ splits: [ProposedSplit], _ address: String) -> HTML {
    let items = splits.map { split -> HTML in
      let rule = "variant:" + split.variants.map { $0.prefix(8) }.joined(separator: "|")
      return """
        <li>\(PageText.number(split.reports)) of \(PageText.number(split.compared)) reports have stacks that differ from the others: \
        <a href="\(address)/split?where=\(rule.inAddress)">show them</a></li>
        """
    }
    return items.isEmpty ? .none : "<p><b>This group looks mixed.</b></p><ul>\(items)</ul>"
  }

  // MARK: What would move

  private func preview(_ rule: String, _ group: GroupSummary, _ address: String) throws -> HTML {
    let query = try Query(rule, now: call.now)
    if let condition = query.conditions.first(where: { $0.level == .group }) {
      return problem(
        "'\(condition.text)' is a condition on groups; use one on reports, such as version:2.4.*"
      )
    }
    var asked = ReportQuery(try call.query("group:\(group.id) " + rule))
    asked.limit = Self.shown
    let found = try call.service.reports(asked)
    var kept = ReportQuery(try Query("group:\(group.id)", now: call.now))
    kept.limit = 1
    let all = try call.service.reports(kept).total
    guard found.total > 0 else {
      return problem("No report of \(group.id) matches: nothing would move.")
    }
    guard found.total < all else {
      return problem("Every report of \(group.id) matches: nothing would stay.")
    }
    return """
      <section><h2>\(GroupText.count(found.total, "report", "reports")) of \(PageText.number(all)) would move</h2>
      \(GroupReportsView.table(found.items, now: call.now))
      <form method="post" action="\(address)/split">\(call.formField)<input type="hidden" name="where" value="\(rule)">
      <p class="quiet">They become a separate group. Later reports that match also go there. Undo moves them back.</p>
      <p><button class="primary">Split off \(GroupText.count(found.total, "report", "reports"))</button></p></form></section>
      """
  }

  private func problem(_ text: String) -> HTML {
    let lines = text.split(separator: "\n").map { "\(String($0))\n" as HTML }
    return "<p class=\"message mono\" role=\"alert\">\(lines)</p>"
  }

  // MARK: Keys

  /// The keys by which reports joined the group.
  private func keys(of group: GroupSummary, _ address: String) throws -> HTML {
    let keys = try call.service.keys(ofGroup: group.id)
    guard keys.count > 1 else { return .none }
    let rows = keys.map { key -> HTML in
      let short = String(key.key.prefix(12))
      let versions = [key.versions.first, key.versions.last].compactMap(\.self)
      let box = call.mark(" checked", "key", key.key, in: address + "/split", else: false)
      let range = Set(versions).count == 1 ? versions[0] : versions.joined(separator: " … ")
      return """
        <tr><td class="box"><input type="checkbox" name="key" value="\(key.key)"\(box) aria-label="Key \(short)"></td>\
        <td><span class="mono">\(key.signature)</span><div class="quiet small">\(short)</div></td>\
        <td>\(range)</td><td class="number">\(PageText.number(key.reports))</td></tr>
        """
    }
    return """
      <section><h2>By key</h2><p class="quiet">Signatures by which reports joined the group.</p>
      <form method="post" action="\(address)/split">\(call.formField)
      <table><tr><th><span class="hidden">Select</span></th><th>Signature</th><th>Releases</th><th class="number">Reports</th></tr>\(rows)</table>
      <p><button>Split off selected keys</button></p></form></section>
      """
  }
}
