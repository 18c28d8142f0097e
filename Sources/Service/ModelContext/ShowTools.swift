internal import Bytes
internal import CrashModel
internal import CrashService
internal import CrashStore
internal import Documents
internal import Identifiers
internal import JSON
internal import Rendering
internal import ReportDocument
internal import ServerStore
internal import TriageModel

/// Tools that show a group or a report as text.
enum ShowTools {
  static let all = [show, explain]

  private static let input: [APIMember] = [
    .always(
      "id", .text(atLeast: 1), "A group, such as TERN-12, or a report's id or a prefix of it."),
    .maybe(
      "after", .integer(1...Int.max), "The number at the end of an answer that goes on: the rest."),
  ]

  private static let show = ModelContextTool(
    name: "show", title: "Show a group or a report",
    meaning: """
      Show a group (state, counts, versions, systems, the stack of its exemplar) or a report (reason, \
      threads, images) in Markdown.
      """, scope: .read, input: input
  ) { arguments, host in
    let id = arguments.text("id") ?? ""
    // A report's id has no dash.
    let text = id.contains("-") ? try group(id, host) : try report(id, host)
    return try page(of: text, after: arguments.integer("after"))
  }

  private static func group(_ id: String, _ host: ToolHost) throws -> String {
    let answer = try host.service.group(id, sourceLines: nil)
    guard
      var page = GroupPage(answer, now: .now, width: 100, styles: .plain, isFull: false)
    else {
      let details = GroupDetails(width: 100, styles: .plain)
      let lines =
        ["\(answer.group.id)  \(answer.group.signature.text)", "All of its reports were removed."]
        + details.lines(for: answer.group, history: answer.history)
      return lines.map(\.printable).joined(separator: "\n")
    }
    page.address = host.address.map { $0 + "/groups/" + answer.group.id }
    return page.markdown()
  }

  private static func report(_ id: String, _ host: ToolHost) throws -> String {
    let stored = try host.service.report(id, sourceLines: nil)
    var text = ReportMarkdown(report: stored.report, id: stored.id, group: stored.group)
    text.address = host.address.map { $0 + "/reports/" + stored.id }
    return text.text()
  }

  private static let explain = ModelContextTool(
    name: "explain", title: "Explain a signature",
    meaning: """
      Explain why a report is in its group: the frames that its signature was made from, the rule \
      that decided about each, its keys, and the most similar other groups. A group is explained by \
      its exemplar.
      """, scope: .read, input: input
  ) { arguments, host in
    var id = arguments.text("id") ?? ""
    if id.contains("-") {
      let group = try host.service.group(id, sourceLines: nil).group
      guard !group.exemplar.isEmpty else {
        throw ServiceError("\(group.id): all of its reports were removed", .notFound)
      }
      id = group.exemplar
    }
    let lines = ExplanationText(width: 100).lines(for: try host.service.explanation(ofReport: id))
    return try page(of: lines.joined(separator: "\n"), after: arguments.integer("after"))
  }

  /// The maximum number of characters of an answer, and of one of its lines.
  private static let longest = (answer: 6_000, line: 1_000)

  /// Returns the lines of a text after the first `after`, up to the limit of an answer.
  private static func page(of text: String, after: Int?) throws -> ToolResult {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = after ?? 0
    guard start < lines.count else {
      throw ServiceError("after is \(start), but the text has \(lines.count) lines", .wrongUsage)
    }
    var page = ""
    var next = start
    while next < lines.count {
      let line =
        lines[next].count > longest.line
        ? lines[next].prefix(longest.line) + "…" : lines[next]
      guard page.isEmpty || page.count + line.count < longest.answer else { break }
      page += line + "\n"
      next += 1
    }
    guard next < lines.count else { return .text(page) }
    return .text(page + "\n[\(lines.count - next) more lines: call again with after \(next)]\n")
  }
}
