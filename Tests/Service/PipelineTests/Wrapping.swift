import Bytes
import Testing

/// A transformation of a report as users see it.
struct Wrapping: Sendable, CustomTestStringConvertible {
  let name: String
  let wrap: @Sendable ([UInt8]) -> [UInt8]
  /// Facts about the app in the wrapping.
  var app: String? { name == "xcodebuild" ? "xctest" : nil }

  var testDescription: String { name }

  /// Wraps each line of the text by `line`, which gets its number.
  private static func lines(
    _ name: String, _ line: @escaping @Sendable (Int, String) -> String
  ) -> Wrapping {
    Wrapping(name: name) { bytes in
      var lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: false
      ).map(String.init)
      if lines.last == "" { lines.removeLast() }
      return Array(
        lines.enumerated().map { line($0, $1) }.joined(separator: "\n").utf8 + [10])
    }
  }

  private static func prefix(_ name: String, _ prefix: @escaping @Sendable (Int) -> String)
    -> Wrapping
  {
    lines(name) { "\(prefix($0))\($1)" }
  }

  private static func text(_ name: String, _ wrap: @escaping @Sendable (String) -> String)
    -> Wrapping
  {
    Wrapping(name: name) { Array(wrap(String(decoding: $0, as: UTF8.self)).utf8) }
  }

  private static func second(_ line: Int) -> String {
    let second = line / 20 % 60
    return (second < 10 ? "0" : "") + String(second)
  }
  private static func milli(_ line: Int) -> String {
    let text = String(line * 37 % 1000)
    return String(repeating: "0", count: 3 - text.count) + text
  }
  private static func json(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
  private static func html(_ text: String) -> String {
    text.map { $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : $0 == "&" ? "&amp;" : String($0) }.joined()
  }

  static let all: [Wrapping] =
    prefixes + jsonLines + [
      Wrapping(name: "CRLF") { bytes in bytes.flatMap { $0 == 10 ? [13, 10] : [$0] } },
      Wrapping(name: "among other lines") { bytes in
        let lines = (1...20).map { "request \($0 * 7919 % 101) done, and the till is ready\n" }
        return Array(lines.joined().utf8) + bytes + (bytes.last == 10 ? [] : [10])
          + Array(lines.joined().utf8)
      },
      Wrapping(name: "UTF-8 mark") { [0xEF, 0xBB, 0xBF] + $0 },
      Wrapping(name: "UTF-16 LE") { utf16($0, isLittle: true, mark: true) },
      Wrapping(name: "UTF-16 BE") { utf16($0, isLittle: false, mark: true) },
      Wrapping(name: "UTF-16 LE without mark") { utf16($0, isLittle: true, mark: false) },
      text("no-break spaces") { $0.replacing("  ", with: "\u{a0}\u{a0}") },
      lines("colours") { "\u{1b}[31m\($1)\u{1b}[0m" },
      text("Markdown fence") { "It crashed:\n\n```\n\($0)\n```\n\nAny idea?\n" },
      text("Markdown fence with a language") { "It crashed:\n\n```text\n\($0)\n```\n" },
      text("tildes") { "~~~\n\($0)\n~~~\n" },
      lines("indented code") { "    \($1)" },
      lines("quoted") { "> \($1)" },
      lines("quoted twice") { "> > \($1)" },
      text("HTML pre") { "<html><body><p>It crashed:</p><pre>\(html($0))</pre></body></html>\n" },
      text("HTML code with breaks") {
        "<p>It crashed:<br><code>\(html($0).replacing("\n", with: "<br>\n").replacing("  ", with: "&nbsp;&nbsp;"))</code></p>\n"
      },
      text("details") { "<details><summary>Log</summary>\n\n```\n\($0)\n```\n\n</details>\n" },
      text("prose above") { "Hello,\n\nsince Monday it does this, on two machines.\n\n\($0)" },
      text("prose round") { "Hello, it does this:\n\n\($0)\n\nThanks in advance\nAnn\n" },
      text("mail, base64") {
        "From: ann@example.org\nTo: help@example.org\nSubject: crash\nMIME-Version: 1.0\n"
          + "Content-Type: multipart/mixed; boundary=\"b1\"\n\n--b1\nContent-Type: text/plain\n\nIt crashed.\n\n"
          + "--b1\nContent-Type: text/plain; name=\"log.txt\"\nContent-Disposition: attachment\n"
          + "Content-Transfer-Encoding: base64\n\n\(folded(Base64.encode(Array($0.utf8))))\n--b1--\n"
      },
      text("mail, quoted-printable") {
        "From: ann@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
          + "Content-Transfer-Encoding: quoted-printable\n\n\(quotedPrintable($0))\n"
      },
      lines("quoted, behind a container") { "> web-1  | \($1)" },
      lines("fenced and quoted") { ($0 == 0 ? "> ```\n" : "") + "> \($1)" },
      lines("Docker's JSON of prefixed lines") {
        "{\"log\":\(json("2026-03-02T10:11:\(second($0)).\(milli($0))Z worker \($1)\n")),\"stream\":\"stderr\","
          + "\"time\":\"2026-03-02T10:11:\(second($0)).\(milli($0))123Z\"}"
      },
    ]

  private static func folded(_ text: String) -> String {
    var result = ""
    for (index, character) in text.enumerated() {
      if index > 0, index % 76 == 0 { result += "\n" }
      result.append(character)
    }
    return result
  }

  private static func quotedPrintable(_ text: String) -> String {
    var result = ""
    var column = 0
    for byte in text.utf8 {
      if byte == 10 {
        result += "\n"
        column = 0
        continue
      }
      if column > 70 {
        result += "=\n"
        column = 0
      }
      if byte == 0x3D || byte < 32 || byte > 126 {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "=" + (digits.count < 2 ? "0" : "") + digits
        column += 3
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
        column += 1
      }
    }
    return result
  }

  private static func utf16(_ bytes: [UInt8], isLittle: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(String(decoding: bytes, as: UTF8.self).utf16)
    return units.flatMap { unit in
      let high = UInt8(unit >> 8)
      let low = UInt8(unit & 0xFF)
      return isLittle ? [low, high] : [high, low]
    }
  }

  private static let prefixes: [Wrapping] = [
    prefix("docker logs -t") { "2026-03-02T10:11:\(second($0)).\(milli($0))123456Z " },
    prefix("GitHub Actions") { "2026-03-02T10:11:\(second($0)).\(milli($0))1234Z " },
    prefix("CRI") { "2026-03-02T10:11:\(second($0)).\(milli($0))123456+01:00 stderr F " },
    prefix("docker compose") { _ in "web-1  | " },
    prefix("docker compose -t") { "web-1  | 2026-03-02T10:11:\(second($0)).\(milli($0))Z " },
    prefix("docker compose, old") { _ in "web_1     | " },
    prefix("Swarm") { _ in "shop_web.1.x7k2m9@node-3    | " },
    prefix("kubectl --prefix") { _ in "[pod/web-7d4b9c6f5-x2x8k/web] " },
    prefix("stern") { _ in "web-7d4b9c6f5-x2x8k web " },
    prefix("syslog") { "Mar  2 10:11:\(second($0)) desk3 tern[2219]: " },
    prefix("syslog, ISO") { "2026-03-02T10:11:\(second($0))+01:00 desk3 tern[2219]: " },
    prefix("journalctl without pid") { "Mar 02 10:11:\(second($0)) desk3 tern: " },
    prefix("Heroku") { "2026-03-02T10:11:\(second($0)).\(milli($0))+00:00 app[web.1]: " },
    prefix("foreman") { "10:11:\(second($0)) web.1   | " },
    prefix("pm2") { _ in "0|tern  | " },
    prefix("clock") { "10:11:\(second($0)) " },
    prefix("clock in brackets") { "[10:11:\(second($0))] " },
    prefix("clock with milliseconds") { "10:11:\(second($0)).\(milli($0)) " },
    prefix("date and clock") { "2026-03-02 10:11:\(second($0)) " },
    prefix("date and clock, comma") { "2026-03-02 10:11:\(second($0)),\(milli($0)) " },
    prefix("date and clock in brackets") { "[2026-03-02 10:11:\(second($0))] " },
    prefix("date with slashes") { "2026/03/02 10:11:\(second($0)) " },
    prefix("Apache's time") { "[Mon Mar 02 10:11:\(second($0)).\(milli($0)) 2026] " },
    prefix("Jenkins") { "[2026-03-02T10:11:\(second($0)).\(milli($0))Z] " },
    prefix("level behind a time") { "2026-03-02T10:11:\(second($0))Z ERROR " },
    prefix("level in brackets") { "2026-03-02 10:11:\(second($0)) [error] " },
    prefix("worker") { _ in "worker " },
    prefix("stderr:") { _ in "stderr: " },
    prefix("name and bar") { _ in "tern | " },
    prefix("brackets") { _ in "[tern] " },
    prefix("brackets with a pid") { _ in "tern[2219]: " },
    prefix("numbers of lines") { "\($0 + 1): " },
    prefix("numbers of lines, tab") { line in
      let text = String(line + 1)
      return String(repeating: " ", count: max(6 - text.count, 0)) + text + "\t"
    },
    prefix("grep -n") { "\($0 + 1):" },
    prefix("grep -Hn") { "tern.log:\($0 + 1):" },
    prefix("file:") { _ in "tern.log: " },
    prefix("xcodebuild") { "2026-03-02 10:11:\(second($0)).\(milli($0)) xctest[2219:81234] " },
    prefix("Gradle") { _ in "    [exec] " },
    prefix("systemd unit") { "Mar 02 10:11:\(second($0)) desk3 docker-web[812]: " },
    prefix("CloudWatch") { "2026-03-02T10:11:\(second($0)).\(milli($0))Z\t" },
    prefix("epoch") { "17724462\(second($0)).\(milli($0)) " },
    lines("two sources in turn") { line, text in
      line % 3 == 2
        ? "web-2  | \(text)\nweb-1  | GET /desks/\(line) 200 in 3 ms" : "web-2  | \(text)"
    },
  ]

  private static let jsonLines: [Wrapping] = [
    lines("Docker's JSON") {
      "{\"log\":\(json($1 + "\n")),\"stream\":\"stderr\",\"time\":\"2026-03-02T10:11:\(second($0)).\(milli($0))123Z\"}"
    },
    lines("Google's JSON") {
      "{\"insertId\":\"a\($0)\",\"resource\":{\"type\":\"k8s_container\",\"labels\":{\"pod_name\":\"web-1\"}},"
        + "\"textPayload\":\(json($1)),\"timestamp\":\"2026-03-02T10:11:\(second($0)).\(milli($0))Z\"}"
    },
    lines("journal's JSON") {
      "{\"__REALTIME_TIMESTAMP\":\"1772446262000\(milli($0))\",\"_PID\":\"2219\",\"SYSLOG_IDENTIFIER\":\"tern\","
        + "\"MESSAGE\":\(json($1))}"
    },
    lines("a logger's JSON, a line each") {
      "{\"level\":\"error\",\"ts\":1772446262.\(milli($0)),\"msg\":\(json($1))}"
    },
    text("a logger's JSON, the stack in a field") {
      "{\"level\":\"error\",\"time\":\"2026-03-02T10:11:12Z\",\"msg\":\"failed\",\"stack\":\(json($0))}\n"
    },
    text("a logger's JSON, the stack in the message") {
      "{\"level\":\"error\",\"@timestamp\":\"2026-03-02T10:11:12Z\",\"message\":\(json($0))}\n"
    },
    text("CloudWatch's export") {
      "{\"events\":[{\"timestamp\":1772446262000,\"message\":\"START\",\"ingestionTime\":1772446263000},"
        + "{\"timestamp\":1772446262001,\"message\":\(json($0)),\"ingestionTime\":1772446263000}]}\n"
    },
    text("a list of entries") {
      "[\n  {\"timestamp\":\"2026-03-02T10:11:12Z\",\"textPayload\":\"started\"},\n"
        + "  {\"timestamp\":\"2026-03-02T10:11:13Z\",\"textPayload\":\(json($0))}\n]\n"
    },
  ]
}
