/// Addresses of forms for new issues.
///
/// Sources: GitHub Docs, Creating an issue from a URL query; GitLab Docs, Create an issue using a URL with prefilled
/// values; Atlassian, Create issues using direct HTML links; YouTrack Help, Create an issue from a URL; Linear
/// Docs, Create issues using URLs.
extension TicketTracker {
  /// The maximum length of an address in bytes: servers refuse longer ones, GitHub from 8 KB on.
  public static let longestAddress = 7_000

  /// Returns the address of a new issue with a title and a text in Markdown.
  ///
  /// - Parameters:
  ///   - body: The text, which is cut at a line if the address gets too long.
  ///   - link: The address of the group's page, which is also kept below a text that was cut.
  public func newIssue(title: String, body: String, link: String) -> String {
    let title = String(title.prefix(200))
    let whole = filled(title: title, body: body, link: link)
    guard whole.utf8.count > Self.longestAddress else { return whole }
    // The most lines that fit, by bisection: each line more makes the address longer.
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    var (fits, tooLong) = (0, lines.count)
    while tooLong - fits > 1 {
      let middle = (fits + tooLong) / 2
      let address = filled(title: title, body: Self.cut(lines, to: middle, link), link: link)
      if address.utf8.count > Self.longestAddress { tooLong = middle } else { fits = middle }
    }
    return filled(title: title, body: Self.cut(lines, to: fits, link), link: link)
  }

  /// Returns the first lines of a Markdown text, with an open fence closed.
  private static func cut(_ lines: [Substring], to count: Int, _ link: String) -> String {
    var shown = lines.prefix(count).map(String.init)
    var fence: String?
    for line in shown where line.hasPrefix("```") {
      let marks = String(line.prefix { $0 == "`" })
      if fence == nil { fence = marks } else if marks == fence { fence = nil }
    }
    if let fence { shown.append(fence) }
    return (shown + ["", "… the rest: \(link)"]).joined(separator: "\n")
  }

  private func filled(title: String, body: String, link: String) -> String {
    template.replacing("{title}", with: Self.encoded(title))
      .replacing("{body}", with: Self.encoded(body)).replacing("{link}", with: Self.encoded(link))
  }

  private var template: String {
    if isTemplate { return address }
    let (page, title, body) =
      switch kind {
      case .github: ("/issues/new", "title", "body")
      case .gitlab: ("/-/issues/new", "issue%5Btitle%5D", "issue%5Bdescription%5D")
      case .jira: ("/secure/CreateIssueDetails!init.jspa", "summary", "description")
      case .youtrack: ("/newIssue", "summary", "description")
      case .linear: ("/new", "title", "description")
      case .other: ("", "title", "body")
      }
    let parts = address.split(separator: "?", maxSplits: 1)
    var path = String(parts.first ?? "")
    while path.hasSuffix("/") { path.removeLast() }
    if !path.hasSuffix(page) { path += page }
    let query = parts.count > 1 ? parts[1] + "&" : ""
    return "\(path)?\(query)\(title)={title}&\(body)={body}"
  }

  /// Percent-encodes all characters except unreserved ones (RFC 3986 2.3).
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: bytes.append(byte)
      default: bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
